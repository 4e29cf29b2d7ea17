/// Response times of `watch` while updates arrive, beside batches of a fixed size (the paper's figure 2).
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "bench/watch/watch_workload.hpp"
#include "watch/replicas.hpp"
#include "watch/sharing_trial.hpp"

namespace quarry::bench {
namespace {

constexpr Index kFirstCount = 200'000;

/// Updates a second, elapsed, of a stream without end of which all updates are there at once.
/// @param count  updates of the run; doubled until it takes half a second
double capacity_now(const Stream& stream, const GraphPattern& pattern, const watch::Options& options, Index& count) {
  constexpr double kAtOnce = 1e12, kEnoughSeconds = 0.5;
  for (;; count *= 2) {
    watch::Watcher watcher(stream.initial, {pattern}, options);
    ReplaySource source(stream.updates, kAtOnce, count);
    const double seconds = watcher.run(source, [](const watch::Alert&) {}).run_seconds;
    if (seconds >= kEnoughSeconds) return static_cast<double>(count) / seconds;
  }
}

/// @param seconds  of arrivals
watch::Statistics replay(const Stream& stream, const GraphPattern& pattern, const watch::Options& options, double rate,
                         double seconds) {
  watch::Watcher watcher(stream.initial, {pattern}, options);
  const Index batch = std::max<Index>(1, options.fixed_batch);
  // Whole batches: the last one would end with the stream, earlier than its number says.
  const Index count = std::max<Index>(1, static_cast<Index>(rate * seconds) / batch) * batch;
  ReplaySource source(stream.updates, rate, count);
  return watcher.run(source, [](const watch::Alert&) {});
}

/// Share of the time of all threads in which they work.
double busy_share(const watch::Statistics& statistics) {
  return statistics.run_cpu_seconds / (statistics.run_seconds * statistics.threads);
}

}  // namespace

Json response_section(const WatchWorkload& workload) {
  struct Cell {
    const char* stream;
    const char* query;
  };
  constexpr Cell kCells[] = {
      {"amazon10/ins", "tree_5_0"}, {"mathoverflow/ins", "sparse_6_1"}, {"bitcoinotc/mix", "dense_4_0"}};
  constexpr int kPercents[] = {10, 90};
  Json section = Json::array();
  fmt::print(
      "\nresponse to updates that arrive evenly, all cores; 99 of 100 within microseconds (goals: at 10 % start "
      "500 and done 1000, at 90 % done 10000)\n");
  for (const Cell& cell : kCells) {
    const auto stream = load_stream(cell.stream);
    if (!stream) continue;
    const GraphPattern pattern = load_query(*stream, cell.query);
    const watch::Options options = watch_options(0);
    std::map<int, std::vector<double>> start, done;
    std::vector<double> capacities;
    Index count = kFirstCount;
    for (int turn = 0; turn < workload.repeats; ++turn) {
      for (const int percent : kPercents) {
        // Of the moment: on a shared machine it may be a fifth less a minute later.
        const double capacity = capacities.emplace_back(capacity_now(*stream, pattern, options, count));
        const auto statistics =
            replay(*stream, pattern, options, 0.01 * percent * capacity, workload.quick ? 0.3 : 2.0);
        start[percent].push_back(statistics.start.p99);
        done[percent].push_back(statistics.done.p99);
      }
    }
    fmt::print("  {:<18} {:<11} {:>8.0f} updates a second", cell.stream, cell.query, median(capacities));
    Json row = {{"stream", cell.stream}, {"query", cell.query}, {"capacity", median(capacities)}};
    for (const int percent : kPercents) {
      fmt::print("; at {} %: start {:.0f}, done {:.0f}", percent, median(start[percent]), median(done[percent]));
      row[fmt::format("at_{}_percent", percent)] = {{"start_p99_us", median(start[percent])},
                                                    {"done_p99_us", median(done[percent])}};
    }
    fmt::print("\n");
    section.push_back(row);
  }
  return section;
}

Json rates_section(const WatchWorkload& workload) {
  const auto stream = load_stream("bitcoinotc/mix");
  Json section = Json::array();
  if (!stream) return section;
  const GraphPattern pattern = load_query(*stream, "dense_4_0");
  std::vector<double> capacities;
  for (Index count = kFirstCount; std::ssize(capacities) < workload.repeats;)
    capacities.push_back(capacity_now(*stream, pattern, watch_options(0), count));
  const double capacity = median(capacities);
  fmt::print(
      "\nbitcoinotc/mix dense_4_0 at rates, all cores: microseconds from arrival to the start of the search, "
      "half and 99 of 100 of the updates, and share of busy threads\n  {:>10} {:>7} {:>28} {:>28} {:>28}\n",
      "updates/s", "of all", "watch", "batches of 128", "batches of 4096");
  for (const double share : {0.01, 0.03, 0.1, 0.3, 0.6, 0.9}) {
    const double rate = share * capacity;
    Json row = {{"rate", rate}, {"share_of_capacity", share}};
    fmt::print("  {:>10.0f} {:>5.0f} %", rate, 100 * share);
    for (const Index batch : {0, 128, 4096}) {
      watch::Options options = watch_options(0);
      options.fixed_batch = batch;
      const auto statistics = replay(*stream, pattern, options, rate, workload.quick ? 0.3 : 1.0);
      fmt::print(" {:>10.0f} {:>11.0f} {:>3.0f} %", statistics.start.p50, statistics.start.p99,
                 100 * busy_share(statistics));
      row[batch == 0 ? "watch" : fmt::format("fixed_{}", batch)] = {{"start_p50_us", statistics.start.p50},
                                                                    {"start_p99_us", statistics.start.p99},
                                                                    {"done_p99_us", statistics.done.p99},
                                                                    {"busy", busy_share(statistics)},
                                                                    {"versions_most", statistics.versions_most}};
    }
    fmt::print("\n");
    section.push_back(row);
  }
  return section;
}

/// The old versions of rows that are kept for searches, over time, of a stream of long searches whose updates are all there at
/// once. Threads share one graph, as where there is no memory for more.
Json versions_section(const WatchWorkload& workload) {
  constexpr double kAtOnce = 1e12, kSampleSeconds = 2e-3;
  const auto stream = load_stream("ascaida/diff");
  Json section = Json::object();
  if (!stream) return section;
  const Index count = std::ssize(stream->updates) * (workload.quick ? 1 : 2);
  const watch::ReplicaLimits replicas = std::exchange(watch::replica_limits, {.most = 1});
  const watch::SharingLimits sharing = std::exchange(watch::sharing_limits, {.guess_seconds = 0, .long_seconds = 0});
  watch::Watcher watcher(stream->initial, {load_query(*stream, "dense_6_1")}, watch_options(0));
  std::vector<double> seconds;
  std::vector<Index> alive;
  ReplaySource source(stream->updates, kAtOnce, count, [&](double now) {
    if (!seconds.empty() && now < seconds.back() + kSampleSeconds) return;
    seconds.push_back(now);
    alive.push_back(watcher.old_versions());
  });
  const auto statistics = watcher.run(source, [](const watch::Alert&) {});
  watch::replica_limits = replicas;
  watch::sharing_limits = sharing;
  fmt::print(
      "\nold versions of rows, ascaida/diff dense_6_1, {} updates at once: {} made, {} of them freed, at most {} at a "
      "time, {} at the end\n",
      count, statistics.versions_created, statistics.versions_freed, statistics.versions_most, watcher.old_versions());
  return {{"updates", count}, {"seconds", seconds}, {"alive", alive}, {"most", statistics.versions_most}};
}

}  // namespace quarry::bench
