#include "watch/replicas.hpp"

#include <algorithm>
#include <utility>

#include "util/check.hpp"
#include "util/memory/available_memory.hpp"

namespace quarry::watch {
namespace {

/// Of the memory that is free.
constexpr Index kShareOfMemory = 4;
constexpr Index kApplied = 64;

}  // namespace

Replica::Replica(const Graph& initial, const WatchPlan& plan, const Options& options, int threads)
    : graph(initial, options.cascade ? EdgeKinds::all() : EdgeKinds{}),
      updater(initial, graph, options),
      searches(plan),
      executor(graph, options, threads) {}

Replica::Replica(const Replica& other, const WatchPlan& plan, const Options& options, int threads)
    : graph(other.graph), updater(other.updater, graph), searches(plan), executor(graph, options, threads) {}

void Replica::catch_up(const Arrivals& arrivals, Index position) {
  std::vector<AppliedUpdate> applied;
  while (updater.position() < position && updater.complaint().empty()) {
    updater.take(arrivals.some_from(updater.position(), position));
    QUARRY_CHECK(updater.num_waiting() > 0, "updates that a graph needs are forgotten");
    for (; updater.num_waiting() > 0; applied.clear()) updater.apply_until_search(kApplied, applied);
  }
}

void Replica::apply_until_search(UpdateGroup& group, Index most, bool searches_for_them) {
  const std::size_t first = group.updates.size();
  updater.apply_until_search(most, group.updates);
  if (searches_for_them) group.add_searches(first, graph, searches);
}

void Replica::search(const Arrivals& arrivals, UpdateGroup& group, bool searches_for_them) {
  catch_up(arrivals, group.position);
  updater.take(group.arrived);
  executor.clear(group_);
  executor.search_one_by_one(group_, [&] {
    apply_until_search(group_, kNoLimit, searches_for_them);
    return updater.num_waiting() > 0;
  });
  std::swap(group.sum, group_.sum);
}

Replicas::Replicas(Replica& first) : first_(first) { uses_.emplace_back().replica = &first; }

void Replicas::make(const WatchPlan& plan, const Options& options, int threads) {
  const Index bytes = first_.graph.num_bytes();
  const Index room = available_memory_bytes() / kShareOfMemory;
  const Index count = std::min<Index>({replica_limits.most, threads, 1 + room / std::max<Index>(1, bytes)});
  while (std::ssize(uses_) < count) {
    Use& use = uses_.emplace_back();
    use.copy = std::make_unique<Replica>(first_, plan, options, threads);
    use.replica = use.copy.get();
  }
  free_all();
}

void Replicas::give_up() { uses_.resize(1); }

void Replicas::free_all() {
  for (Use& use : uses_) {
    use.is_free = true;
    use.position = use.replica->updater.position();
  }
}

Replica& Replicas::take() {
  const auto is_mine = [](const Use& use) { return use.is_free && use.thread == std::this_thread::get_id(); };
  std::unique_lock lock(mutex_);
  returned_.wait(lock, [&] { return std::ranges::any_of(uses_, &Use::is_free); });
  auto use = std::ranges::find_if(uses_, is_mine);
  if (use == uses_.end()) use = std::ranges::find(uses_, true, &Use::is_free);
  use->is_free = false;
  use->thread = std::this_thread::get_id();
  return *use->replica;
}

void Replicas::give_back(Replica& replica) {
  const Index position = replica.updater.position();
  {
    const std::lock_guard lock(mutex_);
    Use& use = use_of(replica);
    use.position = position;
    use.is_free = true;
  }
  returned_.notify_one();
}

Replica* Replicas::exchange(Replica& replica, Index position) {
  give_back(replica);
  const std::lock_guard lock(mutex_);
  const auto is_late = [&](const Use& use) { return use.is_free && use.position < position - replica_limits.late; };
  const auto late = std::ranges::find_if(uses_, is_late);
  if (late == uses_.end()) return nullptr;
  late->is_free = false;
  return late->replica;
}

Index Replicas::oldest() const {
  const std::lock_guard lock(mutex_);
  return std::ranges::min_element(uses_, {}, &Use::position)->position;
}

Index Replicas::peak_bytes() const {
  Index bytes = 0;
  for (const Use& use : uses_) bytes += use.replica->graph.peak_bytes();
  return bytes;
}

}  // namespace quarry::watch
