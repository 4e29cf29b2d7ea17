/// A search, by the lanes of a team together: first the operations on ascending lists of vertices, then the chains of
/// sets that they compute for the vertices chosen so far, then the nested loops over these sets, as one loop with a stack.
///
/// A team walks together: every lane takes the same turns, and they share each set operation.
/// The paper's mapping: a set that many rows are tested against is loaded once, into a bitmap (`load`); then each lane
/// searches for its own members (`filter`). One lane alone merges, looks up or tests a bitmap.
#include <concepts>
#include <type_traits>

#include "exec/simd/bits.hpp"
#include "exec/team.hpp"
#include "graph/pattern/search/search_job.hpp"

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
    // PERF: which half is anybody's guess, and g++ makes a branch of a condition here.
    base += half & -static_cast<Index>(base[half - 1] < vertex);
    size -= half;
  }
  return base - list.data() + (size == 1 && *base < vertex ? 1 : 0);
}

QUARRY_INLINE bool contains(VertexList list, std::uint32_t vertex) {
  const Index index = lower_bound(list, 0, vertex);
  return index < list.size() && list[index] == vertex;
}

/// No vertex has this number or a later one.
inline constexpr std::uint32_t kEndOfVertices = ~std::uint32_t{0};

/// The vertices of a list from `begin` to below `end`; none where `end <= begin`.
/// PERF: from 0 to kEndOfVertices, as for every set of watch, the list itself is not read: it may be far away in memory.
QUARRY_INLINE VertexList within(VertexList list, std::uint32_t begin, std::uint32_t end) {
  if (list.size() == 0) return list;
  const Index first = begin == 0 || list[0] >= begin ? 0 : lower_bound(list, 0, begin);
  const bool to_the_end = end == kEndOfVertices || list[list.size() - 1] < end;
  const Index last = to_the_end ? list.size() : lower_bound(list, first, end);
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

/// The same, a block of each list at a time. `out` is memory of its own, with room for kIntersectSpare more.
/// PERF: 4 to 5 times as quick on random lists of 8 to 1,024 numbers, in blocks of 8.
template <bool kWrite>
QUARRY_INLINE Index intersect_by_blocks(VertexList one, VertexList other, std::uint32_t* out) {
  const auto done = intersect_blocks<kWrite>(one.data(), one.size(), other.data(), other.size(), out);
  const VertexList rest = one.part(done.one, one.size() - done.one);
  return done.count + intersect_by_merging<kWrite>(rest, other.part(done.other, other.size() - done.other),
                                                   kWrite ? out + done.count : out);
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

/// The list without the vertices chosen at some positions: itself where none of them is in it, else in `out`.
/// PERF: comparing every member with them took a third of listing P6 of ca-GrQc.
inline VertexList without_chosen(VertexList list, const std::uint32_t* chosen, Positions positions,
                                 std::uint32_t* out) {
  for (std::uint64_t rest = positions; rest != 0; rest &= rest - 1) {
    const std::uint32_t vertex = chosen[lowest_bit(rest)];
    const Index index = lower_bound(list, 0, vertex);
    if (index == list.size() || list[index] != vertex) continue;
    for (Index i = 0; i < index && list.data() != out; ++i) out[i] = list[i];
    for (Index i = index + 1; i < list.size(); ++i) out[i - 1] = list[i];
    list = {out, list.size() - 1};
  }
  return list;
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

/// Rows of a job whose graph keeps the neighbours of each label together: `job.rows.row` takes the labels.
template <class Job>
concept RowsByLabel = requires(const Job& job, std::uint32_t* out) {
  job.rows.row(0U, 0U, 0U, out);
};

/// A job that measures what a search costs, in nanoseconds, about, and gives up beyond a limit: there `job.spend(work)`
/// returns false.
template <class Job>
concept LimitsWork = requires(const Job& job) {
  { job.spend(Index{}) } -> std::same_as<bool>;
};

/// @tparam Job  a SearchSetup with `rows`: a SearchJob, or one whose rows are asked for by label
template <Team AnyTeam, class Job = SearchJob>
class SearchSets {
 public:
  QUARRY_HD SearchSets(AnyTeam& team, const Job& job, std::byte* memory)
      : team_(team),
        job_(job),
        memory_(memory),
        live_(reinterpret_cast<LiveSet*>(memory) + team.rank() * job.sets.size()) {
    for (Index set = 0; kLoadsSets && set < job.sets.size(); ++set) live_[set] = {};
  }
  QUARRY_HD ~SearchSets() {
    for (Index set = 0; kLoadsSets && set < job_.sets.size(); ++set) unload(set);
    team_.barrier();
  }
  SearchSets(const SearchSets&) = delete;
  SearchSets& operator=(const SearchSets&) = delete;

  QUARRY_HD const std::uint32_t* chosen() const { return chosen_; }

  /// @param node  a SearchNode, or a CountedSum @return false where no match goes on from here
  template <class Node>
  QUARRY_HD bool choose(const Node& node, std::uint32_t vertex) {
    chosen_[node.position] = vertex;
    for (Index set = node.first_set; set < node.last_set; ++set) {
      const SetDefinition& definition = job_.sets[set];
      if constexpr (LimitsWork<Job>) {
        constexpr Index kFindRow = 20;
        if (!job_.spend(kFindRow)) return false;
      }
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
    Index size = live.size - counted.num_inside;
    for (std::uint64_t rest = counted.distinct_from; rest != 0; rest &= rest - 1) {
      size -= contains(live.members, chosen_[lowest_bit(rest)]) ? 1 : 0;
    }
    return size;
  }

  /// Asks for the rows of candidates that come a while after this one.
  QUARRY_INLINE void prefetch_after(VertexList candidates, Index index) const {
    if constexpr (RowsByLabel<Job>) {
      constexpr Index kVertex = 12, kRow = 6;
      if (index + kVertex < candidates.size()) job_.rows.prefetch_vertex(candidates[index + kVertex]);
      if (index + kRow < candidates.size()) job_.rows.prefetch_row(candidates[index + kRow]);
    }
  }

 private:
  /// Rows by label are short: their sets are never loaded into bitmaps.
  static constexpr bool kLoadsSets = !RowsByLabel<Job>;

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
    if (!kLoadsSets || !live_[set].loaded) return;
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
    if (!kLoadsSets) return;
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
    live.members = within(row(definition, vertex, out), first, definition.end);
    if constexpr (!RowsByLabel<Job>) {
      if (definition.edge_label >= 0) live.members = {out, with_label(definition, live.members, live.members, out)};
      for (std::uint64_t rest = definition.subtract; rest != 0; rest &= rest - 1) {
        live.members = {out, less<true>(live.members, job_.rows.row(chosen_[lowest_bit(rest)]), out)};
      }
    }
    live.size = live.members.size();
  }

  /// The neighbours of a vertex, of which only those with the definition's labels are wanted.
  /// @param out  memory for a row that must be copied
  QUARRY_INLINE VertexList row(const SetDefinition& definition, std::uint32_t vertex, std::uint32_t* out) const {
    if constexpr (RowsByLabel<Job>) {
      const auto edge_label = static_cast<std::uint32_t>(definition.edge_label);  // -1 becomes kAnyLabel
      return job_.rows.row(vertex, definition.vertex_label, edge_label, out);
    } else {
      return job_.rows.row(vertex);
    }
  }
  QUARRY_INLINE VertexList row_to_narrow(const SetDefinition& definition, std::uint32_t vertex) const {
    if constexpr (RowsByLabel<Job>) {
      return row(definition, vertex, reinterpret_cast<std::uint32_t*>(memory_ + job_.row_room));
    } else {
      return definition.after_chosen ? job_.rows.after(vertex) : job_.rows.row(vertex);
    }
  }

  QUARRY_HD void narrow(const SetDefinition& definition, std::uint32_t vertex, LiveSet& live, std::uint32_t* out) {
    const LiveSet& source = live_[definition.source];
    VertexList set = source.members;
    if (definition.after_chosen) set = within(set, vertex + 1, kEndOfVertices);
    if (!definition.intersect && definition.subtract == 0) {
      live.members = set;
      if (definition.load) live.members = {out, filter<true>(team_, set, out, [](Index) { return true; })};
      live.size = set.size();
      return;
    }
    if (set.size() == 0) {
      live.members = set;
      live.size = 0;
      return;
    }
    const VertexList row = row_to_narrow(definition, vertex);
    if (definition.subtract != 0) {
      live.size = definition.size_only ? less<false>(set, row, out) : less<true>(set, row, out);
      live.members = {out, live.size};
    } else if (!RowsByLabel<Job> && definition.edge_label >= 0) {
      live.size = with_label(definition, row, set, out);
      live.members = {out, live.size};
    } else {
      const std::uint64_t* const words = kLoadsSets && source.loaded ? bitmap(definition.source) : nullptr;
      live.size = definition.size_only ? intersect<false>(set, words, row, out) : intersect<true>(set, words, row, out);
      live.members = {out, live.size};
    }
  }

  /// The entries of a row with the definition's edge label that are in a set.
  QUARRY_HD Index with_label(const SetDefinition& definition, VertexList row, VertexList set,
                             std::uint32_t* out) const {
    if constexpr (RowsByLabel<Job>) {
      return 0;  // such rows have the label already
    } else {
      const auto* const labels = job_.edge_labels.data() + (row.data() - job_.rows.neighbours.data());
      return filter<true>(team_, row, out, [&](Index i) {
        return labels[i] == definition.edge_label && (row.data() == set.data() || contains(set, row[i]));
      });
    }
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
    if constexpr (LimitsWork<Job>) {
      constexpr Index kLookUp = 8, kMembersPerNanosecond = 2;
      job_.spend(search ? shorter.size() * kLookUp : (shorter.size() + longer.size()) / kMembersPerNanosecond);
    }
    if (team_.size() > 1) {
      if (search || bitmap == nullptr)
        return filter<kWrite>(team_, shorter, out, [&](Index i) { return contains(longer, shorter[i]); });
      return filter<kWrite>(team_, row, out, [&](Index i) { return (bitmap[row[i] / 64] >> (row[i] % 64) & 1) != 0; });
    }
    if (search) return intersect_by_search<kWrite>(shorter, longer, out);
    if (bitmap != nullptr) return intersect_by_bitmap<kWrite>(bitmap, row, out);
    // Where sets are loaded into bitmaps, lists without one are short.
    if constexpr (kLoadsSets) return intersect_by_merging<kWrite>(shorter, longer, out);
    return intersect_by_blocks<kWrite>(shorter, longer, out);
  }

  AnyTeam& team_;
  const Job& job_;
  std::byte* memory_;
  LiveSet* live_;  ///< [sets] this lane's own
  std::uint32_t chosen_[kMaxPatternVertices] = {};
};

/// `at_leaf(sets, leaf of the plan)` for every choice of the vertices that a pattern chooses; it returns false to stop.
/// @tparam kInParts  the descent may be of a part
/// @tparam kTracks   `reached` is asked for. PERF: where it is not, nothing is kept for it, or `mine` is a tenth slower
template <class Sets, class AtLeaf, bool kInParts = false, bool kTracks = false>
class Descent {
 public:
  QUARRY_HD Descent(const SearchSetup& setup, Sets& sets, const AtLeaf& at_leaf)
      : setup_(setup), sets_(sets), at_leaf_(at_leaf) {}

  /// Goes on from a node whose vertex has been chosen. @return false where it was stopped
  QUARRY_HD bool operator()(const SearchNode& begin, DescentPart part = {}) {
    const int first = begin.position + 1;
    if constexpr (kInParts) parts_[first] = part;
    if (is_of_part(first) && !visit_leaves(begin)) {
      if constexpr (kTracks) stopped_ = {first, first - 1};
      return false;
    }
    if (begin.child < 0) return true;
    int position = first;
    open(position, begin.child);
    while (position >= first) {
      const SearchNode& node = setup_.nodes[node_[position]];
      if (next_[position] == end_of(position)) {
        if (node.sibling >= 0)
          open(position, node.sibling);
        else
          --position;
        continue;
      }
      const Index index = next_[position]++;
      const std::uint32_t vertex = candidates_[position][index];
      sets_.prefetch_after(candidates_[position], index);
      if (sets_.is_chosen(vertex, node.distinct_from) || !sets_.choose(node, vertex)) continue;
      if constexpr (kInParts) parts_[position + 1] = parts_[position].below(index, candidates_[position].size());
      if (is_of_part(position + 1) && !visit_leaves(node)) {
        if constexpr (kTracks) stopped_ = {first, position};
        return false;
      }
      if (node.child >= 0) open(++position, node.child);
    }
    return true;
  }
  /// Where the leaf at which it was stopped stands on the line of all leaves, about.
  QUARRY_HD double reached() const {
    double at = 0, width = 1;
    for (int position = stopped_.first; position <= stopped_.last; ++position) {
      width /= static_cast<double>(candidates_[position].size());
      at += width * static_cast<double>(next_[position] - 1);
    }
    return at;
  }
  QUARRY_INLINE bool visit_leaves(const SearchNode& node) const {
    for (int leaf = node.first_leaf; leaf < node.last_leaf; ++leaf) {
      if (!at_leaf_(sets_, setup_.leaves[leaf])) return false;
    }
    return true;
  }

 private:
  /// Do the leaves before the vertex at a position is chosen belong to the part? They stand first in what is below.
  QUARRY_INLINE bool is_of_part(int position) const {
    if constexpr (kInParts) return parts_[position].begin <= 0;
    return true;
  }
  /// Begins the loop over the candidates of a node.
  QUARRY_INLINE void open(int position, int node) {
    node_[position] = node;
    candidates_[position] = sets_.members(setup_.nodes[node].candidates);
    next_[position] = 0;
    if constexpr (kInParts) {
      next_[position] = parts_[position].first(candidates_[position].size());
      end_[position] = parts_[position].last(candidates_[position].size());
    }
  }
  QUARRY_INLINE Index end_of(int position) const {
    if constexpr (kInParts) return end_[position];
    return candidates_[position].size();
  }

  const SearchSetup& setup_;
  Sets& sets_;
  const AtLeaf& at_leaf_;
  int node_[kMaxPatternVertices] = {};
  View<const std::uint32_t> candidates_[kMaxPatternVertices];
  Index next_[kMaxPatternVertices] = {};
  Index end_[kInParts ? kMaxPatternVertices : 1] = {};
  DescentPart parts_[kInParts ? kMaxPatternVertices + 1 : 1];  ///< of what is below the vertex before each position
  /// The positions of the vertices chosen when it was stopped.
  struct Stopped {
    int first = 1, last = 0;
  };
  struct Nothing {};
  [[no_unique_address]] std::conditional_t<kTracks, Stopped, Nothing> stopped_;
};

/// The number of ways to add the vertices that are counted to those that are chosen.
template <class Sets>
QUARRY_INLINE Tally count_completions(const SearchSetup& setup, const Sets& sets, const SearchLeaf& leaf) {
  Tally total;
  if (leaf.falling_factorial > 0) {
    const Index size = sets.size(setup.terms[leaf.first_term].sets[0]);
    total.count = size < leaf.falling_factorial ? 0 : 1;
    for (Index i = 0; i < leaf.falling_factorial && total.count != 0; ++i) total.multiply(size - i);
    return total;
  }
  for (int t = leaf.first_term; t < leaf.last_term; ++t) {
    const CountTerm& term = setup.terms[t];
    Tally product{term.factor};
    for (int i = 0; i < term.num_sets; ++i) product.multiply(sets.size(term.sets[i]));
    total.add(product);
  }
  return total;
}

}  // namespace QUARRY_TARGET
}  // namespace quarry
QUARRY_AFTER_TARGET();
