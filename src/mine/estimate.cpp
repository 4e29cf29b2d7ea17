/// Estimates: random descents into the search, and what their mean says.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "exec/parallel.hpp"
#include "mine/prepared.hpp"
#include "mine/search/engine.hpp"
#include "mine/search/visits.hpp"
#include "quarry/error.hpp"

namespace quarry::mine {
namespace {

constexpr Index kDescentsPerTask = 1024;
/// Descents are drawn and summed up in rounds of this many tasks, so that memory does not grow with their number.
constexpr Index kTasksPerRound = 1024;

/// Mean and squares of descents, added in the order of the tasks: the same sums for any number of threads.
/// Source of the sum of two: Chan, Golub, LeVeque, Am. Stat. 1983, 37, 242.
struct DescentSums {
  double count = 0, mean = 0, squares = 0;  // squares of the distances from the mean
  Index hits = 0;

  static DescentSums of(std::span<const double> values) {
    DescentSums sums;
    sums.count = values.size();
    for (const double value : values) {
      sums.mean += value / sums.count;
      sums.hits += value > 0;
    }
    for (const double value : values) sums.squares += (value - sums.mean) * (value - sums.mean);
    return sums;
  }
  void add(const DescentSums& other) {
    const double both = count + other.count, distance = other.mean - mean;
    squares += other.squares + distance * distance * count * other.count / both;
    mean += distance * other.count / both;
    count = both;
    hits += other.hits;
  }
};

/// No descent can stand for more: a first vertex or entry, and then at most the largest degree of choices at each vertex.
double largest_descent(const SearchJob& job, const PatternPlan& plan) {
  double largest_degree = 0;
  for (Index v = 0; v < job.rows.num_vertices(); ++v)
    largest_degree = std::max<double>(largest_degree, job.rows.degree(v));
  const bool at_edge = job.nodes[0].child >= 0;
  const double first = at_edge ? job.rows.neighbours.size() : job.rows.num_vertices();
  return first * std::pow(largest_degree, plan.num_vertices - (at_edge ? 2 : 1));
}

/// The mean of the descents with its interval, as subgraphs.
Estimate estimate_from(const DescentSums& sums, const PatternPlan& plan, double largest) {
  Estimate estimate;
  estimate.descents = static_cast<Index>(sums.count);
  estimate.hits = sums.hits;
  const double deviation = sums.count > 1 ? std::sqrt(sums.squares / (sums.count - 1) / sums.count) : sums.mean;
  const double scale = 1.0 * plan.multiply / plan.divide;
  estimate.low = std::max(0.0, sums.mean - 1.96 * deviation) * scale;
  estimate.high = (sums.mean + 1.96 * deviation) * scale;
  if (sums.hits == 0) estimate.high = (1 - std::pow(0.05, 1 / sums.count)) * largest * scale;
  estimate.subgraphs = sums.mean * scale;
  return estimate;
}

}  // namespace

Estimate estimate(const Graph& graph, const GraphPattern& pattern, Index descents, std::uint64_t seed,
                  const Options& options) {
  if (descents < 1 || descents > kMaxDescents)
    throw InputError(fmt::format("an estimate takes 1 to {} descents, not {}", kMaxDescents, descents));
  require_host(options);
  if (options.num_shards != 1) throw InputError("an estimate is of the whole graph: leave the shards");
  PreparedGraph prepared(graph, options);
  const auto planned = plan_search(prepared, pattern, false);
  const Stopwatch stopwatch;
  Workers<SearchWorker> workers(prepared.options().threads, planned->job);
  const Index num_tasks = (descents + kDescentsPerTask - 1) / kDescentsPerTask;
  std::vector<DescentSums> parts(std::min(num_tasks, kTasksPerRound));
  DescentSums sums;
  for (Index first_task = 0; first_task < num_tasks; first_task += kTasksPerRound) {
    const Index last_task = std::min(first_task + kTasksPerRound, num_tasks);
    parallel_for_range(workers.size(), last_task - first_task, 1, [&](Index begin, Index end) {
      const auto worker = workers.take();
      std::vector<double> values(kDescentsPerTask);
      for (Index part = begin; part < end; ++part) {
        const Index task = first_task + part;
        const Index count = std::min(kDescentsPerTask, descents - task * kDescentsPerTask);
        // Seeds far apart: SplitMix64 steps through its states one by one.
        const std::uint64_t task_seed = seed * 0xD1342543DE82EF95ULL + task * 0xA0761D6478BD642FULL;
        const auto some = view_of(values).part(0, count);
        descend_randomly(worker->queue, planned->job, worker->memory.view(), task_seed, some);
        parts[part] = DescentSums::of({values.data(), static_cast<std::size_t>(count)});
      }
    });
    for (Index part = 0; part < last_task - first_task; ++part) sums.add(parts[part]);
    if (options.progress) options.progress(std::min(last_task * kDescentsPerTask, descents), descents);
  }
  const PatternPlan& plan = planned->plans.front();
  Estimate estimate = estimate_from(sums, plan, largest_descent(planned->job, plan));
  prepared.run_seconds += stopwatch.seconds();
  estimate.statistics = prepared.statistics();
  return estimate;
}

}  // namespace quarry::mine
