/// The search: nested loops over sets that are intersected on the way, as a kernel.
///
/// A team walks together: every lane takes the same turns, and they share each set operation.
#include "exec/team.hpp"
#include "mine/search/steps.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::mine {
namespace QUARRY_TARGET {

using namespace ::quarry::QUARRY_TARGET;  // the sets

/// `at_leaf(sets, leaf of the plan)` for every choice of the vertices that a pattern chooses; it returns false to stop.
template <Team AnyTeam, class AtLeaf>
class Search {
 public:
  QUARRY_HD Search(AnyTeam& team, const SearchJob& job, std::byte* memory, const AtLeaf& at_leaf)
      : job_(job), sets_(team, job, memory), at_leaf_(at_leaf) {}

  QUARRY_HD void operator()(Entries entries) {
    for (int root = 0; root >= 0; root = job_.nodes[root].sibling) {
      const SearchNode& node = job_.nodes[root];
      for (Index vertex = vertex_of(entries.first); vertex < job_.rows.num_vertices(); ++vertex) {
        const Index begin = job_.rows.offsets[vertex], end = job_.rows.offsets[vertex + 1];
        if (begin >= entries.last) break;
        const Entries row{begin > entries.first ? begin : entries.first, end < entries.last ? end : entries.last};
        if (row.first >= row.last || (node.child < 0 && row.first != begin)) continue;
        if (!begin_at(node, vertex, row, row.first == begin)) return;
      }
    }
  }

 private:
  /// The vertex in whose row an entry stands.
  QUARRY_HD Index vertex_of(Index entry) const {
    Index low = 0, high = job_.rows.num_vertices();
    while (low < high) {
      const Index middle = (low + high) / 2, end = job_.rows.offsets[middle + 1];
      if (end <= entry)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
  QUARRY_INLINE bool visit_leaves(const SearchNode& node) {
    for (int leaf = node.first_leaf; leaf < node.last_leaf; ++leaf) {
      if (!at_leaf_(sets_, job_.leaves[leaf])) return false;
    }
    return true;
  }

  /// @param row_begins  the entries are the first of the row: here stand the matches with one vertex chosen
  QUARRY_HD bool begin_at(const SearchNode& root, std::uint32_t vertex, Entries row, bool row_begins) {
    if (!root.may_be(vertex) || !sets_.choose(root, vertex)) return true;
    if (row_begins && !visit_leaves(root)) return false;
    for (int child = root.child; child >= 0; child = job_.nodes[child].sibling) {
      const SearchNode& node = job_.nodes[child];
      for (Index entry = row.first; entry < row.last; ++entry) {
        const std::uint32_t second = job_.rows.neighbours[entry];
        if (!node.may_be(second) || (node.after_first && second < vertex)) continue;
        if (node.edge_label >= 0 && job_.edge_labels[entry] != node.edge_label) continue;
        if (sets_.choose(node, second) && !descend(node)) return false;
      }
    }
    return true;
  }

  /// From the third vertex on: a stack of loops.
  QUARRY_HD bool descend(const SearchNode& second) {
    if (!visit_leaves(second)) return false;
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
      if (!visit_leaves(node)) return false;
      if (node.child >= 0) open(++position, node.child);
    }
    return true;
  }
  /// Begins the loop over the candidates of a node.
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

/// The number of ways to add the vertices that are counted to those that are chosen.
template <class Sets>
QUARRY_INLINE Tally count_completions(const SearchJob& job, const Sets& sets, const SearchLeaf& leaf) {
  Tally total;
  if (leaf.falling_factorial > 0) {
    const Index size = sets.size(job.terms[leaf.first_term].sets[0]);
    total.count = size < leaf.falling_factorial ? 0 : 1;
    for (Index i = 0; i < leaf.falling_factorial && total.count != 0; ++i) total.multiply(size - i);
    return total;
  }
  for (int t = leaf.first_term; t < leaf.last_term; ++t) {
    const CountTerm& term = job.terms[t];
    Tally product{term.factor};
    for (int i = 0; i < term.num_sets; ++i) product.multiply(sets.size(term.sets[i]));
    total.add(product);
  }
  return total;
}

/// Each team takes one task after the other, as long as there are any, in memory of its own.
struct CountMatches {
  SearchJob job;
  SearchTasks work;

  template <Team AnyTeam>
  QUARRY_HD void operator()(AnyTeam& team, Index team_index) const {
    const Index num_patterns = work.tallies.size() / work.tasks.size();
    std::byte* const memory = work.memory.data() + team_index * job.memory_bytes;
    for (;;) {
      Index task = 0;
      if (team.rank() == 0) task = fetch_add(work.next[0], 1);
      task = team.sum(task);
      if (task >= work.tasks.size()) return;
      Tally* const found = work.tallies.data() + task * num_patterns;
      const auto count = [&](const SearchSets<AnyTeam>& sets, const SearchLeaf& leaf) {
        const Tally completions = count_completions(job, sets, leaf);
        if (team.rank() == 0) found[leaf.pattern].add(completions);
        return true;
      };
      Search<AnyTeam, decltype(count)>(team, job, memory, count)(work.tasks[task]);
    }
  }
};

}  // namespace QUARRY_TARGET
}  // namespace quarry::mine
QUARRY_AFTER_TARGET();
