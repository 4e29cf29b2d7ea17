#include "watch/trial.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "util/check.hpp"
#include "watch/steps.hpp"

namespace quarry::watch {
namespace {

/// The sample has up to twice as many edges.
constexpr Index kSample = 128;
/// Of one plan, in the units of try_searches. Where the first plan takes more, all are tried on fewer edges.
constexpr Index kMostWork = 1'000'000;

/// Work that is about as much.
Index nearly(Index work) { return work + work / 16; }

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
  std::vector<Index> works;
  for (const PatternPlan& plan : plans) {
    const bool is_first = works.empty();
    Index& work = works.emplace_back(0);
    JoinedSearch joined;
    QUARRY_CHECK(joined.add({0, plan}), "a plan alone has few sets");
    joined.finish();
    const SearchSetup& setup = joined.setup(graph.max_degree());
    const auto memory = std::make_unique_for_overwrite<std::byte[]>(setup.memory_bytes);
    for (Index e = 0; e < num_edges && work <= nearly(least); ++e) {
      const UpdateSearch search{&setup, time, edges[e].from, edges[e].to};
      work += try_searches(queue, graph, {&search, 1}, {memory.get(), setup.memory_bytes}, nearly(least) - work);
      if (is_first && work > nearly(least)) num_edges = e + 1;
    }
    least = is_first ? work : std::min(least, work);
  }
  // Of plans that cost about the same, the one that chooses fewest vertices: it costs least where there are many matches.
  std::size_t best = 0;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (works[i] > nearly(least)) continue;
    if (works[best] > nearly(least) || plans[i].num_chosen < plans[best].num_chosen) best = i;
  }
  return std::move(plans[best]);
}

}  // namespace quarry::watch
