/// The search: nested loops over sets that are intersected on the way, as a kernel.
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
      : job_(job), sets_(team, job, memory), descent_(job, sets_, at_leaf) {}

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
  /// @param row_begins  the entries are the first of the row: here stand the matches with one vertex chosen
  QUARRY_HD bool begin_at(const SearchNode& root, std::uint32_t vertex, Entries row, bool row_begins) {
    if (!root.may_be(vertex) || !sets_.choose(root, vertex)) return true;
    if (row_begins && !descent_.visit_leaves(root)) return false;
    for (int child = root.child; child >= 0; child = job_.nodes[child].sibling) {
      const SearchNode& node = job_.nodes[child];
      for (Index entry = row.first; entry < row.last; ++entry) {
        const std::uint32_t second = job_.rows.neighbours[entry];
        if (!node.may_be(second) || (node.after_first && second < vertex)) continue;
        if (node.edge_label >= 0 && job_.edge_labels[entry] != node.edge_label) continue;
        if (sets_.choose(node, second) && !descent_(node)) return false;
      }
    }
    return true;
  }

  const SearchJob& job_;
  SearchSets<AnyTeam> sets_;
  Descent<SearchSets<AnyTeam>, AtLeaf> descent_;
};

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
