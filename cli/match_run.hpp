/// One run of `quarry match`: writes each result as rows, adds up totals, and checks a sample of the pairs.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "input/source.hpp"
#include "jobs/molecule_rows.hpp"
#include "output/hits.hpp"
#include "output/progress.hpp"
#include "output/row_outputs.hpp"
#include "quarry/files/hits.hpp"
#include "quarry/files/ledger.hpp"
#include "quarry/files/output.hpp"
#include "quarry/job.hpp"
#include "quarry/match.hpp"
#include "stopwatch.hpp"

namespace quarry::cli {

/// The output of a shard that holds its pairs, whatever format they are written in at the end of the job.
inline constexpr const char* kPairsOfShard = "hits.qhits";

/// One row of --summary.
struct QueryTotals {
  Index molecules = 0, embeddings = 0, truncated = 0, timeout = 0, overflow = 0;
};

/// What to write, and where. An empty path is no output.
struct MatchOutputs {
  std::string path = "-";  ///< rows of all hits, or what the flags say
  std::string matched, unmatched;
  bool per_molecule = false, invert = false;
  std::string id_column = {};  ///< as --id-column names it
  /// Whether the rows of `path` are pairs of molecules and queries, and not molecules.
  bool hold_pairs() const;
  /// Whether some output holds molecules, and with them what the input says of each.
  bool hold_molecules() const;
  /// @throws InputError  a name is of no format, or of one that cannot hold these rows
  void check_formats(match::Mode mode) const;
  /// Files of hits, and after them the rejected rows and the names of pairs that overflowed: texts of a ledger.
  int num_texts() const { return 3 + (matched.empty() ? 0 : 1) + (unmatched.empty() ? 0 : 1); }
};

/// Numbers for the closing line and the JSON object.
struct MatchTotals {
  match::Statistics statistics;
  Index flagged = 0;  ///< molecules that some query matches
  std::vector<QueryTotals> queries;
  match::Agreement agreement;
  Index resumed = 0;                                           ///< molecules that an earlier run had done
  std::vector<std::pair<std::string, std::string>> overflows;  ///< molecule and query; the first 100
  double write_seconds = 0, verify_seconds = 0;
};

class MatchRun {
 public:
  /// @param columns         names of those that the first file of molecules has beside SMILES and id
  /// @param verify_percent  percentage of the pairs to check with RDKit; negative: none
  /// @param ledger          keeps the run until its end, or is nullptr
  MatchRun(const QuerySet& queries, const match::Options& options, const MatchOutputs& outputs,
           const std::vector<std::string>& columns, double verify_percent, std::uint64_t seed, Ledger* ledger);

  /// A shard of it: rows and totals go to `shard`, pairs in the form of .qhits.
  /// @param with_header  for the first one
  MatchRun(const QuerySet& queries, const match::Options& options, const MatchOutputs& outputs,
           const std::vector<std::string>& columns, ShardSink& shard, bool with_header);

  /// Without outputs of its own.
  MatchRun(const QuerySet& queries, const match::Options& options, const std::vector<std::string>& columns,
           double verify_percent, std::uint64_t seed, Ledger* ledger, RowOutputs outputs);

  /// Searches every library of the source, or those that its ledger does not have.
  void search(MoleculeSource& source, RejectsFile& rejects, ProgressLine& progress);
  /// Searches molecules of one library.
  void search(match::Matcher& matcher, const MoleculeRange& range);
  /// Completes the output file.
  void finish();
  /// Completes the shard.
  void finish_shard(ShardSink& shard);
  /// Totals and queries of shards that `finish_shard` has written.
  /// @param output  that after those of MatchOutputs
  void add_shards(const Job& job, const std::vector<ShardRecord>& shards, int output);
  const MatchTotals& totals() const { return totals_; }

 private:
  /// A file of matched or unmatched molecules.
  struct Sink {
    std::unique_ptr<HitFormat> format;
    bool unmatched;
    std::string rows;  ///< waiting to be written
  };
  /// How far a run is, beside its totals.
  struct Position {
    Index library = 0, molecule = 0;  ///< the first that is not done: a library of the source, and its molecule
    Index molecules_before = 0;       ///< in the libraries before it
    std::vector<Report> files;        ///< rows of whole libraries that are done
  };

  void add_sinks(const MatchOutputs& outputs, bool with_header);
  void add_sink(std::unique_ptr<HitFormat> format, bool unmatched, const std::string& path, bool with_header);
  /// The texts of a shard before that with the names of pairs that overflowed.
  int num_texts() const { return static_cast<int>(sinks_.size()) + (pairs_of_shard_ ? 1 : 0); }
  void enter_file(const MoleculeSource& source);
  /// Goes on where the ledger stands.
  void resume(MoleculeSource& source);
  void leave_library(const MoleculeSource& source, const Library& library);
  /// Calls `visit(name, number)` for each number that a run which goes on has to know.
  template <class Visit>
  void visit_numbers(Visit&& visit);
  /// Writes the rows that wait, or gives them to the ledger with the position.
  void keep_rows();
  void take(const Library& library, TextCursor& text, const match::Result& result);
  void write_rows(TextCursor& text, const match::Result& result);
  void add_pairs_of_shard(TextCursor& text, const match::Result& result, Index row);
  void add_to_totals(const match::Result& result);
  void note_overflows(TextCursor& text, const match::Result& result);
  void load_overflows();
  void take_overflows(std::string_view names);
  void visit_statistics(const std::function<void(const char* name, Index& number)>& visit);
  void verify(const Library& library, const match::Result& result);

  const QuerySet& queries_;
  match::Options options_;
  double verify_percent_;
  std::uint64_t seed_;
  Ledger* ledger_;
  RowOutputs outputs_;
  std::vector<Sink> sinks_;
  ShardSink* shard_ = nullptr;
  std::optional<match::HitsWriter> pairs_of_shard_;  ///< to the first text; those of the sinks follow
  std::string rejected_, overflowed_;                // rows and names waiting for the ledger
  Position position_;
  std::vector<Index> kept_;  // numbers that the ledger has
  Stopwatch since_kept_;
  std::vector<std::string> first_columns_, columns_;  // of the first file, and of that which is searched
  MatchTotals totals_;
};

/// "molecules embeddings truncated timeout overflow" of a query.
void visit_totals(QueryTotals& totals, const std::function<void(const char* name, Index& number)>& visit);

/// `query smarts molecules embeddings truncated timeout overflow` of every query in input order, as `rows_for_file`.
std::string summary_table(const std::string& path, const QuerySet& queries, const std::vector<QueryTotals>& totals);

}  // namespace quarry::cli
