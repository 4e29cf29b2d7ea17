#include "mine/search/tasks.hpp"

#include <algorithm>

#include "exec/parallel.hpp"
#include "mine/search/steps.hpp"

namespace quarry::mine {

std::vector<Entries> cut_entries(const SearchJob& job, const Options& options, Index pieces) {
  const auto& offsets = job.rows.offsets;
  const Index num_vertices = job.rows.num_vertices(), total = num_vertices + job.rows.neighbours.size();
  // All vertices and entries stand in one line, each vertex before its row.
  const auto cut = [&](Index place) {
    Index low = 0, high = num_vertices;  // the first vertex whose row ends behind the place
    while (low < high) {
      const Index middle = (low + high) / 2;
      if (static_cast<Index>(offsets[middle + 1]) + middle + 1 <= place)
        low = middle + 1;
      else
        high = middle;
    }
    const Index begin = static_cast<Index>(offsets[low]);
    if (low == num_vertices || place <= begin + low) return begin;
    return options.split == Split::vertices ? static_cast<Index>(offsets[low + 1]) : place - low - 1;
  };
  const auto place_of = [](Index first, Index last, Index part, Index parts) {
    const Index size = last - first;
    return first + size / parts * part + std::min(part, size % parts);
  };
  const Index first = place_of(0, total, options.shard, options.num_shards);
  const Index last = place_of(0, total, options.shard + 1, options.num_shards);
  std::vector<Entries> tasks;
  for (Index piece = 0; piece < pieces; ++piece) {
    const Entries task{cut(place_of(first, last, piece, pieces)), cut(place_of(first, last, piece + 1, pieces))};
    if (task.first < task.last) tasks.push_back(task);
  }
  return tasks;
}

Index num_entries(const std::vector<Entries>& tasks) { return tasks.empty() ? 0 : tasks.back().last - tasks[0].first; }

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
  ProgressCounter progress(options.progress, num_entries(tasks));
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
