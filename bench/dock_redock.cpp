/// Redocks complexes whose ligand's place is known, and says why a ligand was not found: by the search, or by the score.
///
/// A failure is `search` where the crystal pose, minimised, has a lower energy than what was found, else `score`.
#include <fmt/format.h>

#include <cstdio>
#include <limits>

#include "bench/command_line.hpp"
#include "exec/parallel.hpp"
#include "tests/support/dock/complexes.hpp"

namespace quarry::bench {
namespace {

constexpr double kFound = 2;  // angstrom
constexpr double kSameEnergy = 0.05;

struct Arguments {
  std::vector<std::string> folders;
  std::string effort = "standard", scoring = "vina", receptor = "receptor.pdbqt.gz";
  int num_seeds = 1, threads = 1;
  int restarts = 0, iterations = 0, max_poses = 0, chains = -1, chain_steps = 0;  // unset: those of the effort
};

struct Outcome {
  double top = std::numeric_limits<double>::quiet_NaN(), any = top;  // RMSD
  double energy = 0, crystal_energy = 0, score = 0, cpu_seconds = 0, grid_seconds = 0;
  Index num_poses = 0;
  bool valid = false;
  const char* verdict() const {
    if (top <= kFound) return "";
    return crystal_energy < energy - kSameEnergy ? "search" : "score";
  }
};

dock::Options docking_options(const Arguments& arguments, int seed) {
  dock::Options options;
  options.threads = 1;
  options.scoring = arguments.scoring == "vinardo" ? dock::Scoring::vinardo : dock::Scoring::vina;
  const auto effort = arguments.effort == "screen"     ? dock::Effort::screen
                      : arguments.effort == "thorough" ? dock::Effort::thorough
                                                       : dock::Effort::standard;
  options.search = dock::search_options(effort);
  options.search.seed = seed;
  if (arguments.restarts > 0) options.search.restarts = arguments.restarts;
  if (arguments.iterations > 0) options.search.iterations = arguments.iterations;
  if (arguments.max_poses > 0) options.search.max_poses = arguments.max_poses;
  if (arguments.chains >= 0) options.search.chains = arguments.chains;
  if (arguments.chain_steps > 0) options.search.chain_steps = arguments.chain_steps;
  return options;
}

double energy_of(const dock::Pose& pose) { return pose.score.inter + pose.score.intra; }

/// The lowest energy near the crystal pose, over the ways to lay the ligand on it.
double crystal_energy(const test::Complex& complex, dock::Scoring scoring) {
  constexpr std::size_t kMostMaps = 8;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t map = 0; map < std::min(kMostMaps, complex.references.size()); ++map) {
    const auto pose = test::pose_of(complex.ligand, complex.references[map]);
    least = std::min(least, energy_of(dock::minimize_pose(complex.receptor, complex.ligand, pose, scoring)));
  }
  return least;
}

Outcome redock(const test::Complex& complex, const dock::Options& options) {
  const dock::Docker docker(complex.receptor, complex.box, options);
  const dock::Result result = docker.dock(complex.ligand);
  Outcome outcome;
  outcome.cpu_seconds = result.cpu_seconds;
  outcome.grid_seconds = docker.grid_seconds();
  outcome.num_poses = std::ssize(result.poses);
  for (const dock::Pose& pose : result.poses) {
    const double rmsd = dock::symmetric_rmsd(complex.ligand, pose.positions, complex.references);
    if (&pose == &result.poses.front()) outcome.top = rmsd;
    outcome.any = std::fmin(outcome.any, rmsd);
  }
  if (result.poses.empty()) return outcome;
  outcome.energy = energy_of(result.poses.front());
  outcome.score = result.poses.front().score.score;
  outcome.valid = result.poses.front().checks.valid;
  return outcome;
}

/// Shares of the complexes, in percent, and mean seconds.
void print_rates(const std::string& name, const std::vector<Outcome>& outcomes) {
  const double number = static_cast<double>(outcomes.size());
  double top2 = 0, top1 = 0, any2 = 0, valid = 0, search = 0, cpu_seconds = 0, grid_seconds = 0;
  for (const Outcome& outcome : outcomes) {
    top2 += outcome.top <= kFound;
    top1 += outcome.top <= kFound / 2;
    any2 += outcome.any <= kFound;
    valid += outcome.valid;
    search += std::string(outcome.verdict()) == "search";
    cpu_seconds += outcome.cpu_seconds;
    grid_seconds += outcome.grid_seconds;
  }
  const auto percent = [&](double count) { return 100 * count / number; };
  fmt::print(
      "{}: {} complexes; top 2A {:.1f} %, top 1A {:.1f} %, any 2A {:.1f} %, valid {:.1f} %; lost by search {:.1f} %, "
      "by score {:.1f} %; {:.4f} CPU s a ligand, {:.3f} for maps\n",
      name, outcomes.size(), percent(top2), percent(top1), percent(any2), percent(valid), percent(search),
      100 - percent(top2) - percent(search), cpu_seconds / number, grid_seconds / number);
  std::fflush(stdout);
}

void print_row(const test::Complex& complex, int seed, const Outcome& outcome) {
  fmt::print("{}\t{}\t{}\t{:.2f}\t{:.2f}\t{}\t{:.3f}\t{:.3f}\t{:.3f}\t{}\t{:.4f}\t{}\n", complex.id, seed,
             complex.ligand.num_torsions(), outcome.top, outcome.any, outcome.num_poses, outcome.score, outcome.energy,
             outcome.crystal_energy, outcome.valid ? "valid" : "invalid", outcome.cpu_seconds, outcome.verdict());
}

void run(const Arguments& arguments) {
  std::vector<test::Complex> complexes;
  for (const std::string& folder : arguments.folders) {
    for (const std::string& path : test::complex_folders(folder)) {
      complexes.push_back(test::read_complex(path, arguments.receptor));
    }
  }
  const Index number = std::ssize(complexes);
  std::vector<double> crystal_energies(complexes.size());
  parallel_for_each(arguments.threads, number, [&](Index i) {
    crystal_energies[i] = crystal_energy(complexes[i], docking_options(arguments, 1).scoring);
  });
  fmt::print("id\tseed\ttorsions\ttop\tany\tposes\tscore\tenergy\tcrystal\tchecks\tcpu\tlost\n");
  std::vector<Outcome> all;
  for (int seed = 1; seed <= arguments.num_seeds; ++seed) {
    std::vector<Outcome> outcomes(complexes.size());
    parallel_for_each(arguments.threads, number, [&](Index i) {
      outcomes[i] = redock(complexes[i], docking_options(arguments, seed));
      outcomes[i].crystal_energy = crystal_energies[i];
    });
    for (Index i = 0; i < number; ++i) print_row(complexes[i], seed, outcomes[i]);
    print_rates(fmt::format("{}, seed {}", arguments.effort, seed), outcomes);
    all.insert(all.end(), outcomes.begin(), outcomes.end());
  }
  if (arguments.num_seeds > 1) print_rates(arguments.effort + ", all seeds", all);
}

}  // namespace
}  // namespace quarry::bench

int main(int argc, char** argv) {
  using namespace quarry::bench;
  Arguments arguments;
  ReportOptions report;
  CommandLine line("Redocks complexes, and says why ligands are lost", report);
  line.option("--folder", arguments.folders, -1, "Folders of complexes");
  line.option("--effort", arguments.effort, "screen, standard or thorough");
  line.option("--scoring", arguments.scoring, "vina or vinardo");
  line.option("--receptor", arguments.receptor, "The receptor's file in each folder");
  line.option("--seeds", arguments.num_seeds, "Docks with seeds 1 to N");
  line.option("--threads", arguments.threads, "Complexes at a time");
  line.option("--restarts", arguments.restarts, "Instead of the effort's");
  line.option("--iterations", arguments.iterations, "Instead of the effort's");
  line.option("--max-poses", arguments.max_poses, "Instead of the effort's");
  line.option("--chains", arguments.chains, "Instead of the effort's");
  line.option("--chain-steps", arguments.chain_steps, "Instead of the effort's");
  return line.run(argc, argv, [&] { run(arguments); });
}
