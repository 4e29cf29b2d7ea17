/// `Watch`: a Watcher on a thread of its own, between the queue of what is fed and the queue of its alerts.
#include <mutex>
#include <thread>
#include <utility>

#include "quarry/error.hpp"
#include "watch/live/alert_queue.hpp"
#include "watch/live/feed_queue.hpp"

namespace quarry::watch {
namespace {

/// So many that neither side waits for the other at every step, and little memory: 5 MB of updates, 8 MB of matches.
constexpr std::size_t kQueuedUpdates = std::size_t{1} << 16, kQueuedAlerts = std::size_t{1} << 12,
                      kQueuedValues = std::size_t{1} << 20;

constexpr std::size_t kJoinedValues = std::size_t{1} << 16;

/// Ends a run of the engine whose alerts nobody wants.
struct Stopped {};

}  // namespace

Statistics& Statistics::operator+=(const Statistics& later) {
  Statistics next = later;
  if (later.updates == 0) {
    next.start = start;
    next.done = done;
  }
  next.updates += updates;
  next.insertions += insertions;
  next.deletions += deletions;
  for (std::size_t i = 0; i < faults.size(); ++i) next.faults[i] += faults[i];
  next.prepare_seconds += prepare_seconds;
  next.run_seconds += run_seconds;
  next.run_cpu_seconds += run_cpu_seconds;
  next.seconds += seconds;
  return *this = next;
}

struct Watch::Impl {
  Impl(const Graph& graph, std::vector<GraphPattern> patterns, const Options& options)
      : feed(kQueuedUpdates, std::ssize(patterns)),
        alerts(kQueuedAlerts, kQueuedValues),
        watcher(graph, std::move(patterns), options) {}

  void run() {
    try {
      while (!feed.is_over()) {
        while (auto change = feed.take_change()) apply(*change);
        statistics += watcher.run(feed, [&](const Alert& alert) { take(alert); });
      }
      alerts.finish({});
    } catch (const Stopped&) {
      alerts.finish({});
    } catch (...) {
      feed.fail(std::current_exception());
      alerts.finish(std::current_exception());
    }
  }
  /// The engine delivers the matches of an update in parts, and then their number. Parts are joined to alerts of some size,
  /// of which the last gets the number.
  void take(const Alert& alert) {
    std::vector<std::uint64_t> values = std::move(joined.matches);
    if (!values.empty() && values.size() + alert.matches.size() > kJoinedValues) {
      joined.matches = std::exchange(values, {});
      push(std::move(joined));
    }
    values.insert(values.end(), alert.matches.begin(), alert.matches.end());
    joined = {alert, std::move(values)};
    if (alert.matches.empty()) push(std::exchange(joined, {}));
  }
  void push(OwnedAlert alert) {
    if (!alerts.push(std::move(alert))) throw Stopped();
  }
  void apply(FeedQueue::PatternChange& change) {
    if (change.added)
      watcher.add_pattern(std::move(*change.added));
    else
      watcher.remove_pattern(change.number);
  }
  void stop() {
    feed.stop();
    alerts.stop();
    const std::lock_guard lock(stopping);
    if (thread.joinable()) thread.join();
  }
  void check_done() const {
    if (!alerts.is_done()) throw InputError("a watch has results once all its alerts were taken, after close()");
  }

  FeedQueue feed;
  AlertQueue alerts;
  Watcher watcher;        // of the thread, until its alerts are finished
  Statistics statistics;  // likewise
  OwnedAlert joined;      // likewise: matches whose number is yet to come
  std::mutex stopping;
  std::thread thread;
};

Watch::Watch(const Graph& graph, std::vector<GraphPattern> patterns, const Options& options)
    : impl_(std::make_unique<Impl>(graph, std::move(patterns), options)) {
  impl_->thread = std::thread([impl = impl_.get()] { impl->run(); });
}
Watch::~Watch() { stop(); }

Index Watch::feed(std::span<const GraphUpdate> updates, Time deadline) { return impl_->feed.feed(updates, deadline); }
void Watch::close() { impl_->feed.close(); }
int Watch::add_pattern(GraphPattern pattern) { return impl_->feed.add_pattern(std::move(pattern)); }
void Watch::remove_pattern(int pattern) { impl_->feed.remove_pattern(pattern); }
Watch::Next Watch::next(OwnedAlert& alert, Time deadline) { return impl_->alerts.next(alert, deadline); }
void Watch::stop() { impl_->stop(); }

Statistics Watch::statistics() const {
  impl_->check_done();
  return impl_->statistics;
}
std::vector<PatternTotals> Watch::totals() const {
  impl_->check_done();
  return impl_->watcher.totals();
}
Graph Watch::graph() const {
  impl_->check_done();
  return impl_->watcher.graph();
}

}  // namespace quarry::watch
