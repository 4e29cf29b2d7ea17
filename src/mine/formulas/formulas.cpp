#include "mine/formulas/formulas.hpp"

#include <algorithm>
#include <array>
#include <bit>
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

struct Entry {
  GraphPattern pattern;
  std::uint32_t mask = 0;
};

std::vector<Entry> make_catalog() {
  std::vector<Entry> entries;
  for (const NamedPattern& named : named_patterns()) {
    GraphPattern pattern = parse_graph_pattern(named.edges);
    const std::uint32_t mask = canonical_mask(pattern);
    entries.push_back({std::move(pattern), mask});
  }
  return entries;
}

const std::vector<Entry>& catalog() {
  static const std::vector<Entry> entries = make_catalog();
  return entries;
}

// In the order of named_patterns.
struct Formula {
  std::uint32_t needs;
  Count (*count)(const LocalSums&);
};

constexpr Formula kFormulas[] = {
    {kNeedDegrees, [](const LocalSums& s) { return s.wedges; }},
    {kNeedTriangles, [](const LocalSums& s) { return s.triangles; }},
    {kNeedDegrees, [](const LocalSums& s) { return s.stars3; }},
    {kNeedDegrees | kNeedTriangles, [](const LocalSums& s) { return s.paths4 - 3 * s.triangles; }},
    {kNeedEdges, [](const LocalSums& s) { return s.tails; }},
    {kNeedCycles, [](const LocalSums& s) { return s.cycles4; }},
    {kNeedEdges, [](const LocalSums& s) { return s.diamonds; }},
    {kNeedCliques4, [](const LocalSums& s) { return s.cliques4; }},
    {kNeedDegrees, [](const LocalSums& s) { return s.stars4; }},
    {kNeedDegrees | kNeedEdges, [](const LocalSums& s) { return s.forks - 2 * s.tails; }},
    {kNeedDegrees | kNeedEdges | kNeedCycles,
     [](const LocalSums& s) { return s.paths5 - 4 * s.cycles4 - 2 * s.tails - 3 * s.triangles; }},
    {kNeedEdges, [](const LocalSums& s) { return s.crickets; }},
    {kNeedEdges, [](const LocalSums& s) { return s.bulls - 2 * s.diamonds; }},
    {kNeedEdges, [](const LocalSums& s) { return s.long_tails - 4 * s.diamonds; }},
    {kNeedEdges | kNeedTailedCycles, [](const LocalSums& s) { return s.tailed_cycles - 2 * s.diamonds; }},
    {kNeedTriangleSums | kNeedPentagons, [](const LocalSums& s) { return s.pentagons - s.pentagon_loss; }},
    {kNeedEdges, [](const LocalSums& s) { return s.tailed_diamonds; }},
    {kNeedEdges, [](const LocalSums& s) { return s.hourglasses - 2 * s.diamonds; }},
    {kNeedTriangleSums | kNeedCliques4, [](const LocalSums& s) { return s.kites - 12 * s.cliques4; }},
    {kNeedEdges | kNeedHouses, [](const LocalSums& s) { return s.houses - 4 * s.diamonds; }},
    {kNeedPairs, [](const LocalSums& s) { return s.bipartite23; }},
    {kNeedEdges, [](const LocalSums& s) { return s.books; }},
    {kNeedCliqueTails, [](const LocalSums& s) { return s.clique_tails; }},
    {kNeedTriangleSums | kNeedCliques4, [](const LocalSums& s) { return s.gems - 12 * s.cliques4; }},
    {kNeedChords, [](const LocalSums& s) { return s.chordal_bipartite; }},
    {kNeedTetrahedra, [](const LocalSums& s) { return s.hats6 / 2; }},
    {kNeedWheels, [](const LocalSums& s) { return s.wheels; }},
    {kNeedTetrahedra, [](const LocalSums& s) { return s.near_cliques5; }},
    {kNeedCliques5, [](const LocalSums& s) { return s.cliques5; }},
};

}  // namespace

LocalSums& LocalSums::operator+=(const LocalSums& other) {
  // All members are counts, one after the other.
  using Members = std::array<Count, sizeof(LocalSums) / sizeof(Count)>;
  static_assert(sizeof(Members) == sizeof(LocalSums));
  auto mine = std::bit_cast<Members>(*this);
  const auto theirs = std::bit_cast<Members>(other);
  for (std::size_t i = 0; i < mine.size(); ++i) mine[i] += theirs[i];
  return *this = std::bit_cast<LocalSums>(mine);
}

std::optional<int> catalog_place(const GraphPattern& pattern) {
  if (pattern.size() < 3 || pattern.size() > 5) return std::nullopt;
  const std::uint32_t mask = canonical_mask(pattern);
  const auto found = std::find_if(catalog().begin(), catalog().end(), [&](const Entry& entry) {
    return entry.pattern.size() == pattern.size() && entry.mask == mask;
  });
  QUARRY_CHECK(found != catalog().end(), "every connected pattern has a name");
  return static_cast<int>(found - catalog().begin());
}

std::uint32_t needs_of(int place) {
  static_assert(std::size(kFormulas) == 29);
  return kFormulas[place].needs;
}

Count edge_induced(int place, const LocalSums& sums) { return kFormulas[place].count(sums); }

std::vector<Supergraph> supergraphs(int place) {
  const Entry& small = catalog()[static_cast<std::size_t>(place)];
  std::vector<int> order(small.pattern.vertices.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::uint32_t> copies;  // of the small pattern, as masks over the same vertices
  do copies.push_back(mask_of(small.pattern, order));
  while (std::next_permutation(order.begin(), order.end()));
  std::sort(copies.begin(), copies.end());
  copies.erase(std::unique(copies.begin(), copies.end()), copies.end());
  std::vector<Supergraph> found;
  for (std::size_t other = 0; other < catalog().size(); ++other) {
    const Entry& large = catalog()[other];
    if (large.pattern.size() != small.pattern.size()) continue;
    const Index held =
        std::count_if(copies.begin(), copies.end(), [&](std::uint32_t copy) { return (copy & large.mask) == copy; });
    if (held > 0) found.push_back({static_cast<int>(other), held});
  }
  return found;
}

}  // namespace quarry::mine
