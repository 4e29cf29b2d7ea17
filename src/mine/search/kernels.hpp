/// The search: nested loops over sets that are intersected on the way, as a kernel.
///
/// A team walks together: every lane takes the same turns, and they share each set operation. One lane alone has the
/// operations of graph/set_operations.hpp.
///
/// Compiled once per vector target, hence the guard that toggles.
#if defined(QUARRY_MINE_SEARCH_KERNELS) == defined(HWY_TARGET_TOGGLE)
#ifdef QUARRY_MINE_SEARCH_KERNELS
#undef QUARRY_MINE_SEARCH_KERNELS
#else
#define QUARRY_MINE_SEARCH_KERNELS
#endif

#include "exec/device/atomic.hpp"
#include "exec/team.hpp"
#include "graph/pattern/search_sets.hpp"
#include "mine/search/steps.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::mine {
namespace QUARRY_TARGET {

/// `leaf(sets, leaf of the plan)` for every way to choose the vertices of a pattern that are chosen; it returns false
/// to stop.
template <class AnyTeam, class AtLeaf>
class Search {
 public:
  QUARRY_HD Search(AnyTeam& team, const SearchJob& job, std::byte* memory, const AtLeaf& at_leaf)
      : job_(job), sets_(team, job, memory), at_leaf_(at_leaf) {}

  QUARRY_HD void operator()(Entries entries) {
    for (int root = 0; root >= 0; root = job_.nodes[root].sibling) {
      const SearchNode& node = job_.nodes[root];
      const auto& offsets = job_.rows.offsets;
      Index vertex = vertex_of(entries.first);
      for (; vertex < job_.rows.num_vertices() && static_cast<Index>(offsets[vertex]) < entries.last; ++vertex) {
        const Index begin = static_cast<Index>(offsets[vertex]), end = static_cast<Index>(offsets[vertex + 1]);
        const Entries row{begin > entries.first ? begin : entries.first, end < entries.last ? end : entries.last};
        if (row.first >= row.last || (node.child < 0 && row.first != begin)) continue;
        if (!begin_at(node, static_cast<std::uint32_t>(vertex), row, row.first == begin)) return;
      }
    }
  }

 private:
  /// The vertex in whose row an entry stands.
  QUARRY_HD Index vertex_of(Index entry) const {
    Index low = 0, high = job_.rows.num_vertices();
    while (low < high) {
      const Index middle = (low + high) / 2;
      if (static_cast<Index>(job_.rows.offsets[middle + 1]) <= entry)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
  QUARRY_HD static bool within(const SearchNode& node, std::uint32_t vertex) {
    return vertex >= node.begin && vertex < node.end;
  }
  QUARRY_INLINE bool leaves_at(const SearchNode& node) {
    for (int leaf = node.first_leaf; leaf < node.last_leaf; ++leaf) {
      if (!at_leaf_(sets_, job_.leaves[leaf])) return false;
    }
    return true;
  }

  /// @param row_begins  the entries are the first of the row: here stand the matches with one vertex chosen
  QUARRY_HD bool begin_at(const SearchNode& root, std::uint32_t vertex, Entries row, bool row_begins) {
    if (!within(root, vertex) || !sets_.choose(root, vertex)) return true;
    if (row_begins && !leaves_at(root)) return false;
    for (int child = root.child; child >= 0; child = job_.nodes[child].sibling) {
      const SearchNode& node = job_.nodes[child];
      for (Index entry = row.first; entry < row.last; ++entry) {
        const std::uint32_t second = job_.rows.neighbours[entry];
        if (!within(node, second) || (node.after_first && second < vertex)) continue;
        if (node.edge_label >= 0 && job_.edge_labels[entry] != node.edge_label) continue;
        if (sets_.choose(node, second) && !descend(node)) return false;
      }
    }
    return true;
  }

  /// From the third vertex on: a stack of loops.
  QUARRY_HD bool descend(const SearchNode& second) {
    if (!leaves_at(second)) return false;
    if (second.child < 0) return true;
    int position = 2;
    open(position, second.child);
    while (position >= 2) {
      const SearchNode& node = job_.nodes[node_[position]];
      if (next_[position] == candidates_[position].size()) {
        if (node.sibling >= 0)
          open(position, node.sibling);
        else
          --position;
        continue;
      }
      const std::uint32_t vertex = candidates_[position][next_[position]++];
      if (sets_.is_chosen(vertex, node.distinct_from) || !sets_.choose(node, vertex)) continue;
      if (!leaves_at(node)) return false;
      if (node.child >= 0) open(++position, node.child);
    }
    return true;
  }
  QUARRY_HD void open(int position, int node) {
    node_[position] = node;
    candidates_[position] = sets_.members(job_.nodes[node].candidates);
    next_[position] = 0;
  }

  const SearchJob& job_;
  SearchSets<AnyTeam> sets_;
  const AtLeaf& at_leaf_;
  int node_[kMaxPatternVertices] = {};
  VertexList candidates_[kMaxPatternVertices];
  Index next_[kMaxPatternVertices] = {};
};

/// How many ways there are to place the vertices that are counted.
template <class Sets>
QUARRY_INLINE Tally ways_to_complete(const SearchJob& job, const Sets& sets, const Leaf& leaf) {
  Tally total;
  if (leaf.falling > 0) {
    const Index size = sets.size(job.terms[leaf.first_term].sets[0]);
    total.ways = size < leaf.falling ? 0 : 1;
    for (Index i = 0; i < leaf.falling && total.ways != 0; ++i) total.multiply(size - i);
    return total;
  }
  for (int t = leaf.first_term; t < leaf.last_term; ++t) {
    const Term& term = job.terms[t];
    Tally product{term.factor};
    for (int i = 0; i < term.num_sets; ++i) product.multiply(sets.size(term.sets[i]));
    total.add(product.ways);
    total.overflow |= product.overflow;
  }
  return total;
}

/// Each team takes one run of entries after the other, as long as there are any, in memory of its own.
struct CountMatches {
  SearchJob job;
  SearchTasks work;

  template <class AnyTeam>
  QUARRY_HD void operator()(AnyTeam& team, Index slot) const {
    const Index num_patterns = work.tallies.size() / work.tasks.size();
    std::byte* const own = work.memory.data() + slot * job.memory_bytes;
    for (;;) {
      const Index task = team.sum(team.rank() == 0 ? static_cast<Index>(fetch_add(work.next[0], 1)) : 0);
      if (task >= work.tasks.size()) return;
      Tally* const found = work.tallies.data() + task * num_patterns;
      const auto count = [&](const SearchSets<AnyTeam>& sets, const Leaf& leaf) {
        const Tally ways = ways_to_complete(job, sets, leaf);
        if (team.rank() != 0) return true;
        found[leaf.pattern].add(ways.ways);
        found[leaf.pattern].overflow |= ways.overflow;
        return true;
      };
      Search<AnyTeam, decltype(count)>(team, job, own, count)(work.tasks[task]);
    }
  }
};

}  // namespace QUARRY_TARGET
}  // namespace quarry::mine
QUARRY_AFTER_TARGET();

#endif
