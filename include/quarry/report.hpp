/// What became of the rows of an input: every row is either ok, or rejected with a reason.
#pragma once
#include <string>

#include "quarry/index.hpp"

#pragma GCC visibility push(default)
namespace quarry {

/// A row that could not be used; the run went on without it.
struct RejectedRow {
  Index line = 0;      ///< line of the file, from 1; for SDF the line at which the record starts
  std::string id;      ///< id as written, or empty
  std::string reason;  ///< one phrase, for example "N at atom 3 has valence 5, which is not allowed"
  bool operator==(const RejectedRow&) const = default;
};

/// The counts at the end of a run. `rows == ok + rejected` always holds.
struct Report {
  Index rows = 0;
  Index ok = 0;
  Index rejected = 0;
  bool operator==(const Report&) const = default;
  Report& operator+=(const Report& other) {
    rows += other.rows;
    ok += other.ok;
    rejected += other.rejected;
    return *this;
  }
};

}  // namespace quarry
#pragma GCC visibility pop
