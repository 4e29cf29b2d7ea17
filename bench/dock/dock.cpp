/// Every number that the engine `dock` promises, measured: a readable report, and a JSON record of it.
#include "quarry/dock.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <optional>

#include "bench/dock/dock_quality.hpp"
#include "bench/dock/dock_staged.hpp"
#include "bench/platform.hpp"
#include "bench/report.hpp"
#include "bench/work_folder.hpp"
#include "reference/dock.hpp"

namespace quarry::bench {
namespace {

struct EffortRow {
  const char* name;
  dock::Effort effort;
  int exhaustiveness;  ///< of the run of Vina beside it
  double goal;         ///< times as fast
};
constexpr EffortRow kEfforts[] = {{"screen", dock::Effort::screen, 1, 200},
                                  {"standard", dock::Effort::standard, 1, 100},
                                  {"thorough", dock::Effort::thorough, 8, 75}};

dock::Options options_of(dock::Effort effort, int threads) {
  dock::Options options;
  options.search = dock::search_options(effort);
  options.threads = threads;
  return options;
}

/// @throws SystemError  the score of the best pose is not that of the reference
void require_right(const Complex& of, const dock::Result& result) {
  if (result.poses.empty()) throw SystemError(of.name + " was not docked: " + result.reason);
  const dock::Pose& best = result.poses.front();
  const double expected = reference::score(of.receptor, of.ligand, best.positions, dock::Scoring::vina,
                                           dock::torsion_weight(dock::Scoring::vina))
                              .score;
  if (std::abs(best.score.score - expected) > 0.01)
    throw SystemError(fmt::format("the score of {} is {}, and must be {}", of.name, best.score.score, expected));
}

double user_seconds_of_children() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

/// Vina's user seconds; nothing where it is not installed.
/// @param pose  begins in the box
std::optional<double> vina_seconds(const Complex& of, const dock::Pose& pose, const WorkFolder& folder,
                                   const std::string& options) {
  const std::string ligand = folder.file("ligand.pdbqt"), receptor = folder.file("receptor.pdbqt");
  std::ofstream(ligand) << dock::to_pdbqt(of.ligand, pose.positions);
  const dock::Box& box = of.box;
  const std::string command = fmt::format(
      "zcat -f '{}' >'{}' && vina --receptor '{}' --ligand '{}' --center_x {} --center_y {} --center_z {} --size_x {} "
      "--size_y {} --size_z {} --cpu 1 --seed 1 {} --out '{}' >'{}' 2>&1",
      of.receptor_path, receptor, receptor, ligand, box.center.x, box.center.y, box.center.z, box.size.x, box.size.y,
      box.size.z, options, folder.file("out.pdbqt"), folder.file("log"));
  const double before = user_seconds_of_children();
  if (std::system(command.c_str()) != 0) return {};
  return user_seconds_of_children() - before;
}

/// Means over the complexes that both have done.
Json peers_section(const std::vector<Complex>& complexes, const WorkFolder& folder) {
  Json section = Json::object();
  fmt::print(
      "\nCPU seconds a ligand, grids apart, one thread, beside Vina in one run, {} complexes, scores checked first\n",
      complexes.size());
  for (const EffortRow& row : kEfforts) {
    double ours = 0, grids = 0, vina = 0, maps = 0;
    int num_vina = 0;
    for (const Complex& of : complexes) {
      std::optional<dock::Docker> maker;
      grids += time_of([&] { maker.emplace(of.receptor, of.box, options_of(row.effort, 1)); }).cpu;
      const dock::Docker& docker = *maker;
      const dock::Result result = docker.dock(of.ligand);
      require_right(of, result);
      ours += result.cpu_seconds;
      const dock::Pose& best = result.poses.front();
      const auto whole = vina_seconds(of, best, folder, fmt::format("--exhaustiveness {}", row.exhaustiveness));
      const auto own_maps = whole ? vina_seconds(of, best, folder, "--local_only") : std::nullopt;
      if (!own_maps) continue;
      vina += *whole;
      maps += *own_maps;
      ++num_vina;
    }
    const double count = static_cast<double>(complexes.size());
    fmt::print("  {:<9} {:8.4f} s, grids {:.3f} s", row.name, ours / count, grids / count);
    Json entry = {{"cpu_seconds", ours / count}, {"grid_seconds", grids / count}};
    if (num_vina > 0) {
      const double with = vina / num_vina / (ours / count), without = (vina - maps) / num_vina / (ours / count);
      fmt::print("; Vina {} {:.2f} s, of it maps {:.2f} s: {:.0f} times, without maps {:.0f} (goal {:.0f})",
                 row.exhaustiveness, vina / num_vina, maps / num_vina, with, without, row.goal);
      entry["vina_seconds"] = vina / num_vina;
      entry["vina_map_seconds"] = maps / num_vina;
      entry["times"] = with;
      entry["times_without_maps"] = without;
    }
    fmt::print("{}\n", num_vina > 0 ? "" : "; Vina is not installed");
    section[row.name] = entry;
  }
  return section;
}

/// Elapsed seconds of docking all of them.
double time_run(const dock::Docker& docker, const std::vector<Ligand>& ligands) {
  std::vector<LigandRow> rows;
  for (const Ligand& ligand : ligands) {
    LigandRow& row = rows.emplace_back();
    row.row = std::ssize(rows) - 1;
    row.ligand = ligand;
  }
  Index ok = 0;
  const dock::Statistics statistics =
      docker.run([&] { return std::exchange(rows, {}); },
                 [&](const LigandRow&, const dock::Result& result) { ok += result.poses.empty() ? 0 : 1; });
  if (ok != std::ssize(ligands)) throw SystemError(fmt::format("{} of {} ligands were docked", ok, ligands.size()));
  return statistics.seconds;
}

Json scaling_section(const Complex& of, int count, int turns) {
  const std::vector<Ligand> ligands(count, of.ligand);
  const dock::Docker one(of.receptor, of.box, options_of(dock::Effort::screen, 1));
  const dock::Docker two(of.receptor, of.box, options_of(dock::Effort::screen, 2));
  std::vector<double> ratios;
  for (int turn = 0; turn < turns; ++turn) ratios.push_back(time_run(one, ligands) / time_run(two, ligands));
  fmt::print("\ntwo threads beside one, elapsed: {:.2f} times (goal 1.9)\n", median(ratios));
  return {{"two_threads_times_one", median(ratios)}};
}

/// Ligands a second of each set of the paper.
Json paper_section(const Complex& of, int count) {
  fmt::print("\nsets d_A_F of the paper's sizes, made from a seed, on the host, ligands a second\n     F");
  constexpr int kAtoms[] = {31, 63, 74, 89}, kTorsions[] = {4, 8, 16, 20};
  for (const int torsions : kTorsions) fmt::print("{:>10}", torsions);
  Json section = Json::object();
  dock::Box box = of.box;
  box.size = {60, 60, 60};  // the longest of these ligands has 89 atoms in a row
  const dock::Docker docker(of.receptor, box, options_of(dock::Effort::screen, 0));
  for (const int atoms : kAtoms) {
    fmt::print("\n  A {:2}", atoms);
    for (const int torsions : kTorsions) {
      const auto ligands = make_paper_set(atoms, torsions, count, 20240101 + 100 * atoms + torsions, 0);
      const double rate = static_cast<double>(ligands.size()) / time_run(docker, ligands);
      fmt::print("{:>10.1f}", rate);
      std::fflush(stdout);
      section[fmt::format("d_{}_{}", atoms, torsions)] = {{"ligands", ligands.size()}, {"ligands_per_second", rate}};
    }
  }
  fmt::print("\n");
  return section;
}

void run(const ReportOptions& options) {
  const WorkFolder folder;
  const std::vector<Complex> complexes = load_complexes("docking", options.quick ? 2 : 9);
  if (complexes.empty())
    throw InputError("docking is measured on the folder `docking` of the data that QUARRY_DATA names");
  Report report(options, fmt::format("docking, {} complexes", complexes.size()));
  report.add("peers", peers_section(complexes, folder));
  report.add("scaling", scaling_section(complexes.front(), options.quick ? 20 : 200, options.quick ? 1 : 5));
  report.add("paper", paper_section(complexes.front(), options.quick ? 4 : 16));
  report.add("quality", dock_quality_section(options.quick));
  report.finish();
}

/// What a device does, and nothing else.
void run_on_device(ReportOptions options, const std::string& device) {
  const DeviceId device_id = find_devices(device).at(0);
  options.json_path = with_platform(options.json_path, platform_of(device_id));
  Report report(options, "docking");
  add_dock_device(report, device_id, options.quick);
  report.finish();
}

}  // namespace
}  // namespace quarry::bench

int main(int argc, char** argv) {
  return quarry::bench::run_bench(argc, argv, "Measures quarry dock; bench/run.sh dock builds and runs it",
                                  quarry::bench::run, quarry::bench::run_on_device);
}
