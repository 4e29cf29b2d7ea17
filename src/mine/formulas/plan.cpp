#include "mine/formulas/plan.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "exec/simd/bits.hpp"
#include "util/random.hpp"

namespace quarry::mine {
namespace {

constexpr int kSampledEdges = 1024;
/// Words of bitmaps are read in order, several at once.
constexpr double kEntriesPerWord = 0.5;

/// The ends of an edge drawn at random, in order.
std::pair<Index, Index> random_edge(const OrderedRows& rows, RandomNumbers& random) {
  const std::uint64_t entry = random.below(rows.neighbours.size());
  const Index owner = std::upper_bound(rows.offsets.begin(), rows.offsets.end(), entry) - rows.offsets.begin() - 1;
  const Index other = rows.neighbours[entry];
  return {std::min(owner, other), std::max(owner, other)};
}

using Vertices = std::vector<std::uint32_t>;
/// Looks up each vertex of the shorter row in the longer one, so that hubs do not make estimates long.
Vertices common(View<const std::uint32_t> one, View<const std::uint32_t> other) {
  if (one.size() > other.size()) std::swap(one, other);
  Vertices both;
  std::copy_if(one.begin(), one.end(), std::back_inserter(both),
               [&](std::uint32_t v) { return std::binary_search(other.begin(), other.end(), v); });
  return both;
}

/// Sums that depend on where triangles are.
struct TriangleEstimate {
  double pairs = 0;        ///< edges: pairs of their triangles
  double words = 0;        ///< triangles: words of a bitmap of the first vertex's neighbours
  double words_after = 0;  ///< triangles: words of a bitmap of those after it
};

TriangleEstimate estimate_triangles(const OrderedRows& rows) {
  TriangleEstimate estimate;
  RandomNumbers random(1);
  const double weight = rows.neighbours.size() / 2.0 / kSampledEdges;
  for (int i = 0; i < kSampledEdges; ++i) {
    const auto [first, second] = random_edge(rows, random);
    const Vertices apexes = common(rows.row(first), rows.row(second));
    const double triangles = apexes.size();
    const double begun = apexes.end() - std::upper_bound(apexes.begin(), apexes.end(), second);
    estimate.pairs += weight * triangles * (triangles - 1) / 2;
    estimate.words += weight * begun * words_for(rows.degree(first));
    estimate.words_after += weight * begun * words_for(rows.after(first).size());
  }
  return estimate;
}

/// Entries that five_cycles reads beside the paths of two edges: the rows before the ends of a root's paths. Random
/// roots are tried until they have read a small part of all paths.
double estimate_five_cycles(const OrderedRows& rows, double num_paths) {
  constexpr double kPartOfPaths = 1.0 / 64;
  std::vector<std::uint32_t> last_reached(rows.num_vertices());
  RandomNumbers random(1);
  double looked_at = 0, sum = 0;
  std::uint32_t tried = 0;
  while (tried == 0 || (tried < kSampledEdges && looked_at < kPartOfPaths * num_paths)) {
    const Index root = random_edge(rows, random).second;
    ++tried;
    double entries = 0;
    for (const std::uint32_t v : rows.before(root)) {
      for (const std::uint32_t w : rows.row(v)) {
        if (w >= root) break;
        ++looked_at;
        if (std::exchange(last_reached[w], tried) != tried) entries += rows.before(w).size();
      }
    }
    sum += entries / rows.before(root).size();
  }
  return sum / tried * rows.neighbours.size() / 2;
}

}  // namespace

FormulaPlan plan_sums(const OrderedRows& rows, SumSet sums) {
  FormulaPlan plan{sums, passes_for(sums), {}};
  const double entries = rows.neighbours.size();
  if (entries == 0) return plan;
  double rows_of_before = 0, after_squares = 0, squares = 0;
  for (Index v = 0; v < rows.num_vertices(); ++v) {
    const double after = rows.after(v).size(), degree = rows.degree(v);
    rows_of_before += degree * after;
    after_squares += after * after;
    squares += degree * degree;
  }
  const double num_edges = entries / 2, after_pairs = (after_squares - num_edges) / 2;
  const double triples = rows_of_before - after_squares;                            // before, the vertex, after
  const double paths = triples + after_pairs, all_paths = (squares - entries) / 2;  // of two edges
  const auto set = [&](Pass pass, double cost) {
    if (plan.passes.contains(pass)) plan.costs[pass] = cost;
  };
  set(Pass::degrees, entries);
  set(Pass::edge_triangles, rows_of_before);
  set(Pass::edges, 1.5 * entries);
  set(Pass::triangles, after_pairs);
  set(Pass::lists, rows_of_before + 2 * entries);
  set(Pass::triangle_sums, triples);
  const int again = sums.contains(Sum::houses) + sums.contains(Sum::tailed_four_cycles);
  const double five_cycles = sums.contains(Sum::five_cycles) ? estimate_five_cycles(rows, paths) : 0;
  set(Pass::cycles, (2 + again) * paths + five_cycles);
  set(Pass::pairs, 2 * all_paths);
  if (plan.passes.contains_any({Pass::lists, Pass::clique_tails})) {
    const TriangleEstimate triangles = estimate_triangles(rows);
    if (sums.contains(Sum::chordal_k23)) set(Pass::pairs, 2 * all_paths + rows_of_before + triangles.pairs);
    // Both loops over the paths in two thirds of the pairs, from both ends.
    set(Pass::wheels, 8.0 / 3 * triangles.pairs);
    set(Pass::tetrahedra, triples + kEntriesPerWord * triangles.words);
    set(Pass::clique_tails, triples + 2 * kEntriesPerWord * triangles.words_after);
  }
  if (plan.passes.contains(Pass::four_cliques)) plan.costs[Pass::four_cliques] = clique_cost(rows, 4);
  if (plan.passes.contains(Pass::five_cliques)) plan.costs[Pass::five_cliques] = clique_cost(rows, 5);
  return plan;
}

Index bytes_for(PassSet passes, Index num_vertices, Index num_edges, int threads) {
  Index bytes = threads * 13 * num_vertices;
  if (passes.contains(Pass::edge_triangles)) bytes += 8 * num_edges + 8 * num_vertices;
  if (passes.contains(Pass::lists)) bytes += 16 * num_edges;
  return bytes;
}

double clique_cost(const OrderedRows& rows, int size) {
  Index num_edges = 0;
  for (Index v = 0; v < rows.num_vertices(); ++v) num_edges += rows.after(v).size();
  double cost = 0;
  RandomNumbers random(1);
  for (int i = 0; i < kSampledEdges && num_edges > 0; ++i) {
    const auto [first, second] = random_edge(rows, random);
    const double words = kEntriesPerWord * words_for(rows.after(first).size());
    double weight = 1.0 * num_edges / kSampledEdges;
    cost += weight * (rows.after(second).size() + words);
    Vertices set = common(rows.after(first), rows.after(second));
    Index num_left = std::ssize(set);
    // Each vertex that is chosen stands for all that might have been.
    for (int chosen = 1; chosen < size - 3 && num_left > 0; ++chosen) {
      weight *= num_left;
      cost += weight * words;
      set = common(view_of(std::as_const(set)), rows.after(set[random.below(num_left)]));
      num_left = std::ssize(set);
    }
    cost += weight * num_left * words;
  }
  return cost;
}

}  // namespace quarry::mine
