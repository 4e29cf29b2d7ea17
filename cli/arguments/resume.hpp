/// --resume and --restart: a run that was stopped goes on from a ledger beside its output file.
///
/// What is finished is in the ledger with its text, so that no other file has to agree with it. The files of the run are
/// made of it at the end.
#pragma once
#include <optional>
#include <string>

#include "arguments/arguments.hpp"
#include "quarry/ledger.hpp"

namespace quarry::cli {

class ResumeOptions {
 public:
  /// @param verb  must outlive this object: the ledger keeps what was given on the command line
  void add_to(Arguments& verb);
  bool given() const { return resume_ || restart_; }
  /// The ledger of the run, as `output` with `.ledger` at the end; nothing where neither option is given.
  /// @throws InputError  `output` is no file, an input cannot be read again, or as Ledger
  std::optional<Ledger> open(const std::string& output, int num_outputs) const;

 private:
  Ledger::Job job() const;

  const Arguments* verb_ = nullptr;
  bool resume_ = false, restart_ = false;
};

/// Seconds of work that a stop may cost beside a chunk: what is done is kept about that often.
inline constexpr double kKeepSeconds = 0.1;
/// Bytes of text in memory after which they are kept at once.
inline constexpr std::size_t kKeepBytes = std::size_t{16} << 20;

}  // namespace quarry::cli
