/// The streams that `watch` is measured on, what other programs reached on them, and ways to feed them.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/machine.hpp"
#include "bench/stopwatch.hpp"
#include "quarry/watch.hpp"

namespace quarry::bench {

struct WatchWorkload {
  std::string description;
  bool quick = false;
  int repeats = 5;
};

/// What the best of seven programs reached on a query, one thread, updates only, a CPU second on the reference machine
/// while it was loaded: HybridFlow, NewSP, else RapidFlow.
struct PeerCell {
  const char* query;
  double thousand_updates;
  const char* program;
};
struct PeerRow {
  const char* stream;  ///< set/stream
  std::vector<PeerCell> cells;
};
std::vector<PeerRow> peer_rows();

/// A graph and its updates, from the data folder.
struct Stream {
  std::string set, name;
  Graph initial;
  std::vector<GraphUpdate> updates;
};
/// @param path  set/stream @return nothing where it is absent
std::optional<Stream> load_stream(const std::string& path);
GraphPattern load_query(const Stream& stream, const std::string& query);
/// The queries of a stream that `streams.tsv` has, without those that take seconds.
std::vector<std::string> quick_queries(const Stream& stream);
/// @throws SystemError  the sums are not those of `streams.tsv`, so that a time would mean nothing
void require_published(const Stream& stream, const std::string& query, const watch::PatternTotals& totals);
/// Created and destroyed ones, by `streams.tsv`; 0 where it lacks the query.
std::uint64_t published_embeddings(const Stream& stream, const std::string& query);

/// Updates that are there at once.
class ListSource final : public UpdateSource {
 public:
  explicit ListSource(std::span<const GraphUpdate> updates) : updates_(updates) {}
  Next next(GraphUpdate& update, std::chrono::steady_clock::time_point deadline) override;

 private:
  std::span<const GraphUpdate> updates_;
  std::size_t next_ = 0;
};

/// An update of a stream without end: those of a stream of edges, then their inverses from the last to the first, and so
/// on.
GraphUpdate endless_update(std::span<const GraphUpdate> updates, Index number);

/// The updates of a stream without end, which arrive evenly at a rate.
class ReplaySource final : public UpdateSource {
 public:
  /// @param observe  called before each update, with the seconds since the first arrival
  ReplaySource(std::span<const GraphUpdate> updates, double rate, Index count,
               std::function<void(double)> observe = {});
  Next next(GraphUpdate& update, std::chrono::steady_clock::time_point deadline) override;

 private:
  std::span<const GraphUpdate> updates_;
  double seconds_each_;
  Index count_, next_ = 0;
  std::function<void(double)> observe_;
  std::chrono::steady_clock::time_point begin_ = {}, now_ = {};  ///< of the first update; when the clock was read last
};

watch::Options watch_options(int threads);
/// Runs all updates as fast as they are taken.
watch::Statistics run_all(watch::Watcher& watcher, std::span<const GraphUpdate> updates);
/// The same, for one pattern: makes tab-separated rows of what is listed, which nobody reads. @param width  its vertices
watch::Statistics run_as_text(watch::Watcher& watcher, std::span<const GraphUpdate> updates, std::size_t width);

/// The sections: each prints a table and returns its numbers.
Json peers_section(const WatchWorkload& workload);
Json watch_listing_section(const WatchWorkload& workload);
Json updating_section(const WatchWorkload& workload);
Json together_section(const WatchWorkload& workload);
Json watch_threads_section(const WatchWorkload& workload);
Json watch_all_threads_section(const WatchWorkload& workload);
Json response_section(const WatchWorkload& workload);
Json rates_section(const WatchWorkload& workload);
Json versions_section(const WatchWorkload& workload);
Json watch_memory_section(const WatchWorkload& workload);
Json watch_device_section(const std::string& device);

}  // namespace quarry::bench
