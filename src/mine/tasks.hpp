/// A search cut into tasks: runs of entries of the rows, so that one vertex's neighbourhood is shared by all threads.
#pragma once
#include <functional>
#include <mutex>
#include <vector>

#include "exec/pool.hpp"
#include "exec/queue.hpp"
#include "mine/search.hpp"

namespace quarry::mine {

/// What one thread works with.
struct SearchWorker {
  explicit SearchWorker(const SearchJob& job) : memory(job) {}
  Queue queue;
  SearchMemory memory;
};

/// Cuts all entries into about `pieces`; with Split::vertices only between rows.
std::vector<Entries> cut_entries(const SearchJob& job, Split split, Index pieces);

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

}  // namespace quarry::mine
