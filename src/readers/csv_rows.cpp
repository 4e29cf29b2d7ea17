/// CSV and TSV files with a header. Quoting: RFC 4180, line ends inside quotes included.
#include <algorithm>
#include <deque>
#include <iterator>
#include <optional>
#include <vector>

#include "quarry/error.hpp"
#include "readers/row_formats.hpp"
#include "util/ascii.hpp"
#include "util/files/byte_source.hpp"
#include "util/files/fields.hpp"

namespace quarry {
namespace {

/// A quoted field that is still open after this many bytes is a stray quote, not a field.
constexpr std::size_t kMaxQuotedBytes = std::size_t{1} << 16;

std::optional<std::size_t> find_column(const Fields& header, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    for (std::size_t column = 0; column < header.size(); ++column) {
      if (equal_ignoring_case(trimmed(header[column]), name)) return column;
    }
  }
  return std::nullopt;
}

/// Prefers the exact name to one that differs in case.
std::optional<std::size_t> find_named(const Fields& header, const std::string& name) {
  const auto exact = std::find(header.begin(), header.end(), name);
  if (exact != header.end()) return exact - header.begin();
  return find_column(header, {name});
}

class CsvRows final : public LineRows {
 public:
  CsvRows(const std::string& path, char separator, const ReadOptions& options)
      : LineRows(path), path_(path), separator_(separator) {
    read_header(options);
  }
  RecordFormat record_format() const override { return RecordFormat::smiles; }
  std::string_view text() const override { return text_; }

  bool next(Row& row) override {
    std::string line;
    do {
      if (!next_line(line)) return false;
    } while (trimmed(line).empty());
    row = {line_number_, std::to_string(++num_rows_), "", ""};
    const auto fields = complete_row(line);
    if (!fields) {
      row.reason = "a quoted field is never closed";
      return true;
    }
    if (id_column_ && *id_column_ < fields->size()) row.id = tidy_id((*fields)[*id_column_], num_rows_);
    if (smiles_column_ < fields->size()) {
      row.record = trimmed((*fields)[smiles_column_]);
    } else {
      row.reason = "the row has " + std::to_string(fields->size()) + " columns, the SMILES is in column " +
                   std::to_string(smiles_column_ + 1);
    }
    return true;
  }

 private:
  void read_header(const ReadOptions& options) {
    std::string line;
    while (trimmed(line).empty()) {
      if (!next_line(line)) return;  // an empty file has no rows; the caller reports that
    }
    if (separator_ == 0) separator_ = likely_separator(line);
    const Fields header = complete_row(line).value_or(Fields{});
    const auto smiles = options.smiles_column.empty() ? find_column(header, {"smiles", "canonical_smiles"})
                                                      : find_named(header, options.smiles_column);
    if (!smiles) refuse(header, options.smiles_column.empty() ? "smiles" : options.smiles_column);
    smiles_column_ = *smiles;
    id_column_ =
        options.id_column.empty() ? find_column(header, {"id", "name"}) : find_named(header, options.id_column);
    if (!id_column_ && !options.id_column.empty()) refuse(header, options.id_column);
  }

  [[noreturn]] void refuse(const Fields& header, const std::string& wanted) const {
    std::string columns;
    for (const std::string& name : header) columns += (columns.empty() ? "" : ", ") + name;
    throw InputError(input_name(path_) + " has no column named " + wanted + "; its columns are: " + columns);
  }

  /// Joins the lines that a quoted field spans. Where it is never closed, puts the lines after the first back, so that
  /// a stray quote costs one row and not the rest of the file.
  std::optional<Fields> complete_row(const std::string& first) {
    FieldSplitter splitter(separator_);
    splitter.feed(first);
    text_ = first;
    std::deque<std::string> taken;
    std::size_t taken_bytes = 0;
    const Index first_line = line_number_;
    for (std::string line; !splitter.complete() && taken_bytes <= kMaxQuotedBytes && next_line(line);) {
      splitter.feed(line);
      text_.append(1, '\n').append(line);
      taken_bytes += line.size();
      taken.push_back(std::move(line));
    }
    if (splitter.complete()) return splitter.take();
    waiting_.insert(waiting_.begin(), std::make_move_iterator(taken.begin()), std::make_move_iterator(taken.end()));
    line_number_ = first_line;
    return std::nullopt;
  }

  bool next_line(std::string& line) {
    if (!waiting_.empty()) {
      line = std::move(waiting_.front());
      waiting_.pop_front();
    } else if (!lines_.next(line)) {
      return false;
    }
    ++line_number_;
    return true;
  }

  std::string path_, text_;
  char separator_;
  std::size_t smiles_column_ = 0;
  std::optional<std::size_t> id_column_;
  std::deque<std::string> waiting_;  // lines that complete_row put back
  Index line_number_ = 0;
};

}  // namespace

std::unique_ptr<RowReader> csv_rows(const std::string& path, char separator, const ReadOptions& options) {
  return std::make_unique<CsvRows>(path, separator, options);
}

}  // namespace quarry
