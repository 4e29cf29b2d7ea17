/// --resume and --restart: a run that was stopped goes on from a ledger beside its output file, or where --ledger says.
///
/// What is finished is in the ledger with its text, so that no other file has to agree with it. The files of the run are
/// made of it at the end.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arguments/arguments.hpp"
#include "quarry/files/ledger.hpp"

namespace quarry::cli {

class ResumeOptions {
 public:
  /// @param verb  must outlive this object: the ledger keeps what was given on the command line
  void add_to(Arguments& verb);
  /// Adds --ledger, which names the ledger and keeps it at the end.
  void add_ledger_to(Arguments& verb);
  /// Whether the run has a ledger.
  bool given() const { return resume_ || restart_ || !ledger_path_.empty(); }
  /// Whether what is there is to be made anew.
  bool restarts() const { return restart_; }
  /// The ledger of the run: that of --ledger, or `output` with `.ledger` at the end; nothing where no option is given.
  /// @param more_inputs  (name, path) of inputs that stand in a file and not on the command line
  /// @throws InputError  `output` is no file, an input cannot be read again, or as Ledger
  std::optional<Ledger> open(const std::string& output, int num_outputs,
                             const std::vector<std::pair<std::string, std::string>>& more_inputs = {}) const;
  /// To be called when the files of the run are there: removes the ledger, unless --ledger named it.
  void finish(std::optional<Ledger>& ledger) const;

 private:
  Ledger::Job job() const;

  const Arguments* verb_ = nullptr;
  std::string ledger_path_;
  bool resume_ = false, restart_ = false;
};

/// Seconds of work that a stop may cost beside a chunk: what is done is kept about that often.
inline constexpr double kKeepSeconds = 0.1;
/// Bytes of text in memory after which they are kept at once.
inline constexpr std::size_t kKeepBytes = std::size_t{16} << 20;

}  // namespace quarry::cli
