/// The story of counting: which method suits each pattern; formulas share their sums, cliques have their own way, what
/// is left is searched for.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

#include "graph/pattern_symmetry.hpp"
#include "mine/device_search.hpp"
#include "mine/formulas.hpp"
#include "mine/local_counter.hpp"
#include "mine/prepared.hpp"
#include "mine/steps.hpp"
#include "mine/tasks.hpp"

namespace quarry::mine {
namespace {

/// Tasks of a search for each thread: skewed work evens out.
constexpr Index kTasksPerThread = 256;
/// Tasks of a search on devices: many times the teams that are at work. PERF: not yet measured
constexpr Index kDeviceTasks = Index{1} << 16;

bool is_labelled(const GraphPattern& pattern) { return pattern.has_vertex_labels() || pattern.has_edge_labels(); }

bool is_clique(const GraphPattern& pattern) {
  const Index n = pattern.size();
  return n >= 3 && std::ssize(pattern.edges) == n * (n - 1) / 2 && !is_labelled(pattern);
}

bool has_formula(const GraphPattern& pattern) {
  return !is_labelled(pattern) && pattern.size() >= 3 && pattern.size() <= 5;
}

Method method_for(const GraphPattern& pattern, const PreparedGraph& prepared) {
  const Options& options = prepared.options();
  const auto refuse = [&](const char* method, const char* patterns) {
    throw InputError(
        fmt::format("the pattern '{}' cannot be counted by {}: that is for {}", pattern.name, method, patterns));
  };
  if (options.method == Method::formulas && !has_formula(pattern))
    refuse("formulas", "unlabelled patterns of three to five vertices");
  if (options.method == Method::cliques && !is_clique(pattern)) refuse("cliques", "unlabelled cliques");
  if (!prepared.on_host() && (options.method == Method::formulas || options.method == Method::cliques))
    throw InputError("formulas and cliques are counted on the host: leave the method automatic, or the device at host");
  if (!prepared.on_host()) return Method::search;
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
/// @param edge_induced  the count of the pattern at a place
Count vertex_induced(int place, const std::function<Count(int)>& edge_induced) {
  Count count = edge_induced(place);
  for (const Supergraph& larger : supergraphs(place)) {
    if (larger.place != place) count -= static_cast<Count>(larger.copies) * vertex_induced(larger.place, edge_induced);
  }
  return count;
}

OrderedGraph::Shape local_shape(std::uint32_t needs, const Options& options) {
  OrderedGraph::Shape shape;
  if (options.orientation == Orientation::large_first) shape.order = VertexOrder::large_degree_first;
  shape.only_after = (needs & ~(kNeedCliques4 | kNeedCliques5)) == 0;
  return shape;
}

LocalSums local_sums(PreparedGraph& prepared, std::uint32_t needs) {
  const Options& options = prepared.options();
  const OrderedGraph& ordered = prepared.ordered(local_shape(needs, options));
  const Graph& graph = prepared.graph();
  Lap lap;
  const Index bytes = LocalCounter::bytes(graph.num_vertices(), graph.num_edges(), needs, options.threads);
  prepared.require_memory("for counts around edges", bytes);
  LocalCounter counter(ordered, options.threads);
  if (options.memory_bytes > 0) counter.limit_memory(options.memory_bytes - bytes);
  const LocalSums sums = counter.sums(needs);
  prepared.seconds.run += lap.seconds();
  return sums;
}

Count count_cliques_of(PreparedGraph& prepared, int size) {
  OrderedGraph::Shape shape;
  shape.only_after = size > 3;
  shape.order = prepared.options().orientation == Orientation::large_first ? VertexOrder::large_degree_first
                                                                           : VertexOrder::degeneracy;
  const OrderedGraph& ordered = prepared.ordered(shape);
  Lap lap;
  LocalCounter counter(ordered, prepared.options().threads);
  const Count count = size == 3 ? counter.sums(kNeedTriangles).triangles : counter.cliques(size);
  prepared.seconds.run += lap.seconds();
  return count;
}

/// Adds up what a search counted. @throws CapacityError
Count subgraphs_of(const PatternPlan& plan, const GraphPattern& pattern, const std::vector<Tally>& tallies,
                   std::size_t first, std::size_t step) {
  Tally total;
  for (std::size_t i = first; i < tallies.size(); i += step) {
    total.add(tallies[i].ways);
    total.overflow |= tallies[i].overflow;
  }
  total.multiply(plan.multiply);
  if (total.overflow) throw CapacityError(fmt::format("the count of '{}' does not fit 127 bits", pattern.name));
  return static_cast<Count>(total.ways) / static_cast<Count>(plan.divide);
}

/// The counts of the patterns at `which`, beside those of others.
void count_by_search(PreparedGraph& prepared, std::span<const GraphPattern> patterns,
                     const std::vector<std::size_t>& which, std::vector<Count>& counts) {
  const Options& options = prepared.options();
  for (const auto& search : plan_searches(prepared, patterns, which, false)) {
    Lap lap;
    const Index pieces = prepared.on_host() ? kTasksPerThread * options.threads : kDeviceTasks;
    const auto tasks = cut_entries(search->job, options.split, pieces);
    const auto tallies = prepared.on_host() ? count_tasks(prepared.options(), *search, tasks)
                                            : count_on_devices(prepared, *search, tasks);
    for (std::size_t i = 0; i < search->patterns.size(); ++i) {
      const std::size_t pattern = search->patterns[i];
      counts[pattern] = subgraphs_of(search->plans[i], patterns[pattern], tallies, i, search->patterns.size());
    }
    prepared.seconds.run += lap.seconds();
  }
}

/// The sums that all patterns with formulas need; nothing where there is no such pattern, or their lists find no room
/// and a search may do it.
std::optional<LocalSums> shared_sums(PreparedGraph& prepared, std::span<const GraphPattern> patterns) {
  const Options& options = prepared.options();
  std::uint32_t needs = 0;
  bool any = false;
  for (const GraphPattern& pattern : patterns) {
    if (method_for(pattern, prepared) != Method::formulas) continue;
    needs |= needs_for(*catalog_place(pattern), options.semantics);
    any = true;
  }
  if (!any) return std::nullopt;
  try {
    return local_sums(prepared, needs);
  } catch (const CapacityError&) {
    if (options.method == Method::formulas) throw;
    return std::nullopt;
  }
}

Result make_result(const GraphPattern& pattern, Semantics semantics, Method method, Count subgraphs) {
  Result result{pattern, semantics, subgraphs, 0, num_automorphisms(pattern), method, {}};
  if (__builtin_mul_overflow(subgraphs, static_cast<Count>(result.automorphisms), &result.embeddings))
    throw CapacityError(fmt::format("the embeddings of '{}' do not fit 128 bits", pattern.name));
  return result;
}

}  // namespace

std::string to_text(Count count) { return fmt::format("{}", count); }

std::vector<Result> count(const Graph& graph, std::span<const GraphPattern> patterns, const Options& options) {
  PreparedGraph prepared(graph, options);
  const std::optional<LocalSums> sums = shared_sums(prepared, patterns);
  std::vector<Count> counts(patterns.size());
  std::vector<Method> methods;
  std::vector<std::size_t> searched;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const GraphPattern& pattern = patterns[i];
    Method method = method_for(pattern, prepared);
    if (method == Method::formulas && !sums) method = is_clique(pattern) ? Method::cliques : Method::search;
    methods.push_back(method);
    if (method == Method::search) {
      searched.push_back(i);
    } else if (method == Method::cliques) {
      counts[i] = count_cliques_of(prepared, pattern.size());
    } else {
      const int place = *catalog_place(pattern);
      const auto count_at = [&](int other) { return edge_induced(other, *sums); };
      counts[i] = options.semantics == Semantics::edge_induced ? count_at(place) : vertex_induced(place, count_at);
    }
  }
  count_by_search(prepared, patterns, searched, counts);
  std::vector<Result> results;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    results.push_back(make_result(patterns[i], options.semantics, methods[i], counts[i]));
    results.back().seconds = prepared.seconds;
  }
  return results;
}

Result count(const Graph& graph, const GraphPattern& pattern, const Options& options) {
  return count(graph, std::span(&pattern, 1), options).front();
}

namespace {

/// By formulas on the host, by search on devices.
std::vector<Count> edge_induced_counts(PreparedGraph& prepared, const std::vector<MotifCount>& motifs,
                                       const std::vector<int>& places, std::uint32_t needs) {
  std::vector<Count> counts(places.size());
  if (prepared.on_host()) {
    const LocalSums sums = local_sums(prepared, needs);
    for (std::size_t i = 0; i < places.size(); ++i) counts[i] = edge_induced(places[i], sums);
    return counts;
  }
  std::vector<GraphPattern> patterns;
  for (const MotifCount& motif : motifs) patterns.push_back(motif.pattern);
  std::vector<std::size_t> all(patterns.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  count_by_search(prepared, patterns, all, counts);
  return counts;
}

}  // namespace

Motifs motifs(const Graph& graph, int size, const Options& options) {
  if (size < 3 || size > 5) throw InputError(fmt::format("motifs have 3, 4 or 5 vertices, not {}", size));
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
  const std::vector<Count> counts = edge_induced_counts(prepared, motifs.counts, places, needs);
  Lap lap;
  for (std::size_t i = 0; i < places.size(); ++i) {
    MotifCount& motif = motifs.counts[i];
    motif.edge_induced = counts[i];
    motif.vertex_induced = vertex_induced(places[i], [&](int place) {
      return counts[static_cast<std::size_t>(std::find(places.begin(), places.end(), place) - places.begin())];
    });
    motif.automorphisms = num_automorphisms(motif.pattern);
  }
  prepared.seconds.run += lap.seconds();
  motifs.seconds = prepared.seconds;
  return motifs;
}

}  // namespace quarry::mine
