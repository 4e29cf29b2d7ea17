#include "watch/steps.hpp"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "watch/steps.cpp"
#include "exec/launch.hpp"
#include "exec/simd/each_target.hpp"
// Each may use those before it.
// clang-format off
#include "exec/device/atomic-inl.hpp"
#include "exec/simd/intersect-inl.hpp"
#include "graph/pattern/search/search_sets-inl.hpp"
#include "watch/kernels-inl.hpp"
// clang-format on

QUARRY_BEFORE_TARGET();
namespace quarry::watch {
namespace QUARRY_TARGET {

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

/// A search of which only the work is of interest.
struct TrialJob : MomentJob<MomentRows> {
  Index* left;
  bool spend(Index work) const { return (*left -= work) >= 0; }
};

template <bool kTracks = false, class AtLeaf>
bool search_from_edge(const DynamicGraph& graph, const UpdateSearch& search, std::byte* memory, const AtLeaf& at_leaf,
                      double* reached = nullptr) {
  HostTeam team;
  const MomentJob<MomentRows> job{*search.setup, {&graph, search.time}};
  return search.part.is_whole() ? search_part<false, kTracks>(team, job, search, memory, at_leaf, reached)
                                : search_part<true, kTracks>(team, job, search, memory, at_leaf, reached);
}

Index count_searches(Queue& queue, const DynamicGraph& graph, View<const UpdateSearch> searches, View<std::byte> memory,
                     View<Tally> tallies, Index max_leaves) {
  Index done = 0;
  for_each(queue, "search", 1, [&](Index) {
    Tally* found = tallies.data();
    for (; done < searches.size(); ++done) {
      const UpdateSearch& search = searches[done];
      const Index num_tallies = search.setup->leaves.size();
      Index leaves_left = max_leaves;
      const auto count = [&](auto& sets, const SearchLeaf& leaf) {
        found[leaf.pattern].add(Completions(*search.setup, sets).count(leaf));
        return --leaves_left >= 0;
      };
      if (!search_from_edge(graph, search, memory.data(), count)) {
        std::fill_n(found, num_tallies, Tally{});
        return;
      }
      found += num_tallies;
    }
  });
  return done;
}

Index try_searches(Queue& queue, const DynamicGraph& graph, View<const UpdateSearch> searches, View<std::byte> memory,
                   Index limit) {
  Index left = limit;
  for_each(queue, "try", 1, [&](Index) {
    for (const UpdateSearch& search : searches) {
      const TrialJob job{{*search.setup, {&graph, search.time}}, &left};
      constexpr Index kTerm = 2;
      const auto spend = [&](auto& sets, const SearchLeaf& leaf) {
        Completions(job, sets).count(leaf);
        return job.spend(kTerm * (1 + leaf.last_term - leaf.first_term));
      };
      HostTeam team;
      if (!search_part<false>(team, job, search, memory.data(), spend)) return;
    }
  });
  return limit - left;
}

double visit_search(Queue& queue, const DynamicGraph& graph, const UpdateSearch& search, View<std::byte> memory,
                    const MatchVisitor& visitor) {
  double reached = 1;
  auto* const unchosen = reinterpret_cast<std::uint32_t*>(memory.data() + search.setup->row_room);
  const auto visit = [&](const auto& sets, const SearchLeaf& leaf) {
    const CountTerm& term = search.setup->terms[leaf.first_term];
    if (term.num_sets == 0) return visitor(sets.chosen(), {sets.chosen() + 1, 1});  // the edge is all of it
    const SetMinusChosen& last = term.sets[0];
    const VertexList members = without_chosen(sets.members(last.set), sets.chosen(), last.distinct_from, unchosen);
    return members.size() == 0 || visitor(sets.chosen(), members);
  };
  for_each(queue, "list", 1, [&](Index) { search_from_edge<true>(graph, search, memory.data(), visit, &reached); });
  return reached;
}

}  // namespace QUARRY_TARGET
}  // namespace quarry::watch
QUARRY_AFTER_TARGET();

#if QUARRY_ONCE
namespace quarry::watch {
QUARRY_HOST_STEP(count_searches);
QUARRY_HOST_STEP(try_searches);
QUARRY_HOST_STEP(visit_search);
}  // namespace quarry::watch
#endif
