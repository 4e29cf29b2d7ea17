#include "watch/trial.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <span>
#include <utility>

#include "util/check.hpp"
#include "watch/steps.hpp"

namespace quarry::watch {
namespace {

/// The sample has up to twice as many edges.
constexpr Index kSample = 128;
/// Plans are tried in rounds: all on some edges, the best third of them on further edges, and so on. A round ends where the
/// plan that was best before has cost as much as this, in the units of try_searches, shared by all plans of the round: few
/// plans are compared on many edges.
constexpr Index kRoundWork = 400'000;
constexpr std::size_t kKeptShare = 3;
/// A plan that costs more than this times the best of a round is left out.
constexpr Index kMuchWorse = 2;

/// Work that is about as much.
Index nearly(Index work) { return work + work / 16; }

/// The same edges in an order in which the first few already lie evenly among all: the bits of their indices are reversed.
std::vector<Edge> spread(const std::vector<Edge>& edges) {
  std::vector<Edge> result;
  const std::size_t end = std::bit_ceil(edges.size());
  for (std::size_t i = 0, reversed = 0; i < end; ++i) {
    if (reversed < edges.size()) result.push_back(edges[reversed]);
    std::size_t bit = end / 2;
    for (; (reversed & bit) != 0; bit /= 2) reversed ^= bit;
    reversed |= bit;
  }
  return result;
}

/// A plan, and what it has cost so far.
struct TriedPlan {
  TriedPlan(int the_number, const PatternPlan& plan, Index max_degree)
      : number(the_number), joined(std::make_unique<JoinedSearch>()) {
    QUARRY_CHECK(joined->add({0, plan}), "a plan alone has few sets");
    joined->finish();
    setup = &joined->setup(max_degree);
  }

  int number;
  std::unique_ptr<JoinedSearch> joined;
  const SearchSetup* setup;
  Index work = 0;
};

/// Tries plans on edges.
class Trial {
 public:
  Trial(const std::vector<PatternPlan>& plans, const DynamicGraph& graph, Time time, std::vector<Edge> edges)
      : graph_(graph), time_(time), edges_(std::move(edges)) {
    for (const PatternPlan& plan : plans) {
      left_.emplace_back(static_cast<int>(left_.size()), plan, graph.max_degree());
      num_bytes_ = std::max(num_bytes_, left_.back().setup->memory_bytes);
    }
    memory_ = std::make_unique_for_overwrite<std::byte[]>(num_bytes_);
  }

  /// The best plans, with what they cost, the cheapest first.
  const std::vector<TriedPlan>& run() {
    while (num_tried_ < std::ssize(edges_) && left_.size() > 1) {
      run_round();
      std::ranges::sort(left_, {}, [](const TriedPlan& plan) { return std::pair(plan.work, plan.number); });
      const Index most = kMuchWorse * left_.front().work;
      std::erase_if(left_, [&](const TriedPlan& plan) { return plan.work > most; });
      if (num_tried_ == std::ssize(edges_)) break;
      left_.erase(left_.begin() + (left_.size() + kKeptShare - 1) / kKeptShare, left_.end());
    }
    return left_;
  }

 private:
  /// Tries all plans that are left on the same edges. What is much worse than the best is stopped.
  void run_round() {
    TriedPlan& first = left_.front();
    const Index end = try_plan(first, std::ssize(edges_), first.work + kRoundWork / std::ssize(left_));
    Index best = first.work;
    for (TriedPlan& plan : std::span(left_).subspan(1)) {
      try_plan(plan, end, kMuchWorse * best);
      best = std::min(best, plan.work);
    }
    num_tried_ = end;
  }
  /// @return the end of the edges that it was tried on, before its work was above `most`
  Index try_plan(TriedPlan& plan, Index end, Index most) {
    Index e = num_tried_;
    for (; e < end && plan.work <= most; ++e) {
      const UpdateSearch search{plan.setup, time_, edges_[e].from, edges_[e].to};
      plan.work += try_searches(queue_, graph_, {&search, 1}, {memory_.get(), num_bytes_}, most - plan.work);
    }
    return e;
  }

  const DynamicGraph& graph_;
  Time time_;
  std::vector<Edge> edges_;
  Index num_tried_ = 0;  ///< of the edges
  std::vector<TriedPlan> left_;
  Index num_bytes_ = 0;
  std::unique_ptr<std::byte[]> memory_;
  Queue queue_{DeviceId{}};
};

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

double mean_work(EdgeSearches& searches, const DynamicGraph& graph, Time time) {
  constexpr Index kMost = 10'000'000;  // of one edge
  std::vector<std::uint32_t> room(graph.max_degree() + 1);
  std::vector<std::byte> memory;
  Queue queue{DeviceId{}};
  const Index step = 2 * graph.num_edges() / kSample + 1;
  Index work = 0, num_tried = 0, begin = 0, next = step / 2;
  for (Index v = 0; v < graph.num_vertices(); ++v) {
    const auto vertex = static_cast<std::uint32_t>(v);
    const Index end = begin + graph.degree(vertex);
    for (; next < end; next += step) {
      ++num_tried;
      const auto row = graph.row(time, vertex, kAnyLabel, kAnyLabel, room.data());
      if (next - begin >= row.size()) continue;  // of a kind that is not searched
      const std::uint32_t other = row[next - begin];
      const EdgeKind kind{graph.vertex_label(vertex), graph.vertex_label(other),
                          static_cast<std::uint32_t>(graph.edge_label(vertex, other))};
      for (const auto& joined : searches.of(kind)) {
        const UpdateSearch search{&joined->setup(graph.max_degree()), time, vertex, other};
        memory.resize(std::max<std::size_t>(memory.size(), search.setup->memory_bytes));
        work += try_searches(queue, graph, {&search, 1}, {memory.data(), std::ssize(memory)}, kMost);
      }
    }
    begin = end;
  }
  return static_cast<double>(work) / static_cast<double>(std::max<Index>(1, num_tried));
}

PatternPlan choose_plan(std::vector<PatternPlan> plans, const DynamicGraph& graph, Time time,
                        const std::vector<Edge>& edges) {
  if (plans.size() == 1 || edges.empty()) return std::move(plans.front());
  Trial trial(plans, graph, time, spread(edges));
  const std::vector<TriedPlan>& tried = trial.run();
  // Of plans that cost about the same, the one that chooses fewest vertices: it costs least where there are many matches.
  int best = tried.front().number;
  for (const TriedPlan& plan : tried) {
    const bool is_as_cheap = plan.work <= nearly(tried.front().work);
    if (is_as_cheap && plans[plan.number].num_chosen < plans[best].num_chosen) best = plan.number;
  }
  return std::move(plans[best]);
}

}  // namespace quarry::watch
