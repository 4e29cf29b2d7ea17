/// `dock` on a device: the sets of the paper in both forms, end to end, algorithm 1 beside what the device can do, and FABP4.
#include <fmt/format.h>

#include "bench/dock/dock_staged.hpp"

namespace quarry::bench {
namespace {

/// Ligands a second of a whole run, with as many queues as it has. @param times  that the rows are docked, one after the other
double run_rate(const dock::Docker& docker, const std::vector<LigandRow>& rows, dock::Form form, Index times) {
  const Index count = times * std::ssize(rows);
  const dock::Statistics statistics = docker.run([&] { return times-- > 0 ? rows : std::vector<LigandRow>{}; },
                                                 [](const LigandRow&, const dock::Result&) {});
  const Index in_form = form == dock::Form::batch     ? statistics.batch_rows
                        : form == dock::Form::latency ? statistics.latency_rows
                                                      : count;
  if (statistics.report.ok != count || in_form != count)
    throw SystemError(fmt::format("{} of {} ligands were docked", std::min(in_form, statistics.report.ok), count));
  return static_cast<double>(count) / statistics.seconds;
}

/// Share of what the device could do in that time: the larger of operations and bytes, each over its ceiling.
double roofline(const DockCost& cost, const Ceilings& ceilings, double seconds) {
  return std::max(cost.operations / ceilings.flops_per_second, cost.bytes / ceilings.bytes_per_second) / seconds;
}

/// A library of known actives and decoys with `standard`, some times over, end to end.
Json library_section(const DeviceId& device, bool small) {
  const auto library = load_enrichment(small ? 4 : 1000000);
  if (!library) return Json::object();
  std::vector<LigandRow> rows;
  for (const LigandRow& row : library->rows)
    if (row.ok()) rows.push_back(row);
  dock::Options options;
  options.search = dock::search_options(dock::Effort::standard);
  options.device = name_of({device});
  const dock::Docker docker(library->where.receptor, library->where.box, options);
  const double rate = run_rate(docker, rows, options.form, small ? 1 : 8);
  fmt::print("  FABP4, standard: {:.1f} ligands/s\n", rate);
  return {{"ligands", rows.size()}, {"ligands_per_second", rate}};
}

}  // namespace

void add_dock_device(Report& report, const DeviceId& device, bool quick) {
  const Platform platform = platform_of(device);
  const bool small = quick || platform.emulated;
  const DockLoad load = dock_load(small);
  DockStage stage(load.where, load.box, load.options, device), host(load.where, load.box, load.options, {});
  const Ceilings ceilings = measure_ceilings(stage.queue());
  fmt::print("\n{} ({}): copies {:.1f} GB/s, {:.1f} Gflop/s\n", platform.name, name_of({device}),
             ceilings.bytes_per_second / 1e9, ceilings.flops_per_second / 1e9);
  if (platform.emulated) fmt::print("EMULATED: the answers are checked, the times mean nothing\n");
  Json section = {{"platform", platform.name},
                  {"api", platform.api},
                  {"emulated", platform.emulated},
                  {"bytes_per_second", ceilings.bytes_per_second},
                  {"flops_per_second", ceilings.flops_per_second}};
  fmt::print("  {:<8}{:>14}{:>14}{:>16}{:>16}\n", "", "batch /s", "latency /s", "batch roofline", "latency");
  for (const int atoms : small ? std::vector{31} : std::vector{31, 63, 74, 89}) {
    for (const int torsions : small ? std::vector{4} : std::vector{4, 8, 16, 20}) {
      const int count = std::max(load.distinct, load.batch * 31 / atoms);  // so that every set takes seconds
      const PaperSet set = paper_set(atoms, torsions, load.distinct, count);
      const std::vector<LigandRow> few(set.rows.begin(), set.rows.begin() + std::min(load.latency, count));
      const std::vector<LigandRow> distinct(set.rows.begin(), set.rows.begin() + load.distinct);
      const std::vector<dock::Result> expected = host.run(distinct, dock::Form::latency).results;
      fmt::print("  {:<8}", set.name);
      std::vector<double> shares;
      for (const dock::Form form : {dock::Form::batch, dock::Form::latency}) {
        const std::vector<LigandRow>& rows = form == dock::Form::batch ? set.rows : few;
        const StagedDocking staged = stage.run(rows, form);
        require_same(expected, staged.results, set.name);
        shares.push_back(roofline(search_cost(rows, load.options.search), ceilings, staged.search_seconds));
        Json launches = Json::object();
        dock::Options options = load.options;
        options.device = name_of({device});
        options.form = form;
        const dock::Docker docker(load.where.receptor, load.box, options);
        const double least_seconds = form == dock::Form::batch ? 2 : 1;  // so that every queue has some batches
        const Index times = small ? 1 : std::max<Index>(1, static_cast<Index>(least_seconds / staged.seconds));
        const double rate = run_rate(docker, rows, form, times);
        fmt::print("{:>14.1f}", rate);
        for (const LaunchTime& launch : staged.launches) launches[launch.label.name] = launch.seconds / rows.size();
        section[form == dock::Form::batch ? "batch" : "latency"][set.name] = {{"ligands", rows.size()},
                                                                              {"ligands_per_second", rate},
                                                                              {"seconds_a_ligand", launches},
                                                                              {"search_seconds", staged.search_seconds},
                                                                              {"roofline", shares.back()}};
      }
      fmt::print("{:>14.1f} %{:>14.1f} %\n", 100 * shares[0], 100 * shares[1]);
      report.add("dock_device", section);
    }
  }
  section["fabp4_standard"] = library_section(device, small);
  report.add("dock_device", section);
}

}  // namespace quarry::bench
