/// The story of counting: which method suits each pattern; formulas share their sums, cliques have their own way, what
/// is left is searched for.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "graph/pattern_symmetry.hpp"
#include "mine/formulas.hpp"
#include "mine/local_counter.hpp"
#include "mine/prepared.hpp"
#include "mine/steps.hpp"
#include "mine/tasks.hpp"
#include "mine/work_meter.hpp"

namespace quarry::mine {
namespace {

/// Tasks of a search for each thread: skewed work evens out.
constexpr Index kTasksPerThread = 256;

bool is_labelled(const GraphPattern& pattern) { return pattern.has_vertex_labels() || pattern.has_edge_labels(); }

bool is_clique(const GraphPattern& pattern) {
  const Index n = pattern.size();
  return n >= 3 && std::ssize(pattern.edges) == n * (n - 1) / 2 && !is_labelled(pattern);
}

bool has_formula(const GraphPattern& pattern) {
  return !is_labelled(pattern) && pattern.size() >= 3 && pattern.size() <= 5;
}

Method method_for(const GraphPattern& pattern, const Options& options) {
  const auto refuse = [&](const char* method, const char* patterns) {
    throw InputError(
        fmt::format("the pattern '{}' cannot be counted by {}: that is for {}", pattern.name, method, patterns));
  };
  if (options.method == Method::formulas && !has_formula(pattern))
    refuse("formulas", "unlabelled patterns of three to five vertices");
  if (options.method == Method::cliques && !is_clique(pattern)) refuse("cliques", "unlabelled cliques");
  if (options.method != Method::automatic) return options.method;
  return has_formula(pattern) ? Method::formulas : is_clique(pattern) ? Method::cliques : Method::search;
}

/// What the sums of one pattern or of several must hold.
std::uint32_t needs_for(int place, Semantics semantics) {
  if (semantics == Semantics::edge_induced) return needs_of(place);
  std::uint32_t needs = 0;
  for (const Supergraph& larger : supergraphs(place)) needs |= needs_of(larger.place);
  return needs;
}

/// Every subgraph with the pattern's edges is vertex-induced as itself or as a pattern with more edges.
Count vertex_induced(int place, const LocalSums& sums) {
  Count count = edge_induced(place, sums);
  for (const Supergraph& larger : supergraphs(place)) {
    if (larger.place != place) count -= static_cast<Count>(larger.copies) * vertex_induced(larger.place, sums);
  }
  return count;
}

OrderedGraph::Shape local_shape(std::uint32_t needs, const Options& options) {
  OrderedGraph::Shape shape;
  if (options.orientation == Orientation::large_first) shape.order = VertexOrder::large_degree_first;
  shape.only_after = (needs & ~(kNeedCliques4 | kNeedCliques5)) == 0;
  return shape;
}

/// What the patterns with formulas need together; no needs where there are none.
struct FormulaPlan {
  std::uint32_t needs = 0;
  PassCosts costs;
};

FormulaPlan plan_formulas(PreparedGraph& prepared, std::uint32_t needs) {
  if (needs == 0) return {};
  const OrderedGraph& ordered = prepared.ordered(local_shape(needs, prepared.options()));
  Lap lap;
  FormulaPlan plan{needs, formula_costs(ordered.rows(), needs)};
  prepared.seconds.plan += lap.seconds();
  return plan;
}

LocalSums local_sums(PreparedGraph& prepared, const FormulaPlan& plan, WorkMeter& meter) {
  const Options& options = prepared.options();
  const OrderedGraph& ordered = prepared.ordered(local_shape(plan.needs, options));
  const Graph& graph = prepared.graph();
  Lap lap;
  const Index bytes = LocalCounter::bytes(graph.num_vertices(), graph.num_edges(), plan.needs, options.threads);
  prepared.require_memory("for counts around edges", bytes);
  LocalCounter counter(ordered, options.threads, meter);
  if (options.memory_bytes > 0) counter.limit_memory(options.memory_bytes - bytes);
  const LocalSums sums = counter.sums(plan.needs, plan.costs);
  prepared.seconds.run += lap.seconds();
  return sums;
}

const OrderedGraph& ordered_for_cliques(PreparedGraph& prepared, int size) {
  OrderedGraph::Shape shape;
  shape.only_after = size > 3;
  shape.order = prepared.options().orientation == Orientation::large_first ? VertexOrder::large_degree_first
                                                                           : VertexOrder::degeneracy;
  return prepared.ordered(shape);
}

double cost_of_cliques(PreparedGraph& prepared, int size) {
  const OrderedRows rows = ordered_for_cliques(prepared, size).rows();
  Lap lap;
  const double cost = size == 3 ? formula_costs(rows, kNeedTriangles).total() : clique_cost(rows, size);
  prepared.seconds.plan += lap.seconds();
  return cost;
}

Count count_cliques_of(PreparedGraph& prepared, int size, double cost, WorkMeter& meter) {
  const OrderedGraph& ordered = ordered_for_cliques(prepared, size);
  Lap lap;
  LocalCounter counter(ordered, prepared.options().threads, meter);
  const Count count = size == 3 ? counter.sums(kNeedTriangles, formula_costs(ordered.rows(), kNeedTriangles)).triangles
                                : counter.cliques(size, cost);
  prepared.seconds.run += lap.seconds();
  return count;
}

Count count_by_search(PreparedGraph& prepared, const GraphPattern& pattern) {
  const auto planned = plan_search(prepared, pattern, false);
  const Options& options = prepared.options();
  Lap lap;
  const auto tasks = cut_entries(planned->job, options.split, kTasksPerThread * options.threads);
  std::vector<Count> ways(tasks.size());
  std::vector<std::uint8_t> overflow(tasks.size());
  run_tasks(planned->job, options, tasks, [&](SearchWorker& worker, std::size_t task) {
    count_matches(worker.queue, planned->job, worker.memory, tasks[task], ways[task]);
    overflow[task] = worker.memory.overflow;
  });
  Count total = 0;
  bool too_large = std::find(overflow.begin(), overflow.end(), 1) != overflow.end();
  for (const Count part : ways) too_large |= __builtin_add_overflow(total, part, &total);
  too_large |= __builtin_mul_overflow(total, static_cast<Count>(planned->plan.multiply), &total);
  if (too_large) throw CapacityError(fmt::format("the count of '{}' does not fit 128 bits", pattern.name));
  prepared.seconds.run += lap.seconds();
  return total / static_cast<Count>(planned->plan.divide);
}

std::uint32_t shared_needs(const PreparedGraph& prepared, std::span<const GraphPattern> patterns) {
  std::uint32_t needs = 0;
  for (const GraphPattern& pattern : patterns) {
    if (method_for(pattern, prepared.options()) == Method::formulas)
      needs |= needs_for(*catalog_place(pattern), prepared.options().semantics);
  }
  return needs;
}

/// Cost of a pattern on its own.
double cost_of(PreparedGraph& prepared, const GraphPattern& pattern, Method method) {
  return method == Method::cliques ? cost_of_cliques(prepared, static_cast<int>(pattern.size()))
                                   : plan_search(prepared, pattern, false)->plan.cost;
}

/// What will be done: all formulas together, then pattern by pattern.
std::vector<Work> plan_works(PreparedGraph& prepared, std::span<const GraphPattern> patterns,
                             const FormulaPlan& formulas) {
  std::vector<Work> works;
  if (formulas.needs != 0) works.push_back({Method::formulas, {}, formulas.costs.total()});
  for (const GraphPattern& pattern : patterns) {
    const Method method = method_for(pattern, prepared.options());
    if (method == Method::formulas)
      works.front().patterns.push_back(pattern.name);
    else
      works.push_back({method, {pattern.name}, cost_of(prepared, pattern, method)});
  }
  return works;
}

void tell(const std::vector<Work>& works, const Options& options, WorkMeter& meter) {
  for (const Work& work : works) meter.expect(work.entries);
  if (options.planned) options.planned(works);
}

/// The sums that all patterns with formulas need; nothing where there is no such pattern, or their lists find no room
/// and a search may do it.
std::optional<LocalSums> shared_sums(PreparedGraph& prepared, const FormulaPlan& plan, WorkMeter& meter) {
  if (plan.needs == 0) return std::nullopt;
  try {
    return local_sums(prepared, plan, meter);
  } catch (const CapacityError&) {
    if (prepared.options().method == Method::formulas) throw;
    return std::nullopt;
  }
}

/// Searches tell their own progress, which is a part of the whole.
Options with_progress(const Options& options, WorkMeter& meter) {
  Options inner = options;
  if (options.progress) inner.progress = [&meter](Index done, Index total) { meter.set(done, total); };
  return inner;
}

Result make_result(const GraphPattern& pattern, Semantics semantics, Method method, Count subgraphs, double cost) {
  Result result{pattern, semantics, subgraphs, 0, num_automorphisms(pattern), method, {}, cost};
  if (__builtin_mul_overflow(subgraphs, static_cast<Count>(result.automorphisms), &result.embeddings))
    throw CapacityError(fmt::format("the embeddings of '{}' do not fit 128 bits", pattern.name));
  return result;
}

}  // namespace

std::string to_text(Count count) { return fmt::format("{}", count); }

std::vector<Result> count(const Graph& graph, std::span<const GraphPattern> patterns, const Options& options) {
  WorkMeter meter(options.progress);
  PreparedGraph prepared(graph, with_progress(options, meter));
  const FormulaPlan formulas = plan_formulas(prepared, shared_needs(prepared, patterns));
  const std::vector<Work> works = plan_works(prepared, patterns, formulas);
  tell(works, options, meter);
  const std::optional<LocalSums> sums = shared_sums(prepared, formulas, meter);
  auto work = works.begin() + (formulas.needs != 0 ? 1 : 0);
  std::vector<Result> results;
  for (const GraphPattern& pattern : patterns) {
    Method method = method_for(pattern, prepared.options());
    if (method == Method::formulas && sums) {
      const int place = *catalog_place(pattern);
      const Count subgraphs =
          options.semantics == Semantics::edge_induced ? edge_induced(place, *sums) : vertex_induced(place, *sums);
      results.push_back(make_result(pattern, options.semantics, method, subgraphs, works.front().entries));
      continue;
    }
    double cost = 0;
    if (method == Method::formulas) {
      method = is_clique(pattern) ? Method::cliques : Method::search;
      cost = cost_of(prepared, pattern, method);
      meter.expect(cost);
    } else {
      cost = (work++)->entries;
    }
    if (method == Method::search) meter.begin(cost);
    const Count subgraphs = method == Method::cliques
                                ? count_cliques_of(prepared, static_cast<int>(pattern.size()), cost, meter)
                                : count_by_search(prepared, pattern);
    results.push_back(make_result(pattern, options.semantics, method, subgraphs, cost));
  }
  meter.finish();
  for (Result& result : results) result.seconds = prepared.seconds;
  return results;
}

Result count(const Graph& graph, const GraphPattern& pattern, const Options& options) {
  return count(graph, std::span(&pattern, 1), options).front();
}

Motifs motifs(const Graph& graph, int size, const Options& options) {
  if (size < 3 || size > 5) throw InputError(fmt::format("motifs have 3, 4 or 5 vertices, not {}", size));
  WorkMeter meter(options.progress);
  PreparedGraph prepared(graph, options);
  Motifs motifs;
  std::vector<int> places;
  std::uint32_t needs = 0;
  const auto named = named_patterns();
  for (std::size_t place = 0; place < named.size(); ++place) {
    GraphPattern pattern = parse_graph_pattern(named[place].name);
    if (pattern.size() != size) continue;
    needs |= needs_of(static_cast<int>(place));
    places.push_back(static_cast<int>(place));
    motifs.counts.push_back({std::move(pattern), 0, 0, 1});
  }
  const FormulaPlan plan = plan_formulas(prepared, needs);
  motifs.cost = plan.costs.total();
  tell({{Method::formulas, {fmt::format("all of {} vertices", size)}, motifs.cost}}, options, meter);
  const LocalSums sums = local_sums(prepared, plan, meter);
  meter.finish();
  Lap lap;
  for (std::size_t i = 0; i < places.size(); ++i) {
    MotifCount& motif = motifs.counts[i];
    motif.edge_induced = edge_induced(places[i], sums);
    motif.vertex_induced = vertex_induced(places[i], sums);
    motif.automorphisms = num_automorphisms(motif.pattern);
  }
  prepared.seconds.run += lap.seconds();
  motifs.seconds = prepared.seconds;
  return motifs;
}

}  // namespace quarry::mine
