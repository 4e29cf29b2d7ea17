/// METIS: a header `vertices edges [fmt [ncon]]`, then a line of neighbours, from 1, for each vertex in turn.
///
/// The digits of fmt say whether each line has a size, weights of the vertex (ncon of them) and weights of its edges.
/// The first weight of a vertex and the weight of an edge become labels. A blank line is a vertex without neighbours.
/// Source: METIS 5.1.0 manual, section 4.1.1.
#include <fmt/format.h>

#include "graph/read/graph_text.hpp"

namespace quarry {
namespace {

class Metis final : public SizedFormat {
 public:
  void parse(std::string_view lines, bool strict, ParsedLines& parsed) const override {
    std::uint64_t vertex = 0;  // counted from the first of these lines: only `accept` knows how many came before
    for_each_row(lines, strict, true, parsed, [&](LineScanner& scanner, std::string& reason) {
      const std::size_t num_ends = parsed.edges.ends.size(), num_labels = parsed.edges.labels.size();
      if (parse_vertex(scanner, vertex++, parsed, reason)) return true;
      parsed.edges.ends.resize(num_ends);  // a bad line is left out as a whole
      parsed.edges.labels.resize(num_labels);
      return false;
    });
  }

  std::string accept(ParsedLines& parsed) override {
    const std::uint64_t before = num_accepted_;
    num_accepted_ += parsed.lines - parsed.comments;
    auto& ends = parsed.edges.ends;
    const std::uint64_t edges_end = ends.empty() ? 0 : before + ends[ends.size() - 2] + 1;
    const std::uint64_t labels_end = parsed.vertices.empty() ? 0 : before + parsed.vertices.back().id + 1;
    if (const std::uint64_t end = std::max(edges_end, labels_end); end > num_vertices_) {
      return fmt::format("the header states {} vertices, but there is a line for vertex {}", num_vertices_, end);
    }
    for (std::size_t i = 0; i < ends.size(); i += 2) ends[i] += before;  // stays below num_vertices_
    for (VertexLabel& vertex : parsed.vertices) vertex.id += before;
    return "";
  }

  std::string finish(const GraphReport& report) const override {
    if (num_accepted_ < num_vertices_) {
      return fmt::format("the header states {} vertices, the file has lines for {}", num_vertices_, num_accepted_);
    }
    if (report.rejected > 0 || report.rows == stated_rows_) return "";
    return fmt::format("the header states {} edges, which makes {} neighbours, the file has {}", stated_rows_ / 2,
                       stated_rows_, report.rows);
  }

  std::uint64_t first_id() const override { return 1; }
  bool labels_vertices() const override { return num_weights_ > 0; }
  bool labels_edges() const override { return edge_weights_; }

 private:
  const char* header_form() const override { return "vertices edges [fmt [ncon]]"; }

  std::string read_sizes(LineScanner& header, GraphReport& report) override {
    std::string reason;
    if (!take_sizes(header, kHighestCount / 2, report, reason)) return reason;
    stated_rows_ *= 2;  // an edge is in the rows of both its ends
    header.skip_blanks();
    std::string format = header.field();
    if (format.size() > 3 || format.find_first_not_of("01") != std::string::npos) {
      return fmt::format("'{}' is not a format of up to three digits 0 and 1", format);
    }
    format.insert(0, 3 - format.size(), '0');
    vertex_sizes_ = format[0] == '1';
    num_weights_ = format[1] == '1' ? 1 : 0;
    edge_weights_ = format[2] == '1';
    if (header.at_end() || num_weights_ == 0) return "";
    return header.take(num_weights_, "number of weights", 1, 1000, reason) ? "" : reason;
  }

  bool parse_vertex(LineScanner& scanner, std::uint64_t vertex, ParsedLines& parsed, std::string& reason) const {
    if (scanner.at_end()) return true;
    std::uint64_t size = 0, neighbour = 0;
    std::uint32_t weight = 0;
    if (vertex_sizes_ && !scanner.take(size, "size of a vertex", 0, kHighestId, reason)) return false;
    for (std::uint64_t i = 0; i < num_weights_; ++i) {
      if (!scanner.take_label(weight, "weight of a vertex", reason)) return false;
      if (i == 0) parsed.add_vertex(vertex, weight);
    }
    while (!scanner.at_end()) {
      if (!scanner.take(neighbour, "vertex", 1, num_vertices_, reason)) return false;
      if (edge_weights_) {
        if (!scanner.take_label(weight, "weight of an edge", reason)) return false;
        parsed.edges.labels.push_back(weight);
      }
      parsed.add(vertex, neighbour - 1);
    }
    return true;
  }

  std::uint64_t num_weights_ = 0;  // of each vertex
  bool vertex_sizes_ = false, edge_weights_ = false;
  std::uint64_t num_accepted_ = 0;  // vertices whose lines have been accepted
};

}  // namespace

std::unique_ptr<TextFormat> metis_format() { return std::make_unique<Metis>(); }

}  // namespace quarry
