#include "mine/search/engine.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "mine/search/steps.hpp"
#include "util/memory/memory_budget.hpp"
#include "util/stopwatch.hpp"

namespace quarry::mine {
namespace {

constexpr int kMaxLanes = 64;

/// Cuts the line of vertices and entries, and gives the entry behind the cut.
/// @param vertex  in and out: the vertices before a cut; cuts ascend
Index entry_at(const OrderedRows& rows, Split split, Index cut, Index& vertex) {
  vertex = vertices_before(rows, cut, vertex);
  const Index begin = rows.offsets[vertex];
  if (vertex == rows.num_vertices() || cut <= begin + vertex) return begin;
  return split == Split::vertices ? rows.offsets[vertex + 1] : cut - vertex - 1;
}

Index part_size(Index tasks, Index parts) { return (tasks + parts - 1) / parts; }

/// Bytes of the graph, which is nearly all that is sent to a device.
Index graph_bytes(const SearchJob& job) {
  const OrderedRows& rows = job.rows;
  return 8 * (rows.offsets.size() + rows.splits.size()) + 4 * (rows.neighbours.size() + job.edge_labels.size());
}

}  // namespace

SearchWorker::SearchWorker(const DeviceId& device, const SearchJob& job) : queue(device), job_(job) {
  if (!queue.on_host()) return;
  memory.resize(queue, job.memory_bytes);
  memory.fill_zero(queue);
}

void SearchWorker::load(Parcel& shared, Index limit_bytes) {
  lanes_ = std::min(queue.lanes(), kMaxLanes);
  const Index sent_bytes = graph_bytes(job_), room = limit_bytes - sent_bytes;
  rooms_ = lay_out_memory(job_, lanes_, row_sizes(job_.rows, true));
  if (room < count_limits.enough_teams * job_.memory_bytes && job_.intersection != Intersection::bitmap)
    rooms_ = lay_out_memory(job_, lanes_, row_sizes(job_.rows, false));
  // Half of the room, because the tasks and tallies of a batch need some.
  const Index team_bytes = std::max<Index>(job_.memory_bytes, 1);
  MemoryBudget(limit_bytes, name_of({queue.device()}))
      .require(sent_bytes + 2 * team_bytes, "the graph and the sets of one team");
  num_teams_ = std::min(count_limits.max_teams, room / 2 / team_bytes);
  room_for_tasks_ = room - num_teams_ * team_bytes;
  job_.rooms = view_of(std::as_const(rooms_));
  send(shared);
  memory.resize(queue, num_teams_ * job_.memory_bytes);
  memory.fill_zero(queue);
}

void SearchWorker::send(Parcel& shared) {
  shared.add(job_.rows.offsets);
  shared.add(job_.rows.splits);
  shared.add(job_.rows.neighbours);
  shared.add(job_.edge_labels);
  shared.add(job_.nodes);
  shared.add(job_.sets);
  shared.add(job_.terms);
  shared.add(job_.leaves);
  shared.add(job_.rooms);
  shared.send(queue);
}

void SearchWorker::count(std::span<const Entries> tasks, std::span<Tally> tallies) {
  tasks_.upload(queue, tasks);
  tallies_.resize(queue, std::ssize(tallies));
  tallies_.fill_zero(queue);
  next_.resize(queue, 1);
  next_.fill_zero(queue);
  const SearchTasks work{tasks_.view(), next_.view(), memory.view(), tallies_.view()};
  count_matches(queue, job_, work, std::min(num_teams_, std::ssize(tasks)), lanes_);
  tallies_.download(queue, tallies);
  queue.finish();
}

std::vector<Entries> cut_entries(const PlannedSearch& search, Split split, Index num_tasks) {
  Index vertex = 0;
  const auto begin_of = [&](Index task) {
    return entry_at(search.job.rows, split, part_begin(search.share, task, num_tasks), vertex);
  };
  std::vector<Entries> tasks;
  for (Index i = 1, first = begin_of(0); i <= num_tasks; ++i) {
    const Index last = begin_of(i);
    if (first < last) tasks.push_back({first, last});
    first = last;
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

void for_each_task(Workers<SearchWorker>& workers, const Progress& progress, const std::vector<Entries>& tasks,
                   const std::function<void(SearchWorker&, Index)>& action) {
  ProgressCounter counter(progress, num_entries(tasks));
  parallel_for_range(workers.size(), std::ssize(tasks), 1, [&](Index begin, Index end) {
    const auto worker = workers.take();
    for (Index task = begin; task < end; ++task) {
      action(*worker, task);
      counter.add(tasks[task].last - tasks[task].first);
    }
  });
}

std::vector<Tally> count_tasks(const Options& options, const PlannedSearch& search, const std::vector<Entries>& tasks) {
  Workers<SearchWorker> workers(options, 1, search.job);
  const Index num_devices = std::ssize(workers.devices()), num_tasks = std::ssize(tasks);
  const Index num_patterns = std::ssize(search.patterns);
  std::vector<Tally> tallies(num_tasks * num_patterns);
  const auto count = [&](SearchWorker& worker, Index first, Index last) {
    worker.count(std::span(tasks).subspan(first, last - first),
                 std::span(tallies).subspan(first * num_patterns, (last - first) * num_patterns));
  };
  if (workers.on_host()) {
    for_each_task(workers, options.progress, tasks,
                  [&](SearchWorker& worker, Index task) { count(worker, task, task + 1); });
    return tallies;
  }
  ProgressCounter progress(options.progress, num_entries(tasks));
  std::atomic<Index> next_task{0};
  parallel_for_range(num_devices, num_devices, 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      auto& device = workers.devices()[i];
      SearchWorker& worker = device.workers.front();
      worker.load(device.shared, device.limit_bytes);
      const Index most = std::clamp<Index>(worker.most_tasks(num_patterns) / 2, 1, part_size(num_tasks, num_devices));
      Index size = std::min(most, part_size(num_tasks, count_limits.batches_per_device * num_devices));
      for (Index first = next_task.fetch_add(size); first < num_tasks; first = next_task.fetch_add(size)) {
        const Index last = std::min(first + size, num_tasks);
        const Stopwatch watch;
        count(worker, first, last);
        progress.add(tasks[last - 1].last - tasks[first].first);
        if (watch.seconds() < count_limits.short_batch_seconds) size = std::min(4 * size, most);
      }
    }
  });
  return tallies;
}

}  // namespace quarry::mine
