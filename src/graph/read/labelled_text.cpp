/// The labelled text of the subgraph-matching literature: `t vertices edges`, `v id label degree`, `e id id [label]`.
///
/// The degree may be absent and is not used. Where some edge has a label, edges without one have label 0.
/// Source: Sun, Luo, In-Memory Subgraph Matching: An In-depth Study, SIGMOD 2020.
#include <fmt/format.h>

#include "graph/read/graph_text.hpp"

namespace quarry {
namespace {

class Labelled final : public TextFormat {
 public:
  std::string read_header(HeaderLines& lines, GraphReport& report) override {
    std::string_view line;
    if (lines.next_row(line, report)) return read_sizes(std::string(line) + "\n", report);
    return "there is no header 't vertices edges'";
  }

  void parse(std::string_view lines, bool strict, ParsedBlock& block) const override {
    for_each_row(lines, strict, false, block, [&](LineScanner& scanner, std::string& reason) {
      const std::string kind = scanner.field();
      scanner.separator();
      if (kind == "v") return parse_vertex(scanner, block, reason);
      if (kind == "e") return parse_edge(scanner, block, reason);
      reason = kind == "t" ? "a second graph begins, and a file holds one" : "the line begins with neither v nor e";
      return false;
    });
    auto& labels = block.edges.labels;
    if (!labels.empty()) labels.resize(static_cast<std::size_t>(block.num_rows()), 0);
  }

  std::string place(ParsedBlock& block) override {
    labels_edges_ |= !block.edges.labels.empty();
    return "";
  }

  std::string finish(const GraphReport& report) const override {
    if (report.rejected > 0 || report.rows == stated_rows_) return "";
    return fmt::format("the header states {} edges, the file has {}", stated_rows_, report.rows);
  }

  bool labels_vertices() const override { return true; }
  bool labels_edges() const override { return labels_edges_; }
  Index stated_rows() const override { return stated_rows_; }

 private:
  std::string read_sizes(const std::string& line, GraphReport& report) {
    LineScanner scanner(line.data());
    scanner.skip_blanks();
    std::string reason;
    std::uint64_t edges = 0;
    constexpr std::uint64_t kMost = std::numeric_limits<Index>::max();
    if (scanner.field() != "t") return "there is no header 't vertices edges'";
    scanner.separator();
    if (!scanner.take(num_vertices_, "number of vertices", 0, kMost, reason) ||
        !scanner.take(edges, "number of edges", 0, kMost, reason)) {
      return reason;
    }
    stated_rows_ = static_cast<Index>(edges);
    report.stated_vertices = static_cast<Index>(num_vertices_);
    report.stated_edges = stated_rows_;
    return "";
  }

  bool take_id(LineScanner& scanner, std::uint64_t& id, std::string& reason) const {
    if (!scanner.take(id, "vertex id", 0, kHighestId, reason)) return false;
    if (id < num_vertices_) return true;
    reason = fmt::format("there is no vertex {}: the header states {}, numbered from 0", id, num_vertices_);
    return false;
  }

  bool parse_vertex(LineScanner& scanner, ParsedBlock& block, std::string& reason) const {
    std::uint64_t id = 0, label = 0;
    if (!take_id(scanner, id, reason)) return false;
    if (!scanner.take(label, "label", 0, kHighestLabel, reason)) return false;
    block.add_vertex(id, label);
    return true;
  }

  bool parse_edge(LineScanner& scanner, ParsedBlock& block, std::string& reason) const {
    std::uint64_t from = 0, to = 0, label = 0;
    if (!take_id(scanner, from, reason) || !take_id(scanner, to, reason)) return false;
    if (!scanner.at_end()) {
      if (!scanner.take(label, "label", 0, kHighestLabel, reason)) return false;
      block.edges.labels.resize(static_cast<std::size_t>(block.num_rows()), 0);
      block.edges.labels.push_back(static_cast<std::uint32_t>(label));
    }
    block.add(from, to);
    return true;
  }

  std::uint64_t num_vertices_ = 0;
  Index stated_rows_ = 0;
  bool labels_edges_ = false;
};

}  // namespace

std::unique_ptr<TextFormat> labelled_format() { return std::make_unique<Labelled>(); }

}  // namespace quarry
