/// The search for what one update creates or destroys, from the updated edge.
#include "exec/team.hpp"
#include "watch/steps.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::watch {
namespace QUARRY_TARGET {

using namespace ::quarry::QUARRY_TARGET;  // the sets

/// The rows of the graph at one time.
struct MomentRows {
  const DynamicGraph* graph;
  Time time;
  View<const std::uint32_t> row(std::uint32_t vertex, std::uint32_t vertex_label, std::uint32_t edge_label,
                                std::uint32_t* room) const {
    return graph->row(time, vertex, vertex_label, edge_label, room);
  }
  void prefetch_vertex(std::uint32_t vertex) const { graph->prefetch_vertex(vertex); }
  void prefetch_row(std::uint32_t vertex) const { graph->prefetch_row(vertex); }
};
struct MomentJob : SearchSetup {
  MomentRows rows;
};

/// A search of which only the work is of interest.
struct TrialJob : MomentJob {
  Index* left;
  bool spend(Index work) const { return (*left -= work) >= 0; }
};

/// `at_leaf(sets, leaf)` for every match that has the updated edge. @return false where it was stopped
template <bool kInParts, class Job, class AtLeaf>
bool search_part(const Job& job, const UpdateSearch& search, std::byte* memory, const AtLeaf& at_leaf) {
  HostTeam team;
  using Sets = SearchSets<HostTeam, Job>;
  Sets sets(team, job, memory);
  Descent<Sets, AtLeaf, kInParts> descent(job, sets, at_leaf);
  for (int root = 0; root >= 0; root = job.nodes[root].sibling) {
    if (!sets.choose(job.nodes[root], search.from)) continue;
    for (int child = job.nodes[root].child; child >= 0; child = job.nodes[child].sibling) {
      const SearchNode& node = job.nodes[child];
      if (sets.choose(node, search.to) && !descent(node, search.part)) return false;
    }
  }
  return true;
}

template <class AtLeaf>
bool search_from_edge(const DynamicGraph& graph, const UpdateSearch& search, std::byte* memory, const AtLeaf& at_leaf) {
  const MomentJob job{*search.setup, {&graph, search.time}};
  return search.part.is_whole() ? search_part<false>(job, search, memory, at_leaf)
                                : search_part<true>(job, search, memory, at_leaf);
}

}  // namespace QUARRY_TARGET
}  // namespace quarry::watch
QUARRY_AFTER_TARGET();
