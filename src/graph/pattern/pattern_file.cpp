/// Patterns from files of the labelled format.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "graph/pattern/pattern_check.hpp"
#include "graph/read/line_scanner.hpp"
#include "quarry/error.hpp"
#include "util/ascii.hpp"
#include "util/files/byte_source.hpp"
#include "util/files/file_name.hpp"
#include "util/files/line_reader.hpp"

namespace quarry {
namespace {

/// The lines of one pattern. Its edges may stand before the vertices that they name.
struct PatternLines {
  struct EdgeLine {
    std::uint64_t from = 0, to = 0;
    std::uint32_t label = kAnyLabel;
    Index line = 0;
  };
  std::string name;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> stated;  // by `t VERTICES EDGES`
  std::map<std::uint64_t, std::uint32_t> vertices;                // id -> label
  std::vector<EdgeLine> edges;
};

class PatternFile {
 public:
  explicit PatternFile(const std::string& path) : input_(input_name(path)), lines_(path) {
    file_name_ = path == "-" ? input_ : without_compression(without_folder(path));
  }

  std::vector<GraphPattern> read() {
    std::string line;
    while (lines_.next(line)) {
      line += '\n';  // where LineScanner stops
      const std::string_view text = trimmed(line, " \t\r\n");
      if (text.empty() || text[0] == '#' || text[0] == '%' || text.starts_with("//")) continue;
      LineScanner scanner(line.data());
      scanner.skip_blanks();
      take_line(scanner, text);
    }
    finish();
    if (patterns_.empty()) throw InputError(input_ + " holds no pattern");
    return std::move(patterns_);
  }

 private:
  [[noreturn]] void refuse(Index line, const std::string& reason) const {
    throw InputError(fmt::format("{}, line {}: {}", input_, line, reason));
  }
  std::string subject() const { return fmt::format("{}: the pattern '{}'", input_, pattern_->name); }

  void take_line(LineScanner& scanner, std::string_view text) {
    const std::string kind = scanner.field();
    scanner.separator();
    std::string reason;
    if (kind == "t") {
      begin(scanner, trimmed(text.substr(1)), reason);
    } else if (kind == "v") {
      take_vertex(scanner, reason);
    } else if (kind == "e") {
      take_edge(scanner, reason);
    } else {
      reason = "the line begins with neither v, e nor t";
    }
    if (!reason.empty()) refuse(lines_.line_number(), reason);
  }

  PatternLines& current() {
    if (!pattern_) pattern_.emplace().name = file_name_;
    return *pattern_;
  }

  /// A line `t`. @param rest  what follows the t
  void begin(LineScanner& scanner, std::string_view rest, std::string& reason) {
    finish();
    PatternLines& pattern = current();
    if (rest.starts_with('#')) {
      const std::string_view name = trimmed(rest.substr(1));
      if (!name.empty()) pattern.name = name;
      return;
    }
    std::uint64_t vertices = 0, edges = 0;
    if (!scanner.take(vertices, "number of vertices", 0, kHighestCount, reason)) return;
    if (!scanner.take(edges, "number of edges", 0, kHighestCount, reason)) return;
    pattern.stated.emplace(vertices, edges);
  }

  void take_vertex(LineScanner& scanner, std::string& reason) {
    std::uint64_t id = 0;
    std::uint32_t label = 0;
    if (!scanner.take(id, "vertex id", 0, kHighestId, reason) || !take_label(scanner, label, reason)) return;
    auto& vertices = current().vertices;
    if (!vertices.emplace(id, label).second) {
      reason = fmt::format("the vertex {} has a line already", id);
    } else if (std::ssize(vertices) > kMaxPatternVertices) {
      throw CapacityError(fmt::format("{}: vertices of the pattern '{}'", input_, pattern_->name), kMaxPatternVertices,
                          std::ssize(vertices));
    }
  }

  void take_edge(LineScanner& scanner, std::string& reason) {
    PatternLines::EdgeLine edge;
    if (!scanner.take(edge.from, "vertex id", 0, kHighestId, reason)) return;
    if (!scanner.take(edge.to, "vertex id", 0, kHighestId, reason)) return;
    if (!scanner.at_end() && !take_label(scanner, edge.label, reason)) return;
    edge.line = lines_.line_number();
    current().edges.push_back(edge);
  }

  static bool take_label(LineScanner& scanner, std::uint32_t& label, std::string& reason) {
    std::uint64_t value = 0;
    if (!scanner.take(value, "label", 0, kAnyLabel - 1, reason)) return false;
    label = static_cast<std::uint32_t>(value);
    return true;
  }

  /// Ends the pattern that was begun last.
  void finish() {
    if (!pattern_) return;
    check_sizes();
    GraphPattern pattern;
    pattern.name = pattern_->name;
    std::map<std::uint64_t, std::uint32_t> numbers;
    for (const auto& [id, label] : pattern_->vertices) {
      numbers.emplace(id, pattern.size());
      pattern.vertices.push_back(std::to_string(id));
      pattern.labels.push_back(label);
    }
    add_edges(pattern, numbers);
    require_connected(pattern, subject());
    patterns_.push_back(std::move(pattern));
    pattern_.reset();
  }

  void add_edges(GraphPattern& pattern, const std::map<std::uint64_t, std::uint32_t>& numbers) const {
    const auto number_of = [&](std::uint64_t id, Index line) {
      const auto found = numbers.find(id);
      if (found == numbers.end()) refuse(line, fmt::format("the vertex {} has no line of its own", id));
      return found->second;
    };
    const bool labelled =
        std::ranges::any_of(pattern_->edges, [](const auto& edge) { return edge.label != kAnyLabel; });
    for (const auto& [from, to, label, line] : pattern_->edges) {
      const std::uint32_t used_label = labelled && label == kAnyLabel ? 0 : label;
      const std::string wrong = add_pattern_edge(pattern, number_of(from, line), number_of(to, line), used_label);
      if (!wrong.empty()) refuse(line, wrong);
    }
  }

  void check_sizes() const {
    if (!pattern_->stated) return;
    const auto [vertices, edges] = *pattern_->stated;
    if (std::cmp_equal(vertices, pattern_->vertices.size()) && std::cmp_equal(edges, pattern_->edges.size())) return;
    throw InputError(fmt::format("{} has {} vertices and {} edges, its header states {} and {}", subject(),
                                 pattern_->vertices.size(), pattern_->edges.size(), vertices, edges));
  }

  const std::string input_;
  LineReader lines_;
  std::string file_name_;
  std::optional<PatternLines> pattern_;  // begun, not finished
  std::vector<GraphPattern> patterns_;
};

}  // namespace

std::vector<GraphPattern> read_graph_patterns(const std::string& path) { return PatternFile(path).read(); }

}  // namespace quarry
