#include "mine/search/visits.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mine/search/visits.cpp"
#include "exec/simd/each_target.hpp"
#include "mine/search/kernels.hpp"
#include "mine/search/random_descent.hpp"

HWY_BEFORE_NAMESPACE();
namespace quarry::mine {
namespace HWY_NAMESPACE {

/// The list without some chosen vertices: itself where none of them is in it, else in `out`. PERF: comparing
/// every member with them took a third of listing P6 of ca-GrQc.
VertexList without_chosen(VertexList list, const std::uint32_t* chosen, std::uint16_t positions, std::uint32_t* out) {
  for (std::uint64_t rest = positions; rest != 0; rest &= rest - 1) {
    const std::uint32_t vertex = chosen[lowest_bit(rest)];
    const Index place = lower_place(list, 0, vertex);
    if (place == list.size() || list[place] != vertex) continue;
    if (list.data() != out) std::copy_n(list.data(), place, out);
    std::copy(list.data() + place + 1, list.end(), out + place);
    list = {out, list.size() - 1};
  }
  return list;
}

bool visit_matches(Queue& queue, const SearchJob& job, View<std::byte> memory, Entries entries,
                   const MatchVisitor& visitor) {
  bool went_on = true;
  auto* const filtered = reinterpret_cast<std::uint32_t*>(memory.data() + job.filtered_room);
  const auto visit = [&](const SearchSets<HostTeam>& sets, const Leaf& leaf) {
    const OpenSet& last = job.terms[leaf.first_term].sets[0];
    const VertexList members = without_chosen(sets.members(last.set), sets.chosen(), last.distinct_from, filtered);
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
