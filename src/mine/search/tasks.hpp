/// A search cut into tasks: runs of entries of the rows, so that one vertex's neighbourhood is shared by all threads.
#pragma once
#include <functional>
#include <mutex>
#include <vector>

#include "exec/buffer.hpp"
#include "exec/pool.hpp"
#include "mine/prepared.hpp"

namespace quarry::mine {

/// What one thread of the host works with.
struct SearchWorker {
  explicit SearchWorker(const SearchJob& job) : memory(queue, job.memory_bytes) { memory.fill_zero(queue); }
  Queue queue;
  Buffer<std::byte> memory;
};

/// Cuts the entries of the shard into about `pieces`, of about equally many vertices and entries together; with
/// Split::vertices only between rows.
std::vector<Entries> cut_entries(const SearchJob& job, const Options& options, Index pieces);

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

/// `work(worker, number of the task)` for every task, on all threads.
void run_tasks(const SearchJob& job, const Options& options, const std::vector<Entries>& tasks,
               const std::function<void(SearchWorker&, std::size_t)>& work);

/// Counts on the host. @return  [tasks x patterns]
std::vector<Tally> count_tasks(const Options& options, const PlannedSearch& search, const std::vector<Entries>& tasks);

}  // namespace quarry::mine
