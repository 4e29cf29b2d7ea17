/// A record on disk of how far a run is, with what it has to write, so that it can be resumed after a stop at any moment.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "quarry/error.hpp"

#pragma GCC visibility push(default)
namespace quarry {

/// A row of a run, and its text for each output. Rows are numbered from 0 in the order in which they are added.
struct LedgerRow {
  Index part = 0;  ///< of the run, where it reads its input several times
  Index row = 0;   ///< of the input, from 0; several rows of a run may come from one
  std::string id = {}, status = {};
  std::optional<double> key = {};       ///< what the best rows are found by, the lower the better
  std::vector<std::string> texts = {};  ///< [outputs]
};

/// A ledger is that of another job: it can go on with that job, or begin again with this one.
class LedgerMismatch : public InputError {
 public:
  using InputError::InputError;
};

/// A SQLite database of one run. One process at a time has it open.
class Ledger {
 public:
  /// What must be the same for a run to be resumed: ("--seed", "1").
  using Job = std::vector<std::pair<std::string, std::string>>;

  /// Opens the ledger of a run that was stopped, where `resume` is set and there is one; else makes a new one. One
  /// without rows is taken for any job.
  /// @param restart       a ledger that is there is emptied first, of whatever job it is
  /// @throws LedgerMismatch  it has rows of another job (names the first difference)
  /// @throws InputError   the file is there and neither is set, or is no ledger; another process has it open
  /// @throws SystemError  it cannot be written
  Ledger(const std::string& path, const Job& job, int num_outputs, bool resume, bool restart = false);
  Ledger(Ledger&&) noexcept;
  Ledger& operator=(Ledger&&) noexcept;
  ~Ledger();

  /// Adds a row. Rows of the same part and input row are kept together or not at all.
  /// @throws SystemError  the disk is full
  void add(const LedgerRow& row);
  /// Adds to a named sum of the run, together with the row that was added last.
  void add_to_sum(const std::string& name, double number);
  /// Forgets the texts of a row.
  void drop_texts(Index number);
  /// Keeps what was added. Without it, that happens several times a second before a row is added.
  void commit();
  /// Removes the file: the run has come to its end. Nothing else can be called then.
  void remove();

  Index num_rows() const;
  Index count(const std::string& status) const;
  double sum(const std::string& name) const;
  /// (part, row) of the row added last; nothing where there is none.
  std::optional<std::pair<Index, Index>> last() const;
  /// All rows in order, without their texts.
  void for_each(const std::function<void(Index number, const LedgerRow& row)>& visit) const;
  /// The texts of one output, in order of rows, or of their keys, equal ones in order of rows.
  void for_each_text(int output, bool by_key, const std::function<void(const std::string& text)>& visit) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Size and checksum of a file, for Ledger::Job. @throws InputError  the file cannot be read
[[nodiscard]] std::string identity_of_file(const std::string& path);

}  // namespace quarry
#pragma GCC visibility pop
