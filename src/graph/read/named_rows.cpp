/// Edge lists, adjacency lists and vertex labels whose ids are text.
///
/// The first row says what separates the fields: a tab, else a comma, else a semicolon, else blanks; with all but blanks
/// a name may have blanks inside. Quotes are as RFC 4180 has them. Each piece of the text numbers its names, and the
/// pieces are joined in the order of the file.
#include <fmt/format.h>

#include <array>
#include <charconv>

#include "graph/read/graph_text.hpp"
#include "graph/read/name_table.hpp"
#include "util/ascii.hpp"
#include "util/files/fields.hpp"

namespace quarry {
namespace {

/// NetworkX writes what an edge holds as {'weight': 3, 'kind': 'x'}, with commas and blanks of its own.
char separator_of(std::string_view line) {
  line = trimmed(line.substr(0, line.find('{')), " \t\r");
  for (const char separator : {'\t', ',', ';'}) {
    if (line.find(separator) != std::string_view::npos) return separator;
  }
  return ' ';
}

std::string name_of_separator(char separator) {
  return separator == '\t' ? "tab" : separator == ',' ? "comma" : separator == ';' ? "semicolon" : "space";
}

/// A row, cut into fields without the blanks around them; empty ones at its end are left out.
class NameRow {
 public:
  explicit NameRow(char separator) : separator_(separator) {}

  /// @return false where a quote is not closed
  bool cut(std::string_view line) {
    fields_.clear();
    if (line.find('"') != std::string_view::npos) return cut_quoted(line);
    std::size_t begin = 0;
    while (begin <= line.size()) {
      const std::size_t end =
          std::min(separator_ == ' ' ? line.find_first_of(" \t", begin) : line.find(separator_, begin), line.size());
      add(trimmed(line.substr(begin, end - begin)));
      begin = end + 1;
    }
    drop_empty_end();
    return true;
  }
  Index size() const { return std::ssize(fields_); }
  std::string_view operator[](Index field) const { return fields_[field]; }

 private:
  bool cut_quoted(std::string_view line) {
    FieldSplitter splitter(separator_);
    splitter.feed(trimmed(line));
    if (!splitter.complete()) return false;
    unquoted_ = splitter.take();
    for (std::size_t i = 0; i < unquoted_.size(); ++i) {
      if (unquoted_[i].empty() && splitter.is_empty_quotes(i))
        fields_.emplace_back();  // an empty name, not one blank more
      else
        add(unquoted_[i]);
    }
    drop_empty_end();
    return true;
  }
  void add(std::string_view field) {
    if (!field.empty() || separator_ != ' ') fields_.push_back(field);
  }
  void drop_empty_end() {
    while (!fields_.empty() && fields_.back().empty()) fields_.pop_back();
  }

  char separator_;
  std::vector<std::string_view> fields_;
  Fields unquoted_;
};

bool is_id(std::string_view field) {
  std::uint64_t id = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), id);
  return error == std::errc() && end == field.data() + field.size();
}

/// Is the field text, and neither a number of any kind nor nothing?
bool is_name(std::string_view field) {
  if (field.empty()) return false;
  double number = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
  const bool begins_number = is_digit(field[0]) || field[0] == '-' || field[0] == '+' || field[0] == '.';
  return !(begins_number && (end == field.data() + field.size() || is_id(field.substr(1))));
}

/// Words that name the columns of an edge list, where the ids are text too.
bool is_column_name(std::string_view field) {
  static constexpr std::array<std::string_view, 30> kNames = {
      "source",  "target",  "from",     "to",       "src",       "dst",       "fromnodeid", "tonodeid",
      "from_id", "to_id",   "node1",    "node2",    "node_1",    "node_2",    "nodea",      "nodeb",
      "id1",     "id2",     "u",        "v",        "source_id", "target_id", "sourceid",   "targetid",
      "vertex1", "vertex2", "protein1", "protein2", "start",     "end"};
  return std::ranges::count(kNames, lower_case(std::string(field))) > 0;
}

bool is_header(const NameRow& row) { return row.size() >= 2 && is_column_name(row[0]) && is_column_name(row[1]); }

/// What the formats with names share: a piece has its own numbers, `accept` makes them those of the whole graph.
class NamedFormat : public TextFormat {
 public:
  explicit NamedFormat(std::shared_ptr<NameTable> names) : names_(std::move(names)) {}

  bool numbered() const override { return false; }
  std::shared_ptr<NameTable> names() const override { return names_; }

  std::string accept(ParsedLines& parsed) override {
    const NameTable& part = *parsed.names;
    std::vector<std::uint32_t> numbers(part.size());
    for (std::uint32_t i = 0; i < numbers.size(); ++i) numbers[i] = names_->number(part.name(i));
    for (std::uint32_t& end : parsed.edges.ends) end = numbers[end];
    for (std::uint64_t& id : parsed.lone) id = numbers[id];
    for (VertexLabel& vertex : parsed.vertices) vertex.id = numbers[vertex.id];
    parsed.names.reset();
    return "";
  }

 protected:
  /// Calls `take(row, reason)` for each row; it returns false for a bad one.
  template <class Take>
  void for_each_named(std::string_view lines, bool strict, ParsedLines& parsed, Take&& take) const {
    parsed.names = std::make_unique<NameTable>();
    NameRow row(separator_);
    for_each_row(lines, strict, false, parsed, [&](LineScanner& scanner, std::string& reason) {
      const std::string_view rest(scanner.at(), lines.data() + lines.size() - scanner.at());
      if (row.cut(trimmed(rest.substr(0, rest.find('\n')), " \t\r"))) return take(row, reason);
      reason = "a quote is not closed";
      return false;
    });
  }
  bool cut(NameRow& row, std::string_view line) const { return row.cut(trimmed(line, " \t\r")); }
  static bool take_label(std::string_view field, std::uint32_t& label, std::string& reason) {
    const std::string ended = std::string(field) + "\n";
    return LineScanner(ended.data()).take_label(label, "label", reason);
  }

  char separator_ = ' ';

 private:
  std::shared_ptr<NameTable> names_;
};

class NamedRows final : public NamedFormat {
 public:
  NamedRows(const GraphReadOptions& options, bool list)
      : NamedFormat(std::make_shared<NameTable>()),
        list_(list),
        labels_(options.edge_labels),
        refuses_ragged_(options.format.empty() && !options.edge_labels) {}

  std::string read_header(HeaderLines& lines, GraphReport& report) override {
    std::string_view line;
    while (lines.peek(line) && is_blank_or_comment(line, report)) lines.next(line);
    separator_ = separator_of(line);
    report.separator = name_of_separator(separator_);
    NameRow row(separator_);
    report.header = !list_ && cut(row, line) && is_header(row);
    if (report.header) lines.next(line);
    if (lines.peek(line) && cut(row, line)) report.columns = columns_ = row.size();
    return "";
  }

  void parse(std::string_view lines, bool strict, ParsedLines& parsed) const override {
    for_each_named(lines, strict, parsed, [&](const NameRow& row, std::string& reason) {
      for (Index field = 0; field < (list_ ? std::max<Index>(1, row.size()) : 2); ++field) {
        if (field < row.size() && !row[field].empty()) continue;
        reason = row.size() == 1 && !list_ ? "a vertex id is missing (an adjacency list has the format adjlist)"
                                           : "a vertex id is missing";
        return false;
      }
      return list_ ? take_list(row, parsed) : take_edge(row, parsed, reason);
    });
  }

  bool labels_edges() const override { return labels_; }

 private:
  static bool take_list(const NameRow& row, ParsedLines& parsed) {
    const std::uint32_t vertex = parsed.names->number(row[0]);
    if (row.size() == 1) parsed.add_lone(vertex);
    for (Index field = 1; field < row.size(); ++field) parsed.add(vertex, parsed.names->number(row[field]));
    return true;
  }

  bool take_edge(const NameRow& row, ParsedLines& parsed, std::string& reason) const {
    std::uint32_t label = 0;
    if (labels_ && !take_label(row.size() > 2 ? row[2] : "", label, reason)) return false;
    if (labels_) parsed.edges.labels.push_back(label);
    const std::uint32_t from = parsed.names->number(row[0]), to = parsed.names->number(row[1]);
    parsed.add(from, to);
    note_columns(row, parsed);
    return true;
  }

  void note_columns(const NameRow& row, ParsedLines& parsed) const {
    const Index ignored = row.size() - (labels_ ? 3 : 2);
    parsed.ignoring_rows += ignored > 0;
    parsed.ignored_columns = std::max(parsed.ignored_columns, ignored);
    if (row.size() == columns_) return;
    ++parsed.ragged_rows;
    const bool holds_data = row.size() > 2 && row[2].starts_with('{');
    if (refuses_ragged_ && !holds_data && parsed.list_line == 0) parsed.list_line = parsed.lines;
  }

  bool list_, labels_, refuses_ragged_;
  Index columns_ = 0;  // of the first row
};

class NamedLabels final : public NamedFormat {
 public:
  using NamedFormat::NamedFormat;

  std::string read_header(HeaderLines& lines, GraphReport& report) override {
    std::string_view line;
    while (lines.peek(line) && is_blank_or_comment(line, report)) lines.next(line);
    separator_ = separator_of(line);
    NameRow row(separator_);
    if (cut(row, line) && row.size() >= 2 && is_name(row[1])) lines.next(line);
    return "";
  }
  void parse(std::string_view lines, bool strict, ParsedLines& parsed) const override {
    for_each_named(lines, strict, parsed, [&](const NameRow& row, std::string& reason) {
      std::uint32_t label = 0;
      if (row.size() == 0 || row[0].empty()) {
        reason = "a vertex id is missing";
        return false;
      }
      if (!take_label(row.size() > 1 ? row[1] : "", label, reason)) return false;
      parsed.add_vertex(parsed.names->number(row[0]), label);
      return true;
    });
  }
  bool labels_vertices() const override { return true; }
};

}  // namespace

bool holds_names(std::string_view text) {
  GraphReport ignored;
  HeaderLines lines{text};
  std::string_view line;
  if (!lines.next_row(line, ignored)) return false;
  NameRow first(separator_of(line)), second(separator_of(line));
  // A number in quotes is meant as text.
  const auto begins_with_quote = [&] { return trimmed(line).starts_with('"'); };
  const bool first_quoted = begins_with_quote();
  if (!first.cut(trimmed(line)) || first.size() == 0) return true;
  const bool one = first_quoted || is_name(first[0]), other = first.size() > 1 && is_name(first[1]);
  if (!one && !other) return false;
  if (!lines.next_row(line, ignored) || !second.cut(trimmed(line)) || second.size() < 2) return !is_header(first);
  const bool names_below = begins_with_quote() || is_name(second[0]) || is_name(second[1]);
  return names_below || !one || !(other || first_quoted);
}

std::unique_ptr<TextFormat> named_rows_format(const GraphReadOptions& options, bool list) {
  return std::make_unique<NamedRows>(options, list);
}

std::unique_ptr<TextFormat> named_label_format(std::shared_ptr<NameTable> names) {
  return std::make_unique<NamedLabels>(std::move(names));
}

}  // namespace quarry
