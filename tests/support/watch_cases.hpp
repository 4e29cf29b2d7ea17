/// The engine `watch` beside its plain form: what each says that a stream does, in one shape, and their comparison.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "quarry/watch.hpp"
#include "reference/watch.hpp"
#include "support/random_streams.hpp"

namespace quarry::test {

/// What one update did to one pattern.
struct Change {
  Index update = 0;
  int pattern = 0;
  bool created = false, truncated = false;
  std::uint64_t subgraphs = 0, embeddings = 0;
  std::vector<reference::Images> matches;  ///< in the order in which they were delivered
  bool operator==(const Change&) const = default;
};

/// What the plain form says.
struct StreamTruth {
  std::vector<Change> changes;       ///< those with an embedding; `matches` are all embeddings, ascending
  std::vector<watch::Fault> faults;  ///< [updates]
  std::vector<watch::PatternTotals> totals;
  std::vector<std::uint64_t> initial, final;  ///< embeddings of each pattern in the graph before and after
  reference::NamedGraph graph;
};
StreamTruth truth_of(const RandomStream& stream, const std::vector<GraphPattern>& patterns, bool cascade = false);

/// Updates of a list, which now and then is not there yet.
class ListedUpdates final : public UpdateSource {
 public:
  explicit ListedUpdates(std::span<const GraphUpdate> updates, bool pauses = false)
      : updates_(updates), pauses_(pauses) {}
  Next next(GraphUpdate& update, std::chrono::steady_clock::time_point deadline) override;

 private:
  std::span<const GraphUpdate> updates_;
  bool pauses_;
  std::size_t taken_ = 0, asked_ = 0;
};

/// Joins the alerts of a list, and checks that they come as the header promises.
class ChangeCollector {
 public:
  explicit ChangeCollector(std::vector<GraphPattern> patterns) : patterns_(std::move(patterns)) {}
  watch::AlertSink sink();
  std::vector<Change> take() { return std::move(changes_); }

 private:
  void add(const watch::Alert& alert);

  std::vector<GraphPattern> patterns_;
  std::vector<Change> changes_;
  bool goes_on_ = false;  ///< the last change waits for further alerts
};

/// What the engine did.
struct EngineRun {
  std::vector<Change> changes;
  std::vector<watch::PatternTotals> totals;
  watch::Statistics statistics;
  Graph graph;
};
EngineRun run_engine(const RandomStream& stream, const std::vector<GraphPattern>& patterns,
                     const watch::Options& options, bool pauses = false);

/// One thread and many, an update at a time and all together.
std::vector<watch::Options> all_settings(const watch::Options& options = {});
std::string name_of(const watch::Options& options);

void expect_same_counts(const StreamTruth& truth, const std::vector<Change>& found);
/// One embedding of every subgraph; with `all_embeddings` every embedding, each once.
void expect_same_matches(const StreamTruth& truth, const std::vector<Change>& found,
                         const std::vector<GraphPattern>& patterns, bool all_embeddings);
void expect_same_totals(const watch::PatternTotals& expected, const watch::PatternTotals& found, bool digest);
void expect_same_graph(const reference::NamedGraph& expected, const Graph& found);

/// The edges and vertices that an embedding covers, with what the pattern asks of them: equal for embeddings of one
/// subgraph.
std::vector<std::vector<std::uint64_t>> cover_of(const GraphPattern& pattern, const reference::Images& images);

/// A connected part of a graph, with most of its labels; so it is found at least once. Any pattern of one edge where
/// the graph has none. @param size  vertices, at most
GraphPattern part_of(Random& random, const reference::NamedGraph& graph, Index size);

/// A stream, and patterns that fit it.
struct WatchedCase {
  RandomStream stream;
  std::vector<GraphPattern> patterns;
  bool cascade = false;
};

/// @param max_size  of a pattern; less where the graph is dense, so that the plain form takes milliseconds
WatchedCase watched_case(Random& random, Index max_size = 6);

}  // namespace quarry::test
