/// Multisets of substrings; everything is found by comparing all molecules with all.
#include "reference/similar.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

namespace quarry::reference {
namespace {

constexpr std::string_view kDigits = "0123456789";

bool is_digit(char c) { return '0' <= c && c <= '9'; }

/// Characters of the ring closure that the text begins with, or 0.
std::size_t closure_length(std::string_view rest) {
  if (is_digit(rest[0])) return 1;
  if (rest[0] != '%') return 0;
  if (rest.size() >= 3 && is_digit(rest[1]) && is_digit(rest[2])) return 3;
  if (rest.size() < 2 || rest[1] != '(') return 0;
  const auto end = rest.find_first_not_of(kDigits, 2);
  const bool closed = end != std::string_view::npos && end > 2 && rest[end] == ')';
  return closed ? end + 1 : 0;
}

std::string without_closures(std::string_view smiles) {
  std::string text;
  bool in_brackets = false;
  for (std::size_t at = 0; at < smiles.size();) {
    if (smiles[at] == '[') in_brackets = true;
    if (smiles[at] == ']') in_brackets = false;
    const std::size_t length = in_brackets ? 0 : closure_length(smiles.substr(at));
    text += length > 0 ? '0' : smiles[at];
    at += std::max<std::size_t>(length, 1);
  }
  return text;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

std::uint64_t packed(std::string_view gram) {
  std::uint64_t number = 0;
  for (const char c : gram) number = number << 8 | static_cast<unsigned char>(c);
  return number;
}

}  // namespace

std::string lingo_text(std::string_view smiles, bool fold_halogens) {
  std::string text = without_closures(smiles);
  if (fold_halogens) replace_all(text, "Cl", "L");
  if (fold_halogens) replace_all(text, "Br", "R");
  return text;
}

std::map<std::string, Index> lingos(std::string_view text, int q) {
  if (std::ssize(text) < q) return {{std::string(text), 1}};
  std::map<std::string, Index> counts;
  for (Index at = 0; at + q <= std::ssize(text); ++at) ++counts[std::string(text.substr(at, q))];
  return counts;
}

Tanimoto tanimoto(const std::map<std::string, Index>& one, const std::map<std::string, Index>& other) {
  Tanimoto sums;
  for (const auto& [gram, count] : one) {
    const auto found = other.find(gram);
    const Index other_count = found == other.end() ? 0 : found->second;
    sums.smaller += std::min(count, other_count);
    sums.larger += std::max(count, other_count);
  }
  for (const auto& [gram, count] : other) sums.larger += one.count(gram) == 0 ? count : 0;
  return sums;
}

SortedMultiset sorted_multiset(std::vector<std::uint64_t> features) {
  SortedMultiset set;
  set.magnitude = std::ssize(features);
  std::sort(features.begin(), features.end());
  for (const std::uint64_t gram : features) {
    if (set.grams.empty() || set.grams.back() != gram) {
      set.grams.push_back(gram);
      set.counts.push_back(0);
    }
    ++set.counts.back();
  }
  return set;
}

SortedMultiset sorted_multiset(std::string_view text, int q) {
  // The number of a shorter text is below all others: their highest byte is a character, its own is 0.
  if (std::ssize(text) < q) return sorted_multiset({packed(text)});
  std::vector<std::uint64_t> grams;
  for (Index at = 0; at + q <= std::ssize(text); ++at) grams.push_back(packed(text.substr(at, q)));
  return sorted_multiset(std::move(grams));
}

Index intersection(const SortedMultiset& one, const SortedMultiset& other) {
  Index sum = 0;
  const std::size_t num_one = one.grams.size(), num_other = other.grams.size();
  for (std::size_t i = 0, j = 0; i < num_one && j < num_other;) {
    if (one.grams[i] < other.grams[j]) {
      ++i;
    } else if (other.grams[j] < one.grams[i]) {
      ++j;
    } else {
      sum += std::min(one.counts[i++], other.counts[j++]);
    }
  }
  return sum;
}

Tanimoto tanimoto(const SortedMultiset& one, const SortedMultiset& other) {
  const Index shared = intersection(one, other);
  return {shared, one.magnitude + other.magnitude - shared};
}

std::vector<similar::Neighbour> nearest(const SortedMultiset& row, const std::vector<SortedMultiset>& columns, Index k,
                                        double threshold) {
  std::vector<std::pair<Tanimoto, Index>> found;
  for (Index column = 0; column < std::ssize(columns); ++column) {
    const Tanimoto similarity = tanimoto(row, columns[column]);
    if (similarity.exact() >= threshold) found.push_back({similarity, column});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first.exact() > b.first.exact(); });
  if (k > 0 && std::ssize(found) > k) found.resize(k);
  std::vector<similar::Neighbour> neighbours;
  for (const auto& [similarity, column] : found) neighbours.push_back({column, similarity.exact()});
  return neighbours;
}

similar::Clusters cluster(const std::vector<SortedMultiset>& molecules, double threshold) {
  std::vector<std::vector<similar::Neighbour>> neighbours;
  for (const SortedMultiset& molecule : molecules) neighbours.push_back(nearest(molecule, molecules, 0, threshold));
  std::vector<Index> order(molecules.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return neighbours[a].size() > neighbours[b].size(); });
  constexpr Index kFree = -1;
  similar::Clusters clusters;
  clusters.cluster_of.assign(molecules.size(), kFree);
  for (const Index molecule : order) {
    if (clusters.cluster_of[molecule] != kFree) continue;
    const auto number = std::ssize(clusters.centroids);
    clusters.centroids.push_back(molecule);
    for (const similar::Neighbour& neighbour : neighbours[molecule]) {  // itself among them
      Index& cluster_of = clusters.cluster_of[neighbour.molecule];
      if (cluster_of == kFree) cluster_of = number;
    }
  }
  return clusters;
}

std::vector<Index> pick(const std::vector<SortedMultiset>& molecules, Index count, Index first, double threshold) {
  std::vector<Index> picks = {first};
  std::vector<bool> picked(molecules.size(), false);
  picked[first] = true;
  std::vector<double> to_nearest(molecules.size(), -1);  // similarity to the nearest pick
  while (std::ssize(picks) < count) {
    std::optional<Index> next;
    for (Index i = 0; i < std::ssize(molecules); ++i) {
      const SortedMultiset& last_pick = molecules[picks.back()];
      to_nearest[i] = std::max<double>(to_nearest[i], tanimoto(molecules[i], last_pick).rounded());
      if (!picked[i] && (!next || to_nearest[i] < to_nearest[*next])) next = i;
    }
    if (!next || to_nearest[*next] > static_cast<float>(threshold)) break;
    picked[*next] = true;
    picks.push_back(*next);
  }
  return picks;
}

}  // namespace quarry::reference
