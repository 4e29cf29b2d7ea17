/// How good what `dock` finds is: redocking of all complexes of the shared data, and enrichment on FABP4.
#include "bench/dock/dock_quality.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "bench/report.hpp"

namespace quarry::bench {
namespace {

constexpr std::array<std::uint64_t, 3> kSeeds = {1, 2, 3};
constexpr double kNear = 2;  // angstrom

struct QualityGoal {
  const char* name;
  dock::Effort effort;
  double first, any;  ///< percent of the complexes
};
constexpr QualityGoal kGoals[] = {{"screen", dock::Effort::screen, 38, 57},
                                  {"standard", dock::Effort::standard, 55, 71},
                                  {"thorough", dock::Effort::thorough, 62, 81}};

dock::Options options_of(dock::Effort effort, std::uint64_t seed) {
  dock::Options options;
  options.search = dock::search_options(effort);
  options.search.seed = seed;
  options.threads = 0;
  return options;
}

/// Of a run over all complexes.
struct Redocked {
  int first = 0, any = 0,
      valid = 0;  ///< first poses that are near, poses of nine that are, first poses that pass the checks
  double cpu_seconds = 0;
};

void add(const Complex& of, const std::vector<std::vector<Point>>& crystal, const dock::Result& result,
         Redocked& sums) {
  if (result.poses.empty()) throw SystemError(of.name + " was not docked: " + result.reason);
  const auto is_near = [&](const dock::Pose& pose) {
    return dock::symmetric_rmsd(of.ligand, pose.positions, crystal) <= kNear;
  };
  sums.first += is_near(result.poses.front()) ? 1 : 0;
  sums.any += std::ranges::any_of(result.poses, is_near) ? 1 : 0;
  sums.valid += result.poses.front().checks.valid ? 1 : 0;
  sums.cpu_seconds += result.cpu_seconds;
}

double percent(double part, double all) { return 100 * part / all; }

Json redock_section(bool quick) {
  std::vector<Complex> complexes = load_complexes("docking", quick ? 2 : 1000);
  for (Complex& more : load_complexes("docking_extra", quick ? 0 : 1000)) complexes.push_back(std::move(more));
  std::vector<std::vector<std::vector<Point>>> crystals;
  for (const Complex& of : complexes)
    crystals.push_back(
        reference_positions(of.ligand, std::filesystem::path(of.receptor_path).parent_path() / "ligand.sdf"));
  fmt::print("\nredocking of {} complexes, seeds 1, 2 and 3: poses within 2 A\n", complexes.size());
  Json section = {{"complexes", complexes.size()}};
  for (const QualityGoal& goal : kGoals) {
    std::array<Redocked, kSeeds.size()> runs;
    for (std::size_t i = 0; i < complexes.size(); ++i) {
      for (std::size_t s = 0; s < kSeeds.size(); ++s) {
        const dock::Docker docker(complexes[i].receptor, complexes[i].box, options_of(goal.effort, kSeeds[s]));
        add(complexes[i], crystals[i], docker.dock(complexes[i].ligand), runs[s]);
      }
    }
    Redocked all;
    Json first = Json::array(), any = Json::array();
    for (const Redocked& run : runs) {
      all.first += run.first;
      all.any += run.any;
      all.valid += run.valid;
      all.cpu_seconds += run.cpu_seconds;
      first.push_back(run.first);
      any.push_back(run.any);
    }
    const auto count = static_cast<double>(complexes.size() * kSeeds.size());
    fmt::print(
        "  {:<9} first {:.1f} % (goal {:.0f}), any of nine {:.1f} % ({:.0f}), first poses that are valid {:.1f} %, "
        "{:.3f} CPU s\n",
        goal.name, percent(all.first, count), goal.first, percent(all.any, count), goal.any, percent(all.valid, count),
        all.cpu_seconds / count);
    section[goal.name] = {{"first", first},
                          {"any", any},
                          {"first_percent", percent(all.first, count)},
                          {"any_percent", percent(all.any, count)},
                          {"valid_percent", percent(all.valid, count)},
                          {"cpu_seconds", all.cpu_seconds / count}};
  }
  return section;
}

/// Means over the seeds.
Json enrichment_section(bool quick) {
  const auto library = load_enrichment(quick ? 20 : 1000000);
  if (!library) return Json::object();
  dock::Enrichment sum;
  double cpu_seconds = 0;
  for (const std::uint64_t seed : kSeeds) {
    const dock::Docker docker(library->where.receptor, library->where.box, options_of(dock::Effort::standard, seed));
    std::vector<LigandRow> rows = library->rows;
    std::vector<double> scores;
    const dock::Statistics statistics =
        docker.run([&] { return std::exchange(rows, {}); },
                   [&](const LigandRow&, const dock::Result& result) {
                     scores.push_back(result.poses.empty() ? std::numeric_limits<double>::quiet_NaN()
                                                           : result.poses.front().score.score);
                   });
    const dock::Enrichment one = dock::enrichment(scores, library->is_active);
    sum.actives = one.actives;
    sum.decoys = one.decoys;
    sum.auc += one.auc / kSeeds.size();
    sum.ef1 += one.ef1 / kSeeds.size();
    sum.ef5 += one.ef5 / kSeeds.size();
    sum.bedroc20 += one.bedroc20 / kSeeds.size();
    cpu_seconds += statistics.cpu_seconds / static_cast<double>(scores.size()) / kSeeds.size();
  }
  fmt::print(
      "\nFABP4, standard, {} actives, {} decoys, mean of three seeds: AUC {:.3f} (goal 0.78), EF 1 % {:.1f}, EF 5 % "
      "{:.2f} (6.5), BEDROC {:.3f} (0.60), {:.3f} CPU s a ligand\n",
      sum.actives, sum.decoys, sum.auc, sum.ef1, sum.ef5, sum.bedroc20, cpu_seconds);
  return {{"actives", sum.actives},   {"decoys", sum.decoys},      {"auc", sum.auc}, {"ef1", sum.ef1}, {"ef5", sum.ef5},
          {"bedroc20", sum.bedroc20}, {"cpu_seconds", cpu_seconds}};
}

}  // namespace

Json dock_quality_section(bool quick) {
  return {{"redock", redock_section(quick)}, {"fabp4", enrichment_section(quick)}};
}

}  // namespace quarry::bench
