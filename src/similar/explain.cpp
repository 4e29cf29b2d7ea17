/// Two multisets side by side: of each LINGO, as many occurrences from the left are shared as both have.
#include <algorithm>
#include <map>

#include "similar/lingo.hpp"

namespace quarry::similar {
namespace {

using Counts = std::map<std::string, Index>;

/// The LINGOs of a text in order of place; a text shorter than q is one.
std::vector<std::string> cut(const std::string& text, int q) {
  const auto length = static_cast<std::size_t>(q);
  if (text.size() < length) return {text};
  std::vector<std::string> lingos;
  for (std::size_t i = 0; i + length <= text.size(); ++i) lingos.push_back(text.substr(i, length));
  return lingos;
}

Counts count(const std::vector<std::string>& lingos) {
  Counts counts;
  for (const std::string& lingo : lingos) ++counts[lingo];
  return counts;
}

std::string mark(const std::vector<std::string>& lingos, Counts shared, std::size_t size) {
  std::string marks(size, ' ');
  for (std::size_t i = 0; i < lingos.size(); ++i) {
    if (shared[lingos[i]]-- > 0) std::fill_n(marks.begin() + static_cast<std::ptrdiff_t>(i), lingos[i].size(), '^');
  }
  return marks;
}

}  // namespace

Explanation explain(std::string_view left, std::string_view right, const Definition& definition) {
  check_definition(definition);
  if (definition.metric != Metric::lingo) throw InputError("only a similarity by LINGOs can be explained by SMILES");
  Explanation why;
  why.texts[0] = lingo_text(left, definition.fold_halogens);
  why.texts[1] = lingo_text(right, definition.fold_halogens);
  const auto left_lingos = cut(why.texts[0], definition.q), right_lingos = cut(why.texts[1], definition.q);
  Counts shared = count(left_lingos);
  const Counts others = count(right_lingos);
  for (auto& [lingo, times] : shared) {
    const auto other = others.find(lingo);
    times = other == others.end() ? 0 : std::min(times, other->second);
    why.shared += times;
  }
  why.either = std::ssize(left_lingos) + std::ssize(right_lingos) - why.shared;
  why.marks[0] = mark(left_lingos, shared, why.texts[0].size());
  why.marks[1] = mark(right_lingos, shared, why.texts[1].size());
  return why;
}

}  // namespace quarry::similar
