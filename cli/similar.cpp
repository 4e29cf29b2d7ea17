/// `quarry similar`: nearest neighbours, neighbours above a threshold, matrices, and why two molecules are alike.
#include "quarry/similar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>

#include "arguments/resume.hpp"
#include "common.hpp"
#include "input/fingerprint_source.hpp"
#include "jobs/neighbour_rows.hpp"
#include "jobs/sharded.hpp"
#include "output/json.hpp"
#include "output/progress.hpp"
#include "output/row_outputs.hpp"
#include "output/tables/neighbour_output.hpp"
#include "output/tables/table_output.hpp"
#include "output/text.hpp"
#include "output/warnings.hpp"
#include "quarry/files/output.hpp"
#include "quarry/version.hpp"

namespace quarry::cli {
namespace {

Guide similar_guide() {
  return {
      .examples = {"quarry similar -q 'CC(=O)Oc1ccccc1C(=O)O aspirin' drugs.qlib -k 5",
                   "quarry similar hits.smi drugs.qlib --threshold 0.7 -o pairs.tsv",
                   "quarry similar --matrix drugs.smi -o all.npy",
                   "quarry similar --matrix drugs.smi --threshold 0.6 -o pairs.npz",
                   "quarry similar --explain 'CCOC(=O)c1ccccc1' 'COC(=O)c1ccccc1'"},
      .notes =
          "Output by extension: .tsv .csv .jsonl (pairs), each also .gz, .zst, .bz2 or .xz; of a matrix .npy (dense), "
          "or with "
          "a\nthreshold .npz (sparse, scipy.sparse.load_npz) or pairs.",
      .exit_status = "0 some pair was kept, 1 none was, 2 error",
      .description =
          "The similarity of two molecules is the Tanimoto coefficient of their LINGOs, the substrings of four "
          "characters of their SMILES, or of their ECFP4 fingerprints. It is exact.\n\n"
          "LINGOs are those of the SMILES as written, so both inputs should be written in the same way; "
          "--normalize canonical rewrites them with RDKit. A library made by quarry-index(1) holds its LINGOs "
          "already.",
  };
}

/// Note of a job: shards are ranges of "rows" or of "columns".
constexpr const char* kCutNote = "cut";
/// Bytes of text that are collected before they are written.
constexpr Index kTextBytes = Index{1} << 20;

class SimilarVerb : public Verb, public Sharded {
 public:
  explicit SimilarVerb(Arguments& verb) {
    verb.guide(similar_guide());
    verb.option("INPUT", &inputs_,
                "QUERIES LIBRARY ...: each a library (.qlib), a collection (.qlibs), or molecules: SMILES, CSV or SDF",
                {.shown_as = "INPUT ...", .names_file = true});
    verb.option("-q,--query", &queries_, "A SMILES, or 'SMILES id', instead of QUERIES; may be given many times",
                {.shown_as = "SMILES ..."});
    verb.option("-k,--nearest", &nearest_, "Number of nearest molecules to keep for each query; 0 is all",
                {.shown_as = "K", .least = 0});
    verb.option("--threshold", &threshold_, "Only pairs with at least this similarity, 0 to 1",
                {.shown_as = "T", .least = 0, .most = 1});
    verb.flag(
        "--matrix", matrix_,
        "Compare each molecule of INPUT with all of them, with -k with all others, or with those of a second INPUT");
    verb.flag("--explain", explain_, "Show what two SMILES, given instead of files, have in common");
    options_.add_to(verb, "File to write, format by extension; default: tsv on standard output");
    resume_.add_to(verb);
    add_rows_option(verb);
    for (const char* other : {"--nearest", "--threshold", "--matrix", "--output", "--json", "--resume", "--restart"})
      verb.exclude("--explain", other);
  }

  int run() override;
  Sharded& sharded() override { return *this; }
  void plan_job(JobPlan& plan, const std::string& folder) override;
  void open_job(const Job& job) override;
  void run_shard(Index shard, ShardSink& sink) override;
  int merge_job(const Job& job, const std::vector<ShardRecord>& shards) override;
  std::vector<std::string> late_outputs() const override { return {"--rejects", "--output"}; }

 private:
  int run_explain() const;
  void check_inputs() const;
  void load_command_line();
  void load();
  void accept();
  similar::Statistics write_pairs();
  Index merge_neighbours(const Job& job);
  /// @param full  called after rows whose text may be too much to keep in memory
  void append_text(const similar::Neighbours& found, const NeighbourFormat& format, std::string& text,
                   const std::function<void()>& full);
  similar::Statistics write_dense();
  similar::Statistics write_sparse();
  Json::Members fingerprints_json() const;
  FingerprintSource& columns() { return columns_ ? *columns_ : *rows_; }
  /// A nearest molecule is another one.
  bool without_itself() const { return !columns_ && nearest_.value_or(0) > 0; }
  void warn_of_few_columns();
  void report(const similar::Statistics& statistics, double seconds);

  std::vector<std::string> inputs_, queries_;
  std::optional<Index> nearest_;
  std::optional<double> threshold_;
  similar::SearchOptions search_;
  bool matrix_ = false, explain_ = false;
  ResumeOptions resume_;
  ComparisonOptions options_;

  std::optional<FingerprintSource> rows_, columns_;  ///< columns_ is empty where a matrix compares rows with themselves
  std::optional<Ledger> ledger_;
  double write_seconds_ = 0;
  // Of a job: shards are ranges of the larger side.
  Index num_shards_ = 1;
  bool by_columns_ = false;
};

/// LINGOs are made of any text; what is meant on the command line is a molecule.
std::string canonical_of(const std::string& smiles) {
  try {
    return canonical_smiles(smiles);
  } catch (const InputError& error) {
    throw InputError(fmt::format("'{}': {}", smiles, error.what()));
  }
}

int SimilarVerb::run_explain() const {
  if (inputs_.size() != 2) throw InputError("--explain needs two SMILES");
  std::string smiles[2] = {inputs_[0], inputs_[1]};
  for (auto& one : smiles) {
    if (options_.normalize() == Normalize::as_is) continue;
    std::string canonical = canonical_of(one);
    if (options_.normalize() == Normalize::canonical) one = std::move(canonical);
  }
  const auto why = similar::explain(smiles[0], smiles[1], options_.definition());
  for (int i = 0; i < 2; ++i) print(fmt::format("{}\n{}\n", why.texts[i], why.marks[i]));
  print(fmt::format("{} shared of {}: similarity {}\n", counted(why.shared, "LINGO"), why.either,
                    static_cast<float>(why.shared) / why.either));
  return why.shared > 0 ? kFound : kNothingFound;
}

void SimilarVerb::check_inputs() const {
  const std::size_t least = queries_.empty() && !matrix_ ? 2 : 1;
  if (matrix_ && !queries_.empty()) throw InputError("--matrix compares files, not -q");
  if (inputs_.size() < least || (matrix_ && inputs_.size() > 2)) {
    throw InputError(matrix_            ? "--matrix needs one or two files of molecules"
                     : queries_.empty() ? "similar needs QUERIES and LIBRARY (see quarry similar --help)"
                                        : "with -q INPUT is the library, and there is none");
  }
  if (std::ranges::count(inputs_, "-") > 1)
    throw InputError("queries and library cannot both come from standard input, and either only once");
  if (!matrix_ && !nearest_ && !threshold_)
    throw InputError("say which neighbours are wanted: -k K, --threshold T, or both");
  const std::string name = name_without_compression(options_.output);
  if (!name.ends_with(".npy") && !name.ends_with(".npz"))
    make_neighbour_format(options_.output);  // throws before the work where the extension is unknown
  if (name.ends_with(".npz") && (!matrix_ || options_.output != name))
    throw InputError("a .npz file is for --matrix, and is an archive already");
  const bool dense = name.ends_with(".npy");
  if (dense && (!matrix_ || threshold_ || nearest_ > 0))
    throw InputError("a .npy file is for --matrix without -k and --threshold: a dense matrix");
  if (matrix_ && !dense && !threshold_ && nearest_.value_or(0) == 0)
    throw InputError("a matrix of all pairs goes to a .npy file: name one after -o, or give a --threshold");
  if (resume_.given() && (dense || name.ends_with(".npz")))
    throw InputError("--resume is for rows of pairs: .tsv, .csv or .jsonl");
  options_.check();
}

void SimilarVerb::load_command_line() {
  if (options_.normalize() != Normalize::as_is)
    for (const auto& query : queries_) std::ignore = canonical_of(query.substr(0, query.find_first_of(" \t")));
  rows_.emplace(SmilesRows{queries_}, options_);
}

void SimilarVerb::load() {
  std::vector<std::string> libraries = inputs_;
  if (queries_.empty()) {
    rows_.emplace(std::vector{inputs_.front()}, options_);
    libraries.erase(libraries.begin());
  } else {
    load_command_line();
  }
  if (!libraries.empty()) columns_.emplace(libraries, options_);
}

void SimilarVerb::accept() {
  std::vector<FingerprintSource*> sources{&*rows_};
  if (columns_) sources.push_back(&*columns_);
  options_.accept(sources);
}

void SimilarVerb::append_text(const similar::Neighbours& found, const NeighbourFormat& format, std::string& text,
                              const std::function<void()>& full) {
  for (Index row = 0; row < found.num_rows(); ++row) {
    for (Index item = found.offsets[row]; item < found.offsets[row + 1]; ++item) {
      const auto& neighbour = found.items[item];
      format.append(rows_->id(found.first_row + row), columns().id(neighbour.molecule),
                    static_cast<float>(neighbour.similarity), text);
    }
    if (std::ssize(text) > kTextBytes) full();
  }
}

similar::Statistics SimilarVerb::write_pairs() {
  const auto format = make_neighbour_format(options_.output);
  RowOutputs outputs(0, ledger_ ? &*ledger_ : nullptr);
  outputs.add_file(options_.output, format->header());
  Index kept_before = 0;
  if (ledger_ && ledger_->last()) search_.first_row = ledger_->last()->second;
  if (ledger_) kept_before = std::llround(ledger_->sum("kept"));
  std::string text;
  Index next_row = search_.first_row, kept = 0;
  Stopwatch since_kept;
  const auto write = [&] { outputs.add({.row = next_row, .texts = {std::exchange(text, {})}}); };
  const auto keep = [&] {
    write();
    if (!ledger_) return;
    ledger_->add_to_sum("kept", static_cast<double>(std::exchange(kept, 0)));
    ledger_->commit();
    since_kept = {};
  };
  auto statistics =
      similar::search(rows_->fingerprints(), columns().fingerprints(), search_, [&](const similar::Neighbours& found) {
        const Stopwatch writing;
        append_text(found, *format, text, [&] {
          if (!ledger_) write();
        });
        next_row = found.first_row + found.num_rows();
        kept += std::ssize(found.items);
        if (!ledger_ || since_kept.seconds() > kKeepSeconds || text.size() > kKeepBytes) keep();
        write_seconds_ += writing.seconds();
      });
  keep();
  outputs.finish();
  statistics.kept += kept_before;
  statistics.pairs += search_.first_row * columns().fingerprints().size();
  return statistics;
}

similar::Statistics SimilarVerb::write_dense() {
  Output output(options_.output);
  output.write(npy_header("<f4", {rows_->fingerprints().size(), columns().fingerprints().size()}));
  const auto statistics = similar::matrix(
      rows_->fingerprints(), columns().fingerprints(),
      [&](Index, std::span<const float> values) {
        const Stopwatch writing;
        output.write({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
        write_seconds_ += writing.seconds();
      },
      search_);
  output.finish();
  return statistics;
}

similar::Statistics SimilarVerb::write_sparse() {
  SparseFile<float> file(options_.output, columns().fingerprints().size());
  const auto statistics =
      similar::search(rows_->fingerprints(), columns().fingerprints(), search_, [&](const similar::Neighbours& found) {
        const Stopwatch writing;
        append_rows(found, file);
        write_seconds_ += writing.seconds();
      });
  const Stopwatch writing;
  file.finish();
  write_seconds_ += writing.seconds();
  return statistics;
}

int SimilarVerb::run() {
  if (explain_) return run_explain();
  const Stopwatch stopwatch;
  check_inputs();
  ledger_ = resume_.open(options_.output, 1);
  similar::Statistics statistics;
  {
    ProgressLine progress("similar", options_.quiet, "pair");
    load();
    accept();
    search_ = {options_.run([&](Index done, Index total) { progress.update(done, done, total); }), nearest_.value_or(0),
               threshold_.value_or(0), without_itself()};
    const std::string name = name_without_compression(options_.output);
    statistics = name.ends_with(".npy") ? write_dense() : name.ends_with(".npz") ? write_sparse() : write_pairs();
  }
  warn_of_few_columns();
  begin_report();
  report(statistics, stopwatch.seconds());
  accept_outputs();
  resume_.finish(ledger_);
  return statistics.kept > 0 ? kFound : kNothingFound;
}

void SimilarVerb::warn_of_few_columns() {
  const Index most = columns().fingerprints().size() - (without_itself() ? 1 : 0);
  if (nearest_ && *nearest_ > most)
    warn(fmt::format("asked for {}, the library has {}{}", grouped(*nearest_), grouped(most),
                     without_itself() ? " others" : ""),
         options_.quiet);
}

void SimilarVerb::plan_job(JobPlan& plan, const std::string&) {
  if (explain_) throw InputError("--explain is no work for shards");
  check_inputs();
  const std::string name = name_without_compression(options_.output);
  if (name.ends_with(".npy") || name.ends_with(".npz"))
    throw InputError("shards hold rows of pairs: .tsv, .csv or .jsonl");
  if (resume_.given()) throw InputError("--resume and --restart are not for jobs, whose shards stay done");
  load();
  const std::string rejects = std::exchange(options_.rejects, "");  // merge writes it
  accept();
  options_.rejects = rejects;
  warn_of_few_columns();
  const Index num_columns = columns().fingerprints().size();
  by_columns_ = num_columns > rows_->fingerprints().size();
  plan.notes[kCutNote] = by_columns_ ? "columns" : "rows";
  plan.outputs = {kNeighbourRows};
  if (plan.num_shards > 0) return;
  const Index num_chunks = std::ssize(columns().chunk_begins());
  plan.num_shards = by_columns_ ? std::min(kManyShards, num_chunks) : kManyShards;
}

void SimilarVerb::open_job(const Job& job) {
  num_shards_ = job.plan().num_shards;
  const auto cut = job.plan().notes.find(kCutNote);
  by_columns_ = cut != job.plan().notes.end() && cut->second == "columns";
  load();
  search_ = {options_.run({}), nearest_.value_or(0), threshold_.value_or(0), without_itself()};
}

void SimilarVerb::run_shard(Index shard, ShardSink& sink) {
  const similar::Fingerprints &rows = rows_->fingerprints(), &all = columns().fingerprints();
  const auto begin = [&](Index of) {
    return by_columns_ ? shard_begin(of, num_shards_, all.size(), columns().chunk_begins())
                       : shard_begin(of, num_shards_, rows.size());
  };
  (by_columns_ ? search_.first_column : search_.first_row) = begin(shard);
  (by_columns_ ? search_.last_column : search_.last_row) = begin(shard + 1);
  std::string text;
  const auto statistics = similar::search(rows, all, search_, [&](const similar::Neighbours& found) {
    append_rows(found, text);
    sink.write(0, std::exchange(text, {}));
  });
  sink.set("kept", std::to_string(statistics.kept));
  sink.set("pairs", std::to_string(statistics.pairs));
}

/// @return  number of pairs that are left
Index SimilarVerb::merge_neighbours(const Job& job) {
  const auto format = make_neighbour_format(options_.output);
  TableOutput file(options_.output);
  std::string text = format->header();
  const auto write = [&] { file.write(std::exchange(text, {})); };
  Index kept = 0;
  const ComparedSize size{rows_->fingerprints().size(), columns().fingerprints().size()};
  const auto take = [&](const similar::Neighbours& found) {
    append_text(found, *format, text, write);
    kept += std::ssize(found.items);
  };
  if (by_columns_)
    merge_columns(job, size, search_.k, take);
  else
    for_each_row(job, size, [&](Index row, const std::vector<similar::Neighbour>& found) {
      take({row, {0, std::ssize(found)}, found});
    });
  write();
  file.finish();
  return kept;
}

int SimilarVerb::merge_job(const Job& job, const std::vector<ShardRecord>& shards) {
  const Stopwatch stopwatch;
  similar::Statistics statistics;
  statistics.kept = merge_neighbours(job);
  accept();
  begin_report();
  statistics.pairs = sum_of(shards, "pairs");
  report(statistics, stopwatch.seconds());
  return statistics.kept > 0 ? kFound : kNothingFound;
}

/// Of both inputs together.
Json::Members SimilarVerb::fingerprints_json() const {
  Index stored = rows_->num_stored(), all = rows_->fingerprints().size();
  if (columns_) {
    stored += columns_->num_stored();
    all += columns_->fingerprints().size();
  }
  return {{"stored", stored}, {"computed", all - stored}};
}

void SimilarVerb::report(const similar::Statistics& statistics, double seconds) {
  const double read = rows_->read_seconds() + (columns_ ? columns_->read_seconds() : 0);
  const double pack = rows_->pack_seconds() + (columns_ ? columns_->pack_seconds() : 0) + statistics.pack_seconds;
  const Index num_rows = rows_->fingerprints().size(), num_columns = columns().fingerprints().size();
  const Index rejected = rows_->report().rejected + (columns_ ? columns_->report().rejected : 0);
  const Index given = num_rows + (columns_ ? num_columns : 0) + rejected;
  if (!options_.quiet)
    say(
        fmt::format("rows {} = ok {} + rejected {}; {} x {} {}, {} kept of {}; read {:.2f} s, pack {:.2f} s, "
                    "compare {:.2f} s, write {:.2f} s\n",
                    given, given - rejected, rejected, num_rows, num_columns,
                    num_rows * num_columns == 1 ? "molecule" : "molecules", counted(statistics.kept, "pair"),
                    grouped(statistics.pairs), read, pack, statistics.compare_seconds, write_seconds_));
  if (!options_.json) return;
  Json::Members object = {{"rows", num_rows},
                          {"columns", num_columns},
                          {"rejected", rejected},
                          {"pairs", statistics.pairs},
                          {"kept", statistics.kept},
                          {"fingerprints", Json(fingerprints_json())},
                          {"threads", threads_in_use(options_.read.threads)},
                          {"device", options_.device()},
                          {"version", kVersion},
                          {"seconds",
                           {{"read", read},
                            {"pack", pack},
                            {"compare", statistics.compare_seconds},
                            {"write", write_seconds_},
                            {"total", seconds}}}};
  if (resume_.given()) object.push_back({"resumed", search_.first_row});
  print(Json(object).line());
}

}  // namespace

std::unique_ptr<Verb> make_similar(Arguments& verb) { return std::make_unique<SimilarVerb>(verb); }

}  // namespace quarry::cli
