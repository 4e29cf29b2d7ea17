/// A complex is a folder with a start conformer (ligand_start.sdf), the crystal pose (ligand.sdf), a box (box.json) and a
/// receptor. The crystal pose is used for the RMSD only, and to say why a first pose is wrong: where the crystal pose,
/// moved to its local minimum, has no better score than the first pose, the score is wrong. If it has, the same search is
/// done once more with rings, bonds and angles of the crystal: if it gets there then, those of the start conformer were in
/// the way, else the search has missed it.
#include "docking/redock_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "docking/box_warnings.hpp"
#include "docking/pose_rows.hpp"
#include "input/json_file.hpp"
#include "output/progress.hpp"
#include "output/row_outputs.hpp"
#include "output/text.hpp"
#include "stopwatch.hpp"

namespace quarry::cli {
namespace {

constexpr double kNear = 2, kVeryNear = 1;
/// What search and minimum may differ in, kcal/mol of inter.
constexpr double kSameEnergy = 0.1;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

struct Redocked {
  std::string id, problem;  ///< problem: why it could not be docked
  Ligand ligand;
  double metal_distance = kNone;
  std::vector<dock::Pose> poses;
  double top1 = kNone, best3 = kNone, best = kNone;
  std::string failure = "none";  ///< "score", "conformer", "search" where the first pose is far off; "error"
  dock::Status status = dock::Status::rejected;
  double cpu_seconds = 0, grid_seconds = 0;
  std::optional<dock::Box> box;
  Index receptor_atoms = 0;
  double read_elapsed = 0, prepare_elapsed = 0;
  dock::Statistics statistics;
};

std::vector<std::filesystem::path> complexes_in(const std::string& folder) {
  std::error_code error;
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.is_directory()) found.push_back(entry.path());
  if (error) throw InputError(fmt::format("cannot open {}: {}", folder, error.message()));
  if (found.empty()) throw InputError(fmt::format("'{}' has no folder of a complex", folder));
  std::ranges::sort(found);
  return found;
}

LigandRow read_ligand(const std::string& path, LigandOptions options) {
  options.threads = 1;
  LigandReader reader(path, options);
  std::vector<LigandRow> rows = reader.next();
  if (rows.empty()) throw InputError(fmt::format("'{}' holds no molecule", path));
  if (!rows.front().ok()) throw InputError(fmt::format("{}: {}: {}", path, rows.front().stage, rows.front().reason));
  return std::move(rows.front());
}

/// What becomes of one ligand.
dock::Result dock_one(const dock::Docker& docker, const LigandRow& row, dock::Statistics& statistics) {
  bool is_given = false;
  dock::Result result;
  const auto next = [&] {
    return std::exchange(is_given, true) ? std::vector<LigandRow>() : std::vector<LigandRow>{row};
  };
  statistics = docker.run(next, [&](const LigandRow&, const dock::Result& of) { result = of; });
  if (result.status == dock::Status::rejected) throw InputError(fmt::format("{}: {}", result.stage, result.reason));
  return result;
}

/// The first pose laid on the crystal's heavy atoms. Hydrogens stay where they are: they are not scored.
std::vector<Point> crystal_pose(const Ligand& ligand, const std::vector<Point>& heavy_atoms) {
  std::vector<Point> positions = ligand.conformers.front();
  std::size_t next = 0;
  for (int atom = 0; atom < ligand.num_atoms(); ++atom)
    if (ligand.elements[atom] > 1) positions[atom] = heavy_atoms[next++];
  return positions;
}

/// Why the first pose of a ligand is far off.
std::string failure_of(const DockOptions& options, const Receptor& receptor, const dock::Docker& docker,
                       const std::vector<Point>& heavy_atoms, const Redocked& of) {
  LigandRow crystal;
  crystal.ligand = of.ligand;
  crystal.ligand.conformers = {crystal_pose(of.ligand, heavy_atoms)};
  const dock::Pose minimum = dock::minimize_pose(receptor, of.ligand, crystal.ligand.conformers.front(),
                                                 options.dock.scoring, options.dock.torsion_weight);
  const double wanted = minimum.score.inter + kSameEnergy;
  if (of.poses.front().score.inter <= wanted) return "score";
  dock::Statistics statistics;
  return dock_one(docker, crystal, statistics).poses.front().score.inter <= wanted ? "conformer" : "search";
}

void measure(const DockOptions& options, const Receptor& receptor, const dock::Docker& docker,
             const std::string& crystal, Redocked& of) {
  const auto references = reference_positions(of.ligand, crystal);
  of.best3 = of.best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < of.poses.size(); ++i) {
    const double rmsd = dock::symmetric_rmsd(of.ligand, of.poses[i].positions, references);
    if (i == 0) of.top1 = rmsd;
    if (i < 3) of.best3 = std::min(of.best3, rmsd);
    of.best = std::min(of.best, rmsd);
  }
  if (of.top1 > kNear) of.failure = failure_of(options, receptor, docker, references.front(), of);
}

void dock_complex(const DockOptions& options, const std::filesystem::path& folder, Redocked& of) {
  const Stopwatch preparing;
  const Receptor receptor =
      read_receptor(folder / (options.prepare ? "receptor.pdb.gz" : "receptor.pdbqt.gz"), options.receptor);
  of.receptor_atoms = std::ssize(receptor.atoms);
  of.prepare_elapsed = preparing.seconds();
  const Stopwatch reading;
  const LigandRow row = read_ligand(folder / "ligand_start.sdf", options.ligands);
  of.ligand = row.ligand;
  const dock::Box box = dock::read_box(folder / "box.json");
  const auto metal = read_json_file(folder / "box.json").value("metal_dist", nlohmann::json());
  of.metal_distance = metal.is_number() ? metal.get<double>() : kNone;
  of.read_elapsed = reading.seconds();
  dock::Options alone = options.dock;
  alone.threads = 1;
  const double begin = thread_seconds();
  of.box = box;
  const dock::Docker docker(receptor, box, alone);
  of.grid_seconds = thread_seconds() - begin;
  dock::Result result = dock_one(docker, row, of.statistics);
  of.cpu_seconds = result.cpu_seconds;
  of.status = result.status;
  of.poses = std::move(result.poses);
  measure(options, receptor, docker, folder / "ligand.sdf", of);
}

void fail(Redocked& of, const std::string& problem) {
  of.problem = problem;
  of.failure = "error";
  of.poses.clear();
  of.top1 = of.best3 = of.best = kNone;
}

Cells cells_of(const Redocked& of) {
  const bool docked = !of.poses.empty();
  return {{"id", of.id},
          {"heavy_atoms", docked ? Cell(Index{std::ranges::count_if(of.ligand.elements, [](int e) { return e > 1; })})
                                 : Cell(kNone, 0)},
          {"torsions", docked ? Cell(of.ligand.num_torsions()) : Cell(kNone, 0)},
          {"metal_distance", Cell(of.metal_distance, 3)},
          {"top1_rmsd", Cell(of.top1, 3)},
          {"best3_rmsd", Cell(of.best3, 3)},
          {"best_rmsd", Cell(of.best, 3)},
          {"poses", Index{std::ssize(of.poses)}},
          {"score", Cell(docked ? of.poses.front().score.score : kNone, 4)},
          {"valid", docked && of.poses.front().checks.valid},
          {"cpu_seconds", Cell(docked ? of.cpu_seconds : kNone, 6)},
          {"grid_seconds", Cell(docked ? of.grid_seconds : kNone, 6)},
          {"failure", of.failure},
          {"reason", of.problem}};
}

void count(const Redocked& of, RedockCounts& counts, DockTotals& totals) {
  const bool docked = !of.poses.empty();
  totals.report.rows += 1;
  (docked ? totals.report.ok : totals.report.rejected) += 1;
  totals.poses += std::ssize(of.poses);
  totals.receptor_atoms += of.receptor_atoms;
  totals.cpu_seconds += docked ? of.cpu_seconds : 0;
  totals.truncated += docked && of.status == dock::Status::truncated ? 1 : 0;
  totals.add(of.statistics);
  totals.seconds.read += of.read_elapsed;
  totals.seconds.prepare += of.prepare_elapsed;
  totals.seconds.grids += of.grid_seconds;
  counts.complexes += 1;
  counts.top1_2 += of.top1 <= kNear ? 1 : 0;
  counts.top1_1 += of.top1 <= kVeryNear ? 1 : 0;
  counts.top3_2 += of.best3 <= kNear ? 1 : 0;
  counts.any_2 += of.best <= kNear ? 1 : 0;
  counts.valid_2 += of.top1 <= kNear && of.poses.front().checks.valid ? 1 : 0;
}

/// Calls `work(i)` for each i from 0 to `count`. @throws  what the first of them throws that fails
template <class Work>
void in_parallel(Index count, int threads, const Work& work) {
  std::atomic<Index> next = 0;
  std::vector<std::exception_ptr> errors(count);
  const auto run = [&] {
    for (Index i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> others;
    for (int i = 1; i < threads && i < count; ++i) others.emplace_back(run);
    run();
  }
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
}

}  // namespace

Json json_of(const RedockCounts& of) {
  return {{"complexes", of.complexes}, {"top1_2A", of.top1_2}, {"top1_1A", of.top1_1},
          {"top3_2A", of.top3_2},      {"any_2A", of.any_2},   {"valid_2A", of.valid_2}};
}

RedockCounts redock(const DockOptions& options, DockTotals& totals) {
  const auto folders = complexes_in(options.redock_folder);
  std::vector<std::string> files;
  for (const auto& folder : folders)
    for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  options.check_outputs(files);
  std::optional<PoseFormat> poses;
  std::optional<TableText> table;
  RowOutputs outputs(0, nullptr);
  if (!options.poses_path.empty()) {
    poses.emplace(options.poses_path, options.dock.search.seed);
    outputs.add_file(options.poses_path, "");
  }
  if (!options.table_path.empty()) {
    table.emplace(options.table_path);
    outputs.add_file(options.table_path, table->header(cells_of(Redocked{})));
  }
  ProgressLine progress("redock", options.quiet, "complex");
  const Stopwatch running;
  std::vector<Redocked> all(folders.size());
  std::mutex counting;
  Index done = 0;
  in_parallel(std::ssize(folders), threads_in_use(options.dock.threads), [&](Index i) {
    all[i].id = folders[i].filename();
    try {
      dock_complex(options, folders[i], all[i]);
    } catch (const InputError& error) {
      fail(all[i], error.what());
    } catch (const CapacityError& error) {
      fail(all[i], error.what());
    }
    const std::scoped_lock lock(counting);
    ++done;
    progress.update(done, done, std::ssize(folders));
  });
  const double run_seconds = running.seconds();
  RedockCounts counts;
  for (const Redocked& of : all) {
    count(of, counts, totals);
    if (of.box)
      totals.grid_spacing = std::max(totals.grid_spacing.value_or(0),
                                     checked_grid_spacing(*of.box, fmt::format(" of complex '{}'", of.id)));
    if (!of.problem.empty()) complain(fmt::format("complex '{}': {}", of.id, of.problem));
    LedgerRow row;
    if (poses) row.texts.push_back(of.poses.empty() ? "" : poses->text(of.ligand, of.poses, of.id));
    if (table) row.texts.push_back(table->row(cells_of(of)));
    outputs.add(std::move(row));
  }
  totals.run_seconds = run_seconds;
  const Stopwatch writing;
  outputs.finish();
  totals.seconds.write = writing.seconds();
  return counts;
}

}  // namespace quarry::cli
