/// Patterns in a graph that changes: which matches each update creates or destroys, in the order of the updates.
///
/// An embedding puts the pattern's vertices on different vertices of the graph so that its edges lie on edges and labels
/// are equal. An inserted edge creates the embeddings of the graph after it that use the edge; a deleted edge destroys
/// those of the graph before it. Embeddings that cover the same vertices and edges are one subgraph.
/// Source: DCSM: Wei, thesis, University of Iowa 2026, chapter 1; docs/engines/watch.md says what differs.
#pragma once
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quarry/graph.hpp"
#include "quarry/graph_pattern.hpp"
#include "quarry/graph_update.hpp"
#include "quarry/run.hpp"

#pragma GCC visibility push(default)
namespace quarry::watch {

/// Why an update was skipped. It keeps its position.
enum class Fault : std::uint8_t {
  none,
  duplicate_edge,    ///< inserts an edge that is there
  absent_edge,       ///< deletes an edge that is not there
  wrong_label,       ///< deletes an edge or removes a vertex that has another label
  loop,              ///< from a vertex to itself
  unknown_vertex,    ///< names a vertex that is not there
  vertex_has_edges,  ///< removes or relabels a vertex that has edges
  unreadable,        ///< a line that could not be read
};
inline constexpr int kNumFaults = 8;
[[nodiscard]] const char* to_text(Fault fault);

/// `progress`: updates.
struct Options : RunOptions {
  bool list = false;            ///< the matches themselves, not only their number
  bool all_embeddings = false;  ///< list: every embedding; else one of each subgraph
  Index max_results = 0;        ///< list: matches of one update and pattern, at most; 0: all
  Index batch = 64;             ///< updates that are applied together, at most; on a device also searched for together
  double wait_ms = 0.125;       ///< how long the first update of a batch waits for others, at most
  /// Above 0: wait for this number of updates, search them, apply them, strictly in turn: what the paper compares with.
  Index fixed_batch = 0;
  bool cascade = false;  ///< a vertex that is removed or relabelled loses its edges first
  bool strict = false;   ///< an update that cannot be applied is an InputError
  bool digest = false;   ///< sum up hashes of all embeddings, which are then all visited
};

/// What one update did to one pattern, in numbers.
struct AlertNumbers {
  Index update = 0;  ///< position in the stream, from 0
  int pattern = 0;   ///< number of the pattern, in the order in which they were given
  bool created = false;
  bool truncated = false;  ///< there were more matches than max_results
  std::uint64_t subgraphs = 0, embeddings = 0;
};
/// What one update did to one pattern.
struct Alert : AlertNumbers {
  std::span<const std::uint64_t> matches;  ///< [rows x pattern vertices] ids; empty where they are not listed
};
/// Takes alerts, one at a time, ordered by update and then by pattern. A long list comes in several alerts of the same
/// update and pattern, of which the last alone has `subgraphs` and `embeddings` that are not 0.
using AlertSink = std::function<void(const Alert&)>;

/// Text of alerts, made by the threads that find them and taken in order. Of a long list most of the time goes into its text.
struct AlertText {
  /// Appends the text of an alert. Several threads may call it at a time, for alerts in any order.
  std::function<void(const Alert&, std::string&)> append;
  /// Takes the text of one alert or of several, in the order of AlertSink.
  std::function<void(std::string_view)> take;
};

/// Sums over a run.
struct PatternTotals {
  std::uint64_t positive = 0, negative = 0;  ///< embeddings created and destroyed
  std::uint64_t positive_subgraphs = 0, negative_subgraphs = 0;
  std::uint64_t nonzero_updates = 0, max_per_update = 0, truncated = 0;
  std::uint64_t digest = 0, hash_positive = 0, hash_negative = 0;  ///< with Options::digest
  Index automorphisms = 1;
};

struct ResponseTimes {
  double p50 = 0, p95 = 0, p99 = 0, max = 0;  ///< microseconds
};

struct Statistics : RunStatistics {
  Index updates = 0, insertions = 0, deletions = 0;  ///< of edges; all updates, those skipped included
  std::array<Index, kNumFaults> faults{};            ///< [Fault]
  double prepare_seconds = 0, run_seconds = 0;
  double run_cpu_seconds = 0;  ///< of all threads
  ResponseTimes start, done;   ///< of all runs: from arrival to the start of the search, and to delivery
  Index versions_created = 0, versions_freed = 0, versions_most = 0;  ///< of rows, beside the newest of each vertex
  Index peak_bytes = 0;                                               ///< of the graph
  /// Adds a later run of the same watcher.
  Statistics& operator+=(const Statistics& later);
};

/// A graph and the patterns that are watched in it.
class Watcher {
 public:
  /// @throws InputError, DeviceError  as resolve_device
  /// @throws CapacityError            more memory than there is
  Watcher(const Graph& graph, std::vector<GraphPattern> patterns, const Options& options = {});
  Watcher(Watcher&&) noexcept;
  Watcher& operator=(Watcher&&) noexcept;
  ~Watcher();

  /// Takes updates until their end, and delivers what they do. May be called again, with further updates. With several
  /// threads `source` may be asked while `sink` is called, each of them by one thread at a time. What stops the run is
  /// thrown when the source returns, for which it is asked again every 50 ms where nothing comes.
  /// @throws whatever source and sink throw
  /// @throws CapacityError, DeviceError  on a device: the graph does not fit, or the device fails
  Statistics run(UpdateSource& source, const AlertSink& sink);
  /// The same, with text in place of alerts.
  Statistics run(UpdateSource& source, const AlertText& text);

  /// From the next run on: whether updates are searched for, or change the graph alone. Patterns are planned for the graph at
  /// the first run after they were added, so that a watcher that passes over updates lists what comes after them as one that
  /// did not.
  void set_searching(bool searches);

  /// Between two runs. @return the number of the pattern
  int add_pattern(GraphPattern pattern);
  void remove_pattern(int pattern);

  [[nodiscard]] std::vector<PatternTotals> totals() const;  ///< [patterns] of all runs, removed patterns included
  /// Versions of rows that searches may still read, beside the newest of each vertex. For a source while it is asked for an
  /// update, and between two runs.
  [[nodiscard]] Index old_versions() const;
  /// The graph as it is now, with the ids and labels of its vertices and the labels of its edges.
  [[nodiscard]] Graph graph() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// An alert that can be kept. A long list comes in several, of which the last has the numbers.
struct OwnedAlert : AlertNumbers {
  std::vector<std::uint64_t> matches;  ///< [rows x pattern vertices] ids; empty where they are not listed
};

/// A graph that one thread changes while another takes the alerts, and patterns that come and go meanwhile.
///
/// The engine works on a thread of its own. Both queues are bounded: feed() waits while the engine is behind, and the
/// engine waits while nobody takes alerts; a thread that feeds and takes alerts in turn must therefore not feed much at
/// a time. All functions may be called from any thread. Updates are numbered in the order in which they are fed.
class Watch {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// @throws InputError, CapacityError  as Watcher
  Watch(const Graph& graph, std::vector<GraphPattern> patterns, const Options& options = {});
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  /// As stop(). No other function may be under way.
  ~Watch();

  /// Appends updates, and waits for room until the deadline. Those without an arrival arrive now.
  /// @return  how many were taken; all of them where no deadline is given
  /// @throws  what has stopped the engine, for example an InputError with Options::strict
  /// @throws InputError  after close() or stop()
  Index feed(std::span<const GraphUpdate> updates, Time deadline = Time::max());
  void feed(const GraphUpdate& update) { feed({&update, 1}); }
  /// No more updates come. What was fed is still worked on.
  void close();

  /// Watches a pattern from the next update that is fed on. @return its number @throws as feed
  int add_pattern(GraphPattern pattern);
  /// What is fed from now on does nothing to it. @throws InputError  there is no such pattern @throws as feed
  void remove_pattern(int pattern);

  enum class Next : std::uint8_t { alert, nothing_yet, end };
  /// Takes the next alert, for which it waits until the deadline at most. `end` comes after close(), when all alerts were
  /// taken, and after stop().
  /// @throws  what has stopped the engine, after the alerts that it had delivered before; those of the updates that it
  ///          was working on at that moment are missing
  [[nodiscard]] Next next(OwnedAlert& alert, Time deadline);
  /// @return false at the end
  [[nodiscard]] bool next(OwnedAlert& alert) { return next(alert, Time::max()) == Next::alert; }

  /// Ends the work: what was fed and not delivered is dropped. Waits for the search under way.
  void stop();

  /// Of all updates, once next() has returned the end and if stop() has not; response times are those of the updates
  /// after the last change of patterns. @throws InputError  at another time
  [[nodiscard]] Statistics statistics() const;
  [[nodiscard]] std::vector<PatternTotals> totals()
      const;                          ///< [patterns], removed ones included; when, as statistics()
  [[nodiscard]] Graph graph() const;  ///< as all updates left it; when, as statistics()

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace quarry::watch
#pragma GCC visibility pop
