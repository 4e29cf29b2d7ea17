/// Names of patterns: one for every connected graph of three to five vertices, those of the literature beside them, and
/// the families of cliques, cycles, paths and stars.
#include "graph/pattern/pattern_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "quarry/error.hpp"
#include "quarry/suggestion.hpp"

namespace quarry {
namespace {

constexpr NamedPattern kNamed[] = {
    {"wedge", "0-1,0-2"},
    {"triangle", "0-1,0-2,1-2"},
    {"3-star", "0-1,0-2,0-3"},
    {"4-path", "0-1,1-2,2-3"},
    {"tailed-triangle", "0-1,0-2,1-2,0-3"},
    {"4-cycle", "0-1,1-2,2-3,0-3"},
    {"diamond", "0-1,0-2,1-2,0-3,1-3"},
    {"4-clique", "0-1,0-2,1-2,0-3,1-3,2-3"},
    {"4-star", "0-1,0-2,0-3,0-4"},
    {"fork", "0-1,0-2,0-3,1-4"},
    {"5-path", "0-1,1-2,2-3,3-4"},
    {"cricket", "0-1,0-2,1-2,0-3,0-4"},
    {"bull", "0-1,0-2,1-2,0-3,1-4"},
    {"long-tailed-triangle", "0-1,0-2,1-2,0-3,3-4"},
    {"tailed-4-cycle", "0-1,1-2,2-3,0-3,0-4"},
    {"5-cycle", "0-1,1-2,2-3,3-4,0-4"},
    {"tailed-diamond", "0-1,0-2,1-2,0-3,1-3,1-4"},
    {"hourglass", "0-1,0-2,1-2,0-3,0-4,3-4"},
    {"kite-tail", "0-1,0-2,1-2,0-3,1-3,2-4"},
    {"house", "0-1,1-2,2-3,0-3,0-4,1-4"},
    {"K2,3", "0-1,0-2,0-3,1-4,2-4,3-4"},
    {"triangle-book", "0-1,0-2,1-2,0-3,1-3,0-4,1-4"},
    {"tailed-4-clique", "0-1,0-2,0-3,1-2,1-3,2-3,1-4"},
    {"gem", "0-1,0-2,0-3,0-4,1-2,2-3,3-4"},
    {"chordal-K2,3", "0-1,0-2,0-3,1-2,1-4,2-4,3-4"},
    {"hatted-4-clique", "0-1,0-2,0-3,1-2,1-3,2-3,0-4,1-4"},
    {"4-wheel", "0-1,0-2,0-3,0-4,1-2,2-3,3-4,1-4"},
    {"K5-e", "0-1,0-2,1-2,0-3,1-3,2-3,0-4,1-4,2-4"},
    {"5-clique", "0-1,0-2,1-2,0-3,1-3,2-3,0-4,1-4,2-4,3-4"},
};

// Names, and what each stands for. P1..P8: the patterns of MERCURY (HPEC 2024), table of patterns.
constexpr std::pair<const char*, const char*> kAliases[] = {
    {"P1", "3-star"},         {"P2", "fork"},          {"P3", "4-star"},          {"P4", "4-path"},  {"P5", "bull"},
    {"P6", "tailed-diamond"}, {"P7", "triangle-book"}, {"P8", "tailed-4-clique"}, {"claw", "3-star"}};

constexpr std::string_view kFamilies[] = {"clique", "cycle", "path", "star"};

/// The number in `4-clique` or `clique:4`; nothing where the name is of another family.
std::optional<int> family_size(std::string_view name, std::string_view family) {
  std::string_view digits;
  if (name.starts_with(family) && name.size() > family.size() && name[family.size()] == ':') {
    digits = name.substr(family.size() + 1);
  } else if (name.ends_with(family) && name.size() > family.size() + 1 &&
             name[name.size() - family.size() - 1] == '-') {
    digits = name.substr(0, name.size() - family.size() - 1);
  }
  int size = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return size;
}

std::string family_edges(std::string_view family, int size) {
  std::string text;
  const auto add = [&](int from, int to) { text += fmt::format("{}{}-{}", text.empty() ? "" : ",", from, to); };
  if (family == "star") {
    for (int leaf = 1; leaf <= size; ++leaf) add(0, leaf);
    return text;
  }
  for (int from = 0; from < size; ++from) {
    for (int to = from + 1; to < size; ++to) {
      if (family == "clique" || to == from + 1) add(from, to);
    }
  }
  if (family == "cycle") add(0, size - 1);  // the last, so that vertices are numbered along the cycle
  return text;
}

}  // namespace

std::span<const NamedPattern> named_patterns() { return kNamed; }

std::string edges_of_name(std::string_view name) {
  for (const auto& [alias, stands_for] : kAliases) {
    if (name == alias) name = stands_for;
  }
  for (const NamedPattern& named : kNamed) {
    if (name == named.name) return named.edges;
  }
  for (const std::string_view family : kFamilies) {
    const auto size = family_size(name, family);
    if (!size) continue;
    const int smallest = family == "star" ? 1 : family == "cycle" ? 3 : 2;
    const int largest = family == "star" ? kMaxPatternVertices - 1 : kMaxPatternVertices;
    if (*size < smallest)
      throw InputError(fmt::format("the pattern '{}' is too small: a {} has at least {}", name, family, smallest));
    if (*size > largest)
      throw CapacityError(fmt::format("vertices of the pattern '{}'", name), kMaxPatternVertices,
                          *size + (family == "star" ? 1 : 0));
    return family_edges(family, *size);
  }
  return "";
}

bool is_pattern_family(std::string_view word) { return std::ranges::find(kFamilies, word) != std::end(kFamilies); }

std::string pattern_suggestion(std::string_view text) {
  std::vector<std::string> names;
  // Of a family, with the number that was asked for.
  const std::size_t first = std::min(text.find_first_of("0123456789"), text.size());
  const std::string_view number = text.substr(first, text.find_first_not_of("0123456789", first) - first);
  for (const std::string_view family : kFamilies) {
    if (number.empty()) break;
    names.push_back(fmt::format("{}-{}", number, family));
    names.push_back(fmt::format("{}:{}", family, number));
  }
  for (const NamedPattern& named : kNamed) names.emplace_back(named.name);
  for (const auto& [alias, stands_for] : kAliases) names.emplace_back(alias);
  return suggestion(std::string(text), names);
}

}  // namespace quarry
