#include "mine/formulas/formulas.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "util/check.hpp"

namespace quarry::mine {
namespace {

/// Bit per pair of vertices.
int pair_bit(int one, int other) {
  const auto [low, high] = std::minmax(one, other);
  return high * (high - 1) / 2 + low;
}

std::uint32_t mask_of(const GraphPattern& pattern, std::span<const int> order) {
  std::uint32_t mask = 0;
  for (const Edge& edge : pattern.edges) mask |= 1U << pair_bit(order[edge.from], order[edge.to]);
  return mask;
}

/// The smallest mask under all orders of up to five vertices: equal for the same pattern alone.
std::uint32_t canonical_mask(const GraphPattern& pattern) {
  std::vector<int> order(pattern.vertices.size());
  std::iota(order.begin(), order.end(), 0);
  std::uint32_t smallest = ~0U;
  do smallest = std::min(smallest, mask_of(pattern, order));
  while (std::next_permutation(order.begin(), order.end()));
  return smallest;
}

/// A pattern's count is the sum of its terms.
struct Term {
  Sum sum;
  int factor = 1;
};
struct Formula {
  const char* pattern;
  std::vector<Term> terms;
};

/// In the order of named_patterns.
const std::vector<Formula>& formulas() {
  using enum Sum;
  static const std::vector<Formula> all = {
      {"wedge", {{wedges}}},
      {"triangle", {{triangles}}},
      {"3-star", {{three_stars}}},
      {"4-path", {{four_paths}, {triangles, -3}}},
      {"tailed-triangle", {{tailed_triangles}}},
      {"4-cycle", {{four_cycles}}},
      {"diamond", {{diamonds}}},
      {"4-clique", {{four_cliques}}},
      {"4-star", {{four_stars}}},
      {"fork", {{forks}, {tailed_triangles, -2}}},
      {"5-path", {{five_paths}, {four_cycles, -4}, {tailed_triangles, -2}, {triangles, -3}}},
      {"cricket", {{crickets}}},
      {"bull", {{bulls}, {diamonds, -2}}},
      {"long-tailed-triangle", {{long_tailed_triangles}, {diamonds, -4}}},
      {"tailed-4-cycle", {{tailed_four_cycles}, {diamonds, -2}}},
      {"5-cycle", {{five_cycles}, {crossed_five_cycles, -1}}},
      {"tailed-diamond", {{tailed_diamonds}}},
      {"hourglass", {{hourglasses}, {diamonds, -2}}},
      {"kite-tail", {{kite_tails}, {four_cliques, -12}}},
      {"house", {{houses}, {diamonds, -4}}},
      {"K2,3", {{k23}}},
      {"triangle-book", {{triangle_books}}},
      {"tailed-4-clique", {{tailed_four_cliques}}},
      {"gem", {{gems}, {four_cliques, -12}}},
      {"chordal-K2,3", {{chordal_k23}}},
      {"hatted-4-clique", {{hatted_four_cliques}}},
      {"4-wheel", {{four_wheels}}},
      {"K5-e", {{near_five_cliques}}},
      {"5-clique", {{five_cliques}}},
  };
  return all;
}

struct Entry {
  GraphPattern pattern;
  std::uint32_t mask = 0;
};

std::vector<Entry> make_catalog() {
  std::vector<Entry> entries;
  for (const NamedPattern& named : named_patterns()) {
    GraphPattern pattern = parse_graph_pattern(named.edges);
    const std::uint32_t mask = canonical_mask(pattern);
    QUARRY_CHECK(formulas().at(entries.size()).pattern == std::string_view(named.name), "formulas in another order");
    entries.push_back({std::move(pattern), mask});
  }
  return entries;
}

const std::vector<Entry>& catalog() {
  static const std::vector<Entry> entries = make_catalog();
  return entries;
}

}  // namespace

std::optional<int> catalog_index(const GraphPattern& pattern) {
  if (pattern.size() < 3 || pattern.size() > 5) return std::nullopt;
  const std::uint32_t mask = canonical_mask(pattern);
  const auto found = std::ranges::find_if(
      catalog(), [&](const Entry& entry) { return entry.pattern.size() == pattern.size() && entry.mask == mask; });
  QUARRY_CHECK(found != catalog().end(), "every connected pattern has a name");
  return found - catalog().begin();
}

SumSet sums_for(int index, Semantics semantics) {
  SumSet sums;
  if (semantics == Semantics::edge_induced) {
    for (const Term& term : formulas()[index].terms) sums.insert(term.sum);
  } else {
    for (const Supergraph& larger : supergraphs(index)) sums |= sums_for(larger.index, Semantics::edge_induced);
  }
  return sums;
}

Count edge_induced(int index, const Sums& sums) {
  Count count = 0;
  for (const Term& term : formulas()[index].terms) count += sums[term.sum] * term.factor;  // modulo 2^128 on the way
  return count;
}

std::vector<Supergraph> supergraphs(int index) {
  const GraphPattern& small = catalog()[index].pattern;
  std::vector<int> order(small.vertices.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::uint32_t> copies;  // of the small pattern, as masks over the same vertices
  do copies.push_back(mask_of(small, order));
  while (std::next_permutation(order.begin(), order.end()));
  std::ranges::sort(copies);
  copies.erase(std::unique(copies.begin(), copies.end()), copies.end());
  std::vector<Supergraph> found;
  for (int i = 0; i < std::ssize(catalog()); ++i) {
    const Entry& large = catalog()[i];
    if (large.pattern.size() != small.size()) continue;
    const Index held = std::ranges::count_if(copies, [&](std::uint32_t copy) { return (copy & large.mask) == copy; });
    if (held > 0) found.push_back({i, held});
  }
  return found;
}

}  // namespace quarry::mine
