/// Reading the text of a pattern.
#include "quarry/graph_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "graph/pattern/pattern_check.hpp"
#include "graph/pattern/pattern_names.hpp"
#include "quarry/error.hpp"
#include "util/ascii.hpp"

namespace quarry {
namespace {

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// `paths = path {"," path}`, `path = vertex {dash vertex}`, `vertex = name [":" label]`, `dash = "-" | "-[" label
/// "]-"`.
class Parser {
 public:
  Parser(std::string_view text, std::string_view name) : text_(text) { pattern_.name = name; }

  GraphPattern parse() {
    do parse_path();
    while (accept(','));
    if (position_ < text_.size()) refuse("expected '-' or ','");
    return std::move(pattern_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    const std::string here =
        position_ < text_.size() ? fmt::format("at character {}", position_ + 1) : std::string("at its end");
    throw InputError(fmt::format("the pattern '{}' cannot be read {}: {}", text_, here, why));
  }
  void skip_blanks() {
    while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\t')) ++position_;
  }
  bool accept(char c) {
    skip_blanks();
    if (position_ >= text_.size() || text_[position_] != c) return false;
    ++position_;
    return true;
  }
  std::string_view word() {
    skip_blanks();
    const std::size_t begin = position_;
    while (position_ < text_.size() && is_name_character(text_[position_])) ++position_;
    return text_.substr(begin, position_ - begin);
  }

  std::uint32_t parse_label() {
    const std::string_view digits = word();
    std::uint32_t label = kAnyLabel;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), label);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size() || label == kAnyLabel)
      refuse("a label is a number from 0 to 4294967294");
    return label;
  }

  std::uint32_t parse_vertex() {
    const std::string name(word());
    if (name.empty()) refuse("expected the name of a vertex: letters, digits and '_'");
    const auto found = std::find(pattern_.vertices.begin(), pattern_.vertices.end(), name);
    const std::uint32_t vertex = found - pattern_.vertices.begin();
    if (found == pattern_.vertices.end()) {
      if (pattern_.size() == kMaxPatternVertices)
        throw CapacityError("vertices of one pattern", kMaxPatternVertices, kMaxPatternVertices + 1);
      pattern_.vertices.push_back(name);
      pattern_.labels.push_back(kAnyLabel);
    }
    if (accept(':')) {
      const std::uint32_t label = parse_label();
      if (pattern_.labels[vertex] != kAnyLabel && pattern_.labels[vertex] != label)
        refuse(fmt::format("the vertex '{}' has two labels, {} and {}", name, pattern_.labels[vertex], label));
      pattern_.labels[vertex] = label;
    }
    return vertex;
  }

  void parse_path() {
    std::uint32_t from = parse_vertex();
    while (accept('-')) {
      std::uint32_t label = kAnyLabel;
      if (accept('[')) {
        label = parse_label();
        if (!accept(']') || !accept('-')) refuse("an edge label is written '-[7]-'");
      }
      const std::uint32_t to = parse_vertex();
      if (const std::string wrong = add_pattern_edge(pattern_, from, to, label); !wrong.empty()) refuse(wrong);
      from = to;
    }
  }

  std::string_view text_;
  std::size_t position_ = 0;
  GraphPattern pattern_;
};

/// `4-cliqe`, `k-clique` and `tailed-triangl` would be edges between what stands before the dash and behind it.
void refuse_misspelled_name(std::string_view text) {
  constexpr std::size_t kShortest = 3, kLong = 8;
  const std::size_t dash = text.find('-');
  const auto is_word = [](char c) { return is_digit(c) || is_letter(c) || c == '-'; };
  if (dash == std::string_view::npos || !std::ranges::all_of(text, is_word)) return;
  const std::string_view before = text.substr(0, dash), behind = text.substr(dash + 1);
  const bool like_family =
      !before.empty() && std::ranges::all_of(before, is_digit) && std::ranges::all_of(behind, is_letter);
  const std::string close = like_family || text.size() >= kLong ? pattern_suggestion(text) : "";
  if ((like_family && behind.size() >= kShortest) || is_pattern_family(behind) || !close.empty())
    throw InputError(fmt::format("'{}' is not the name of a pattern{} Blanks around its dash make it an edge", text,
                                 close.empty() ? "." : close));
}

}  // namespace

bool GraphPattern::has_vertex_labels() const {
  return std::any_of(labels.begin(), labels.end(), [](std::uint32_t label) { return label != kAnyLabel; });
}

bool GraphPattern::has_edge_labels() const {
  return std::any_of(edges.begin(), edges.end(), [](const Edge& edge) { return edge.label != kAnyLabel; });
}

GraphPattern parse_graph_pattern(std::string_view whole) {
  const std::size_t first = whole.find_first_not_of(" \t"), last = whole.find_last_not_of(" \t");
  const std::string_view text = first == std::string_view::npos ? "" : whole.substr(first, last + 1 - first);
  const std::string edges = edges_of_name(text);
  const bool is_text = edges.empty() && text.find_first_of("-, ") != std::string_view::npos;
  if (edges.empty() && !is_text) {
    throw InputError(fmt::format(
        "'{}' is neither the name of a pattern (triangle, 4-clique, house, star:3, P1..P8, ...) nor edges (a-b, b-c){}",
        text, pattern_suggestion(text)));
  }
  if (is_text) refuse_misspelled_name(text);
  GraphPattern pattern = Parser(is_text ? text : edges, text).parse();
  require_connected(pattern, fmt::format("the pattern '{}'", text));
  return pattern;
}

std::string to_text(const GraphPattern& pattern) {
  const auto vertex = [&](std::uint32_t v) {
    const std::uint32_t label = pattern.labels[v];
    return label == kAnyLabel ? pattern.vertices[v] : fmt::format("{}:{}", pattern.vertices[v], label);
  };
  std::string text;
  for (const Edge& edge : pattern.edges) {
    // A single edge might read as a name: '4-clique' is one.
    const char* const plain_dash = pattern.edges.size() == 1 ? " - " : "-";
    const std::string dash = edge.label == kAnyLabel ? plain_dash : fmt::format("-[{}]-", edge.label);
    text += fmt::format("{}{}{}{}", text.empty() ? "" : ", ", vertex(edge.from), dash, vertex(edge.to));
  }
  return text;
}

}  // namespace quarry
