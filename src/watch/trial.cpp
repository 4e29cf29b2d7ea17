#include "watch/trial.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "watch/steps.hpp"

namespace quarry::watch {
namespace {

/// The sample has up to twice as many edges.
constexpr Index kSample = 128;
/// Of one plan, in the units of try_searches. Where the first plan takes more, all are tried on fewer edges.
constexpr Index kMostWork = 2'000'000;

}  // namespace

std::vector<Edge> sample_edges(const DynamicGraph& graph, Time time, const EdgeKind& kind) {
  std::vector<Edge> sample;
  std::vector<std::uint32_t> room(graph.max_degree() + 1);
  Index step = 1, number = 0;
  for (Index v = 0; v < graph.num_vertices(); ++v) {
    const auto vertex = static_cast<std::uint32_t>(v);
    if (kind.from_label != kAnyLabel && graph.vertex_label(vertex) != kind.from_label) continue;
    for (const std::uint32_t other : graph.row(time, vertex, kind.to_label, kind.label, room.data())) {
      if (number++ % step != 0) continue;
      sample.push_back({vertex, other, kind.label});
      if (std::ssize(sample) < 2 * kSample) continue;
      for (Index i = 0; i < kSample; ++i) sample[i] = sample[2 * i];
      sample.resize(kSample);
      step *= 2;
    }
  }
  return sample;
}

PatternPlan choose_plan(std::vector<PatternPlan> plans, const DynamicGraph& graph, Time time,
                        const std::vector<Edge>& edges) {
  if (plans.size() == 1 || edges.empty()) return std::move(plans.front());
  Queue queue{DeviceId{}};
  Index num_edges = std::ssize(edges), least = kMostWork;
  std::size_t best = 0;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    JoinedSearch joined;
    if (!joined.add({0, plans[i]})) continue;
    joined.finish();
    const SearchSetup& setup = joined.setup(graph.max_degree());
    const auto memory = std::make_unique_for_overwrite<std::byte[]>(setup.memory_bytes);
    Index work = 0;
    for (Index e = 0; e < num_edges && work <= least; ++e) {
      const UpdateSearch search{&setup, time, edges[e].from, edges[e].to};
      work += try_searches(queue, graph, {&search, 1}, {memory.get(), setup.memory_bytes}, least - work);
      if (i == 0 && work > least) num_edges = e + 1;
    }
    if (i > 0 && work >= least) continue;
    least = work;
    best = i;
  }
  return std::move(plans[best]);
}

}  // namespace quarry::watch
