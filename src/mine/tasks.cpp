#include "mine/tasks.hpp"

#include <algorithm>

#include "exec/parallel.hpp"
#include "mine/steps.hpp"

namespace quarry::mine {

std::vector<Entries> cut_entries(const SearchJob& job, Split split, Index pieces) {
  const auto& offsets = job.rows.offsets;
  const Index total = job.rows.neighbours.size();
  const auto cut = [&](Index piece) {
    const Index entry = total / pieces * piece + std::min(piece, total % pieces);
    if (split != Split::vertices) return entry;
    return static_cast<Index>(*std::lower_bound(offsets.begin(), offsets.end(), static_cast<std::uint64_t>(entry)));
  };
  std::vector<Entries> tasks;
  for (Index piece = 0; piece < pieces; ++piece) {
    const Entries task{cut(piece), cut(piece + 1)};
    if (task.first < task.last) tasks.push_back(task);
  }
  return tasks;
}

void ProgressCounter::add(Index done) {
  if (!progress_) return;
  const std::lock_guard lock(mutex_);
  done_ += done;
  progress_(done_, total_);
}

void run_tasks(const SearchJob& job, const Options& options, const std::vector<Entries>& tasks,
               const std::function<void(SearchWorker&, std::size_t)>& work) {
  std::vector<SearchWorker> workers;
  workers.reserve(static_cast<std::size_t>(options.threads));
  for (int i = 0; i < options.threads; ++i) workers.emplace_back(job);
  Pool<SearchWorker> pool(workers);
  ProgressCounter progress(options.progress, job.rows.neighbours.size());
  const auto run = [&](Index begin, Index end) {
    const auto worker = pool.take();
    for (Index i = begin; i < end; ++i) {
      const auto task = static_cast<std::size_t>(i);
      work(*worker, task);
      progress.add(tasks[task].last - tasks[task].first);
    }
  };
  parallel_for_range(options.threads, std::ssize(tasks), 1, run);
}

std::vector<Tally> count_tasks(const Options& options, const PlannedSearch& search, const std::vector<Entries>& tasks) {
  const Index num_patterns = std::ssize(search.patterns);
  std::vector<Tally> tallies(tasks.size() * search.patterns.size());
  run_tasks(search.job, options, tasks, [&](SearchWorker& worker, std::size_t task) {
    std::uint64_t next = 0;
    const SearchTasks work{{&tasks[task], 1},
                           {&next, 1},
                           worker.memory.view(),
                           view_of(tallies).part(static_cast<Index>(task) * num_patterns, num_patterns)};
    count_matches(worker.queue, search.job, work, 1, 1);
  });
  return tallies;
}

}  // namespace quarry::mine
