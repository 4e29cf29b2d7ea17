/// What became of the rows of an input: every row is either ok, or rejected with a reason; and where their ids are from.
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

/// What there is to say of an input beside its rows.
struct ReadNotes {
  /// Where ids are taken from, as "column 'Catalog_ID'"; empty where they stand at the place that the format has for them.
  std::string ids;
  Index without_id = 0;     ///< records that lack what `ids` names: their id is their title or the row number
  Index not_utf8 = 0;       ///< rows whose id is not UTF-8, as of a file in Latin-1: its bytes stay
  Index extensions = 0;     ///< of CXSMILES, which are ignored: stereo groups, atom labels and the like
  bool no_columns = false;  ///< ReadOptions::id_column names a column, and the file is SMILES without a header
  bool operator==(const ReadNotes&) const = default;
};

}  // namespace quarry
#pragma GCC visibility pop
