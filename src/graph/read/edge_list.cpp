/// Edge lists: a row is two ids, in any order, and perhaps more columns.
#include <fmt/format.h>

#include "graph/read/graph_text.hpp"
#include "util/ascii.hpp"

namespace quarry {
namespace {

/// What comments state of a graph: `# V 7115 E 103689`, `# Nodes: 7115 Edges: 103689`.
void read_stated(std::string_view comment, GraphReport& report) {
  constexpr std::string_view kBetween = " \t:=,#%/";
  std::string before;
  while (!comment.empty()) {
    comment.remove_prefix(std::min(comment.find_first_not_of(kBetween), comment.size()));
    const std::string word(comment.substr(0, comment.find_first_of(kBetween)));
    comment.remove_prefix(word.size());
    const bool vertices = before == "v" || before == "nodes" || before == "vertices";
    const bool edges = before == "e" || before == "edges" || before == "arcs";
    std::uint64_t number = 0;
    const std::string ended = word + "\n";
    if ((vertices || edges) && LineScanner(ended.data()).number(number, kHighestCount)) {
      (vertices ? report.stated_vertices : report.stated_edges) = number;
    }
    before = lower_case(word);
  }
}

/// Is this a row of column names? Then its first two fields begin with letters or quotes.
bool names_columns(std::string_view line) {
  const std::string ended = std::string(line) + "\n";
  LineScanner scanner(ended.data());
  const auto named = [&] {
    const std::string field = scanner.field();
    return !field.empty() && (is_letter(field[0]) || field[0] == '"');
  };
  scanner.skip_blanks();
  return named() && scanner.separator() && named();
}

}  // namespace

void describe_row(std::string_view line, GraphReport& report) {
  const std::string ended = std::string(line) + "\n";
  LineScanner scanner(ended.data());
  scanner.skip_blanks();
  scanner.field();
  const std::string between = ended.substr(scanner.at() - ended.data());
  const auto first = between.find_first_not_of(" \t");
  report.separator = between[first] == ','      ? "comma"
                     : between[first] == ';'    ? "semicolon"
                     : between.starts_with(' ') ? "space"
                                                : "tab";
  report.columns = scanner.separator() && !scanner.at_end() ? 1 + scanner.count_fields() : 1;
}

namespace {

/// Are the other fields of the row whole numbers, as in an adjacency list?
bool are_numbers(LineScanner scanner) {
  std::uint64_t number = 0;
  while (!scanner.at_end()) {
    if (!scanner.number(number, kHighestId)) return false;
    scanner.separator();
  }
  return true;
}

class EdgeList final : public TextFormat {
 public:
  /// @param may_be_list  look out for rows of an adjacency list
  EdgeList(bool labels, bool may_be_list) : labels_(labels), may_be_list_(may_be_list) {}

  std::string read_header(HeaderLines& lines, GraphReport& report) override {
    std::string_view line;
    while (lines.peek(line) && is_blank_or_comment(line, report)) {
      read_stated(line, report);
      lines.next(line);
    }
    report.header = names_columns(line);
    if (report.header) lines.next(line);
    if (lines.peek(line)) describe_row(line, report);
    const std::string first = std::string(line) + "\n";
    may_be_list_ = may_be_list_ && are_numbers(LineScanner(first.data()));
    columns_ = report.columns;
    return "";
  }

  void parse(std::string_view lines, bool strict, ParsedLines& parsed) const override {
    parsed.edges.ends.reserve(2 * std::count(lines.begin(), lines.end(), '\n'));
    for_each_row(lines, strict, false, parsed, [&](LineScanner& scanner, std::string& reason) {
      std::uint64_t from = 0, to = 0;
      std::uint32_t label = 0;
      if (!take_id(scanner, from, reason)) return false;
      if (!take_id(scanner, to, reason)) {
        if (scanner.at_end()) reason += " (an adjacency list has the format adjlist)";
        return false;
      }
      if (labels_) {
        if (!scanner.take_label(label, "label", reason)) return false;
        parsed.edges.labels.push_back(label);
      }
      parsed.add(from, to);
      note_columns(scanner, parsed);
      return true;
    });
  }

  bool numbered() const override { return false; }
  bool labels_edges() const override { return labels_; }

 private:
  static bool take_id(LineScanner& scanner, std::uint64_t& id, std::string& reason) {
    if (scanner.take(id, "vertex id", 0, kHighestId, reason)) return true;
    if (is_letter(*scanner.at())) reason += "; ids that are text have the format names";
    return false;
  }

  void note_columns(LineScanner& scanner, ParsedLines& parsed) const {
    const Index used = labels_ ? 3 : 2;
    const LineScanner rest = scanner;
    if (used + parsed.ignore_rest(scanner) == columns_) return;
    ++parsed.ragged_rows;
    if (may_be_list_ && parsed.list_line == 0 && are_numbers(rest)) parsed.list_line = parsed.lines;
  }

  bool labels_, may_be_list_;
  Index columns_ = 0;  // of the first row
};

class VertexLabels final : public TextFormat {
 public:
  std::string read_header(HeaderLines& lines, GraphReport& report) override {
    std::string_view line;
    while (lines.peek(line) && is_blank_or_comment(line, report)) lines.next(line);
    if (names_columns(line)) lines.next(line);
    return "";
  }
  void parse(std::string_view lines, bool strict, ParsedLines& parsed) const override {
    for_each_row(lines, strict, false, parsed, [&](LineScanner& scanner, std::string& reason) {
      std::uint64_t id = 0;
      std::uint32_t label = 0;
      if (!scanner.take(id, "vertex id", 0, kHighestId, reason)) return false;
      if (!scanner.take_label(label, "label", reason)) return false;
      parsed.add_vertex(id, label);
      return true;
    });
  }
  bool numbered() const override { return false; }
  bool labels_vertices() const override { return true; }
};

}  // namespace

std::unique_ptr<TextFormat> edge_list_format(const GraphReadOptions& options) {
  return std::make_unique<EdgeList>(options.edge_labels, options.format.empty() && !options.edge_labels);
}

std::unique_ptr<TextFormat> vertex_label_format() { return std::make_unique<VertexLabels>(); }

}  // namespace quarry
