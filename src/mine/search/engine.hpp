/// Runs a search, cut into tasks: ranges of entries of the rows, so that threads share one vertex's neighbourhood.
#pragma once
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "exec/workers.hpp"
#include "mine/search/plan.hpp"

namespace quarry::mine {

/// How the work of a count is cut. Tests set less.
struct CountLimits {
  Index tasks_per_thread = 256;         ///< of the host: skewed work evens out
  Index device_tasks = Index{1} << 16;  ///< many times the teams that are at work
  /// The first batch of a device is this part of its tasks: after each there is progress, and devices even out. After one
  /// that took little time come larger ones, because each waits for its slowest task.
  Index batches_per_device = 32;
  double short_batch_seconds = 0.2;
  /// Teams of a device that are at work together, and those below which bitmaps give their memory to more teams.
  /// PERF: not yet measured on a device
  Index max_teams = 4096, enough_teams = 1024;
};
inline CountLimits count_limits;

/// What a thread searches with: a queue, and on its device the search and memory for teams. On the host that is one
/// team of one lane, ready at once.
class SearchWorker {
 public:
  SearchWorker(const DeviceId& device, const SearchJob& job);

  /// On a device: sends the graph, and takes memory for as many teams as there is room for.
  /// @throws CapacityError, DeviceError  there is no room for the graph and one team
  void load(Parcel& shared, Index limit_bytes);

  /// Tasks that a device can be given at once.
  Index most_tasks(Index num_patterns) const {
    return room_for_tasks_ / (Index{sizeof(Entries)} + num_patterns * Index{sizeof(Tally)});
  }
  /// @param tallies  out, [tasks x patterns]
  void count(std::span<const Entries> tasks, std::span<Tally> tallies);

  Queue queue;
  Buffer<std::byte> memory;           ///< [teams x bytes of the search]
  std::vector<std::uint64_t> counts;  ///< of each vertex, where matches are counted there

 private:
  void send(Parcel& shared);

  SearchJob job_;
  std::vector<SetRoom> rooms_;
  int lanes_ = 1;
  Index num_teams_ = 1, room_for_tasks_ = 0;  ///< bytes
  Buffer<Entries> tasks_;
  Buffer<std::uint64_t> next_;
  Buffer<Tally> tallies_;
};

/// Cuts the entries of the search's share into about `num_tasks`, of about equally many vertices and entries together; with
/// Split::vertices only between rows.
std::vector<Entries> cut_entries(const PlannedSearch& search, Split split, Index num_tasks);

/// Of tasks that follow one another.
Index num_entries(const std::vector<Entries>& tasks);

/// Calls the callback from one thread at a time, with ever more done.
class ProgressCounter {
 public:
  ProgressCounter(const Progress& progress, Index total) : progress_(progress), total_(total) {}
  void add(Index done);

 private:
  const Progress& progress_;
  Index total_, done_ = 0;
  std::mutex mutex_;
};

/// `action(worker, index of the task)` for every task, on all threads of the host.
void for_each_task(Workers<SearchWorker>& workers, const Progress& progress, const std::vector<Entries>& tasks,
                   const std::function<void(SearchWorker&, Index)>& action);

/// Counts, on the host or on devices. @return  [tasks x patterns]
/// @throws CapacityError, DeviceError  as SearchWorker::load
std::vector<Tally> count_tasks(const Options& options, const PlannedSearch& search, const std::vector<Entries>& tasks);

}  // namespace quarry::mine
