#include "mine/search/visits.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mine/search/visits.cpp"
#include "exec/launch.hpp"
#include "exec/simd/each_target.hpp"
// Each may use those before it.
// clang-format off
#include "exec/device/atomic-inl.hpp"
#include "exec/simd/intersect-inl.hpp"
#include "graph/pattern/search/search_sets-inl.hpp"
#include "mine/search/kernels-inl.hpp"
#include "mine/search/random_descent-inl.hpp"
// clang-format on

QUARRY_BEFORE_TARGET();
namespace quarry::mine {
namespace QUARRY_TARGET {

bool visit_matches(Queue& queue, const SearchJob& job, View<std::byte> memory, Entries entries,
                   const MatchVisitor& visitor) {
  bool goes_on = true;
  auto* const unchosen = reinterpret_cast<std::uint32_t*>(memory.data() + job.row_room);
  const auto visit = [&](const SearchSets<HostTeam>& sets, const SearchLeaf& leaf) {
    const SetMinusChosen& last = job.terms[leaf.first_term].sets[0];
    const VertexList members = without_chosen(sets.members(last.set), sets.chosen(), last.distinct_from, unchosen);
    return goes_on = members.size() == 0 || visitor(sets.chosen(), members);
  };
  HostTeam team;
  for_each(queue, "search", 1,
           [&](Index) { Search<HostTeam, decltype(visit)>(team, job, memory.data(), visit)(entries); });
  return goes_on;
}

void descend_randomly(Queue& queue, const SearchJob& job, View<std::byte> memory, std::uint64_t seed,
                      View<double> estimates) {
  HostTeam team;
  for_each(queue, "descents", 1, [&](Index) {
    RandomDescent descent(team, job, memory.data(), seed);
    for (double& estimate : estimates) estimate = descent();
  });
}

void estimate_costs(Queue& queue, const SearchJob& job, View<std::byte> memory, View<const Index> entries,
                    View<double> costs) {
  HostTeam team;
  for_each(queue, "descents", 1, [&](Index) {
    CostDescent descent(team, job, memory.data());
    for (Index i = 0; i < entries.size(); ++i) costs[i] = descent(entries[i]);
  });
}

}  // namespace QUARRY_TARGET
}  // namespace quarry::mine
QUARRY_AFTER_TARGET();

#if QUARRY_ONCE
namespace quarry::mine {
QUARRY_HOST_STEP(visit_matches);
QUARRY_HOST_STEP(descend_randomly);
QUARRY_HOST_STEP(estimate_costs);
}  // namespace quarry::mine
#endif
