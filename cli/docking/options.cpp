#include "docking/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "input/read_notes.hpp"
#include "output/progress.hpp"
#include "output/tables/table_output.hpp"
#include "output/text.hpp"
#include "output/warnings.hpp"
#include "quarry/collection.hpp"

namespace quarry::cli {
namespace {

/// What the engine takes.
constexpr Index kMostPoses = 1'000'000, kMostIterations = 1000, kMostBudget = 1'000'000'000;

bool is_library_name(const std::string& path) { return path.ends_with(".qlib") || is_collection(path); }

dock::Effort effort_named(const std::string& name) {
  if (name == "screen") return dock::Effort::screen;
  return name == "standard" ? dock::Effort::standard : dock::Effort::thorough;
}

}  // namespace

void DockOptions::add_to(Arguments& verb) {
  arguments = &verb;
  add_inputs(verb);
  pocket.add_to(verb);
  add_search(verb);
  add_outputs(verb);
}

void DockOptions::add_inputs(Arguments& verb) {
  verb.option(
      "INPUT", &inputs_,
      "RECEPTOR LIGANDS: a receptor (PDB, mmCIF, PDBQT, mol2) and molecules (SDF, mol2, SMILES, CSV), or one or more "
      "libraries (.qlib, .qlibs)",
      {.shown_as = "INPUT ...", .names_file = true});
  verb.flag("--score-only", score_only_, "Score the poses of the second file as they are; needs no pocket");
  verb.flag("--minimize", minimize_, "Score them after moving each to its nearest local minimum");
  verb.option("--redock", &redock_folder,
              "Dock the ligand of each complex of a folder, and say how near it comes to the crystal pose",
              {.shown_as = "FOLDER", .names_file = true});
  verb.option("--prepare", &prepare, "With --redock: take receptor.pdb.gz instead of receptor.pdbqt.gz",
              {.needs = {"--redock"}});
  verb.exclude("--score-only", "--minimize");
  verb.exclude("--score-only", "--redock");
  verb.exclude("--minimize", "--redock");
  verb.flag("--keep-waters", receptor.keep_waters, "Keep the waters of the receptor");
  verb.option("--format", &ligands.format, "Format of the ligands; default: by the name of the file",
              {.words = {"smi", "csv", "sdf", "mol2"}});
  verb.option("--smiles-column", &ligands.smiles_column,
              "CSV: name of the SMILES column (default: smiles, canonical or isomeric smiles)");
  add_id_options(verb, ligands.id_column, ligands.whole_ids);
  add_max_atoms_option(
      verb, ligands.max_atoms,
      "Reject molecules with more atoms as they are written, added hydrogens not counted; 0 is no limit");
}

void DockOptions::add_search(Arguments& verb) {
  verb.option("--effort", &effort, "How thorough to search: sets the three options that follow, and refinement",
              {.show_default = true, .words = {"screen", "standard", "thorough"}});
  verb.option("--restarts", &restarts_, "Initial poses of each ligand", {.least = 1, .most = kMostPoses});
  verb.option("--iterations", &iterations_, "Rounds over the fragments of each of them",
              {.least = 0, .most = kMostIterations});
  verb.option("--max-poses", &max_poses_, "Poses kept for scoring and refinement", {.least = 1, .most = kMostPoses});
  verb.option("--pose-budget", &dock.search.pose_budget,
              "Stop a ligand after this number of initial poses, and call it `truncated`",
              {.least = 1, .most = kMostBudget});
  verb.option("--seed", &dock.search.seed, "Seed of all that is random", {.show_default = true});
  verb.option("--scoring", &scoring, "Scoring function", {.show_default = true, .words = {"vina", "vinardo"}});
  verb.option("--vinardo-divisor", &divisor_,
              "Weight of torsions in the score of Vinardo: 0.02 of its paper, or the 0.05846 of Vina",
              {.show_default = true, .words = {"paper", "vina"}});
  add_threads_option(verb, dock.threads);
  device_.add_to(verb);
}

void DockOptions::add_outputs(Arguments& verb) {
  verb.option("-o,--output", &poses_path, "File for the poses: .sdf or .pdbqt, each also .gz, .zst, .bz2 or .xz",
              {.names_file = true, .names_output = true});
  verb.option("--poses", &num_poses_, "Poses written for each ligand, at least 1 angstrom apart",
              {.show_default = true, .least = 1, .most = kMostPoses});
  verb.option("--table", &table_path,
              "File for a row per ligand: .tsv, .csv or .jsonl, each also .gz, .zst, .bz2 or .xz; default "
              "without -o: standard output",
              {.names_file = true, .names_output = true});
  verb.flag("--explain", explain, "Add the sums of the scoring terms to the table");
  verb.option("--top", &top, "Write only the N best ligands, best first; 0 is all, in order of input",
              {.shown_as = "N", .least = 0});
  verb.option("--rejects", &rejects_path, "Write the rows that could not be docked: row, line, id, stage, reason",
              {.names_file = true, .names_output = true});
  verb.option("--labels", &labels_path,
              "File of `id label`, label `active` or `decoy`: print how well scores tell them "
              "apart",
              {.names_file = true});
  verb.option("--plot", &plot_path, "Draw the ROC curve of --labels as SVG",
              {.names_file = true, .names_output = true});
  resume.add_to(verb);
  resume.add_ledger_to(verb);
  verb.option("--shard", &shard_text_,
              "Dock only part I of N of the rows; the outputs of all parts join in order (--top: N best of each part)",
              {.shown_as = "I/N"});
  verb.flag("--json", json, "Print one JSON object as the last line of standard output");
  add_strict_option(verb);
  add_progress_option(verb);
  add_rows_option(verb);
  verb.flag("--quiet", quiet, "No progress and no closing line");
}

void DockOptions::check() {
  choose_job();
  take_inputs();
  if (job == DockJob::dock || job == DockJob::list_pockets) pocket.check();
  if (job == DockJob::score || job == DockJob::minimize)
    pocket.refuse("--score-only and --minimize take poses where they are, and need no box");
  if (job == DockJob::redock) pocket.refuse("--redock takes the box of each complex from its box.json");
  take_search();
  if (!shard_text_.empty()) std::tie(shard, num_shards) = parse_shard(shard_text_);
  check_outputs();
}

void DockOptions::choose_job() {
  if (score_only_) job = DockJob::score;
  if (minimize_) job = DockJob::minimize;
  if (!redock_folder.empty()) job = DockJob::redock;
  if (job == DockJob::dock && pocket.finds_pockets() && inputs_.size() == 1) job = DockJob::list_pockets;
}

void DockOptions::take_inputs() {
  const bool names_receptors = job == DockJob::dock && pocket.names_receptors();
  const std::size_t wanted = job == DockJob::redock ? 0 : names_receptors || job == DockJob::list_pockets ? 1 : 2;
  const std::size_t num_receptors = names_receptors ? 0 : 1;
  const bool of_libraries = wanted > num_receptors && inputs_.size() > wanted &&
                            std::all_of(inputs_.begin() + num_receptors, inputs_.end(), is_library_name);
  if (inputs_.size() != wanted && !of_libraries) {
    const char* const names = names_receptors ? "only LIGANDS beside --targets FILE"
                              : wanted > 0    ? "RECEPTOR LIGANDS"
                                              : "no file beside --redock FOLDER";
    const std::string given = inputs_.size() == 1 ? "1 file was" : fmt::format("{} files were", inputs_.size());
    throw InputError(fmt::format("dock takes {}, and {} given{}{} (see quarry dock --help)", names, given,
                                 inputs_.empty() ? "" : ": ", joined(inputs_, ", ")));
  }
  if (wanted == 2 || job == DockJob::list_pockets) receptor_path = inputs_.front();
  if (wanted > num_receptors) ligands_paths.assign(inputs_.begin() + num_receptors, inputs_.end());
  ligands.as_given = job == DockJob::score || job == DockJob::minimize;
  ligands.threads = dock.threads;
}

void DockOptions::take_search() {
  dock::SearchOptions search = dock::search_options(effort_named(effort));
  const auto set = [](int& value, const std::optional<Index>& given) {
    if (given) value = static_cast<int>(*given);
  };
  set(search.restarts, restarts_);
  set(search.iterations, iterations_);
  set(search.max_poses, max_poses_);
  search.num_poses = static_cast<int>(num_poses_);
  search.seed = dock.search.seed;
  search.pose_budget = dock.search.pose_budget;
  dock.search = search;
  dock.scoring = scoring == "vina" ? dock::Scoring::vina : dock::Scoring::vinardo;
  if (divisor_ == "vina") dock.torsion_weight = dock::torsion_weight(dock::Scoring::vina);
  dock.device = device_.name();
  dock.device_bytes = device_.bytes();
}

void DockOptions::check_outputs() {
  if (poses_path.empty() && table_path.empty()) {
    for (const auto& path : {rejects_path, plot_path})
      if (path == "-") throw InputError("two outputs would go to '-', the table is one: give each a file of its own");
    table_path = "-";
  }
  if (!plot_path.empty() && labels_path.empty()) throw InputError("--plot draws what --labels FILE says");
  if (job == DockJob::list_pockets && (!poses_path.empty() || json))
    throw InputError("a list of pockets is a table: --table FILE takes it, -o and --json are for docking");
  if (job != DockJob::dock && !rejects_path.empty())
    throw InputError("--rejects is for docking a file of ligands: here the table has a row for each that is rejected");
  if (explain && (job == DockJob::redock || job == DockJob::list_pockets))
    throw InputError("--explain is for docking a file of ligands, --score-only and --minimize");
  const std::vector<std::string> of_search =
      arguments->given({"--effort", "--restarts", "--iterations", "--max-poses", "--pose-budget", "--seed", "--poses"});
  if (!of_search.empty() && (job == DockJob::score || job == DockJob::minimize))
    throw InputError("--score-only and --minimize do not search: leave out " + joined(of_search, ", "));
  if (!of_search.empty() && job == DockJob::list_pockets)
    throw InputError("a list of pockets needs no search: leave out " + joined(of_search, ", "));
  if (scoring != "vinardo" && !arguments->given({"--vinardo-divisor"}).empty())
    throw InputError("--vinardo-divisor goes with --scoring vinardo");
  if (job != DockJob::dock && (top > 0 || num_shards > 1 || resume.given() || !labels_path.empty()))
    throw InputError("--top, --shard, --labels, --resume, --restart and --ledger are for docking a file of ligands");
  if (std::ranges::count(ligands_paths, "-") > 0 && num_shards > 1)
    throw InputError("--shard needs a file of ligands that can be read again, not standard input");
}

}  // namespace quarry::cli
