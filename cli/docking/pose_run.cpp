#include "docking/pose_run.hpp"

#include <fmt/format.h>

#include <atomic>

#include "docking/pose_rows.hpp"
#include "input/read_notes.hpp"
#include "input/receptor.hpp"
#include "output/progress.hpp"
#include "output/row_outputs.hpp"
#include "output/text.hpp"
#include "output/warnings.hpp"

namespace quarry::cli {
namespace {

/// Where the rows go.
class PoseOutputs {
 public:
  explicit PoseOutputs(const DockOptions& options) : options_(options), outputs_(0, nullptr) {
    if (!options.poses_path.empty()) {
      poses_.emplace(options.poses_path);
      outputs_.add_file(options.poses_path, "");
    }
    if (!options.table_path.empty()) {
      table_.emplace(options.table_path);
      outputs_.add_file(options.table_path, table_->header(cells_of({}, false, options.explain)));
    }
  }

  void add(const LigandRow& row, const dock::Result& result) {
    const bool ok = result.status == dock::Status::ok;
    const dock::Pose* const pose = ok ? &result.poses.front() : nullptr;
    LedgerRow texts;
    if (poses_) texts.texts.push_back(pose ? poses_->text(row.ligand, {pose, 1}, "") : "");
    if (table_)
      texts.texts.push_back(table_->row(cells_of({.id = row.id,
                                                  .status = ok ? "ok" : "rejected",
                                                  .stage = result.stage,
                                                  .reason = result.reason,
                                                  .ligand = ok ? &row.ligand : nullptr,
                                                  .best = pose,
                                                  .poses = ok ? 1 : 0,
                                                  .cpu_seconds = result.cpu_seconds},
                                                 false, options_.explain)));
    outputs_.add(std::move(texts));
  }
  void finish() { outputs_.finish(); }

 private:
  const DockOptions& options_;
  std::optional<PoseFormat> poses_;
  std::optional<TableText> table_;
  RowOutputs outputs_;
};

}  // namespace

/// Does a nitrogen or oxygen have hydrogens that the record leaves out?
bool lacks_polar_hydrogens(const Ligand& ligand) {
  std::vector<bool> has_hydrogen(ligand.num_atoms());
  for (const LigandBond& bond : ligand.bonds) {
    has_hydrogen[bond.begin] = has_hydrogen[bond.begin] || ligand.elements[bond.end] == 1;
    has_hydrogen[bond.end] = has_hydrogen[bond.end] || ligand.elements[bond.begin] == 1;
  }
  for (int atom = 0; atom < ligand.num_atoms(); ++atom) {
    const AtomType type = ligand.types[atom];
    if (is_donor(type) && type != AtomType::metal && !has_hydrogen[atom]) return true;
  }
  return false;
}

DockTotals score_poses(const DockOptions& options) {
  DockTotals totals;
  ProgressLine progress("dock", options.quiet, "pose");
  const Stopwatch preparing;
  PoseOutputs outputs(options);
  const Receptor receptor = load_receptor(options.receptor_path, options.receptor);
  totals.receptor_atoms = std::ssize(receptor.atoms);
  LigandReader reader(options.ligands_paths, options.ligands);
  totals.seconds.prepare = preparing.seconds();
  const Index bytes_total = reader.bytes_total();
  std::atomic<Index> bytes_read = 0;  // by one thread while another looks
  const auto next = [&] {
    const Stopwatch reading;
    std::vector<LigandRow> rows = reader.next();
    totals.seconds.read += reading.seconds();
    bytes_read = reader.bytes_read();
    return rows;
  };
  const bool is_pdbqt = extension_of(options.poses_path) == ".pdbqt";
  Index num_far = 0, num_bare = 0;
  const auto sink = [&](const LigandRow& row, const dock::Result& result) {
    outputs.add(row, result);
    if (!result.poses.empty()) {
      num_far += result.poses.front().checks.too_far ? 1 : 0;
      num_bare += is_pdbqt && lacks_polar_hydrogens(row.ligand) ? 1 : 0;
    } else if (!options.quiet) {
      complain(fmt::format("row {} ('{}') rejected: {}: {}", row.row + 1, row.id, result.stage, result.reason));
    }
  };
  const auto show = [&](Index rows, Index) { progress.update(rows, bytes_read, bytes_total); };
  const dock::Statistics statistics = dock::score(receptor, next, sink,
                                                  {.scoring = options.dock.scoring,
                                                   .torsion_weight = options.dock.torsion_weight,
                                                   .minimize = options.job == DockJob::minimize,
                                                   .threads = options.dock.threads,
                                                   .progress = show});
  totals.add(statistics);
  totals.report = statistics.report;
  totals.poses = statistics.poses;
  totals.cpu_seconds = statistics.cpu_seconds;
  totals.run_seconds -= totals.seconds.read;
  const Stopwatch writing;
  outputs.finish();
  say_notes(options.ligands_paths.back(), reader.notes(), options.ligands.id_column, options.quiet);
  if (num_far > 0)
    warn(fmt::format("{} with no atom within 5 A of '{}', as where coordinates are of another structure: see too_far "
                     "in the table",
                     counted(num_far, "pose"), options.receptor_path),
         options.quiet);
  if (num_bare > 0)
    warn(fmt::format(
             "{} with donors whose hydrogens are not in the record: '{}' lacks them, and other programs will score it "
             "otherwise",
             counted(num_bare, "pose"), options.poses_path),
         options.quiet);
  totals.seconds.write = writing.seconds();
  return totals;
}

}  // namespace quarry::cli
