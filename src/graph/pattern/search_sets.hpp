/// The sets of a search for the vertices chosen so far, computed by the lanes of a team together.
///
/// The paper's mapping: a set that many rows are tested against is loaded once, into a bitmap (`load`); then each lane
/// searches for its own members (`filter`).
///
/// Compiled once per vector target, hence the guard that toggles.
#if defined(QUARRY_MINE_SEARCH_SETS) == defined(HWY_TARGET_TOGGLE)
#ifdef QUARRY_MINE_SEARCH_SETS
#undef QUARRY_MINE_SEARCH_SETS
#else
#define QUARRY_MINE_SEARCH_SETS
#endif

#include "exec/device/atomic.hpp"
#include "exec/team.hpp"
#include "graph/pattern/search_job.hpp"
#include "graph/set_operations.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::mine {
namespace QUARRY_TARGET {

using namespace ::quarry::QUARRY_TARGET;  // set operations

/// Writes the elements for which `keep(place)`; where `kWrite` is false only counts. Each lane looks at its own, and
/// `out` may be where the list lies.
/// @param team  at most 64 lanes
template <bool kWrite, class AnyTeam, class Keep>
QUARRY_INLINE Index filter(AnyTeam& team, VertexList list, std::uint32_t* out, Keep&& keep) {
  Index count = 0;
  for (Index begin = 0; begin < list.size(); begin += team.size()) {
    const Index place = begin + team.rank();
    const bool kept = place < list.size() && keep(place);
    if (!kWrite) {
      count += kept;
      continue;
    }
    const std::uint32_t vertex = kept ? list[place] : 0;
    const std::uint64_t keepers = team.ballot(kept);  // from here on nobody reads this part of the list
    if (kept) out[count + count_bits(keepers & ((std::uint64_t{1} << team.rank()) - 1))] = vertex;
    count += count_bits(keepers);
  }
  if (!kWrite) return team.sum(count);
  team.barrier();
  return count;
}

template <class AnyTeam>
class SearchSets {
 public:
  QUARRY_HD SearchSets(AnyTeam& team, const SearchJob& job, std::byte* memory)
      : team_(team),
        job_(job),
        memory_(memory),
        live_(reinterpret_cast<LiveSet*>(memory) + team.rank() * job.sets.size()) {
    for (Index set = 0; set < job.sets.size(); ++set) live_[set] = {};
  }
  QUARRY_HD ~SearchSets() {
    for (Index set = 0; set < job_.sets.size(); ++set) unload(set);
    team_.barrier();
  }
  SearchSets(const SearchSets&) = delete;
  SearchSets& operator=(const SearchSets&) = delete;

  QUARRY_HD const std::uint32_t* chosen() const { return chosen_; }

  /// @return false where no match goes on from here
  QUARRY_HD bool choose(const SearchNode& node, std::uint32_t vertex) {
    chosen_[node.position] = vertex;
    for (Index set = node.first_set; set < node.last_set; ++set) {
      const SetStep& step = job_.sets[set];
      compute(set, step, vertex);
      if (step.required && live_[set].size == 0) return false;
    }
    return true;
  }
  QUARRY_HD VertexList members(Index set) const { return live_[set].members; }
  QUARRY_INLINE bool is_chosen(std::uint32_t vertex, std::uint16_t positions) const {
    for (std::uint64_t rest = positions; rest != 0; rest &= rest - 1) {
      if (chosen_[lowest_bit(rest)] == vertex) return true;
    }
    return false;
  }
  /// Members that are none of the chosen vertices.
  QUARRY_INLINE Index size(const OpenSet& open) const {
    const LiveSet& live = live_[open.set];
    Index size = live.size;
    for (std::uint64_t rest = open.distinct_from; rest != 0; rest &= rest - 1) {
      size -= contains(live.members, chosen_[lowest_bit(rest)]) ? 1 : 0;
    }
    return size;
  }

 private:
  QUARRY_INLINE std::uint64_t* bitmap(Index set) const {
    return reinterpret_cast<std::uint64_t*>(memory_ + job_.rooms[set].bitmap);
  }
  /// The bits of the set's members change; lanes may be at different words.
  QUARRY_INLINE void toggle(Index set) const {
    const VertexList list = live_[set].members;
    std::uint64_t* const words = bitmap(set);
    team_for(team_, list.size(), [&](Index i) { fetch_xor(words[list[i] / 64], std::uint64_t{1} << (list[i] % 64)); });
  }
  QUARRY_INLINE void unload(Index set) const {
    if (!live_[set].loaded) return;
    toggle(set);
    live_[set].loaded = false;
  }

  QUARRY_HD void compute(Index set, const SetStep& step, std::uint32_t vertex) {
    unload(set);
    LiveSet& live = live_[set];
    auto* const out = reinterpret_cast<std::uint32_t*>(memory_ + job_.rooms[set].members);
    if (step.source < 0) {
      begin(step, vertex, live, out);
    } else {
      narrow(step, vertex, live, out);
    }
    const bool wanted = job_.intersection == Intersection::automatic || job_.intersection == Intersection::bitmap;
    if (job_.rooms[set].bitmap < 0 || !wanted || live.size < job_.bitmap_degree) return;
    toggle(set);
    team_.barrier();
    live.loaded = true;
  }

  QUARRY_HD void begin(const SetStep& step, std::uint32_t vertex, LiveSet& live, std::uint32_t* out) {
    std::uint32_t first = step.begin;
    for (std::uint64_t rest = step.later_than; rest != 0; rest &= rest - 1) {
      const std::uint32_t other = chosen_[lowest_bit(rest)];
      if (other >= first) first = other + 1;
    }
    live.members = part_within(job_.rows.row(vertex), first, step.end);
    if (step.edge_label >= 0) live.members = {out, with_label(step, live.members, live.members, out)};
    for (std::uint64_t rest = step.subtract; rest != 0; rest &= rest - 1) {
      live.members = {out, less<true>(live.members, job_.rows.row(chosen_[lowest_bit(rest)]), out)};
    }
    live.size = live.members.size();
  }

  QUARRY_HD void narrow(const SetStep& step, std::uint32_t vertex, LiveSet& live, std::uint32_t* out) {
    const LiveSet& source = live_[step.source];
    VertexList set = source.members;
    if (step.after_chosen) set = part_within(set, vertex + 1, ~std::uint32_t{0});
    const VertexList row = step.after_chosen ? job_.rows.after(vertex) : job_.rows.row(vertex);
    if (step.subtract != 0) {
      live.size = step.size_only ? less<false>(set, row, out) : less<true>(set, row, out);
      live.members = {out, live.size};
    } else if (!step.intersect) {
      live.members = set;
      if (step.load) live.members = {out, filter<true>(team_, set, out, [](Index) { return true; })};
      live.size = set.size();
    } else if (step.edge_label >= 0) {
      live.size = with_label(step, row, set, out);
      live.members = {out, live.size};
    } else {
      const std::uint64_t* const words = source.loaded ? bitmap(step.source) : nullptr;
      live.size = step.size_only ? intersect<false>(set, words, row, out) : intersect<true>(set, words, row, out);
      live.members = {out, live.size};
    }
  }

  /// The entries of a row with the step's edge label that are in a set.
  QUARRY_HD Index with_label(const SetStep& step, VertexList row, VertexList set, std::uint32_t* out) const {
    const auto* const labels = job_.edge_labels.data() + (row.data() - job_.rows.neighbours.data());
    return filter<true>(team_, row, out, [&](Index i) {
      return labels[i] == step.edge_label && (row.data() == set.data() || contains(set, row[i]));
    });
  }

  template <bool kWrite>
  QUARRY_INLINE Index less(VertexList set, VertexList row, std::uint32_t* out) const {
    if (team_.size() == 1) return subtract<kWrite>(set, row, out);
    return filter<kWrite>(team_, set, out, [&](Index i) { return !contains(row, set[i]); });
  }

  /// @param bitmap  the set's, or null
  template <bool kWrite>
  QUARRY_INLINE Index intersect(VertexList set, const std::uint64_t* bitmap, VertexList row, std::uint32_t* out) const {
    const VertexList shorter = set.size() < row.size() ? set : row, longer = set.size() < row.size() ? row : set;
    // PERF: looking up pays from about 16 times the length on; before, a bitmap beats the merge.
    constexpr Index kMuchLonger = 16;
    const bool search = job_.intersection == Intersection::search ||
                        (job_.intersection == Intersection::automatic && longer.size() > kMuchLonger * shorter.size() &&
                         (bitmap == nullptr || shorter.data() == set.data()));
    if (team_.size() > 1) {
      if (search || bitmap == nullptr)
        return filter<kWrite>(team_, shorter, out, [&](Index i) { return contains(longer, shorter[i]); });
      return filter<kWrite>(team_, row, out, [&](Index i) { return (bitmap[row[i] / 64] >> (row[i] % 64) & 1) != 0; });
    }
    if (search) return intersect_by_search<kWrite>(shorter, longer, out);
    if (bitmap != nullptr) return intersect_by_bitmap<kWrite>(bitmap, row, out);
    return intersect_by_merging<kWrite>(shorter, longer, out);
  }

  AnyTeam& team_;
  const SearchJob& job_;
  std::byte* memory_;
  LiveSet* live_;  ///< [sets] this lane's own
  std::uint32_t chosen_[kMaxPatternVertices] = {};
};

}  // namespace QUARRY_TARGET
}  // namespace quarry::mine
QUARRY_AFTER_TARGET();

#endif
