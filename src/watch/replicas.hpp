/// Graphs of which each thread has its own: every update is applied to all of them, and searched for in one.
///
/// Where an update takes a few microseconds, threads that share one graph gain little: rows are copied so that searches can
/// go on in the old ones, and are read by another core than the one that wrote them. With a graph each, what goes from
/// core to core are updates and sums.
#pragma once
#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "watch/arrivals.hpp"
#include "watch/executor.hpp"

namespace quarry::watch {

/// When threads get graphs of their own. Tests set others.
struct ReplicaLimits {
  int most = 8;                      ///< graphs, with the first
  double least_work = 1000;          ///< nanoseconds of a search, about: for shorter ones they do not pay
  Index late = 512;                  ///< a graph that nobody uses may be so many updates behind
  Index most_late = Index{1} << 20;  ///< and so many while one thread does everything; then the copies are given up
};
inline ReplicaLimits replica_limits;

/// A graph that follows the updates, and what it is searched with. For one thread at a time.
struct Replica {
  Replica(const Graph& initial, const WatchPlan& plan, const Options& options, int threads);
  /// As the other is now.
  Replica(const Replica& other, const WatchPlan& plan, const Options& options, int threads);

  /// Applies the updates before a position, without a search.
  void catch_up(const Arrivals& arrivals, Index position);
  /// Applies the next updates up to the first that is to be searched for, and adds them to a group, which then has `most`
  /// updates or less. @param searches  false: nothing is searched for
  void apply_until_search(UpdateGroup& group, Index most, bool searches);
  /// Applies the updates of a group, and searches for each of them before the next. The group gets the sum.
  void search(const Arrivals& arrivals, UpdateGroup& group, bool searches);

  DynamicGraph graph;
  Updater updater;
  EdgeSearches searches;
  Executor executor;

 private:
  UpdateGroup group_;  ///< that it works on: its memory stays in the cache
};

/// The first graph, and copies of it while they pay. One thread at a time calls `make`, `give_up`, `take` and `oldest`.
class Replicas {
 public:
  explicit Replicas(Replica& first);

  bool has_copies() const { return uses_.size() > 1; }
  /// Makes as many copies as threads can use and memory is there for.
  void make(const WatchPlan& plan, const Options& options, int threads);
  void give_up();
  /// No thread has one.
  void free_all();

  /// The one that this thread had last, or another that is free. Groups are taken in order, each with its replica.
  Replica& take();
  void give_back(Replica& replica);
  /// And takes one that is free and far behind a position, or none.
  Replica* exchange(Replica& replica, Index position);
  /// Updates before this position are applied to all.
  Index oldest() const;
  Index peak_bytes() const;

 private:
  struct Use {
    std::unique_ptr<Replica> copy;  ///< none: the first
    Replica* replica = nullptr;
    bool is_free = true;
    std::thread::id thread = {};  ///< that had it last
    Index position = 0;           ///< of its next update, when it was given back
  };
  Use& use_of(const Replica& replica) { return *std::ranges::find(uses_, &replica, &Use::replica); }

  Replica& first_;
  mutable std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<Use> uses_;  ///< under mutex_, where others run
};

}  // namespace quarry::watch
