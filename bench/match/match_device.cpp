/// `match` on one device: with the data resident, launch by launch beside what the device can do, and end to end.
///
/// A kernel's share of the ceilings is what it must at least cost (match_costs.hpp) in bytes or in instructions,
/// whichever takes the device longer, over the time that it took.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "bench/ceilings.hpp"
#include "bench/match/match_costs.hpp"
#include "bench/match/match_versus.hpp"
#include "bench/platform.hpp"
#include "bench/staged_run.hpp"
#include "quarry/device.hpp"

namespace quarry::bench {
namespace {

// The goals on an H200: 114,901 molecules x 619 queries in 25 ms (first) and 50 ms (count) with the data resident, and
// this share of the first rate end to end.
constexpr double kGoalPairs = 114'901.0 * 619, kEndToEndGoal = 0.6;
constexpr double kFirstGoal = kGoalPairs / 0.025, kCountGoal = kGoalPairs / 0.050;
constexpr Index kEndToEndMolecules = 10'000'000;
constexpr int kEndToEndRepeats = 3;  // each takes seconds

struct Bound {
  double share = 0;
  bool by_bytes = false;
};

Bound bound_of(const Cost& cost, const Ceilings& ceilings, double seconds) {
  const double moving = cost.bytes / ceilings.bytes_per_second;
  const double computing = cost.operations / ceilings.operations_per_second;
  return {std::max(moving, computing) / seconds, moving > computing};
}

Json kernel_table(const StagedTimes& times, Costs& costs, const Ceilings& ceilings) {
  Json rows = Json::array();
  fmt::print("  {:<12}{:>10}{:>12}{:>12}{:>12}{:>14}{:>12}\n", "launch", "launches", "ms", "GB/s", "G ops/s",
             "of ceiling", "bound by");
  for (const LaunchTime& launch : times.launches) {
    const Cost& cost = costs[std::string(launch.label.name)];
    const Bound bound = bound_of(cost, ceilings, launch.seconds);
    const double bytes = cost.bytes / launch.seconds, operations = cost.operations / launch.seconds;
    fmt::print("  {:<12}{:>10}{:>12.3f}{:>12.2f}{:>12.2f}{:>12.1f} %{:>12}\n", launch.label.name, launch.launches,
               1e3 * launch.seconds, bytes / 1e9, operations / 1e9, 100 * bound.share,
               bound.by_bytes ? "bytes" : "operations");
    rows.push_back({{"launch", launch.label.name},
                    {"launches", launch.launches},
                    {"seconds", launch.seconds},
                    {"least_bytes", cost.bytes},
                    {"least_operations", cost.operations},
                    {"share_of_ceiling", bound.share},
                    {"bound_by", bound.by_bytes ? "bytes" : "operations"}});
  }
  return rows;
}

/// One mode with the data where it is computed.
Json resident(const Workload& workload, StagedRun& run, match::Mode mode, const Ceilings& ceilings, double goal) {
  const match::Options options = options_for(mode, 1);
  const match::Statistics expected = timed_run(workload, workload.queries, options_for(mode, 0)).statistics;
  std::vector<StagedTimes> runs;
  for (int repeat = 0; repeat < workload.effort.repeats; ++repeat) {
    runs.push_back(run.run(options));
    match::Statistics found;
    found.hits = runs.back().hits;
    found.embeddings = runs.back().embeddings;
    require_same(found, expected);
  }
  std::ranges::sort(runs, {}, &StagedTimes::seconds);
  const StagedTimes& times = runs[runs.size() / 2];
  Costs costs;
  run.run_and(options, [&](const match::BatchInput& input, match::BatchStore& store, Queue& queue) {
    add_costs(run.plan(), input, store, queue, mode, costs);
  });
  const double rate = run.num_pairs() / times.seconds;
  fmt::print("\n{}, data resident: {:.3f} ms, {:.3f} ms of them in launches; {:.2f} M pairs/s (goal {:.0f})\n",
             mode == match::Mode::first ? "find first" : "find all, counted", 1e3 * times.seconds,
             1e3 * times.launch_seconds(), rate / 1e6, goal / 1e6);
  Json json = {{"pairs", run.num_pairs()},
               {"hits", times.hits},
               {"embeddings", times.embeddings},
               {"seconds", times.seconds},
               {"launch_seconds", times.launch_seconds()},
               {"pairs_per_second", rate},
               {"goal_pairs_per_second", goal}};
  json["kernels"] = kernel_table(times, costs, ceilings);
  return json;
}

/// From a mapped library to hits on the host, copies included.
Json end_to_end(const Workload& workload, const WorkFolder& folder, const DeviceId& device_id, double resident_rate) {
  const Library one = Library::open(workload.packed_path);
  const bool large = device_id.api == Api::gpu && workload.effort.num_chunks == 0;
  const Index copies = large ? std::max<Index>(1, kEndToEndMolecules / one.num_molecules()) : 1;
  const std::string path = folder.file("end-to-end.qlib");
  write_copies(one, path, copies);
  const Library library = Library::open(path);
  match::Options options = options_for(match::Mode::first, 0);
  match::Matcher host(workload.queries, options);
  match::Statistics of_one;
  const double host_seconds = time_of([&] { of_one = host.run(one, [](const match::Result&) {}); }).wall;
  const double host_rate = of_one.pairs / host_seconds;
  const Index expected = copies * of_one.hits;
  options.device = name_of({device_id});
  match::Matcher matcher(workload.queries, options);
  std::vector<double> seconds;
  match::Statistics found;
  for (int repeat = 0; repeat < kEndToEndRepeats; ++repeat) {
    seconds.push_back(time_of([&] { found = matcher.run(library, [](const match::Result&) {}); }).wall);
    if (found.hits != expected)
      throw WrongAnswer(fmt::format("{} hits end to end instead of {}", found.hits, expected));
  }
  const double rate = found.pairs / median(seconds);
  fmt::print("\nend to end from a mapped library of {} molecules, find first, {} host threads: {:.3f} s\n",
             library.num_molecules(), host_info().threads, median(seconds));
  fmt::print(
      "  {:.2f} M pairs/s, {:.0f} % of the rate with the data resident (goal {:.0f} %); {:.2f} M without a device\n",
      rate / 1e6, 100 * rate / resident_rate, 100 * kEndToEndGoal, host_rate / 1e6);
  return {{"molecules", library.num_molecules()}, {"pairs", found.pairs},
          {"seconds", median(seconds)},           {"pairs_per_second", rate},
          {"host_pairs_per_second", host_rate},   {"share_of_resident", rate / resident_rate},
          {"goal_share", kEndToEndGoal}};
}

}  // namespace

Json device_section(const Workload& workload, const WorkFolder& folder, const DeviceId& device_id) {
  const Platform platform = platform_of(device_id);
  StagedRun run(Library::open(workload.packed_path), workload.queries, options_for(match::Mode::first, 1), device_id);
  const Ceilings ceilings = measure_ceilings(run.queue());
  fmt::print("\n{} ({}): copies {:.1f} GB/s, {:.1f} G operations/s on 64-bit words\n", platform.name,
             name_of({device_id}), ceilings.bytes_per_second / 1e9, ceilings.operations_per_second / 1e9);
  if (platform.emulated) fmt::print("EMULATED: the answers are checked, the times mean nothing\n");
  Json json = {{"platform", platform.name},
               {"api", platform.api},
               {"emulated", platform.emulated},
               {"bytes_per_second", ceilings.bytes_per_second},
               {"operations_per_second", ceilings.operations_per_second}};
  json["first"] = resident(workload, run, match::Mode::first, ceilings, kFirstGoal);
  json["count"] = resident(workload, run, match::Mode::count, ceilings, kCountGoal);
  json["end_to_end"] = end_to_end(workload, folder, device_id, json["first"]["pairs_per_second"]);
  return json;
}

}  // namespace quarry::bench
