/// METIS: a header `vertices edges [fmt [ncon]]`, then a line of neighbours, from 1, for each vertex in turn.
///
/// The digits of fmt say whether each line has a size, weights of the vertex (ncon of them) and weights of its edges.
/// The first weight of a vertex and the weight of an edge become labels. A blank line is a vertex without neighbours.
/// Source: METIS 5.1.0 manual, section 4.1.1.
#include <fmt/format.h>

#include "graph/read/graph_text.hpp"

namespace quarry {
namespace {

class Metis final : public TextFormat {
 public:
  std::string read_header(HeaderLines& lines, GraphReport& report) override {
    std::string_view line;
    if (lines.next_row(line, report)) return read_sizes(std::string(line) + "\n", report);
    return "there is no header 'vertices edges [fmt [ncon]]'";
  }

  void parse(std::string_view lines, bool strict, ParsedBlock& block) const override {
    std::uint64_t vertex = 0;  // counted from the first of the block: only `place` knows how many came before
    for_each_row(lines, strict, true, block, [&](LineScanner& scanner, std::string& reason) {
      const std::size_t num_ends = block.edges.ends.size(), num_labels = block.edges.labels.size();
      if (parse_vertex(scanner, vertex++, block, reason)) return true;
      block.edges.ends.resize(num_ends);  // a bad line is left out as a whole
      block.edges.labels.resize(num_labels);
      return false;
    });
  }

  std::string place(ParsedBlock& block) override {
    const std::uint64_t before = num_placed_;
    num_placed_ += static_cast<std::uint64_t>(block.lines - block.comments);
    auto& ends = block.edges.ends;
    const std::uint64_t edges_end = ends.empty() ? 0 : before + ends[ends.size() - 2] + 1;
    const std::uint64_t labels_end = block.vertices.empty() ? 0 : before + block.vertices.back().id + 1;
    if (const std::uint64_t end = std::max(edges_end, labels_end); end > num_vertices_) {
      return fmt::format("the header states {} vertices, but there is a line for vertex {}", num_vertices_, end);
    }
    for (std::size_t i = 0; i < ends.size(); i += 2) ends[i] += static_cast<std::uint32_t>(before);
    for (VertexLabel& vertex : block.vertices) vertex.id += before;
    return "";
  }

  std::string finish(const GraphReport& report) const override {
    if (num_placed_ < num_vertices_) {
      return fmt::format("the header states {} vertices, the file has lines for {}", num_vertices_, num_placed_);
    }
    if (report.rejected > 0 || report.rows == stated_rows_) return "";
    return fmt::format("the header states {} edges, which makes {} neighbours, the file has {}", stated_rows_ / 2,
                       stated_rows_, report.rows);
  }

  std::uint64_t first_id() const override { return 1; }
  bool labels_vertices() const override { return num_weights_ > 0; }
  bool labels_edges() const override { return edge_weights_; }
  Index stated_rows() const override { return stated_rows_; }

 private:
  std::string read_sizes(const std::string& line, GraphReport& report) {
    LineScanner scanner(line.data());
    scanner.skip_blanks();
    std::string reason;
    std::uint64_t edges = 0;
    constexpr std::uint64_t kMost = std::numeric_limits<Index>::max() / 2;
    if (!scanner.take(num_vertices_, "number of vertices", 0, kMost, reason) ||
        !scanner.take(edges, "number of edges", 0, kMost, reason)) {
      return reason;
    }
    stated_rows_ = 2 * static_cast<Index>(edges);
    report.stated_vertices = static_cast<Index>(num_vertices_);
    report.stated_edges = static_cast<Index>(edges);
    scanner.skip_blanks();
    std::string format = scanner.field();
    if (format.size() > 3 || format.find_first_not_of("01") != std::string::npos) {
      return fmt::format("'{}' is not a format of up to three digits 0 and 1", format);
    }
    format.insert(0, 3 - format.size(), '0');
    sizes_ = format[0] == '1';
    num_weights_ = format[1] == '1' ? 1 : 0;
    edge_weights_ = format[2] == '1';
    if (scanner.at_end() || num_weights_ == 0) return "";
    return scanner.take(num_weights_, "number of weights", 1, 1000, reason) ? "" : reason;
  }

  bool parse_vertex(LineScanner& scanner, std::uint64_t vertex, ParsedBlock& block, std::string& reason) const {
    if (scanner.at_end()) return true;
    std::uint64_t size = 0, weight = 0, neighbour = 0, label = 0;
    if (sizes_ && !scanner.take(size, "size of a vertex", 0, kHighestId, reason)) return false;
    for (std::uint64_t i = 0; i < num_weights_; ++i) {
      if (!scanner.take(weight, "weight of a vertex", 0, kHighestLabel, reason)) return false;
      if (i == 0) block.add_vertex(vertex, weight);
    }
    while (!scanner.at_end()) {
      if (!scanner.take(neighbour, "vertex", 1, num_vertices_, reason)) return false;
      if (edge_weights_) {
        if (!scanner.take(label, "weight of an edge", 0, kHighestLabel, reason)) return false;
        block.edges.labels.push_back(static_cast<std::uint32_t>(label));
      }
      block.add(vertex, neighbour - 1);
    }
    return true;
  }

  std::uint64_t num_vertices_ = 0, num_weights_ = 0;
  bool sizes_ = false, edge_weights_ = false;
  Index stated_rows_ = 0;
  std::uint64_t num_placed_ = 0;  // lines of vertices in the blocks so far
};

}  // namespace

std::unique_ptr<TextFormat> metis_format() { return std::make_unique<Metis>(); }

}  // namespace quarry
