/// Rows of a molecule file, as text: one SMILES line, one CSV row, or one SDF record each.
///
/// Reading finds the id and the record of a row and parses no more. A row without them carries the reason.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "quarry/library.hpp"

namespace quarry {

struct Row {
  Index line = 0;      ///< line of the file at which it starts, from 1
  std::string id;      ///< without tabs and line ends; the row number where the file gives none
  std::string record;  ///< SMILES as written, or the SDF record without its `$$$$`
  std::string reason;  ///< why the row is rejected; empty where it is not
  bool operator==(const Row&) const = default;
};

class RowReader {
 public:
  virtual ~RowReader() = default;
  /// @return false at the end of the file
  /// @throws InputError  the file is damaged, or at its end none of its records has the data item that was named
  virtual bool next(Row& row) = 0;
  /// The row that `next` delivered last, as written; empty for SDF, where the record is that.
  virtual std::string_view text() const { return {}; }
  /// The first line of the file, as written, where it names columns; known when a row was read.
  virtual std::string header() const { return {}; }
  /// Names of the columns beside SMILES and, of a SMILES file, id.
  virtual std::vector<std::string> columns() const { return {}; }
  /// Their values in the row that `next` delivered last, with a tab before each.
  virtual std::string column_values() const { return {}; }
  /// Of the rows so far.
  const ReadNotes& notes() const { return notes_; }
  virtual RecordFormat record_format() const = 0;
  virtual Index bytes_read() const = 0;
  virtual Index bytes_total() const = 0;

 protected:
  ReadNotes notes_;
};

/// "csv" of "folder/file.CSV.gz".
std::string extension_of(const std::string& path);

/// Does `open_rows` read this format?
bool is_row_format(std::string_view format);

/// Opens a file as `options.format` says, else as its extension before `.gz`, `.zst`, `.bz2` or `.xz` says; "-" is SMILES.
/// @throws InputError  the file cannot be read, its format is unknown, or its header lacks a column
std::unique_ptr<RowReader> open_rows(const std::string& path, const ReadOptions& options);

}  // namespace quarry
