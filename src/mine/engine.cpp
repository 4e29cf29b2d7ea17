/// The story of counting: a method for each pattern; formulas share their sums, cliques have their own way, what is
/// left is searched for.
#include "mine/formulas/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "graph/pattern/pattern_symmetry.hpp"
#include "mine/formulas/formulas.hpp"
#include "mine/methods.hpp"
#include "mine/search/engine.hpp"
#include "mine/work_meter.hpp"
#include "quarry/error.hpp"

namespace quarry::mine {
namespace {

/// Every subgraph with the pattern's edges is vertex-induced as itself or as a pattern with more edges.
/// @param index         of the pattern in the catalog
/// @param edge_induced  the count of a pattern of the catalog
Count vertex_induced(int index, const std::function<Count(int)>& edge_induced) {
  Count count = edge_induced(index);
  for (const Supergraph& larger : supergraphs(index)) {
    if (larger.index != index) count -= larger.copies * vertex_induced(larger.index, edge_induced);
  }
  return count;
}

/// Of each pattern; none where it overflowed.
using Counts = std::vector<std::optional<Count>>;

/// The sums that formulas need. The lists of triangles are the one thing whose size is known only on the way, when the
/// triangles have been counted: where there is no room for them, and another method may be used, there is no result.
std::optional<Sums> find_sums(PreparedGraph& prepared, const FormulaPlan& plan, WorkMeter& meter) {
  const Options& options = prepared.options();
  const Graph& graph = prepared.graph();
  const OrderedGraph& ordered = ordered_for_formulas(prepared, plan.sums);
  const Stopwatch stopwatch;
  FormulaCounter counter(ordered, options.threads, meter);
  counter.find_triangles(plan);
  const Index bytes =
      bytes_for(plan.passes, graph.num_vertices(), graph.num_edges(), options.threads) + counter.list_bytes(plan);
  const bool fits = bytes <= prepared.memory().bytes();
  if (!fits && options.method == Method::formulas)
    prepared.memory().require(bytes, "counts around edges and lists of triangles");
  std::optional<Sums> sums;
  if (fits) sums = counter.finish_sums(plan);
  prepared.run_seconds += stopwatch.seconds();
  return sums;
}

/// @return false where there was no room, and other methods may be used
bool count_by_formulas(PreparedGraph& prepared, std::span<const GraphPattern> patterns, const CountPlan& plan,
                       WorkMeter& meter, Counts& counts) {
  if (plan.formulas.sums.empty()) return true;
  const std::optional<Sums> sums = find_sums(prepared, plan.formulas, meter);
  if (!sums) return false;
  const auto count_of = [&](int index) { return edge_induced(index, *sums); };
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (plan.methods[i] != Method::formulas) continue;
    const int index = *catalog_index(patterns[i]);
    const bool induced = prepared.options().semantics == Semantics::vertex_induced;
    counts[i] = induced ? vertex_induced(index, count_of) : count_of(index);
  }
  return true;
}

Count count_cliques_of(PreparedGraph& prepared, int size, double cost, WorkMeter& meter) {
  const OrderedGraph& ordered = ordered_for_cliques(prepared, size);
  const Stopwatch stopwatch;
  FormulaCounter counter(ordered, prepared.options().threads, meter);
  Count count = 0;
  if (size == 3) {
    const FormulaPlan plan = plan_sums(ordered.rows(), {Sum::triangles});
    counter.find_triangles(plan);
    count = counter.finish_sums(plan)[Sum::triangles];
  } else {
    count = counter.cliques(size, cost);
  }
  prepared.run_seconds += stopwatch.seconds();
  return count;
}

/// Adds up what a search counted of its i-th pattern.
std::optional<Count> subgraphs_of(const PlannedSearch& search, std::size_t i, const std::vector<Tally>& tallies) {
  Tally total;
  for (std::size_t tally = i; tally < tallies.size(); tally += search.patterns.size()) total.add(tallies[tally]);
  total.multiply(search.plans[i].multiply);
  if (total.overflow) return {};
  return total.count / search.plans[i].divide;
}

void count_by_search(PreparedGraph& prepared, const PlannedSearch& search, Counts& counts) {
  const Options& options = prepared.options();
  const Stopwatch stopwatch;
  const Index num_tasks =
      prepared.on_host() ? count_limits.tasks_per_thread * options.threads : count_limits.device_tasks;
  const auto tallies = count_tasks(options, search, cut_entries(search, options.split, num_tasks));
  for (std::size_t i = 0; i < search.patterns.size(); ++i)
    counts[search.patterns[i]] = subgraphs_of(search, i, tallies);
  prepared.run_seconds += stopwatch.seconds();
}

/// All but formulas.
void count_others(PreparedGraph& prepared, std::span<const GraphPattern> patterns, const CountPlan& plan,
                  WorkMeter& meter, Counts& counts) {
  for (const std::size_t i : plan.cliques)
    counts[i] = count_cliques_of(prepared, patterns[i].size(), plan.costs[i], meter);
  for (const auto& search : plan.searches) {
    double cost = 0;
    for (const PatternPlan& pattern : search->plans) cost += pattern.cost;
    meter.begin(cost);
    count_by_search(prepared, *search, counts);
  }
}

/// A search reports its own progress, which is a part of the whole.
Options with_progress(const Options& options, WorkMeter& meter) {
  Options inner = options;
  if (options.progress) inner.progress = [&meter](Index done, Index total) { meter.set(done, total); };
  return inner;
}

Result make_result(const GraphPattern& pattern, Semantics semantics, Method method, std::optional<Count> subgraphs,
                   double cost) {
  Result result{pattern, semantics, subgraphs.value_or(0), 0, num_automorphisms(pattern), method, {}, cost};
  result.subgraphs_overflow = !subgraphs;
  const bool fits = !__builtin_mul_overflow(result.subgraphs, result.automorphisms, &result.embeddings);
  result.embeddings_overflow = !subgraphs || !fits;
  if (!fits) result.embeddings = 0;
  return result;
}

/// @throws CapacityError  it overflowed
void require_fit(const Result& result) {
  if (result.subgraphs_overflow)
    throw CapacityError(fmt::format("the count of '{}' does not fit 127 bits", result.pattern.name));
  if (result.embeddings_overflow)
    throw CapacityError(fmt::format("the embeddings of '{}' do not fit 128 bits", result.pattern.name));
}

}  // namespace

std::string to_text(Count count) { return fmt::format("{}", count); }

std::vector<Result> count(const Graph& graph, std::span<const GraphPattern> patterns, const Options& options) {
  WorkMeter meter(options.progress);
  PreparedGraph prepared(graph, with_progress(options, meter));
  CountPlan plan = plan_count(prepared, patterns);
  for (const Work& work : plan.works) meter.expect(work.entries);
  if (options.planned) options.planned(plan.works);
  Counts counts(patterns.size());
  if (!count_by_formulas(prepared, patterns, plan, meter, counts)) {
    const CountPlan instead = plan_without_formulas(prepared, patterns, plan);
    for (const Work& work : instead.works) meter.expect(work.entries);
    count_others(prepared, patterns, instead, meter, counts);
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      if (plan.methods[i] != Method::formulas) continue;
      plan.methods[i] = instead.methods[i];
      plan.costs[i] = instead.costs[i];
    }
  }
  count_others(prepared, patterns, plan, meter, counts);
  meter.finish();
  std::vector<Result> results;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    results.push_back(make_result(patterns[i], options.semantics, plan.methods[i], counts[i], plan.costs[i]));
    results.back().statistics = prepared.statistics();
  }
  return results;
}

Result count(const Graph& graph, const GraphPattern& pattern, const Options& options) {
  Result result = count(graph, std::span(&pattern, 1), options).front();
  require_fit(result);
  return result;
}

Motifs motifs(const Graph& graph, int size, const Options& options) {
  if (size < 3 || size > 5) throw InputError(fmt::format("motifs have 3, 4 or 5 vertices, not {}", size));
  if (options.num_shards != 1)
    throw InputError("motifs are counted in the whole graph: in shards count their patterns");
  std::vector<GraphPattern> patterns;
  std::vector<int> indices;
  for (const NamedPattern& named : named_patterns()) {
    GraphPattern pattern = parse_graph_pattern(named.name);
    if (pattern.size() != size) continue;
    indices.push_back(*catalog_index(pattern));
    patterns.push_back(std::move(pattern));
  }
  Options edge_induced = options;
  edge_induced.semantics = Semantics::edge_induced;
  const std::vector<Result> results = count(graph, patterns, edge_induced);
  for (const Result& result : results) require_fit(result);
  const auto count_of = [&](int index) {
    return results[std::ranges::find(indices, index) - indices.begin()].subgraphs;
  };
  Motifs motifs{{}, results.front().statistics, 0};
  for (std::size_t i = 0; i < results.size(); ++i) {
    motifs.counts.push_back({results[i].pattern, results[i].subgraphs, vertex_induced(indices[i], count_of),
                             results[i].automorphisms, results[i].method});
    motifs.cost = results[i].method == Method::formulas ? results[i].cost : motifs.cost + results[i].cost;
  }
  return motifs;
}

}  // namespace quarry::mine
