#include "mine/visits.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mine/visits.cpp"
#include "exec/each_target.hpp"
#include "mine/random_descent.hpp"
#include "mine/search_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace quarry::mine {
namespace HWY_NAMESPACE {

bool visit_matches(Queue& queue, const SearchJob& job, View<std::byte> memory, Entries entries,
                   const MatchVisitor& visitor) {
  bool went_on = true;
  const auto visit = [&](const SearchSets<HostTeam>& sets, const Leaf& leaf) {
    const VertexList members = sets.free_members(job.terms[leaf.first_term].sets[0]);
    return went_on = members.size() == 0 || visitor(sets.chosen(), members);
  };
  HostTeam alone;
  queue.timed("search", [&] { Search<HostTeam, decltype(visit)>(alone, job, memory.data(), visit)(entries); });
  return went_on;
}

void descend_randomly(Queue& queue, const SearchJob& job, View<std::byte> memory, std::uint64_t seed,
                      View<double> estimates) {
  HostTeam alone;
  queue.timed("descents", [&] {
    RandomDescent descent(alone, job, memory.data(), seed);
    for (double& estimate : estimates) estimate = descent();
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace quarry::mine
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace quarry::mine {

HWY_EXPORT(visit_matches);
HWY_EXPORT(descend_randomly);

bool visit_matches(Queue& queue, const SearchJob& job, View<std::byte> memory, Entries entries,
                   const MatchVisitor& visitor) {
  return HWY_DYNAMIC_DISPATCH(visit_matches)(queue, job, memory, entries, visitor);
}
void descend_randomly(Queue& queue, const SearchJob& job, View<std::byte> memory, std::uint64_t seed,
                      View<double> estimates) {
  HWY_DYNAMIC_DISPATCH(descend_randomly)(queue, job, memory, seed, estimates);
}

}  // namespace quarry::mine
#endif
