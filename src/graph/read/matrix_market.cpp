/// Matrix Market: a banner, comments, a line of sizes, then entries `row column [value]` from 1.
/// Source: Boisvert, Pozo, Remington, The Matrix Market Exchange Formats, NISTIR 5935 (1996).
#include <fmt/format.h>

#include <cctype>
#include <sstream>

#include "graph/read/graph_text.hpp"

namespace quarry {
namespace {

class MatrixMarket final : public TextFormat {
 public:
  explicit MatrixMarket(bool labels) : labels_(labels) {}

  std::string read_header(HeaderLines& lines, GraphReport& report) override {
    std::string_view line;
    std::string reason = "there is no banner '%%MatrixMarket matrix coordinate ...'";
    if (lines.next(line)) reason = read_banner(std::string(line));
    if (!reason.empty()) return reason;
    ++report.comments;
    if (lines.next_row(line, report)) return read_sizes(std::string(line) + "\n", report);
    return "there is no line of sizes after the comments";
  }

  void parse(std::string_view lines, bool strict, ParsedBlock& block) const override {
    for_each_row(lines, strict, false, block, [&](LineScanner& scanner, std::string& reason) {
      std::uint64_t row = 0, column = 0, label = 0;
      if (!scanner.take(row, "row", 1, num_vertices_, reason)) return false;
      if (!scanner.take(column, "column", 1, num_vertices_, reason)) return false;
      if (labels_) {
        if (!scanner.take(label, "label", 0, kHighestLabel, reason)) return false;
        block.edges.labels.push_back(static_cast<std::uint32_t>(label));
      }
      block.add(row - 1, column - 1);
      return true;
    });
  }

  std::string finish(const GraphReport& report) const override {
    if (report.rows == stated_rows_) return "";
    return fmt::format("the header states {} entries, the file has {}", stated_rows_, report.rows);
  }

  std::uint64_t first_id() const override { return 1; }
  bool labels_edges() const override { return labels_; }
  Index stated_rows() const override { return stated_rows_; }

 private:
  std::string read_banner(std::string line) const {
    for (char& c : line) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    std::istringstream words(line);
    std::string banner, object, form, field, symmetry;
    words >> banner >> object >> form >> field >> symmetry;
    if (banner != "%%matrixmarket" || object != "matrix") return "the banner is not '%%MatrixMarket matrix ...'";
    if (form != "coordinate") return fmt::format("the matrix is '{}', and only 'coordinate' is a graph", form);
    if (field != "pattern" && field != "real" && field != "integer" && field != "complex") {
      return fmt::format("the banner has '{}' in place of pattern, real, integer or complex", field);
    }
    if (symmetry != "general" && symmetry != "symmetric" && symmetry != "skew-symmetric" && symmetry != "hermitian") {
      return fmt::format("the banner has '{}' in place of general, symmetric, skew-symmetric or hermitian", symmetry);
    }
    if (labels_ && field == "pattern") return "a pattern has no values that could be labels of edges";
    return "";
  }

  std::string read_sizes(const std::string& line, GraphReport& report) {
    LineScanner scanner(line.data());
    scanner.skip_blanks();
    std::uint64_t columns = 0, entries = 0;
    std::string reason;
    constexpr std::uint64_t kMost = std::numeric_limits<Index>::max();
    if (!scanner.take(num_vertices_, "number of rows", 0, kMost, reason) ||
        !scanner.take(columns, "number of columns", 0, kMost, reason) ||
        !scanner.take(entries, "number of entries", 0, kMost, reason)) {
      return reason;
    }
    if (num_vertices_ != columns) {
      return fmt::format("the matrix has {} rows and {} columns, and only a square one is a graph", num_vertices_,
                         columns);
    }
    stated_rows_ = static_cast<Index>(entries);
    report.stated_vertices = static_cast<Index>(num_vertices_);
    report.stated_edges = stated_rows_;
    return "";
  }

  bool labels_;
  std::uint64_t num_vertices_ = 0;
  Index stated_rows_ = 0;
};

}  // namespace

std::unique_ptr<TextFormat> matrix_market_format(const GraphReadOptions& options) {
  return std::make_unique<MatrixMarket>(options.edge_labels);
}

}  // namespace quarry
