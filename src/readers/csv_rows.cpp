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

class CsvRows final : public LineRows {
 public:
  CsvRows(const std::string& path, char separator, const ReadOptions& options)
      : LineRows(path, options.threads), path_(path), separator_(separator) {
    read_header(options);
  }
  RecordFormat record_format() const override { return RecordFormat::smiles; }
  std::string_view text() const override { return text_; }
  std::string header() const override { return header_; }
  std::vector<std::string> columns() const override { return columns_; }
  std::string column_values() const override {
    std::string values;
    for (std::size_t i = 0; i < columns_.size() + 1; ++i) {
      if (i == smiles_column_) continue;
      std::string value = i < fields_.size() ? fields_[i] : "";
      keep_on_one_line(value);
      values.append(1, '\t').append(value);
    }
    return values;
  }

  bool next(Row& row) override {
    std::string line;
    do {
      if (!next_line(line)) return false;
    } while (trimmed(line).empty());
    row = {line_number_, std::to_string(++num_rows_), "", ""};
    fields_ = complete_row(line).value_or(Fields{});
    if (fields_.empty()) {
      row.reason = quote_fault_;
      return true;
    }
    read_id(row);
    if (smiles_column_ < fields_.size()) {
      read_smiles(fields_[smiles_column_], row);
    } else {
      row.reason = "the row has " + std::to_string(fields_.size()) + " columns, the SMILES is in column " +
                   std::to_string(smiles_column_ + 1);
    }
    return true;
  }

 private:
  void read_id(Row& row) {
    if (!id_column_) return;
    const std::string_view id = *id_column_ < fields_.size() ? std::string_view(fields_[*id_column_]) : "";
    if (trimmed(id, " \t\r\n").empty()) ++notes_.without_id;
    row.id = tidied(id);
  }

  void read_smiles(std::string_view cell, Row& row) {
    cell = trimmed(cell);
    row.record = cell;
    std::string_view rest = cell.substr(std::min(cell.find_first_of(kBlanks), cell.size()));
    const auto size = cell.size() - rest.size();
    if (!cut_extension(rest, row.reason)) return;
    ++notes_.extensions;
    row.record = cell.substr(0, size);
  }

  void read_header(const ReadOptions& options) {
    std::string line;
    while (trimmed(line).empty()) {
      if (!next_line(line)) return;  // an empty file has no rows; the caller reports that
    }
    if (separator_ == 0) separator_ = likely_separator(line);
    const Fields header = complete_row(line).value_or(Fields{});
    header_ = text_;
    const auto smiles =
        options.smiles_column.empty() ? find_smiles_name(header) : find_named(header, options.smiles_column);
    if (!smiles) refuse(header, options.smiles_column.empty() ? "smiles" : options.smiles_column, "smiles_column");
    smiles_column_ = *smiles;
    columns_ = header;
    name_columns(columns_);
    columns_.erase(columns_.begin() + smiles_column_);
    id_column_ = options.id_column.empty() ? find_id_name(header) : find_named(header, options.id_column);
    if (!id_column_ && !options.id_column.empty()) refuse(header, options.id_column, "id_column");
    notes_.ids = id_column_ ? "column '" + header[*id_column_] + "'"
                            : "the numbers of rows, because no column has a name that ids have";
  }

  [[noreturn]] void refuse(const Fields& header, const std::string& wanted, const std::string& option) const {
    throw InputError(input_name(path_) + " has no column named " + wanted + "; its columns are: " + listed(header),
                     option);
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
    // Where a field that took several lines goes on behind its quote, that is another stray quote.
    if (splitter.complete() && (taken.empty() || !splitter.goes_on_after_quotes())) return splitter.take();
    quote_fault_ =
        splitter.complete() ? "a quoted field ends in the midst of a later field" : "a quoted field is never closed";
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
  std::string header_;
  Fields columns_;  // all but that of the SMILES
  Fields fields_;   // of the row delivered last; empty where it has a stray quote
  const char* quote_fault_ = "";
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
