/// Which patterns an updated edge can be part of, and how each is searched for from it.
///
/// Directed edges of a pattern that its automorphisms carry into each other find the same subgraphs: one of each such
/// orbit is searched from. The searches of all patterns that begin at an edge with the same labels are joined
/// (graph/pattern/search/search_plan.hpp), unless matches are listed, pattern after pattern.
/// Source: the query edges of Graphflow (Kankanamge et al., SIGMOD 2017), reduced to orbits.
#pragma once
#include <array>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "graph/dynamic/dynamic_graph.hpp"
#include "graph/pattern/graph_statistics.hpp"
#include "graph/pattern/pattern_plan_builder.hpp"
#include "graph/pattern/search/search_job.hpp"
#include "quarry/watch.hpp"

namespace quarry::watch {

/// A pattern searched for from one of its directed edges.
struct EdgePlan {
  int pattern = 0;
  PatternPlan plan;
};

/// Searches that go on together from one edge.
class JoinedSearch {
 public:
  /// @return false, and nothing is changed, where they would have too many sets together
  bool add(EdgePlan search);
  void finish() { plan_ = builder_.build(); }

  const std::vector<EdgePlan>& searches() const { return searches_; }
  /// For one thread, with room for rows of some length. What it returns stays where it is.
  const SearchSetup& setup(Index max_degree);

 private:
  struct Setup {
    SearchSetup setup;
    std::vector<SetRoom> rooms;
  };
  SearchPlanBuilder builder_;
  std::vector<EdgePlan> searches_;
  SearchPlan plan_;
  std::map<Index, std::unique_ptr<Setup>> setups_;  ///< by the length of rows, a power of two
};

/// The plans of all patterns.
class WatchPlan {
 public:
  /// @param may_sum  pieces of several vertices may be counted: only the host does that
  WatchPlan(const Graph& graph, bool list, bool may_sum);

  /// @return the number of the pattern
  int add(GraphPattern pattern);
  /// Decides how patterns that were added are searched for. @param graph  at this time has all edges that they can use
  void choose(const DynamicGraph& graph, Time time);
  void remove(int pattern);

  struct WatchedPattern {
    GraphPattern pattern;
    bool removed = false;
    Index automorphisms = 1;
    std::vector<EdgePlan> searches;                    ///< one for each orbit of directed edges
    std::vector<std::vector<PatternPlan>> candidates;  ///< [searches] the plans to choose from; none: chosen
  };
  const std::vector<WatchedPattern>& patterns() const { return patterns_; }
  /// The edges that some pattern can use, or could before it was removed.
  EdgeKinds kinds() const;
  /// The searches for an edge of a kind, in the order of their patterns where matches are listed.
  std::vector<std::unique_ptr<JoinedSearch>> join(const EdgeKind& kind) const;
  /// Another number after every change.
  int version() const { return version_; }

 private:
  std::vector<PatternPlan> plans_from(const GraphPattern& pattern, int from, int to) const;

  bool list_, may_sum_;
  GraphStatistics statistics_;
  EdgeStatistics edges_;
  std::map<std::uint32_t, PatternPlanInput::Labelled> labels_;
  std::vector<WatchedPattern> patterns_;
  int version_ = 0;
};

/// The searches for edges of each kind, joined when the first of them comes. For one thread, which has all that it reads
/// in its own cache.
class EdgeSearches {
 public:
  explicit EdgeSearches(const WatchPlan& plan) : plan_(plan) {}

  /// The searches of WatchPlan::join. Those that it returned before stay until the plan changes.
  std::vector<std::unique_ptr<JoinedSearch>>& of(const EdgeKind& kind);

 private:
  struct HashOfKind {
    std::size_t operator()(const EdgeKind& kind) const {
      const std::uint64_t labels = std::uint64_t{kind.from_label} << 32 | kind.to_label;
      return (labels * 0x9E3779B97F4A7C15 + kind.label) * 0xD6E8FEB86659FD93;
    }
  };
  const WatchPlan& plan_;
  int version_ = 0;  ///< of the plan
  std::unordered_map<EdgeKind, std::vector<std::unique_ptr<JoinedSearch>>, HashOfKind> searches_;
};

}  // namespace quarry::watch
