/// The labelled text of the subgraph-matching literature: `t vertices edges`, `v id label degree`, `e id id [label]`.
///
/// The degree may be absent and is not used. Where some edge has a label, edges without one have label 0. The header may
/// be absent too: then the vertices are those with a line of their own, and their ids may be any numbers.
/// Sources: Sun, Luo, In-Memory Subgraph Matching: An In-depth Study, SIGMOD 2020; without header: Sun, Sun, Li, He, Luo,
/// An In-Depth Study of Continuous Subgraph Matching, PVLDB 15 (2022).
#include <fmt/format.h>

#include "graph/read/graph_text.hpp"
#include "util/ascii.hpp"

namespace quarry {
namespace {

bool begins_row(std::string_view line) {
  const std::string_view text = trimmed(line);
  return text.size() > 1 && (text[0] == 'v' || text[0] == 'e') && (text[1] == ' ' || text[1] == '\t');
}

class Labelled final : public SizedFormat {
 public:
  std::string read_header(HeaderLines& lines, GraphReport& report) override {
    std::string_view line;
    while (lines.peek(line) && is_blank_or_comment(line, report)) lines.next(line);
    has_header_ = !begins_row(line);
    return has_header_ ? SizedFormat::read_header(lines, report) : "";
  }

  void parse(std::string_view lines, bool strict, ParsedLines& parsed) const override {
    for_each_row(lines, strict, false, parsed, [&](LineScanner& scanner, std::string& reason) {
      const std::string kind = scanner.field();
      scanner.separator();
      if (kind == "v") return parse_vertex(scanner, parsed, reason);
      if (kind == "e") return parse_edge(scanner, parsed, reason);
      reason = kind == "t" ? "a second graph begins, and a file holds one" : "the line begins with neither v nor e";
      return false;
    });
    auto& labels = parsed.edges.labels;
    if (!labels.empty()) labels.resize(parsed.num_rows(), 0);
  }

  std::string accept(ParsedLines& parsed) override {
    labels_edges_ |= !parsed.edges.labels.empty();
    return "";
  }

  std::string finish(const GraphReport& report) const override {
    if (!has_header_ || report.rejected > 0 || report.rows == stated_rows_) return "";
    return fmt::format("the header states {} edges, the file has {}", stated_rows_, report.rows);
  }

  bool numbered() const override { return has_header_; }
  bool labels_vertices() const override { return true; }
  bool labels_edges() const override { return labels_edges_; }

 private:
  const char* header_form() const override { return "t vertices edges"; }

  std::string read_sizes(LineScanner& header, GraphReport& report) override {
    if (header.field() != "t") return missing_header();
    header.separator();
    std::string reason;
    take_sizes(header, kHighestCount, report, reason);
    return reason;
  }

  bool take_id(LineScanner& scanner, std::uint64_t& id, std::string& reason) const {
    if (!scanner.take(id, "vertex id", 0, kHighestId, reason)) return false;
    if (!has_header_ || id < num_vertices_) return true;
    reason = fmt::format("there is no vertex {}: the header states {}, numbered from 0", id, num_vertices_);
    return false;
  }

  bool parse_vertex(LineScanner& scanner, ParsedLines& parsed, std::string& reason) const {
    std::uint64_t id = 0;
    std::uint32_t label = 0;
    if (!take_id(scanner, id, reason) || !scanner.take_label(label, "label", reason)) return false;
    parsed.add_vertex(id, label);
    return true;
  }

  bool parse_edge(LineScanner& scanner, ParsedLines& parsed, std::string& reason) const {
    std::uint64_t from = 0, to = 0;
    std::uint32_t label = 0;
    if (!take_id(scanner, from, reason) || !take_id(scanner, to, reason)) return false;
    if (!scanner.at_end()) {
      if (!scanner.take_label(label, "label", reason)) return false;
      parsed.edges.labels.resize(parsed.num_rows(), 0);
      parsed.edges.labels.push_back(label);
    }
    parsed.add(from, to);
    return true;
  }

  bool has_header_ = true, labels_edges_ = false;
};

}  // namespace

std::unique_ptr<TextFormat> labelled_format() { return std::make_unique<Labelled>(); }

}  // namespace quarry
