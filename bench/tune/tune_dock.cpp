/// Lanes of a team for `dock`, in both forms, with the cap on registers that the build has (QUARRY_MAX_REGISTERS). Every
/// setting must give the answer of the host, and the fastest is named. LiGen's figure 6 is the same by hand.
#include <fmt/format.h>

#include <algorithm>

#include "bench/dock/dock_staged.hpp"
#include "bench/report.hpp"
#include "bench/tune/tune.hpp"

namespace quarry::bench {
namespace {

struct LaneTrial {
  int lanes = 0;
  double ligands_per_second = 0;
};

/// Fastest first.
std::vector<LaneTrial> lane_trials(DockStage& stage, const std::vector<LigandRow>& rows, dock::Form form,
                                   const std::vector<dock::Result>& expected) {
  const bool gpu = stage.queue().device().api == Api::gpu;
  std::vector<LaneTrial> trials;
  for (const int lanes : gpu ? std::vector{32, 64, 128, 256} : std::vector{stage.queue().lanes()}) {
    LaunchSizes sizes;
    sizes.team_lanes = lanes;
    stage.queue().set_sizes(sizes);
    const StagedDocking staged = stage.run(rows, form);
    require_same(expected, staged.results, fmt::format("{} lanes", lanes));
    double seconds = 0;  // of launches: what the host does between them is the same
    for (const LaunchTime& launch : staged.launches) seconds += launch.seconds;
    trials.push_back({lanes, static_cast<double>(rows.size()) / seconds});
  }
  std::ranges::sort(trials, std::ranges::greater(), &LaneTrial::ligands_per_second);
  return trials;
}

}  // namespace

void tune_dock(ReportOptions options, const std::string& device) {
  const DeviceId device_id = find_devices(device).at(0);
  if (device_id.api == Api::host) throw InputError("dock has one setting on the host: name a device, such as cuda:0");
  const Platform platform = platform_of(device_id);
  options.json_path = with_platform(options.json_path, platform);
  const bool small = options.quick || platform.emulated;
  const DockLoad load = dock_load(small);
  Report report(options, "docking");
  DockStage stage(load.where, load.box, load.options, device_id), host(load.where, load.box, load.options, {});
  fmt::print("\n{} ({}), registers of a thread: {}{}\n", platform.name, name_of({device_id}),
             QUARRY_MAX_REGISTERS == 0 ? "no cap" : fmt::format("at most {}", QUARRY_MAX_REGISTERS),
             platform.emulated ? "\nEMULATED: the answers are checked, the times mean nothing" : "");
  Json json = {{"platform", platform.name},
               {"api", platform.api},
               {"emulated", platform.emulated},
               {"max_registers", QUARRY_MAX_REGISTERS}};
  for (const auto& [atoms, torsions] :
       small ? std::vector{std::pair(31, 4)} : std::vector{std::pair(31, 4), {89, 20}}) {
    const PaperSet set = paper_set(atoms, torsions, load.distinct, std::max(load.distinct, load.batch * 31 / atoms));
    const std::vector<LigandRow> few(set.rows.begin(), set.rows.begin() + load.distinct);
    const std::vector<dock::Result> expected = host.run(few, dock::Form::latency).results;
    for (const dock::Form form : {dock::Form::batch, dock::Form::latency}) {
      const char* const name = form == dock::Form::batch ? "batch" : "latency";
      Json rows = Json::array();
      for (const LaneTrial& trial : lane_trials(stage, form == dock::Form::batch ? set.rows : few, form, expected)) {
        fmt::print("  {:<8} {:<8} {:>4} lanes {:>12.1f} ligands/s{}{}\n", set.name, name, trial.lanes,
                   trial.ligands_per_second, trial.lanes == dock::kTeamLanes ? "  in use" : "",
                   rows.empty() ? "  fastest" : "");
        rows.push_back({{"team_lanes", trial.lanes}, {"ligands_per_second", trial.ligands_per_second}});
      }
      json[name][set.name] = {{"best_ligands_per_second", rows.front()["ligands_per_second"]}, {"trials", rows}};
    }
  }
  report.add("tune_dock", json);
  report.finish();
}

}  // namespace quarry::bench
