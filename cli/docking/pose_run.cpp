#include "docking/pose_run.hpp"

#include <fmt/format.h>

#include "docking/in_parallel.hpp"
#include "docking/pose_rows.hpp"
#include "input/read_notes.hpp"
#include "input/receptor.hpp"
#include "output/progress.hpp"
#include "output/row_outputs.hpp"
#include "output/text.hpp"
#include "output/warnings.hpp"

namespace quarry::cli {
namespace {

struct ScoredPose {
  dock::Pose pose;
  double cpu_seconds = 0;
  double moving = 0, scoring = 0, checking = 0;  ///< elapsed
};

ScoredPose score(const DockOptions& options, const Receptor& receptor, const Ligand& ligand) {
  const double begin = thread_seconds();
  const dock::Options& of = options.dock;
  const std::vector<Point>& given = ligand.conformers.front();
  ScoredPose scored;
  const Stopwatch watch;
  if (options.job == DockJob::minimize)
    scored.pose = dock::minimize_pose(receptor, ligand, given, of.scoring, of.torsion_weight);
  else
    scored.pose = {.positions = given,
                   .score = dock::score_pose(receptor, ligand, given, of.scoring, of.torsion_weight)};
  const double until_scored = watch.seconds();
  (options.job == DockJob::minimize ? scored.moving : scored.scoring) = until_scored;
  scored.pose.bumps = dock::count_bumps(receptor, ligand, scored.pose.positions, of.scoring);
  scored.pose.checks = dock::check_pose(receptor, ligand, scored.pose.positions);
  scored.checking = watch.seconds() - until_scored;
  scored.cpu_seconds = thread_seconds() - begin;
  return scored;
}

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

  void add(const LigandRow& row, const ScoredPose& scored) {
    const dock::Pose* const pose = row.ok() ? &scored.pose : nullptr;
    LedgerRow texts;
    if (poses_) texts.texts.push_back(pose ? poses_->text(row.ligand, {pose, 1}, "") : "");
    if (table_)
      texts.texts.push_back(table_->row(cells_of({.id = row.id,
                                                  .status = row.ok() ? "ok" : "rejected",
                                                  .stage = row.stage,
                                                  .reason = row.reason,
                                                  .ligand = row.ok() ? &row.ligand : nullptr,
                                                  .best = pose,
                                                  .poses = row.ok() ? 1 : 0,
                                                  .cpu_seconds = scored.cpu_seconds},
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

DockTotals score_poses(const DockOptions& options) {
  DockTotals totals;
  ProgressLine progress("dock", options.quiet, "pose");
  const Stopwatch preparing;
  PoseOutputs outputs(options);
  const Receptor receptor = load_receptor(options.receptor_path, options.receptor);
  totals.receptor_atoms = std::ssize(receptor.atoms);
  LigandReader reader(options.ligands_paths, options.ligands);
  totals.seconds.prepare = preparing.seconds();
  const Stopwatch running;
  Index num_far = 0;
  while (true) {
    const Stopwatch reading;
    const std::vector<LigandRow> rows = reader.next();
    totals.seconds.read += reading.seconds();
    if (rows.empty()) break;
    std::vector<ScoredPose> scored(rows.size());
    in_parallel(std::ssize(rows), threads_in_use(options.dock.threads), [&](Index i) {
      if (rows[i].ok()) scored[i] = score(options, receptor, rows[i].ligand);
    });
    for (std::size_t i = 0; i < rows.size(); ++i) {
      outputs.add(rows[i], scored[i]);
      totals.report.rows += 1;
      (rows[i].ok() ? totals.report.ok : totals.report.rejected) += 1;
      totals.poses += rows[i].ok() ? 1 : 0;
      num_far += scored[i].pose.checks.too_far ? 1 : 0;
      totals.cpu_seconds += scored[i].cpu_seconds;
      totals.seconds.refine += scored[i].moving;
      totals.seconds.score += scored[i].scoring;
      totals.seconds.check += scored[i].checking;
      if (rows[i].ok() || options.quiet) continue;
      complain(
          fmt::format("row {} ('{}') rejected: {}: {}", rows[i].row + 1, rows[i].id, rows[i].stage, rows[i].reason));
    }
    progress.update(totals.report.rows, reader.bytes_read(), reader.bytes_total());
  }
  totals.run_seconds = running.seconds() - totals.seconds.read;
  const Stopwatch writing;
  outputs.finish();
  say_notes(options.ligands_paths.back(), reader.notes(), options.ligands.id_column, options.quiet);
  if (num_far > 0)
    warn(fmt::format("{} with no atom within 5 A of '{}', as where coordinates are of another structure: see too_far "
                     "in the table",
                     counted(num_far, "pose"), options.receptor_path),
         options.quiet);
  totals.seconds.write = writing.seconds();
  return totals;
}

}  // namespace quarry::cli
