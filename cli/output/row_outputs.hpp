/// The rows of a run on their way to several files: in order, or the best first; at once, or by way of a ledger.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "output/row_file.hpp"
#include "quarry/files/ledger.hpp"
#include "quarry/job.hpp"

namespace quarry::cli {

class RowOutputs {
 public:
  /// @param top     0: all rows, in order; else only this number of rows, of those that have a key, least key first
  /// @param ledger  keeps the rows until `finish`; nullptr: they are written at once, or kept in memory while they are
  ///                among the best
  RowOutputs(Index top, Ledger* ledger) : top_(top), ledger_(ledger) {}
  /// All rows, in order, go to a shard, with a text in place of each file.
  explicit RowOutputs(ShardSink& shard) : top_(0), ledger_(nullptr), shard_(&shard) {}

  /// To be called before any row. A ledger may have more texts, after those of the files.
  /// @throws SystemError  the folder cannot be written
  void add_file(const std::string& path, const std::string& header);
  /// The same for a file that `open` opens, each time anew.
  void add_file(std::function<std::unique_ptr<RowFile>()> open, const std::string& header);
  /// To be called once after the files: takes note of the rows that a ledger has already.
  void load();
  /// @param row  with a text for each file. With `top`, a row without a key is written whatever the best rows are
  void add(LedgerRow row);
  /// Writes what is still missing and completes the files.
  void finish();

 private:
  struct Kept {
    double key;
    Index number;
    std::vector<std::string> texts;  ///< where there is no ledger
    bool operator<(const Kept& other) const { return std::pair(key, number) < std::pair(other.key, other.number); }
  };
  /// @return the row that is no longer among the best; nothing while there is room
  std::optional<Index> keep(Kept kept);
  void write(const std::vector<std::string>& texts);
  void write_headers();  ///< with the first row, or at the end: a run that fails before has written nothing

  Index top_;
  Ledger* ledger_;
  ShardSink* shard_ = nullptr;
  std::vector<std::function<std::unique_ptr<RowFile>()>> files_;
  std::vector<std::string> headers_;
  std::vector<std::unique_ptr<RowFile>> outputs_;  ///< where there is no ledger
  std::vector<Kept> best_;                         ///< a heap with the worst of them on top
  Index num_rows_ = 0;
  bool begun_ = false;
};

}  // namespace quarry::cli
