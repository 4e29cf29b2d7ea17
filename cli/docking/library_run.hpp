/// Docks a file of ligands in one pocket after the other, and writes what is found.
#pragma once
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "docking/labels.hpp"
#include "docking/pose_rows.hpp"
#include "docking/totals.hpp"
#include "input/read_notes.hpp"
#include "output/progress.hpp"
#include "output/row_outputs.hpp"

namespace quarry::cli {

class LibraryRun {
 public:
  LibraryRun(const DockOptions& options, std::vector<DockTarget> targets);
  /// A shard, as `options` say: rows go to its outputs. @param with_header  for the first one
  LibraryRun(const DockOptions& options, std::vector<DockTarget> targets, ShardSink& shard, bool with_header);
  /// Docks and completes the outputs.
  void run();
  const DockTotals& totals() const { return totals_; }
  /// Of --labels; nothing without.
  std::optional<Labels>& labels() { return labels_; }
  /// To be called when the files of the run are there.
  void finish_ledger() { options_.resume.finish(ledger_); }

 private:
  void make_formats();
  void open_ledger(int num_outputs);
  void add_files();
  void resume();
  /// The rows of this run, half open, of all targets' rows one after the other.
  void find_range();
  void check_targets();
  void read_receptor_of(const DockTarget& target);
  bool targets_have_names() const { return !targets_.front().name.empty(); }
  /// Reads the receptor, and says what is wrong with it or with the box.
  void enter(const DockTarget& target);
  void dock(const DockTarget& target, Index part);
  std::vector<LigandRow> next_rows(LigandReader& reader);
  Index bytes_of(Index rows);
  void take(const DockTarget& target, Index part, const LigandRow& row, const dock::Result& result);
  /// What is to be said of a ligand at the end.
  void note(const LigandRow& row);
  std::vector<std::string> texts_of(const DockTarget& target, const LigandRow& row, const dock::Result& result,
                                    const ScoreRow& score_row) const;

  const DockOptions& options_;
  std::vector<DockTarget> targets_;
  std::optional<Ledger> ledger_;
  bool with_header_ = true;
  std::optional<PoseFormat> pose_format_;
  std::optional<TableText> table_;
  std::optional<Labels> labels_;
  std::optional<RowOutputs> outputs_;
  Index rows_of_target_ = 0;       ///< known where there are shards
  Index first_row_ = 0, end_row_;  ///< of this run
  Index end_row_of_part_ = 0;      ///< of the input
  Index next_row_ = 0;             ///< to be read
  /// Rows and bytes of the target that is docked, up to the end of a read.
  struct ReadSum {
    Index rows = 0, bytes = 0;
  };
  std::mutex reading_;
  std::deque<ReadSum> reads_;  ///< of which some rows are not docked yet
  ReadSum reached_;            ///< the last of which all are
  Index rows_read_ = 0;
  std::string receptor_path_;  ///< of `receptor_`
  Receptor receptor_;
  DockTotals totals_;
  std::optional<ProgressLine> progress_;  ///< while ligands are docked
  Index num_complaints_ = 0;
  // Ligands with LigandRow::left_out, and with is_one_of_several.
  Index num_left_out_ = 0, num_one_of_several_ = 0;
  std::string first_left_out_, first_one_of_several_;
  DistinctIds ids_;  ///< of the ligands of this run
  ReadNotes notes_;  ///< on the file of ligands
};

}  // namespace quarry::cli
