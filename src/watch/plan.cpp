#include "watch/plan.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <utility>

#include "graph/pattern/pattern_symmetry.hpp"
#include "util/check.hpp"
#include "watch/trial.hpp"

namespace quarry::watch {
namespace {

constexpr OrderedGraph::VertexRange kAllVertices{0, std::numeric_limits<std::uint32_t>::max()};
/// A graph that is empty yet will hardly stay so.
constexpr double kLeastReach = 4, kLeastClustering = 0.001;

/// Plans of one search that are tried.
constexpr Index kCandidates = 32;
/// Vertices of a pattern whose pieces may be counted by themselves: of larger ones too many orders have pieces.
constexpr int kMaxSummed = 8;

using DirectedEdge = std::pair<int, int>;

/// One directed edge of each orbit.
std::vector<DirectedEdge> edge_orbits(const GraphPattern& pattern) {
  std::vector<DirectedEdge> orbits;
  const auto is_new = [&](DirectedEdge edge) {
    return std::ranges::none_of(orbits, [&](DirectedEdge other) { return is_carried(pattern, edge, other); });
  };
  for (const Edge& edge : pattern.edges) {
    const int from = edge.from, to = edge.to;
    for (const DirectedEdge& directed : {DirectedEdge{from, to}, DirectedEdge{to, from}}) {
      if (is_new(directed)) orbits.push_back(directed);
    }
  }
  return orbits;
}

bool may_be(std::uint32_t wanted, std::uint32_t label) { return wanted == kAnyLabel || wanted == label; }

bool has_all_labels(const GraphPattern& pattern) {
  return std::ranges::find(pattern.labels, kAnyLabel) == pattern.labels.end() &&
         std::ranges::find(pattern.edges, kAnyLabel, &Edge::label) == pattern.edges.end();
}

/// A pattern of one edge is found with the edge.
PatternPlan plan_of_edge(int from, int to) {
  PatternPlan plan;
  plan.num_vertices = plan.num_chosen = 2;
  plan.order = {static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to)};
  plan.terms = {CountTerm{}};  // the empty product, 1
  return plan;
}

}  // namespace

bool JoinedSearch::add(EdgePlan search) {
  if (!builder_.add(search.plan)) return false;
  searches_.push_back(std::move(search));
  return true;
}

const SearchSetup& JoinedSearch::setup(Index max_degree) {
  const Index length = std::bit_ceil(static_cast<std::uint64_t>(std::max<Index>(max_degree, 16)));
  std::unique_ptr<Setup>& entry = setups_[length];
  if (!entry) {
    entry = std::make_unique<Setup>();
    SearchSetup& setup = entry->setup;
    setup.nodes = view_of(std::as_const(plan_.nodes));
    setup.sets = view_of(std::as_const(plan_.sets));
    setup.terms = view_of(std::as_const(plan_.terms));
    setup.sums = view_of(std::as_const(plan_.sums));
    setup.leaves = view_of(std::as_const(plan_.leaves));
    entry->rooms = lay_out_memory(setup, 1, {.whole = length, .after = length, .copied = true});
    setup.rooms = view_of(std::as_const(entry->rooms));
  }
  return entry->setup;
}

WatchPlan::WatchPlan(const Graph& graph, bool list, bool may_sum)
    : list_(list), may_sum_(may_sum), statistics_(statistics_of(graph)), edges_(graph) {
  statistics_.reach = std::max(statistics_.reach, kLeastReach);
  statistics_.clustering = std::max(statistics_.clustering, kLeastClustering);
  const double share = 1.0 / std::max<Index>(1, graph.num_vertices());
  for (const std::uint32_t label : graph.vertex_labels()) {
    labels_.try_emplace(label, PatternPlanInput::Labelled{kAllVertices, 0}).first->second.share += share;
  }
  if (graph.vertex_labels().empty()) labels_[0] = {kAllVertices, 1};
}

int WatchPlan::add(GraphPattern pattern) {
  WatchedPattern& added = patterns_.emplace_back();
  added.pattern = std::move(pattern);
  added.automorphisms = num_automorphisms(added.pattern);
  const double share = 1.0 / std::max(1.0, statistics_.num_vertices);
  for (const std::uint32_t label : added.pattern.labels) {
    labels_.try_emplace(label, PatternPlanInput::Labelled{kAllVertices, share});
  }
  const int number = static_cast<int>(std::ssize(patterns_)) - 1;
  for (const auto& [from, to] : edge_orbits(added.pattern)) {
    added.candidates.push_back(plans_from(added.pattern, from, to));
    added.searches.push_back({number, added.candidates.back().front()});
  }
  ++version_;
  return number;
}

void WatchPlan::choose(const DynamicGraph& graph, Time time) {
  for (WatchedPattern& watched : patterns_) {
    const GraphPattern& pattern = watched.pattern;
    const PatternMatrix matrix(pattern);
    for (std::size_t i = 0; i < watched.candidates.size(); ++i) {
      PatternPlan& plan = watched.searches[i].plan;
      const int from = plan.order[0], to = plan.order[1];
      const EdgeKind kind{pattern.labels[from], pattern.labels[to], static_cast<std::uint32_t>(matrix.at(from, to))};
      plan = choose_plan(std::move(watched.candidates[i]), graph, time, sample_edges(graph, time, kind));
    }
    watched.candidates.clear();
  }
  ++version_;
}

void WatchPlan::remove(int pattern) {
  patterns_[pattern].removed = true;
  ++version_;
}

EdgeKinds WatchPlan::kinds() const {
  EdgeKinds kinds;
  for (const WatchedPattern& watched : patterns_) {
    const GraphPattern& pattern = watched.pattern;
    for (const Edge& edge : pattern.edges) kinds.add({pattern.labels[edge.from], pattern.labels[edge.to], edge.label});
  }
  return kinds;
}

std::vector<PatternPlan> WatchPlan::plans_from(const GraphPattern& pattern, int from, int to) const {
  std::vector<int> colours(pattern.vertices.size()), order(pattern.vertices.size());
  colours[from] = 1;
  colours[to] = 2;
  std::iota(order.begin(), order.end(), 0);
  const Index num_fixing = symmetry_of(pattern, order, colours).order;
  if (pattern.size() == 2) return {plan_of_edge(from, to)};
  return make_pattern_plans({.pattern = pattern,
                             .matrix = PatternMatrix(pattern),
                             .choose_all = list_,
                             .may_sum = may_sum_ && pattern.size() <= kMaxSummed,
                             .statistics = statistics_,
                             .edges = has_all_labels(pattern) ? &edges_ : nullptr,
                             .labels = labels_,
                             .all = {kAllVertices, 1.0},
                             .given = {from, to},
                             .num_automorphisms = num_fixing},
                            kCandidates);
}

std::vector<std::unique_ptr<JoinedSearch>>& EdgeSearches::of(const EdgeKind& kind) {
  if (version_ != plan_.version()) searches_.clear();
  version_ = plan_.version();
  const auto found = searches_.find(kind);
  return found != searches_.end() ? found->second : searches_.emplace(kind, plan_.join(kind)).first->second;
}

std::vector<std::unique_ptr<JoinedSearch>> WatchPlan::join(const EdgeKind& kind) const {
  std::vector<std::unique_ptr<JoinedSearch>> joined;
  const auto add = [&](const EdgePlan& search) {
    if (!list_ && std::ranges::any_of(joined, [&](auto& one) { return one->add(search); })) return;
    joined.push_back(std::make_unique<JoinedSearch>());
    QUARRY_CHECK(joined.back()->add(search), "a plan alone has few sets");
  };
  for (const WatchedPattern& watched : patterns_) {
    const GraphPattern& pattern = watched.pattern;
    const PatternMatrix matrix(pattern);
    for (const EdgePlan& search : watched.searches) {
      const int from = search.plan.order[0], to = search.plan.order[1];
      const auto label = static_cast<std::uint32_t>(matrix.at(from, to));
      if (!watched.removed && may_be(pattern.labels[from], kind.from_label) &&
          may_be(pattern.labels[to], kind.to_label) && may_be(label, kind.label))
        add(search);
    }
  }
  for (auto& one : joined) one->finish();
  return joined;
}

}  // namespace quarry::watch
