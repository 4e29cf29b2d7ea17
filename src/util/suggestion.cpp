/// Source: F. J. Damerau, "A technique for computer detection and correction of spelling errors", Commun. ACM 1964, 7, 171.
#include "quarry/suggestion.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quarry {
namespace {

/// The least number of letters to add, leave out, change, or swap with the next one, each place touched once.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      const bool differ = a[i - 1] != b[j - 1];
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (differ ? 1 : 0)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  return cost[a.size()][b.size()];
}

}  // namespace

std::string suggestion(const std::string& word, const std::vector<std::string>& words) {
  constexpr std::size_t kLongest = 64;  // nobody misspells a longer one, and the table grows with the square
  if (words.empty() || word.size() > kLongest) return "";
  const auto far = [&](const std::string& other) { return distance(word, other); };
  const std::string closest = *std::ranges::min_element(words, {}, far);
  if (far(closest) > std::min<std::size_t>(2, closest.size() / 3)) return "";
  return fmt::format(", did you mean '{}'?", closest);
}

}  // namespace quarry
