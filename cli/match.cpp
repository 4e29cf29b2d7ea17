/// `quarry match`: many queries against many molecules.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "arguments/resume.hpp"
#include "common.hpp"
#include "input/audit.hpp"
#include "input/queries.hpp"
#include "input/read_notes.hpp"
#include "jobs/molecule_rows.hpp"
#include "jobs/sharded.hpp"
#include "match_run.hpp"
#include "output/json.hpp"
#include "output/pairs/stored_hits.hpp"
#include "output/progress.hpp"
#include "output/tables/table_output.hpp"
#include "output/text.hpp"
#include "output/warnings.hpp"
#include "quarry/device.hpp"
#include "quarry/files/output.hpp"
#include "quarry/version.hpp"

namespace quarry::cli {
namespace {

Guide match_guide() {
  return {
      .examples = {"quarry match drugs.qlib alerts.smarts -o hits.tsv --summary alerts.tsv",
                   "quarry match drugs.qlib --set pains --set brenk --per-molecule --unmatched clean.smi",
                   "quarry match drugs.smi -q '[NX3][CX3]=O amide' --mode unique --verify 1%"},
      .notes =
          "Output by extension: .tsv .csv .jsonl (pairs), .smi .sdf (molecules found), each also .gz, .zst, .bz2 or "
          ".xz; "
          ".qhits (pairs, compact; quarry-cat(1) makes text of it), .npz (matrix of counts, scipy.sparse.load_npz).",
      .exit_status = "0 some pair matches, 1 none does, 2 error",
      .description =
          "For every pair of a molecule and a query: whether the query occurs in the molecule, how often, and "
          "at which atoms. SMARTS mean what RDKit means by them, and the answers are exact.\n\n"
          "A SMARTS that cannot be used is named, and ends the run unless --allow-refused is given. A query that asks "
          "for "
          "hydrogen atoms is read as asking for hydrogen counts where the molecules have none (--query-h). Where "
          "--max-matches or --pair-budget cuts a "
          "pair short, its status is `truncated` or `timeout`. A pair whose embeddings take more than 2 GiB has the "
          "status "
          "`overflow` and is named, and the exit status is 2; all others are written.",
  };
}

const std::map<std::string, match::Mode>& modes() {
  static const std::map<std::string, match::Mode> kModes = {{"first", match::Mode::first},
                                                            {"all", match::Mode::all},
                                                            {"count", match::Mode::count},
                                                            {"unique", match::Mode::unique}};
  return kModes;
}

class MatchVerb : public Verb, public Sharded {
 public:
  explicit MatchVerb(Arguments& verb) {
    verb.guide(match_guide());
    add_input_options(verb);
    add_search_options(verb);
    add_output_options(verb);
  }

  int run() override;
  Sharded& sharded() override { return *this; }
  void plan_job(JobPlan& plan, const std::string& folder) override;
  void open_job(const Job& job) override;
  void run_shard(Index shard, ShardSink& sink) override;
  int merge_job(const Job& job, const std::vector<ShardRecord>& shards) override;
  std::vector<std::string> late_outputs() const override;

 private:
  void add_input_options(Arguments& verb) {
    verb.option("INPUT", &input_, "Molecules: a library, or SMILES, CSV or SDF; - is standard input",
                {.names_file = true});
    verb.option("FILE", &files_,
                "Queries, one `SMARTS [id] [min=N] [max=N]` a line or a table with these columns; what is named .qlib, "
                ".smi, .cxsmiles or .sdf is more molecules",
                {.shown_as = "FILE ...", .names_file = true});
    verb.option(
        "--input", &more_inputs_,
        "Molecules, whatever the name of the file, which come behind those named without it; once for each file",
        {.shown_as = "FILE", .names_file = true});
    verb.option("--queries", &query_files_, "Queries, whatever the name of the file; once for each file",
                {.shown_as = "FILE", .names_file = true});
    verb.option("-q,--query", &smarts_, "A SMARTS, or 'SMARTS id'; may be given many times",
                {.shown_as = "SMARTS ..."});
    sets_.add_to(verb);
    add_read_options(verb, read_options_);
    add_audit_option(verb, read_options_);
    query_options_.add_to(verb);
    verb.flag("--allow-refused", allow_refused_, "Go on without the queries that are refused");
  }

  void add_search_options(Arguments& verb) {
    verb.option("--mode", &mode_,
                "Find which pairs match (first), all embeddings, their count, or unique sets of atoms",
                {.show_default = true, .words = {"first", "all", "count", "unique"}});
    verb.option("--refine", &options_.refine, "Radius of the signature refinement; does not change any answer",
                {.show_default = true, .least = 0, .most = match::kMaxRefine});
    verb.option("--max-matches", &options_.max_matches,
                "Mark a pair `truncated` after this number of embeddings; 0 is no limit",
                {.show_default = true, .least = 0});
    verb.option("--pair-budget", &options_.pair_budget,
                "Mark a pair `timeout` after this number of search nodes; 0 is no limit",
                {.show_default = true, .least = 0});
    device_.add_to(verb);
    verb.option("--verify", [this](const std::string& text) { percent_ = parse_percent("--verify", text); },
                "Check this percentage of the pairs with RDKit; a disagreement ends with exit status 2",
                {.shown_as = "P%"});
    verb.option("--seed", &seed_, "Seed of the sample that --verify checks",
                {.show_default = true, .needs = {"--verify"}});
  }

  void add_output_options(Arguments& verb) {
    verb.option("-o,--output", &outputs_.path, "File to write, format by extension; default: tsv on standard output",
                {.names_file = true, .names_output = true});
    verb.flag("--per-molecule", outputs_.per_molecule,
              "Write a row for each molecule that some query matches: its id, how many do, and their ids");
    verb.flag("--invert", outputs_.invert, "Select the molecules that no query matches");
    verb.option(
        "--matched", &outputs_.matched,
        "Write also the molecules that some query matches, with what the input has of them: .smi, .sdf or a table",
        {.names_file = true, .names_output = true});
    verb.option("--unmatched", &outputs_.unmatched, "Write also the molecules that no query matches",
                {.names_file = true, .names_output = true});
    verb.option("--summary", &summary_,
                "Write totals per query: query smarts molecules embeddings truncated timeout overflow",
                {.names_file = true, .names_output = true});
    add_rejects_option(verb, rejects_);
    resume_.add_to(verb);
    verb.flag("--json", json_, "Print one JSON object as the last line of standard output");
    add_strict_option(verb);
    add_progress_option(verb);
    add_rows_option(verb);
    verb.flag("--quiet", quiet_, "No progress and no closing line");
  }

  /// Says what was done. @return  the exit status
  int report(const MoleculeSource& source, const QuerySet& queries, const MatchTotals& totals, double seconds) const;
  void print_closing_line(const MoleculeSource& source, const QuerySet& queries, const MatchTotals& totals,
                          double seconds) const;
  void print_json(const MoleculeSource& source, const QuerySet& queries, const MatchTotals& totals,
                  double seconds) const;

  /// Writes the pairs that shards hold, in the format of --output.
  void merge_pairs(const Job& job);
  /// Sorts FILE into molecules and queries, once.
  void sort_files();
  void set_options();
  QuerySet load(const MoleculeSource& source) const;
  int status(const MatchTotals& totals, const Report& rows) const;

  std::string input_, mode_ = "first", summary_, rejects_;
  double percent_ = -1;  // of --verify; below 0 where it is not given
  std::vector<std::string> files_, more_inputs_, inputs_, query_files_, smarts_;
  MatchOutputs outputs_;
  ResumeOptions resume_;
  ReadOptions read_options_;
  QueryOptions query_options_;
  AlertSetOptions sets_;
  match::Options options_;
  DeviceOptions device_;
  std::uint64_t seed_ = 1;
  bool allow_refused_ = false, json_ = false, quiet_ = false;

  // Of a job.
  std::optional<MoleculeRows> rows_;
  std::optional<QuerySet> queries_;
  std::optional<match::Matcher> matcher_;
};

std::string agreement_text(const match::Agreement& agreement) {
  std::string share;
  if (agreement.checked > 0) {
    const double percent = 100.0 * agreement.agreed / agreement.checked;
    // Rounding must not turn a disagreement into 100 %.
    share = fmt::format(" ({:.{}f} %)", percent, agreement.agreed == agreement.checked ? 0 : 6);
  }
  if (agreement.not_comparable > 0) share += fmt::format(", {} not comparable", agreement.not_comparable);
  return fmt::format("{} of {} pairs{}; read again {} and {}", agreement.agreed, agreement.checked, share,
                     counted(agreement.rows, "row"),
                     counted(std::ranges::count(agreement.queries_read, true), "query"));
}

/// "; stereo marks of 12 molecules resolved", for a closing line; empty where the library has resolved them all.
std::string resolved_text(Index molecules) {
  return molecules == 0 ? "" : fmt::format("; stereo marks of {} resolved", counted(molecules, "molecule"));
}

void complain_of_disagreements(const match::Agreement& agreement) {
  for (const auto& id : agreement.misread)
    complain(fmt::format("molecule '{}' is not what RDKit reads from its row", id));
  const Index more_rows = agreement.rows - agreement.rows_agreed - std::ssize(agreement.misread);
  if (more_rows > 0) complain(fmt::format("and {} more", counted(more_rows, "row")));
  for (const auto& pair : agreement.disagreements)
    complain(fmt::format("disagreement with RDKit: molecule '{}', query '{}': {} embeddings, RDKit finds {}",
                         pair.molecule, pair.query, pair.embeddings, pair.oracle_embeddings));
  const Index unnamed = agreement.checked - agreement.agreed - std::ssize(agreement.disagreements);
  if (unnamed > 0) complain(fmt::format("and {} more", counted(unnamed, "disagreement")));
}

void complain_of_overflows(const MatchTotals& totals) {
  for (const auto& [molecule, query] : totals.overflows)
    complain(
        fmt::format("molecule '{}', query '{}': its embeddings take more than 2 GiB, none is stored; use --mode count",
                    molecule, query));
  const Index unnamed = totals.statistics.overflows - std::ssize(totals.overflows);
  if (unnamed > 0) complain(fmt::format("and {} more", counted(unnamed, "pair")));
}

void MatchVerb::sort_files() {
  if (!input_.empty()) inputs_.push_back(std::exchange(input_, ""));
  for (const auto& file : std::exchange(files_, {})) (is_molecule_file(file) ? inputs_ : query_files_).push_back(file);
  for (const auto& file : std::exchange(more_inputs_, {})) inputs_.push_back(file);
  if (inputs_.empty()) throw InputError("there are no molecules: name a library or a file of molecules");
  if (std::ranges::count(inputs_, "-") + std::ranges::count(query_files_, "-") > 1)
    throw InputError("molecules and queries cannot both come from standard input, and either only once");
}

void MatchVerb::set_options() {
  sort_files();
  options_.mode = modes().at(mode_);
  options_.threads = read_options_.threads;
  outputs_.id_column = read_options_.id_column;
  options_.device = device_.name();
  options_.device_bytes = device_.bytes();
  options_.chirality = query_options_.chirality;
}

QuerySet MatchVerb::load(const MoleculeSource& source) const {
  return load_queries(query_files_, smarts_, query_options_.hydrogens_for(source), query_options_.chirality,
                      allow_refused_, sets_);
}

int MatchVerb::run() {
  const Stopwatch stopwatch;
  set_options();
  if (resume_.given() && percent_ >= 0)
    throw InputError("--verify checks a whole run, and --resume may do only its end: use one of them");
  outputs_.check_formats(options_.mode);
  auto ledger = resume_.open(outputs_.path, outputs_.num_texts());

  std::optional<ProgressLine> progress(std::in_place, "match", quiet_);
  DistinctIds ids;
  read_options_.distinct_ids = &ids;
  read_options_.stereo = false;  // what of it is asked for is resolved in the search
  read_options_.keep_columns = outputs_.hold_molecules();
  MoleculeSource source(inputs_, read_options_);
  const QuerySet queries = load(source);
  if (!sets_.names.empty() && source.has_explicit_hydrogens())
    warn(
        "hydrogens are atoms here, but sets of alerts are meant for molecules without: alerts that count atoms differ");
  MatchRun match_run(queries, options_, outputs_, source.columns(), percent_, seed_, ledger ? &*ledger : nullptr);
  RejectsFile rejects(rejects_);
  std::optional<Output> summary;
  if (!summary_.empty()) summary.emplace(summary_);
  match_run.search(source, rejects, *progress);
  rejects.finish();
  source.require_molecules();
  match_run.finish();
  progress.reset();
  const MatchTotals& totals = match_run.totals();
  if (summary) {
    summary->write(summary_table(summary_, queries, totals.queries));
    summary->finish();
  }

  source.say_notes(quiet_);
  say_equal_ids(ids, kNamedApart, quiet_);
  begin_report();
  const int status = report(source, queries, totals, stopwatch.seconds());
  accept_outputs();
  resume_.finish(ledger);
  return status;
}

int MatchVerb::report(const MoleculeSource& source, const QuerySet& queries, const MatchTotals& totals,
                      double seconds) const {
  if (!quiet_) print_closing_line(source, queries, totals, seconds);
  if (json_) print_json(source, queries, totals, seconds);
  complain_of_overflows(totals);
  complain_of_disagreements(totals.agreement);
  if (complain_of_audit(source.audit())) return kError;
  if (totals.statistics.overflows > 0) return kError;
  if (totals.agreement.agreed < totals.agreement.checked) return kError;
  if (totals.agreement.rows_agreed < totals.agreement.rows) return kError;
  if (percent_ >= 0 && totals.agreement.checked == 0) {
    complain("no pair was checked: the sample of --verify is too small, or no sampled pair can be compared with RDKit");
    return kError;
  }
  return status(totals, source.report());
}

int MatchVerb::status(const MatchTotals& totals, const Report& rows) const {
  const bool found = outputs_.invert ? totals.flagged < rows.ok : totals.flagged > 0;
  return found ? kFound : kNothingFound;
}

void MatchVerb::plan_job(JobPlan& plan, const std::string& folder) {
  set_options();
  outputs_.check_formats(options_.mode);
  if (resume_.given()) throw InputError("--resume and --restart are not for jobs, whose shards stay done");
  if (percent_ >= 0) throw InputError("--verify checks a run on one machine, and no job");
  DistinctIds ids;
  read_options_.distinct_ids = &ids;
  read_options_.stereo = options_.chirality;
  read_options_.keep_columns = outputs_.hold_molecules();
  MoleculeSource source(inputs_, read_options_);
  (void)load(source);  // which refuses broken ones
  plan.outputs = {outputs_.hold_pairs() ? kPairsOfShard : "output" + format_of_output(outputs_.path)};
  for (const auto& [name, path] :
       {std::pair("matched", &outputs_.matched), std::pair("unmatched", &outputs_.unmatched)}) {
    if (!path->empty()) plan.outputs.push_back(name + format_of_output(*path));
  }
  plan.outputs.push_back("overflows");
  MoleculeRows::prepare(source, inputs_, plan, folder, read_options_.threads);
  source.say_notes(quiet_);
  say_equal_ids(ids, kNamedApart, quiet_);
}

void MatchVerb::open_job(const Job& job) {
  set_options();
  rows_.emplace(job);
  queries_ = load(MoleculeSource(rows_->paths(), ReadOptions{}));
}

void MatchVerb::run_shard(Index shard, ShardSink& sink) {
  if (!matcher_) matcher_.emplace(*queries_, options_);
  MatchRun run(*queries_, options_, outputs_, rows_->columns(), sink, shard == 0);
  rows_->for_each_range(shard, [&](const MoleculeRange& range) { run.search(*matcher_, range); });
  run.finish_shard(sink);
}

/// Pairs are kept without a format.
std::vector<std::string> MatchVerb::late_outputs() const {
  std::vector<std::string> late = {"--summary", "--rejects"};
  if (outputs_.hold_pairs()) late.push_back("--output");
  return late;
}

void MatchVerb::merge_pairs(const Job& job) {
  const HitFormatOptions options{*queries_, options_.mode};
  if (!outputs_.hold_pairs())
    throw InputError(
        fmt::format("the shards in '{}' hold pairs of molecules and queries for --output, and '{}' would "
                    "hold molecules: plan the job with -o NAME{}",
                    job.folder(), outputs_.path, format_of_output(outputs_.path)));
  const auto format = make_hit_format(outputs_.path, options);
  FormattedRows rows(*format, outputs_.path);
  const bool needs_names = format->writes_every_molecule() && format->needs_every_name();
  const Index num_shards = job.plan().num_shards;
  const auto open = [&](Index shard) {
    return shard < num_shards ? std::make_unique<StoredHits>(job.text_path(shard, 0)) : nullptr;
  };
  auto next = open(0);  // begins to read
  for (Index shard = 0; shard < num_shards; ++shard) {
    const auto hits = std::exchange(next, open(shard + 1));
    MoleculeHits molecule;
    while (!needs_names && hits->next(molecule)) rows.add(molecule);
    if (!needs_names) continue;
    rows_->for_each_range(shard, [&](const MoleculeRange& range) {
      TextCursor text(*range.library, false);
      text.set_named(range.named);
      for (Index i = range.first; i < range.last && hits->next(molecule); ++i) {
        molecule.name = text.name(i);
        rows.add(molecule);
      }
    });
  }
  rows.finish();
}

int MatchVerb::merge_job(const Job& job, const std::vector<ShardRecord>& shards) {
  const Stopwatch stopwatch;
  std::optional<Output> summary;
  if (!summary_.empty()) summary.emplace(summary_);
  if (job.plan().outputs.front() == kPairsOfShard)
    merge_pairs(job);
  else
    write_merged(job, 0, outputs_.path);
  int output = 1;
  for (const std::string* path : {&outputs_.matched, &outputs_.unmatched})
    if (!path->empty()) write_merged(job, output++, *path);
  RejectsFile rejects(rejects_);
  if (rejects.is_wanted()) rejects.add(rows_->rejected_rows());
  rejects.finish();
  MatchRun run(*queries_, options_, rows_->columns(), -1, 0, nullptr, RowOutputs(0, nullptr));
  run.add_shards(job, shards, output);
  if (summary) {
    summary->write(summary_table(summary_, *queries_, run.totals().queries));
    summary->finish();
  }
  begin_report();
  MoleculeSource source(rows_->paths(), ReadOptions{});
  while (source.next() != nullptr) {
  }
  if (!quiet_) print_closing_line(source, *queries_, run.totals(), stopwatch.seconds());
  if (json_) print_json(source, *queries_, run.totals(), stopwatch.seconds());
  complain_of_overflows(run.totals());
  return run.totals().statistics.overflows > 0 ? kError : status(run.totals(), source.report());
}

void MatchVerb::print_closing_line(const MoleculeSource& source, const QuerySet& queries, const MatchTotals& totals,
                                   double seconds) const {
  const Report rows = source.report();
  const auto& statistics = totals.statistics;
  const std::string truncated = statistics.truncated > 0 ? fmt::format(", {} truncated", statistics.truncated) : "";
  const std::string timeouts = statistics.timeouts > 0 ? ", " + counted(statistics.timeouts, "timeout") : "";
  const std::string overflows = statistics.overflows > 0 ? ", " + counted(statistics.overflows, "overflow") : "";
  std::string line =
      fmt::format("rows {} = ok {} + rejected {}; queries {}; molecules flagged {}, hits {}{}{}{}", rows.rows, rows.ok,
                  rows.rejected, count_of(queries), totals.flagged, statistics.hits, truncated, timeouts, overflows);
  if (percent_ >= 0) line += fmt::format("; agreement {}", agreement_text(totals.agreement));
  if (options_.chirality) line += resolved_text(statistics.stereo_resolved);
  line += audit_text(source.audit());
  const double compute = seconds - source.read_seconds() - totals.write_seconds - totals.verify_seconds;
  say(fmt::format("{}; read {:.2f} s, compute {:.2f} s, write {:.2f} s\n", line, source.read_seconds(), compute,
                  totals.write_seconds));
}

void MatchVerb::print_json(const MoleculeSource& source, const QuerySet& queries, const MatchTotals& totals,
                           double seconds) const {
  const Report rows = source.report();
  const auto& statistics = totals.statistics;
  const auto& stages = statistics.stages;
  Json::Members members = {{"rows", rows.rows},
                           {"ok", rows.ok},
                           {"rejected", rows.rejected},
                           {"audit", audit_json(source.audit())},
                           {"queries", queries.accepted.size()},
                           {"queries_refused", queries.rejected.size()},
                           {"query_hydrogens", name_of(queries.hydrogens)},
                           {"queries_merged", std::ranges::count_if(queries.accepted, &Query::merged)},
                           {"mode", mode_},
                           {"pairs", statistics.pairs},
                           {"molecules_flagged", totals.flagged},
                           {"hits", statistics.hits},
                           {"embeddings", statistics.embeddings},
                           {"truncated", statistics.truncated},
                           {"timeouts", statistics.timeouts},
                           {"overflows", statistics.overflows},
                           {"threads", threads_in_use(options_.threads)},
                           {"device", options_.device},
                           {"version", kVersion},
                           {"cpu_seconds", cpu_seconds()},
                           {"seconds",
                            {{"open", source.open_seconds()},
                             {"read", source.read_seconds() + stages.read},
                             {"candidates", stages.candidates},
                             {"refine", stages.refine},
                             {"map", stages.map},
                             {"join", stages.join},
                             {"write", totals.write_seconds},
                             {"total", seconds}}}};
  if (options_.chirality) members.push_back({"stereo_resolved", statistics.stereo_resolved});
  if (resume_.given()) members.push_back({"resumed", totals.resumed});
  if (percent_ >= 0)
    members.push_back({"agreement",
                       {{"checked", totals.agreement.checked},
                        {"agreed", totals.agreement.agreed},
                        {"not_comparable", totals.agreement.not_comparable},
                        {"rows_read", totals.agreement.rows},
                        {"rows_agreed", totals.agreement.rows_agreed},
                        {"queries_read", std::ranges::count(totals.agreement.queries_read, true)}}});
  print(Json(members).line());
}

}  // namespace

std::unique_ptr<Verb> make_match(Arguments& verb) { return std::make_unique<MatchVerb>(verb); }

}  // namespace quarry::cli
