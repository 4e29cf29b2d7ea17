/// How work is best cut on a device: sizes of teams and blocks, and the radius of refinement. Every setting must give
/// the same answer.
///
/// The result is a table for each device, as the SIGMo paper (SC'25, table 1) has one by hand; the sizes that the
/// engine uses everywhere are LaunchSizes in exec/queue.hpp.
#include "bench/tune/tune.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/match/match_versus.hpp"
#include "bench/platform.hpp"
#include "bench/report.hpp"
#include "bench/staged_run.hpp"

namespace quarry::bench {
namespace {

struct Setting {
  int refine = match::Options{}.refine;
  LaunchSizes sizes;
};

struct Trial {
  Setting setting;
  double seconds = 0;
};

/// All sizes on a GPU; elsewhere those that make a difference.
std::vector<LaunchSizes> sizes_for(const DeviceId& device_id) {
  if (device_id.api == Api::host) return {LaunchSizes{}};
  const bool gpu = device_id.api == Api::gpu;
  std::vector<LaunchSizes> all;
  for (const int lanes : gpu ? std::vector{32, 64, 128, 256} : std::vector{LaunchSizes{}.team_lanes}) {
    for (const int threads : gpu ? std::vector{64, 128, 256} : std::vector{LaunchSizes{}.block_threads}) {
      all.push_back({lanes, threads});
    }
  }
  return all;
}

bool is_default(const Setting& setting) {
  return setting.refine == match::Options{}.refine && setting.sizes == LaunchSizes{};
}

std::vector<Trial> trials_of(const Workload& workload, const Library& library, const DeviceId& device_id,
                             match::Mode mode) {
  const match::Statistics expected = timed_run(workload, workload.queries, options_for(mode, 0)).statistics;
  constexpr int kMaxTunedRefine = 1;  // more was never better; bench/run.sh match
  std::vector<Trial> trials;
  for (int refine = 0; refine <= kMaxTunedRefine; ++refine) {
    const match::Options options = options_for(mode, 1, refine);
    StagedRun run(library, workload.queries, options, device_id);
    for (const LaunchSizes& sizes : sizes_for(device_id)) {
      run.queue().set_sizes(sizes);
      std::vector<double> seconds;
      for (int repeat = 0; repeat < workload.effort.repeats; ++repeat) {
        const StagedTimes times = run.run(options);
        seconds.push_back(times.seconds);
        match::Statistics found;
        found.hits = times.hits;
        found.embeddings = times.embeddings;
        require_same(found, expected);
      }
      trials.push_back({{refine, sizes}, median(seconds)});
    }
  }
  std::ranges::sort(trials, {}, &Trial::seconds);
  return trials;
}

Json to_json(const Trial& trial, Index pairs) {
  return {{"refine", trial.setting.refine},
          {"team_lanes", trial.setting.sizes.team_lanes},
          {"block_threads", trial.setting.sizes.block_threads},
          {"default", is_default(trial.setting)},
          {"seconds", trial.seconds},
          {"pairs_per_second", pairs / trial.seconds}};
}

/// The best settings and the one in use.
Json mode_section(const std::vector<Trial>& trials, const char* name, Index pairs) {
  constexpr std::size_t kShown = 5;
  fmt::print("\n{}, data resident\n  {:>7}{:>8}{:>9}{:>12}{:>14}\n", name, "refine", "lanes", "threads", "ms",
             "M pairs/s");
  Json rows = Json::array();
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const auto& [setting, seconds] = trials[i];
    rows.push_back(to_json(trials[i], pairs));
    if (i >= kShown && !is_default(setting)) continue;
    fmt::print("  {:>7}{:>8}{:>9}{:>12.3f}{:>14.2f}{}\n", setting.refine, setting.sizes.team_lanes,
               setting.sizes.block_threads, 1e3 * seconds, 1e-6 * pairs / seconds,
               is_default(setting) ? "  in use" : "");
  }
  fmt::print("  {} settings, one answer\n", trials.size());
  return {{"pairs", pairs}, {"best_pairs_per_second", rows.front()["pairs_per_second"]}, {"trials", rows}};
}

void tune_match(ReportOptions options, const std::string& device) {
  const DeviceId device_id = find_devices(device).at(0);
  const Platform platform = platform_of(device_id);
  options.json_path = with_platform(options.json_path, platform);
  const WorkFolder folder;
  const Workload workload = make_workload(folder, device_effort(device_id, options.quick));
  const Library library = Library::open(workload.packed_path);
  const Index pairs = library.num_molecules() * workload.num_queries();
  Report report(options, workload.description);
  fmt::print("\n{} ({}){}\n", platform.name, name_of({device_id}),
             platform.emulated ? "\nEMULATED: the answers are checked, the times mean nothing" : "");
  Json json = {{"platform", platform.name}, {"api", platform.api}, {"emulated", platform.emulated}};
  json["first"] = mode_section(trials_of(workload, library, device_id, match::Mode::first), "find first", pairs);
  json["count"] = mode_section(trials_of(workload, library, device_id, match::Mode::count), "find all, counted", pairs);
  report.add("tune", json);
  report.finish();
}

}  // namespace
}  // namespace quarry::bench

int main(int argc, char** argv) {
  quarry::bench::ReportOptions options;
  std::string engine, device = "auto";
  quarry::bench::CommandLine command_line(
      "Finds how work is best cut on a device; bench/run.sh tune builds and runs it", options);
  command_line.choice("ENGINE", engine, {"match", "similar", "dock"}, "What to tune");
  command_line.device_option(device);
  return command_line.run(argc, argv, [&] {
    using namespace quarry::bench;
    const auto tune = engine == "match" ? tune_match : engine == "similar" ? tune_similar : tune_dock;
    tune(options, device);
  });
}
