#include "mine/formulas/plan.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "exec/simd/bits.hpp"
#include "mine/formulas/formulas.hpp"
#include "util/random.hpp"

namespace quarry::mine {
namespace {

constexpr int kSamples = 1024;
/// Words of bitmaps are read in order, several at once.
constexpr double kEntriesPerWord = 0.5;

/// An edge drawn at random; `first` comes first.
struct RandomEdge {
  Index first = 0, second = 0;
};
RandomEdge random_edge(const OrderedRows& rows, RandomNumbers& random) {
  const Index entry = random.below(rows.neighbours.size()), other = rows.neighbours[entry];
  const Index owner = std::upper_bound(rows.offsets.begin(), rows.offsets.end(), static_cast<std::uint64_t>(entry)) -
                      rows.offsets.begin() - 1;
  return {std::min(owner, other), std::max(owner, other)};
}

using Vertices = std::vector<std::uint32_t>;
/// Looks each of the fewer up in the more: hubs do not make estimates long.
Vertices common(View<const std::uint32_t> one, View<const std::uint32_t> other) {
  if (one.size() > other.size()) std::swap(one, other);
  Vertices both;
  std::copy_if(one.begin(), one.end(), std::back_inserter(both),
               [&](std::uint32_t v) { return std::binary_search(other.begin(), other.end(), v); });
  return both;
}

/// Sums that depend on where triangles are.
struct TriangleEstimate {
  double pairs = 0;        ///< over edges: of their triangles
  double words = 0;        ///< over triangles: of the neighbours of the first vertex, as bits
  double words_after = 0;  ///< of those after it
};

TriangleEstimate estimate_triangles(const OrderedRows& rows) {
  TriangleEstimate estimate;
  RandomNumbers random(1);
  const double weight = static_cast<double>(rows.neighbours.size()) / 2 / kSamples;
  for (int i = 0; i < kSamples; ++i) {
    const auto [first, second] = random_edge(rows, random);
    const Vertices apexes = common(rows.row(first), rows.row(second));
    const auto triangles = static_cast<double>(apexes.size());
    const auto begun = static_cast<double>(apexes.end() - std::upper_bound(apexes.begin(), apexes.end(), second));
    estimate.pairs += weight * triangles * (triangles - 1) / 2;
    estimate.words += weight * begun * static_cast<double>(words_for(rows.degree(first)));
    estimate.words_after += weight * begun * static_cast<double>(words_for(rows.after(first).size()));
  }
  return estimate;
}

/// Entries that 5-cycles look at beside the ways: the rows before the ends that a root reaches. As many roots are tried
/// as a small part of the ways allows.
double estimate_pentagons(const OrderedRows& rows, double ways) {
  constexpr double kPartOfWays = 1.0 / 64;
  std::vector<std::uint32_t> last_reached(static_cast<std::size_t>(rows.num_vertices()));
  RandomNumbers random(1);
  double looked_at = 0, sum = 0;
  std::uint32_t tried = 0;
  while (tried == 0 || (tried < kSamples && looked_at < kPartOfWays * ways)) {
    const Index root = random_edge(rows, random).second;
    ++tried;
    double entries = 0;
    for (const std::uint32_t v : rows.before(root)) {
      for (const std::uint32_t w : rows.row(v)) {
        if (w >= root) break;
        ++looked_at;
        if (std::exchange(last_reached[w], tried) != tried) entries += static_cast<double>(rows.before(w).size());
      }
    }
    sum += entries / static_cast<double>(rows.before(root).size());
  }
  return sum / tried * static_cast<double>(rows.neighbours.size()) / 2;
}

}  // namespace

double PassCosts::total() const { return std::accumulate(entries.begin(), entries.end(), 0.0); }

PassCosts formula_costs(const OrderedRows& rows, std::uint32_t needs) {
  PassCosts costs;
  const auto entries = static_cast<double>(rows.neighbours.size());
  if (entries == 0) return costs;
  double rows_of_before = 0, after_squares = 0, squares = 0;
  for (Index v = 0; v < rows.num_vertices(); ++v) {
    const auto after = static_cast<double>(rows.offsets[v + 1] - rows.splits[v]);
    const auto degree = static_cast<double>(rows.offsets[v + 1] - rows.offsets[v]);
    rows_of_before += degree * after;
    after_squares += after * after;
    squares += degree * degree;
  }
  const double num_edges = entries / 2, after_pairs = (after_squares - num_edges) / 2;
  const double triples = rows_of_before - after_squares;  // before, the vertex, after
  const double ways = triples + after_pairs, all_ways = (squares - entries) / 2;
  const auto set = [&](Pass pass, std::uint32_t need, double cost) {
    if ((needs & need) != 0) costs.of(pass) = cost;
  };
  set(Pass::degrees, kNeedDegrees, entries);
  set(Pass::edge_triangles, kNeedEveryEdge, rows_of_before);
  set(Pass::edges, kNeedEveryEdge, 1.5 * entries);
  if ((needs & kNeedEveryEdge) == 0) set(Pass::triangles, kNeedTriangles, after_pairs);
  set(Pass::lists, kNeedLists, rows_of_before + 2 * entries);
  set(Pass::triangle_sums, kNeedTriangleSums, triples);
  const double extras = ((needs & kNeedHouses) != 0 ? 1 : 0) + ((needs & kNeedTailedCycles) != 0 ? 1 : 0);
  set(Pass::cycles, kNeedWays, (2 + extras) * ways);
  if ((needs & kNeedPentagons) != 0) costs.of(Pass::cycles) += estimate_pentagons(rows, ways);
  set(Pass::pairs, kNeedPairs | kNeedChords, 2 * all_ways);
  if ((needs & (kNeedLists | kNeedCliqueTails)) != 0) {
    const TriangleEstimate triangles = estimate_triangles(rows);
    set(Pass::pairs, kNeedChords, 2 * all_ways + rows_of_before + triangles.pairs);
    // Both passes over the ways in two thirds of the pairs, from both ends.
    set(Pass::wheels, kNeedWheels, 8.0 / 3 * triangles.pairs);
    set(Pass::tetrahedra, kNeedTetrahedra, triples + kEntriesPerWord * triangles.words);
    set(Pass::clique_tails, kNeedCliqueTails, triples + 2 * kEntriesPerWord * triangles.words_after);
  }
  if ((needs & (kNeedTetrahedra | kNeedCliqueTails)) == 0 && (needs & kNeedCliques4) != 0)
    costs.of(Pass::cliques4) = clique_cost(rows, 4);
  if ((needs & kNeedCliques5) != 0) costs.of(Pass::cliques5) = clique_cost(rows, 5);
  return costs;
}

double clique_cost(const OrderedRows& rows, int size) {
  Index num_edges = 0;
  for (Index v = 0; v < rows.num_vertices(); ++v) num_edges += rows.after(v).size();
  double cost = 0;
  RandomNumbers random(1);
  for (int i = 0; i < kSamples && num_edges > 0; ++i) {
    const auto [first, second] = random_edge(rows, random);
    const double words = kEntriesPerWord * static_cast<double>(words_for(rows.after(first).size()));
    double weight = static_cast<double>(num_edges) / kSamples;
    cost += weight * (static_cast<double>(rows.after(second).size()) + words);
    Vertices set = common(rows.after(first), rows.after(second));
    // Each vertex that is chosen stands for all that might have been.
    for (int chosen = 1; chosen < size - 3 && !set.empty(); ++chosen) {
      weight *= static_cast<double>(set.size());
      cost += weight * words;
      set =
          common(view_of(std::as_const(set)), rows.after(set[static_cast<std::size_t>(random.below(std::ssize(set)))]));
    }
    cost += weight * static_cast<double>(set.size()) * words;
  }
  return cost;
}

}  // namespace quarry::mine
