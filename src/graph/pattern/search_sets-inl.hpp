/// The sets of a search for the vertices chosen so far, computed by the lanes of a team together: first the operations
/// on ascending lists of vertices, then the chains of sets that they compute.
///
/// The paper's mapping: a set that many rows are tested against is loaded once, into a bitmap (`load`); then each lane
/// searches for its own members (`filter`). One lane alone merges, looks up or tests a bitmap.
#include "exec/simd/bits.hpp"
#include "exec/team.hpp"
#include "graph/pattern/search_job.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry {
namespace QUARRY_TARGET {

using VertexList = View<const std::uint32_t>;

/// First index in [begin, size) whose vertex is at least `vertex`; size where there is none.
QUARRY_INLINE Index lower_bound(VertexList list, Index begin, std::uint32_t vertex) {
  Index size = list.size() - begin;
  const std::uint32_t* base = list.data() + begin;
  while (size > 1) {
    const Index half = size / 2;
    base += base[half - 1] < vertex ? half : 0;  // no branch: which half is anybody's guess
    size -= half;
  }
  return base - list.data() + (size == 1 && *base < vertex ? 1 : 0);
}

QUARRY_INLINE bool contains(VertexList list, std::uint32_t vertex) {
  const Index index = lower_bound(list, 0, vertex);
  return index < list.size() && list[index] == vertex;
}

/// The vertices of a list from `begin` to below `end`; none where `end <= begin`.
QUARRY_INLINE VertexList within(VertexList list, std::uint32_t begin, std::uint32_t end) {
  if (list.size() == 0) return list;
  const Index first = list[0] >= begin ? 0 : lower_bound(list, 0, begin);
  const Index last = list[list.size() - 1] < end ? list.size() : lower_bound(list, first, end);
  return list.part(first, last - first);
}

/// Writes the vertices in both lists to `out`, or only counts them where `kWrite` is false. `out` may be `one`'s own
/// memory.
template <bool kWrite>
QUARRY_INLINE Index intersect_by_merging(VertexList one, VertexList other, std::uint32_t* out) {
  Index i = 0, j = 0, count = 0;
  while (i < one.size() && j < other.size()) {
    const std::uint32_t a = one[i], b = other[j];
    if (kWrite) out[count] = a;
    count += a == b;
    i += a <= b;
    j += b <= a;
  }
  return count;
}

/// Looks up each vertex of the shorter list in the longer one, from where the last search ended.
template <bool kWrite>
QUARRY_INLINE Index intersect_by_search(VertexList shorter, VertexList longer, std::uint32_t* out) {
  Index index = 0, count = 0;
  for (const std::uint32_t vertex : shorter) {
    Index width = 1;
    while (index + width < longer.size() && longer[index + width] < vertex) width *= 2;
    const Index end = index + width + 1 < longer.size() ? index + width + 1 : longer.size();
    index = lower_bound(longer.part(0, end), index, vertex);
    if (index == longer.size()) break;
    if (longer[index] != vertex) continue;
    if (kWrite) out[count] = vertex;
    ++count;
  }
  return count;
}

/// Writes the vertices of a list whose bit is set, or only counts them where `kWrite` is false.
template <bool kWrite>
QUARRY_INLINE Index intersect_by_bitmap(const std::uint64_t* bitmap, VertexList list, std::uint32_t* out) {
  Index count = 0;
  for (const std::uint32_t vertex : list) {
    if (kWrite) out[count] = vertex;
    count += bitmap[vertex / 64] >> (vertex % 64) & 1;
  }
  return count;
}

/// Writes the vertices of `one` that are not in `other`, or only counts them where `kWrite` is false. `out` may be
/// `one`'s own memory.
template <bool kWrite>
QUARRY_INLINE Index subtract(VertexList one, VertexList other, std::uint32_t* out) {
  Index j = 0, count = 0;
  const bool long_other = other.size() > 16 * one.size();
  for (const std::uint32_t vertex : one) {
    if (long_other) {
      j = lower_bound(other, j, vertex);
    } else {
      while (j < other.size() && other[j] < vertex) ++j;
    }
    if (kWrite) out[count] = vertex;
    count += j == other.size() || other[j] != vertex;
  }
  return count;
}

/// Writes the elements for which `keep(index)`, or only counts them where `kWrite` is false. Each lane looks at its own,
/// and `out` may be the list's own memory.
/// @param team  at most 64 lanes
template <bool kWrite, class Keep>
QUARRY_INLINE Index filter(Team auto& team, VertexList list, std::uint32_t* out, Keep&& keep) {
  Index count = 0;
  for (Index begin = 0; begin < list.size(); begin += team.size()) {
    const Index index = begin + team.rank();
    const bool kept = index < list.size() && keep(index);
    if (!kWrite) {
      count += kept;
      continue;
    }
    const std::uint32_t vertex = kept ? list[index] : 0;
    const std::uint64_t keepers = team.ballot(kept);  // from here on nobody reads this part of the list
    if (kept) out[count + count_bits(keepers & ((std::uint64_t{1} << team.rank()) - 1))] = vertex;
    count += count_bits(keepers);
  }
  if (!kWrite) return team.sum(count);
  team.barrier();
  return count;
}

template <Team AnyTeam>
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
      const SetDefinition& definition = job_.sets[set];
      compute(set, definition, vertex);
      if (definition.required && live_[set].size == 0) return false;
    }
    return true;
  }
  QUARRY_HD VertexList members(Index set) const { return live_[set].members; }
  QUARRY_INLINE bool is_chosen(std::uint32_t vertex, Positions positions) const {
    for (std::uint64_t rest = positions; rest != 0; rest &= rest - 1) {
      if (chosen_[lowest_bit(rest)] == vertex) return true;
    }
    return false;
  }
  QUARRY_INLINE Index size(const SetMinusChosen& counted) const {
    const LiveSet& live = live_[counted.set];
    Index size = live.size;
    for (std::uint64_t rest = counted.distinct_from; rest != 0; rest &= rest - 1) {
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

  QUARRY_HD void compute(Index set, const SetDefinition& definition, std::uint32_t vertex) {
    unload(set);
    LiveSet& live = live_[set];
    auto* const out = reinterpret_cast<std::uint32_t*>(memory_ + job_.rooms[set].members);
    if (definition.source < 0) {
      begin(definition, vertex, live, out);
    } else {
      narrow(definition, vertex, live, out);
    }
    const bool wanted = job_.intersection == Intersection::automatic || job_.intersection == Intersection::bitmap;
    if (job_.rooms[set].bitmap < 0 || !wanted || live.size < job_.bitmap_degree) return;
    toggle(set);
    team_.barrier();
    live.loaded = true;
  }

  QUARRY_HD void begin(const SetDefinition& definition, std::uint32_t vertex, LiveSet& live, std::uint32_t* out) {
    std::uint32_t first = definition.begin;
    for (std::uint64_t rest = definition.greater_than; rest != 0; rest &= rest - 1) {
      const std::uint32_t other = chosen_[lowest_bit(rest)];
      if (other >= first) first = other + 1;
    }
    live.members = within(job_.rows.row(vertex), first, definition.end);
    if (definition.edge_label >= 0) live.members = {out, with_label(definition, live.members, live.members, out)};
    for (std::uint64_t rest = definition.subtract; rest != 0; rest &= rest - 1) {
      live.members = {out, less<true>(live.members, job_.rows.row(chosen_[lowest_bit(rest)]), out)};
    }
    live.size = live.members.size();
  }

  QUARRY_HD void narrow(const SetDefinition& definition, std::uint32_t vertex, LiveSet& live, std::uint32_t* out) {
    const LiveSet& source = live_[definition.source];
    VertexList set = source.members;
    if (definition.after_chosen) set = within(set, vertex + 1, ~std::uint32_t{0});
    const VertexList row = definition.after_chosen ? job_.rows.after(vertex) : job_.rows.row(vertex);
    if (definition.subtract != 0) {
      live.size = definition.size_only ? less<false>(set, row, out) : less<true>(set, row, out);
      live.members = {out, live.size};
    } else if (!definition.intersect) {
      live.members = set;
      if (definition.load) live.members = {out, filter<true>(team_, set, out, [](Index) { return true; })};
      live.size = set.size();
    } else if (definition.edge_label >= 0) {
      live.size = with_label(definition, row, set, out);
      live.members = {out, live.size};
    } else {
      const std::uint64_t* const words = source.loaded ? bitmap(definition.source) : nullptr;
      live.size = definition.size_only ? intersect<false>(set, words, row, out) : intersect<true>(set, words, row, out);
      live.members = {out, live.size};
    }
  }

  /// The entries of a row with the definition's edge label that are in a set.
  QUARRY_HD Index with_label(const SetDefinition& definition, VertexList row, VertexList set,
                             std::uint32_t* out) const {
    const auto* const labels = job_.edge_labels.data() + (row.data() - job_.rows.neighbours.data());
    return filter<true>(team_, row, out, [&](Index i) {
      return labels[i] == definition.edge_label && (row.data() == set.data() || contains(set, row[i]));
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
}  // namespace quarry
QUARRY_AFTER_TARGET();
