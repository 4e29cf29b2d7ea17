/// The three row readers, and what they have in common.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exec/parallel.hpp"
#include "readers/row_reader.hpp"
#include "util/files/line_reader.hpp"

namespace quarry {

inline constexpr std::string_view kBlanks = " \t";
/// A longer record of several lines is refused: its end is missing.
inline constexpr std::size_t kMaxRecordBytes = std::size_t{64} << 20;

bool equal_ignoring_case(std::string_view left, std::string_view right);
/// Makes a text fit into one field of a table: tabs and line ends become blanks.
void keep_on_one_line(std::string& field);
/// An id as one field of a table, with no blank at either end. The row number if it is
/// empty.
std::string tidy_id(std::string_view id, Index row_number);

/// Which of the names is that of ids, as files name them: `ID`, `Catalog_ID`, `chembl_id`, `name`, ...
std::optional<std::size_t> find_id_name(std::span<const std::string> names);

/// Which of the names is that of SMILES: `smiles`, `Canonical SMILES`, `isomeric_smiles`.
std::optional<std::size_t> find_smiles_name(std::span<const std::string> names);
/// Which of the names is `name`; prefers the exact one to one that differs in case.
std::optional<std::size_t> find_named(std::span<const std::string> names, std::string_view name);

/// Gives each column of a table a name of its own, in one line: `column 3` where it has none, by its number from 1, and
/// `price_2` where an earlier one is called `price`, in any case.
void name_columns(std::vector<std::string>& names);

/// "a, b, c"
std::string listed(std::span<const std::string> names);

/// Cuts an extension of CXSMILES, `|...|`, from the front of a text, with the blanks before it.
/// @param reason  why the row is rejected, where the extension has no end
/// @return        whether there was one
bool cut_extension(std::string_view& text, std::string& reason);

/// A row reader over lines: what is the same for all formats.
class LineRows : public RowReader {
 public:
  explicit LineRows(const std::string& path, int threads = 1) : lines_(path, resolve_threads(threads)) {}
  Index bytes_read() const override { return lines_.bytes_read(); }
  Index bytes_total() const override { return lines_.bytes_total(); }

 protected:
  /// The id of the row, tidy; it is counted where it is not UTF-8.
  std::string tidied(std::string_view id);

  LineReader lines_;
  Index num_rows_ = 0;
};

std::unique_ptr<RowReader> smiles_rows(const std::string& path, const ReadOptions& options);
std::unique_ptr<RowReader> sdf_rows(const std::string& path, const ReadOptions& options);
/// Molecules with coordinates, as those of SDF; only ligands are read from mol2.
std::unique_ptr<RowReader> mol2_rows(const std::string& path);
/// @param separator  0: comma, tab or semicolon, whichever the header uses most
std::unique_ptr<RowReader> csv_rows(const std::string& path, char separator, const ReadOptions& options);

}  // namespace quarry
