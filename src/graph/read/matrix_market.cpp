/// Matrix Market: a banner, comments, a line of sizes, then entries `row column [value]` from 1.
/// Source: Boisvert, Pozo, Remington, The Matrix Market Exchange Formats, NISTIR 5935 (1996).
#include <fmt/format.h>

#include <sstream>

#include "graph/read/graph_text.hpp"
#include "util/ascii.hpp"

namespace quarry {
namespace {

class MatrixMarket final : public SizedFormat {
 public:
  explicit MatrixMarket(bool labels) : labels_(labels) {}

  std::string read_header(HeaderLines& lines, GraphReport& report) override {
    std::string_view line;
    std::string reason = "there is no banner '%%MatrixMarket matrix coordinate ...'";
    if (lines.next(line)) reason = read_banner(std::string(line));
    if (!reason.empty()) return reason;
    ++report.comments;
    return SizedFormat::read_header(lines, report);
  }

  void parse(std::string_view lines, bool strict, ParsedLines& parsed) const override {
    for_each_row(lines, strict, false, parsed, [&](LineScanner& scanner, std::string& reason) {
      std::uint64_t row = 0, column = 0;
      std::uint32_t label = 0;
      if (!scanner.take(row, "row", 1, num_vertices_, reason)) return false;
      if (!scanner.take(column, "column", 1, num_vertices_, reason)) return false;
      if (labels_) {
        if (!scanner.take_label(label, "label", reason)) return false;
        parsed.edges.labels.push_back(label);
      }
      parsed.add(row - 1, column - 1);
      parsed.ignore_rest(scanner);
      return true;
    });
  }

  std::string finish(const GraphReport& report) const override {
    if (report.rows == stated_rows_) return "";
    return fmt::format("the header states {} entries, the file has {}", stated_rows_, report.rows);
  }

  std::uint64_t first_id() const override { return 1; }
  bool labels_edges() const override { return labels_; }

 private:
  const char* header_form() const override { return "rows columns entries"; }

  std::string read_banner(std::string line) const {
    std::istringstream words(lower_case(std::move(line)));
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

  std::string read_sizes(LineScanner& header, GraphReport& report) override {
    std::uint64_t columns = 0, entries = 0;
    std::string reason;
    if (!header.take(num_vertices_, "number of rows", 0, kHighestCount, reason) ||
        !header.take(columns, "number of columns", 0, kHighestCount, reason) ||
        !header.take(entries, "number of entries", 0, kHighestCount, reason)) {
      return reason;
    }
    if (num_vertices_ != columns) {
      return fmt::format("the matrix has {} rows and {} columns, and only a square one is a graph", num_vertices_,
                         columns);
    }
    stated_rows_ = entries;
    report.stated_vertices = num_vertices_;
    report.stated_edges = entries;
    return "";
  }

  bool labels_;
};

}  // namespace

std::unique_ptr<TextFormat> matrix_market_format(const GraphReadOptions& options) {
  return std::make_unique<MatrixMarket>(options.edge_labels);
}

}  // namespace quarry
