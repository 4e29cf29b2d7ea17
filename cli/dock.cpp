/// `quarry dock`: how ligands fit in a pocket of a receptor, and how well.
#include "quarry/dock.hpp"

#include <fmt/format.h>

#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include "common.hpp"
#include "docking/library_run.hpp"
#include "docking/options.hpp"
#include "docking/pose_run.hpp"
#include "docking/redock_run.hpp"
#include "jobs/sharded.hpp"
#include "output/text.hpp"
#include "output/warnings.hpp"
#include "quarry/files/output.hpp"

namespace quarry::cli {
namespace {

Guide dock_guide() {
  return {
      .examples = {"quarry dock protein.pdb ligands.sdf --autobox-ligand crystal.sdf -o poses.sdf --table scores.tsv",
                   "quarry dock protein.pdb library.qlib --box box.json --effort screen --top 1000 --table best.tsv",
                   "quarry dock protein.pdb poses.sdf --minimize --explain",
                   "quarry dock --redock complexes --table redock.tsv"},
      .notes =
          "The search is that of LiGen, the scores are those of AutoDock Vina or Vinardo, the checks of poses those "
          "of\n"
          "PoseBusters. `quarry index library.smi -o library.qlib --3d` makes coordinates once for many runs.",
      .exit_status = "0 some ligand was docked, 1 none was, 2 error",
      .description =
          "Places each ligand in a pocket of a receptor, keeps the poses with the lowest energies, scores and checks "
          "them. A row of the table is a ligand with the score of its best pose, kcal/mol, the lower the better.\n\n"
          "Ligands are docked with the hydrogens and charges that they have; those without 3D coordinates are embedded "
          "first. Rings stay as they are. A row that cannot be docked is named with the stage and the reason, and the "
          "run "
          "goes on.\n\n"
          "What is found depends on the seed, and neither on the number of threads nor on the order of the ligands.\n\n"
          "With --resume a run that was stopped goes on when the same command is given again, and its files are those "
          "of a run that was not stopped; the processor time of each row excepted. What is to be written is kept in a "
          "ledger until the end, OUTPUT.ledger, which is removed then. --ledger names another file, which is kept.",
  };
}

/// A row for each cavity.
void list_pockets(const DockOptions& options) {
  options.check_outputs({});
  const TableText table(options.table_path);
  std::string text;
  const auto append = [&](Index number, const dock::Pocket& pocket, bool header) {
    const auto& [center, size] = pocket.box;
    const Cells cells = {{"pocket", fmt::format("pocket{}", number)},
                         {"x", Cell(pocket.center.x, 3)},
                         {"y", Cell(pocket.center.y, 3)},
                         {"z", Cell(pocket.center.z, 3)},
                         {"volume", Cell(pocket.volume, 1)},
                         {"box_center", fmt::format("{:.3f},{:.3f},{:.3f}", center.x, center.y, center.z)},
                         {"box_size", fmt::format("{:.3f},{:.3f},{:.3f}", size.x, size.y, size.z)}};
    text += (header ? table.header(cells) : "") + table.row(cells);
  };
  Index number = 0;
  for (const dock::Pocket& pocket : options.pocket.pockets(options.receptor_path, options.receptor)) {
    ++number;
    append(number, pocket, number == 1);
  }
  if (options.table_path == "-") return print(text);
  Output output(options.table_path);
  output.write(text);
  output.finish();
}

class DockVerb : public Verb, public Sharded {
 public:
  explicit DockVerb(Arguments& verb) {
    verb.guide(dock_guide());
    options_.add_to(verb);
  }

  Sharded& sharded() override { return *this; }

  void plan_job(JobPlan& plan, const std::string&) override {
    options_.check();
    if (options_.job != DockJob::dock) throw InputError("a job docks a file of ligands");
    if (options_.num_shards > 1) throw InputError("--shard is for runs by hand, and a job has shards of its own");
    if (options_.top > 0 || !options_.labels_path.empty() || options_.resume.given())
      throw InputError("--top, --labels, --plot, --resume, --restart and --ledger are not for jobs");
    if (options_.pocket.targets(options_.receptor_path, options_.receptor).size() != 1)
      throw InputError("a job docks in one pocket: plan one for each");
    if (plan.num_shards == 0) plan.num_shards = kManyShards;
    for (const auto& [name, path] :
         {std::pair("output", &options_.poses_path), std::pair("table", &options_.table_path),
          std::pair("rejects", &options_.rejects_path)})
      if (!path->empty()) plan.outputs.push_back(name + format_of_output(*path));
  }

  void open_job(const Job& job) override {
    options_.check();
    options_.num_shards = job.plan().num_shards;
    options_.quiet = true;
    targets_ = options_.pocket.targets(options_.receptor_path, options_.receptor);
  }

  void run_shard(Index shard, ShardSink& sink) override {
    options_.shard = shard;
    LibraryRun run(options_, targets_, sink, shard == 0);
    run.run();
    const DockTotals& totals = run.totals();
    for (const auto& [name, number] :
         {std::pair("rows", totals.report.rows), std::pair("ok", totals.report.ok), std::pair("poses", totals.poses),
          std::pair("rejected", totals.report.rejected), std::pair("truncated", totals.truncated)})
      sink.set(name, std::to_string(number));
  }

  int merge_job(const Job& job, const std::vector<ShardRecord>& shards) override {
    int output = 0;
    for (const std::string* path : {&options_.poses_path, &options_.table_path, &options_.rejects_path})
      if (!path->empty()) write_merged(job, output++, *path);
    DockTotals totals;
    totals.report = {sum_of(shards, "rows"), sum_of(shards, "ok"), sum_of(shards, "rejected")};
    totals.poses = sum_of(shards, "poses");
    totals.truncated = sum_of(shards, "truncated");
    return report(totals);
  }

  int run() override {
    options_.check();
    switch (options_.job) {
      case DockJob::list_pockets:
        list_pockets(options_);
        return kFound;
      case DockJob::redock: {
        DockTotals totals;
        const Json counts = json_of(redock(options_, totals));
        return report(totals, Json::Member{"redock", counts});
      }
      case DockJob::dock:
        return dock_library();
      default:
        return report(score_poses(options_));
    }
  }

 private:
  int dock_library() {
    const std::vector<DockTarget> targets = options_.pocket.targets(options_.receptor_path, options_.receptor);
    std::vector<std::string> receptors;
    for (const DockTarget& target : targets) receptors.push_back(target.receptor_path);
    options_.check_outputs(receptors);
    std::optional<Output> plot;  // before anything is docked: it may not be possible
    if (!options_.plot_path.empty()) plot.emplace(options_.plot_path);
    LibraryRun library_run(options_, targets);
    library_run.run();
    std::optional<Json::Member> mode;
    std::exception_ptr no_enrichment;
    try {
      if (library_run.labels()) mode = {"enrichment", json_of(report_enrichment(*library_run.labels(), plot))};
    } catch (const InputError&) {
      no_enrichment = std::current_exception();
    }
    const int status = report(library_run.totals(), mode);
    accept_outputs();
    library_run.finish_ledger();
    if (no_enrichment) std::rethrow_exception(no_enrichment);  // all that was docked is kept
    return status;
  }

  dock::Enrichment report_enrichment(const Labels& labels, std::optional<Output>& plot) const {
    labels.warn();
    const dock::Enrichment enrichment = labels.enrichment();
    if (plot) {
      plot->write(roc_svg(enrichment));
      plot->finish();
    }
    if (!options_.quiet)
      say(fmt::format(
          "actives {}, decoys {}: AUC {:.3f}, EF 1 % {:.2f}, EF 5 % {:.2f}, EF 10 % {:.2f}, BEDROC {:.3f}\n",
          enrichment.actives, enrichment.decoys, enrichment.auc, enrichment.ef1, enrichment.ef5, enrichment.ef10,
          enrichment.bedroc20));
    return enrichment;
  }

  int report(const DockTotals& totals, const std::optional<Json::Member>& mode = {}) const {
    note_for_strict(totals.report.rejected, "rejected row");
    if (totals.report.rows == 0) warn("there are no ligands", options_.quiet);
    begin_report();
    const double seconds = stopwatch_.seconds();
    if (!options_.quiet) print_closing_line(totals, seconds);
    if (options_.json) print_dock_json(options_, totals, seconds, mode);
    return totals.report.ok > 0 ? kFound : kNothingFound;
  }

  DockOptions options_;
  std::vector<DockTarget> targets_;  // of a job
  Stopwatch stopwatch_;
};

}  // namespace

std::unique_ptr<Verb> make_dock(Arguments& verb) { return std::make_unique<DockVerb>(verb); }

}  // namespace quarry::cli
