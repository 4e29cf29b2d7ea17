/// Every number that the engine `watch` promises, measured: a readable report, and a JSON record of it.
#include "quarry/watch.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bench/platform.hpp"
#include "bench/report.hpp"
#include "bench/watch/watch_workload.hpp"

namespace quarry::bench {
namespace {

/// Medians.
struct Timing {
  double wall = 0, cpu = 0;
};

/// Runs a stream through new watchers of these patterns; `check(watcher)` after each. Short runs are repeated more often.
/// Lists become text.
template <class Check>
Timing time_stream(const Stream& stream, const std::vector<GraphPattern>& patterns, const watch::Options& options,
                   int repeats, const Check& check) {
  constexpr double kEnoughSeconds = 1;
  constexpr int kTimesMore = 4;
  std::vector<Seconds> runs;
  double sum = 0;
  for (int turn = 0; turn < repeats || (sum < kEnoughSeconds && turn < kTimesMore * repeats); ++turn) {
    watch::Watcher watcher(stream.initial, patterns, options);
    const watch::Statistics statistics = options.list
                                             ? run_as_text(watcher, stream.updates, patterns.front().vertices.size())
                                             : run_all(watcher, stream.updates);
    check(watcher);
    runs.push_back({statistics.run_seconds, statistics.run_cpu_seconds});
    sum += statistics.run_seconds;
    if (statistics.run_seconds > 5) break;
  }
  const Seconds middle = median(runs);
  return {middle.wall, middle.cpu};
}

Timing time_query(const Stream& stream, const std::string& query, const watch::Options& options, int repeats) {
  return time_stream(stream, {load_query(stream, query)}, options, repeats, [&](const watch::Watcher& watcher) {
    require_published(stream, query, watcher.totals().front());
  });
}

}  // namespace

Json peers_section(const WatchWorkload& workload) {
  Json section = Json::array();
  double sum_of_logs = 0;
  fmt::print(
      "\ncounting, one thread; thousand updates a CPU second, beside the best of seven programs (goal: 2 times "
      "every cell under a million, none lost)\n  {:<20} {:<12} {:>9} {:>9} {:<11} {:>6}\n",
      "stream", "query", "watch", "best", "", "times");
  for (const PeerRow& row : peer_rows()) {
    const auto stream = load_stream(row.stream);
    if (!stream) continue;
    for (const PeerCell& cell : row.cells) {
      const Timing timing = time_query(*stream, cell.query, watch_options(1), workload.repeats);
      const double rate = 1e-3 * std::ssize(stream->updates) / timing.cpu, ratio = rate / cell.thousand_updates;
      sum_of_logs += std::log(ratio);
      fmt::print("  {:<20} {:<12} {:>9.1f} {:>9.1f} {:<11} {:>6.2f}\n", row.stream, cell.query, rate,
                 cell.thousand_updates, cell.program, ratio);
      section.push_back({{"stream", row.stream},
                         {"query", cell.query},
                         {"updates_per_cpu_second", 1e3 * rate},
                         {"best_updates_per_cpu_second", 1e3 * cell.thousand_updates},
                         {"best", cell.program},
                         {"ratio", ratio}});
    }
  }
  if (section.empty()) return section;
  const double mean = std::exp(sum_of_logs / section.size());
  fmt::print("  geometric mean of {} cells: {:.2f} times (goal 4)\n", section.size(), mean);
  return {{"cells", section}, {"geometric_mean", mean}};
}

Json watch_listing_section(const WatchWorkload& workload) {
  const auto stream = load_stream("human/ins");
  if (!stream) return {};
  constexpr const char* kQuery = "tree_8_1";
  const GraphPattern pattern = load_query(*stream, kQuery);
  watch::Options options = watch_options(1);
  options.list = options.all_embeddings = true;
  std::vector<double> rates;
  for (int turn = 0; turn < workload.repeats; ++turn) {
    watch::Watcher watcher(stream->initial, {pattern}, options);
    ListSource source(stream->updates);
    std::uint64_t num_values = 0;
    const watch::Statistics statistics =
        watcher.run(source, [&](const watch::Alert& alert) { num_values += alert.matches.size(); });
    const watch::PatternTotals totals = watcher.totals().front();
    require_published(*stream, kQuery, totals);
    const std::uint64_t embeddings = num_values / pattern.size();
    if (embeddings != totals.positive) throw SystemError("human/ins: not every embedding was listed");
    rates.push_back(static_cast<double>(embeddings) / statistics.run_cpu_seconds);
  }
  fmt::print("\nlisting human/ins {} to nowhere, one thread: {:.0f} million embeddings a CPU second (goal 100)\n",
             kQuery, 1e-6 * median(rates));
  return {{"query", kQuery}, {"embeddings_per_cpu_second", median(rates)}};
}

Json updating_section(const WatchWorkload& workload) {
  const auto stream = load_stream("amazon10/ins");
  if (!stream) return {};
  const Timing timing = time_stream(*stream, {}, watch_options(1), workload.repeats, [](const watch::Watcher&) {});
  const double rate = std::ssize(stream->updates) / timing.cpu;
  fmt::print("\nupdating alone, amazon10/ins without a pattern: {:.2f} million edges a CPU second (goal 1.5)\n",
             1e-6 * rate);
  return {{"edges_per_cpu_second", rate}};
}

Json together_section(const WatchWorkload& workload) {
  Json section = Json::array();
  fmt::print("\nall queries of a stream in one run, beside the sum of single runs; CPU seconds (goal 0.5 times)\n");
  for (const char* name : {"amazon10/ins", "collegemsg-win/win", "mathoverflow/ins"}) {
    const auto stream = load_stream(name);
    if (!stream) continue;
    const std::vector<std::string> queries = quick_queries(*stream);
    std::vector<GraphPattern> patterns;
    double single = 0;
    for (const std::string& query : queries) {
      patterns.push_back(load_query(*stream, query));
      single += time_query(*stream, query, watch_options(1), 1 + workload.repeats / 2).cpu;
    }
    const auto check = [&](const watch::Watcher& watcher) {
      const auto totals = watcher.totals();
      for (std::size_t i = 0; i < queries.size(); ++i) require_published(*stream, queries[i], totals[i]);
    };
    const double together = time_stream(*stream, patterns, watch_options(1), workload.repeats, check).cpu;
    fmt::print("  {:<20} {} queries: {:.4f} beside {:.4f}: {:.2f} times\n", name, queries.size(), together, single,
               together / single);
    section.push_back({{"stream", name},
                       {"queries", queries.size()},
                       {"together_cpu_seconds", together},
                       {"single_cpu_seconds", single},
                       {"ratio", together / single}});
  }
  return section;
}

namespace {

/// Medians of elapsed seconds, and of the ratios of one turn.
struct TwoThreads {
  double one = 0, two = 0, ratio = 0;
};

/// In turns, so that a change of the machine meets both.
TwoThreads time_two_threads(const Stream& stream, const std::string& query, bool list, int turns) {
  std::vector<double> one, two, ratio;
  for (int turn = 0; turn < turns; ++turn) {
    for (const int threads : {1, 2}) {
      watch::Options options = watch_options(threads);
      options.list = list;
      (threads == 1 ? one : two).push_back(time_query(stream, query, options, 1).wall);
    }
    ratio.push_back(one.back() / two.back());
  }
  return {median(one), median(two), median(ratio)};
}

Json print_two_threads(const std::string& stream, const std::string& query, bool list, const TwoThreads& timing) {
  fmt::print("  {:<20} {:<12} {:<6} {:.4f}  {:.4f}  {:.2f} times\n", stream, query, list ? "list" : "", timing.one,
             timing.two, timing.ratio);
  return {{"stream", stream},          {"query", query},       {"list", list}, {"one_thread", timing.one},
          {"two_threads", timing.two}, {"ratio", timing.ratio}};
}

}  // namespace

Json watch_threads_section(const WatchWorkload& workload) {
  struct Job {
    const char* stream;
    const char* query;
    bool list;
  };
  constexpr Job kJobs[] = {{"github/orig", "orig_6_q3", false},
                           {"ascaida/diff", "dense_6_1", false},
                           {"collegemsg-win/win", "sparse_5_0", false},
                           {"bitcoinotc/mix", "sparse_7_0", false},
                           {"amazon10/ins", "tree_8_1", true}};
  Json section = Json::array();
  fmt::print("\ntwo threads beside one (goal 1.7); elapsed seconds, lists as text that nobody reads\n");
  for (const Job& job : kJobs) {
    const auto stream = load_stream(job.stream);
    if (!stream) continue;
    const TwoThreads timing = time_two_threads(*stream, job.query, job.list, workload.quick ? 1 : 5);
    section.push_back(print_two_threads(job.stream, job.query, job.list, timing));
  }
  return section;
}

/// Two threads are the default of two cores, so they must not take longer than one.
Json watch_all_threads_section(const WatchWorkload& workload) {
  constexpr std::uint64_t kLongList = 10'000'000;
  constexpr double kEnough = 0.95;
  Json section = Json::array();
  int num_slow = 0;
  fmt::print(
      "\ntwo threads beside one, every query, counted and listed as text (goal: nowhere under {}); those below\n",
      kEnough);
  for (const PeerRow& row : peer_rows()) {
    const auto stream = load_stream(row.stream);
    if (!stream) continue;
    for (const PeerCell& cell : row.cells) {
      for (const bool list : {false, true}) {
        if (list && published_embeddings(*stream, cell.query) > kLongList) continue;
        const TwoThreads timing = time_two_threads(*stream, cell.query, list, workload.quick ? 1 : 3);
        if (timing.ratio < kEnough) {
          ++num_slow;
          print_two_threads(row.stream, cell.query, list, timing);
        }
        section.push_back({{"stream", row.stream}, {"query", cell.query}, {"list", list}, {"ratio", timing.ratio}});
      }
    }
  }
  fmt::print("  {} of {}\n", num_slow, section.size());
  return section;
}

namespace {

void run(const ReportOptions& options) {
  const WatchWorkload workload{"streams of the data folder, and a stream without end", options.quick,
                               options.quick ? 1 : 5};
  Report report(options, workload.description);
  report.add("peers", peers_section(workload));
  report.add("listing", watch_listing_section(workload));
  report.add("updating", updating_section(workload));
  report.add("together", together_section(workload));
  report.add("threads", watch_threads_section(workload));
  report.add("all_threads", watch_all_threads_section(workload));
  report.add("response", response_section(workload));
  report.add("rates", rates_section(workload));
  report.add("versions", versions_section(workload));
  report.add("memory", watch_memory_section(workload));
  report.finish();
}

void run_on_device(ReportOptions options, const std::string& device) {
  options.json_path = with_platform(options.json_path, platform_of(find_devices(device).at(0)));
  const WatchWorkload workload{"streams of the data folder", options.quick, options.quick ? 1 : 3};
  Report report(options, workload.description);
  report.add("device", watch_device_section(device));
  report.finish();
}

}  // namespace
}  // namespace quarry::bench

int main(int argc, char** argv) {
  return quarry::bench::run_bench(argc, argv, "Measures quarry watch; bench/run.sh watch builds and runs it",
                                  quarry::bench::run, quarry::bench::run_on_device);
}
