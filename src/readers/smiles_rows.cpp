/// SMILES files: `SMILES [|extension|] [id]`, after blanks or tabs, and further columns after tabs; a header line, blank
/// lines, lines that start with `# `.
#include <algorithm>
#include <utility>

#include "quarry/error.hpp"
#include "readers/row_formats.hpp"
#include "util/ascii.hpp"
#include "util/files/byte_source.hpp"

namespace quarry {
namespace {

bool is_comment(std::string_view line) {
  return line.starts_with('#') && (line.size() == 1 || kBlanks.find(line[1]) != std::string_view::npos);
}

/// PERF: `find_first_of` calls a function for each character, `find` of one character looks at many at once.
std::string_view first_word(std::string_view line) {
  line = line.substr(0, line.find(' '));
  return line.substr(0, line.find('\t'));
}

std::string_view without_front_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kBlanks), text.size()));
}

/// Is it a blank and an id of which nothing is cut or replaced, as nearly all are?
bool is_plain_id(std::string_view rest) {
  if (rest.size() < 2 || kBlanks.find(rest[0]) == std::string_view::npos || rest[1] == '|') return false;
  return std::ranges::all_of(rest.substr(1), [](char c) { return c > ' ' && c <= '~'; });
}

std::vector<std::string> tab_separated(std::string_view line) {
  std::vector<std::string> fields;
  for (std::size_t tab = 0; tab != std::string_view::npos; line.remove_prefix(std::min(tab + 1, line.size()))) {
    tab = line.find('\t');
    fields.emplace_back(trimmed(line.substr(0, tab)));
  }
  return fields;
}

class SmilesRows final : public LineRows {
 public:
  SmilesRows(const std::string& path, const ReadOptions& options)
      : LineRows(path, options.threads), path_(path), id_name_(options.id_column), whole_ids_(options.whole_ids) {
    notes_.no_columns = !id_name_.empty();
  }
  RecordFormat record_format() const override { return RecordFormat::smiles; }
  std::string_view text() const override { return line_; }
  std::string column_values() const override { return values_; }
  std::string header() const override { return header_line_; }

  std::vector<std::string> columns() const override {
    std::vector<std::string> names = header_;
    if (names.empty()) return names;
    names.erase(names.begin() + id_column_);
    names.erase(names.begin());
    return names;
  }

  bool next(Row& row) override {
    while (lines_.next(line_)) {
      const std::string_view line = trimmed(line_);
      if (line.empty() || is_comment(line)) continue;
      const std::string_view smiles = first_word(line);
      if (std::exchange(may_be_header_, false) && equal_ignoring_case(smiles, "smiles")) {
        read_header(line);
        header_line_ = line;
        continue;
      }
      row.line = lines_.line_number();
      row.record = smiles;
      row.reason.clear();
      ++num_rows_;
      values_.clear();
      const std::string_view rest = line.substr(smiles.size());
      if (header_.empty() && is_plain_id(rest)) {
        row.id = rest.substr(1);
      } else {
        row.id = tidied(id_of(rest, row.reason));
        std::ranges::replace(values_, '\r', ' ');  // as keep_on_one_line, but for the tabs between values
      }
      return true;
    }
    return false;
  }

 private:
  void read_header(std::string_view line) {
    // Without tabs, names of columns cannot be told from names with blanks.
    if (whole_ids_ || line.find('\t') == std::string_view::npos) return;
    header_ = tab_separated(line);
    const auto column = id_name_.empty() ? find_id_name(header_) : find_named(header_, id_name_);
    if (!id_name_.empty() && column.value_or(0) == 0)
      throw InputError(input_name(path_) + " has no column of ids named " + id_name_ +
                       "; its columns are: " + listed(header_));
    if (column.value_or(0) > 0) id_column_ = *column;
    if (id_column_ > 1) notes_.ids = "column '" + header_[id_column_] + "'";
    notes_.no_columns = false;
    name_columns(header_);
  }

  /// Takes what follows the SMILES apart.
  std::string id_of(std::string_view rest, std::string& reason) {
    if (whole_ids_) return std::string(rest);
    const bool by_header = !header_.empty() && rest.find('\t') != std::string_view::npos;
    // Behind a header, an extension after a tab is a column of its own.
    if (!(by_header && rest.starts_with('\t')) && cut_extension(rest, reason)) ++notes_.extensions;
    if (!reason.empty()) return std::string(without_front_blanks(rest));
    return by_header ? named_column(rest) : second_column(without_front_blanks(rest));
  }

  std::string second_column(std::string_view rest) {
    const auto tab = std::min(rest.find('\t'), rest.size());
    values_ = rest.substr(tab);
    return without_extension(rest.substr(0, tab));
  }

  /// An id without an extension that follows it.
  std::string without_extension(std::string_view id) {
    id = trimmed(id);
    const auto begin = id.find(" |");
    if (id.ends_with('|') && begin != std::string_view::npos && begin + 2 < id.size()) {
      ++notes_.extensions;
      id = id.substr(0, begin);
    }
    return std::string(id);
  }

  /// @param rest  begins with the tab before column 1
  std::string named_column(std::string_view rest) {
    const auto fields = tab_separated(rest);
    std::string id;
    for (std::size_t i = 1; i < fields.size(); ++i) {
      if (i == id_column_)
        id = without_extension(fields[i]);
      else
        values_.append(1, '\t').append(fields[i]);
    }
    return id;
  }

  std::string path_, id_name_;
  bool whole_ids_;
  std::string line_, values_;
  std::string header_line_;
  std::vector<std::string> header_;
  std::size_t id_column_ = 1;
  bool may_be_header_ = true;
};

}  // namespace

bool cut_extension(std::string_view& text, std::string& reason) {
  const std::string_view rest = without_front_blanks(text);
  if (!rest.starts_with('|')) return false;
  const auto end = rest.find('|', 1);
  if (end == std::string_view::npos) {
    reason = "the extension after the SMILES has no end: a second | is missing";
    return false;
  }
  text = rest.substr(end + 1);
  return true;
}

std::unique_ptr<RowReader> smiles_rows(const std::string& path, const ReadOptions& options) {
  return std::make_unique<SmilesRows>(path, options);
}

}  // namespace quarry
