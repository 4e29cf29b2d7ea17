/// Rows of a molecule file, as text: one SMILES line, one CSV row, or one SDF record each.
///
/// Nothing is parsed here beyond finding the id and the record; a row that is not even that carries its reason.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "quarry/library.hpp"

namespace quarry {

struct Row {
  Index line = 0;      ///< at which it starts, from 1
  std::string id;      ///< without tabs and line ends; the row number where the file gives none
  std::string record;  ///< SMILES as written, or the SDF record without its `$$$$`
  std::string reason;  ///< not empty: refused already
  bool operator==(const Row&) const = default;
};

class RowReader {
 public:
  virtual ~RowReader() = default;
  /// @return false at the end of the file
  /// @throws InputError  the file is damaged
  virtual bool next(Row& row) = 0;
  /// The row that `next` delivered last as it stands in the file; empty for SDF, where it is the record.
  virtual std::string_view text() const { return {}; }
  virtual RecordFormat record_format() const = 0;
  virtual Index bytes_read() const = 0;
  virtual Index bytes_total() const = 0;
};

/// Opens a file by `options.format`, else by its extension before `.gz` or `.zst`; "-" is SMILES.
/// @throws InputError  the file cannot be read, its format is unknown, or the CSV header lacks a column
std::unique_ptr<RowReader> open_rows(const std::string& path, const ReadOptions& options);

}  // namespace quarry
