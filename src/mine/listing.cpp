/// Matches themselves: listed, sampled, counted at each vertex, estimated.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <set>

#include "exec/parallel.hpp"
#include "graph/pattern/pattern_symmetry.hpp"
#include "mine/prepared.hpp"
#include "mine/search/match_rows.hpp"
#include "mine/search/steps.hpp"
#include "mine/search/tasks.hpp"
#include "mine/search/visits.hpp"
#include "util/random.hpp"

namespace quarry::mine {
namespace {

/// A list is cut into so many pieces, of which a task takes as many as may have kTaskNumbers. PERF: those stay in the
/// second-level cache.
constexpr Index kListPieces = Index{1} << 16;
constexpr Index kTaskNumbers = Index{1} << 17;
/// What is left is cut at least so often, because the last vertices may have most of the matches.
constexpr double kTasksAtLeast = 1024;
/// Numbers that a task holds at most before it stops; it is told when all before it is, and searched again for the
/// rest. All tasks on their way together hold at most this part of the memory.
constexpr Index kMaxTaskNumbers = Index{1} << 22, kPartOfMemory = 16;
constexpr Index kSampleTasks = 4096;
constexpr Index kDescentsPerTask = 1024;

/// @throws InputError, DeviceError
void require_host(const Options& options) {
  if (find_places(options.device)[0].api != Api::host)
    throw InputError("devices only count: matches are listed, sampled and estimated on the host");
}

/// What every job on matches begins with.
struct MatchJob {
  PreparedGraph prepared;
  std::unique_ptr<PlannedSearch> planned;
  const OrderedGraph& ordered;
  RowWriter writer;

  MatchJob(const Graph& graph, const GraphPattern& pattern, const Options& options)
      : prepared(graph, checked(options)),
        planned(plan_search(prepared, pattern, true)),
        ordered(prepared.ordered(prepared.shape_of(pattern))),
        writer(planned->plans.front(), ordered.originals()) {}

  Result result(const GraphPattern& pattern, Count subgraphs) const {
    const Index automorphisms = num_automorphisms(pattern);
    return {pattern,         prepared.options().semantics,
            subgraphs,       subgraphs * static_cast<Count>(automorphisms),
            automorphisms,   Method::search,
            prepared.seconds};
  }

 private:
  static Options checked(const Options& options) {
    if (options.method != Method::automatic && options.method != Method::search)
      throw InputError("matches themselves are found by search: leave the method automatic");
    require_host(options);
    return options;
  }
};

/// A task of a list on its way through the pipeline.
struct ListSlot {
  ListSlot(const SearchJob& job, Index memory_bytes) : worker(job) {
    // Rows take up to twice what they hold.
    most_numbers = std::clamp(memory_bytes / (2 * Index{sizeof(std::uint32_t)}), kTaskNumbers, kMaxTaskNumbers);
  }
  bool is_full() const { return static_cast<Index>(rows.size()) >= most_numbers; }

  SearchWorker worker;
  Entries task;
  Index most_numbers = 0;  ///< that `rows` holds before the task stops
  MatchRows rows;
  bool complete = false;
};

/// Cuts a list as it goes on, into tasks of about equally many numbers.
class ListTasks {
 public:
  explicit ListTasks(std::vector<Entries> pieces) : pieces_(std::move(pieces)) {}

  /// @return false after the last
  bool next(Entries& task) {
    if (next_ == pieces_.size()) return false;
    task = pieces_[next_++];
    const double left = static_cast<double>(pieces_.back().last - task.first);
    const double wanted =
        std::min(left / kTasksAtLeast, static_cast<double>(kTaskNumbers) / std::max(1.0, numbers_of_entry_.load()));
    while (next_ < pieces_.size() && static_cast<double>(pieces_[next_].last - task.first) <= wanted)
      task.last = pieces_[next_++].last;
    return true;
  }
  /// A task is told, and had so many numbers.
  void told(Entries task, std::size_t numbers) {
    const double of_task = static_cast<double>(numbers) / static_cast<double>(task.last - task.first);
    numbers_of_entry_ = (numbers_of_entry_ + of_task) / 2;
  }

 private:
  std::vector<Entries> pieces_;
  std::size_t next_ = 0;
  std::atomic<double> numbers_of_entry_ = static_cast<double>(kTaskNumbers);  ///< of late
};

/// @return numbers
std::size_t list_task(const MatchJob& job, ListSlot& slot, const MatchSink& sink) {
  std::size_t numbers = 0;
  const auto flush = [&] {
    numbers += slot.rows.size();
    if (slot.rows.size() > 0) sink(slot.rows.numbers());
    slot.rows.clear();
  };
  flush();
  if (slot.complete) return numbers;
  Index told = static_cast<Index>(numbers / job.writer.width());
  visit_matches(slot.worker.queue, job.planned->job, slot.worker.memory.view(), slot.task,
                [&](const std::uint32_t* chosen, View<const std::uint32_t> members) {
                  const Index skipped = std::min(told, members.size());
                  told -= skipped;
                  job.writer.append(chosen, members.part(skipped, members.size() - skipped), slot.rows);
                  if (slot.is_full()) flush();
                  return true;
                });
  flush();
  return numbers;
}

/// So many different numbers below `bound`, ascending (Floyd; Bentley, Comm. ACM 1987, 30, 754).
std::vector<Index> distinct_numbers(Index count, Index bound, std::uint64_t seed) {
  RandomNumbers random(seed);
  std::set<Index> drawn;
  for (Index top = bound - count; top < bound; ++top) {
    const Index number = random.below(top + 1);
    drawn.insert(drawn.contains(number) ? top : number);
  }
  return {drawn.begin(), drawn.end()};
}

/// The matches of a task with the given places among its matches.
MatchRows pick_matches(const MatchJob& job, SearchWorker& worker, Entries task, std::span<const Index> places) {
  MatchRows rows;
  Index seen = 0;
  auto next = places.begin();
  visit_matches(worker.queue, job.planned->job, worker.memory.view(), task,
                [&](const std::uint32_t* chosen, View<const std::uint32_t> members) {
                  for (; next != places.end() && *next < seen + members.size(); ++next) {
                    job.writer.append(chosen, members.part(*next - seen, 1), rows);
                  }
                  seen += members.size();
                  return next != places.end();
                });
  return rows;
}

}  // namespace

Result list(const Graph& graph, const GraphPattern& pattern, const Options& options, const MatchSink& sink) {
  MatchJob job(graph, pattern, options);
  const Options& resolved = job.prepared.options();
  Lap lap;
  auto pieces = cut_entries(job.planned->job, resolved, kListPieces);
  ProgressCounter progress(resolved.progress, num_entries(pieces));
  ListTasks tasks(std::move(pieces));
  std::vector<ListSlot> slots;
  const Index num_slots = 2 * resolved.threads;
  slots.reserve(static_cast<std::size_t>(num_slots));
  for (Index i = 0; i < num_slots; ++i)
    slots.emplace_back(job.planned->job, resolved.memory_bytes / kPartOfMemory / num_slots);
  Count count = 0;
  run_pipeline(
      resolved.threads, slots, [&](ListSlot& slot) { return tasks.next(slot.task); },
      [&](ListSlot& slot) {
        slot.complete = visit_matches(slot.worker.queue, job.planned->job, slot.worker.memory.view(), slot.task,
                                      [&](const std::uint32_t* chosen, View<const std::uint32_t> members) {
                                        if (slot.is_full()) return false;
                                        job.writer.append(chosen, members, slot.rows);
                                        return true;
                                      });
      },
      [&](ListSlot& slot) {
        const std::size_t numbers = list_task(job, slot, sink);
        count += numbers / job.writer.width();
        tasks.told(slot.task, numbers);
        progress.add(slot.task.last - slot.task.first);
      });
  job.prepared.seconds.run += lap.seconds();
  return job.result(pattern, count);
}

Result sample(const Graph& graph, const GraphPattern& pattern, Index size, std::uint64_t seed, const Options& options,
              const MatchSink& sink) {
  if (size < 0) throw InputError(fmt::format("a sample cannot have {} matches", size));
  MatchJob job(graph, pattern, options);
  const Options& resolved = job.prepared.options();
  Lap lap;
  const auto tasks = cut_entries(job.planned->job, resolved, kSampleTasks);
  const std::vector<Tally> counts = count_tasks(resolved, *job.planned, tasks);
  Count total = 0;
  for (const Tally& count : counts) total += static_cast<Count>(count.ways);
  if (total > static_cast<Count>(INT64_MAX))
    throw CapacityError(fmt::format("a sample is drawn from at most 2^63 matches, and there are {}", total));
  const auto places = distinct_numbers(std::min(size, static_cast<Index>(total)), static_cast<Index>(total), seed);
  std::vector<std::vector<Index>> wanted(tasks.size());
  std::size_t task = 0;
  for (Index before = 0; const Index place : places) {
    while (place - before >= static_cast<Index>(counts[task].ways)) before += static_cast<Index>(counts[task++].ways);
    wanted[task].push_back(place - before);
  }
  std::vector<MatchRows> rows(tasks.size());
  Options quiet = resolved;
  quiet.progress = {};
  run_tasks(job.planned->job, quiet, tasks, [&](SearchWorker& worker, std::size_t i) {
    if (!wanted[i].empty()) rows[i] = pick_matches(job, worker, tasks[i], wanted[i]);
  });
  for (const auto& part : rows) {
    if (part.size() > 0) sink(part.numbers());
  }
  job.prepared.seconds.run += lap.seconds();
  return job.result(pattern, total);
}

Participation per_vertex(const Graph& graph, const GraphPattern& pattern, const Options& options) {
  MatchJob job(graph, pattern, options);
  const Options& resolved = job.prepared.options();
  const auto n = static_cast<std::size_t>(graph.num_vertices());
  job.prepared.require_memory("for the counts of each vertex", 8 * graph.num_vertices() * (resolved.threads + 1));
  Lap lap;
  const auto tasks = cut_entries(job.planned->job, resolved, kSampleTasks);
  std::vector<std::vector<std::uint64_t>> parts(static_cast<std::size_t>(resolved.threads),
                                                std::vector<std::uint64_t>(n));
  Pool<std::vector<std::uint64_t>> pool(parts);
  const int num_chosen = job.planned->plans.front().num_chosen;
  run_tasks(job.planned->job, resolved, tasks, [&](SearchWorker& worker, std::size_t task) {
    const auto counts = pool.take();
    visit_matches(worker.queue, job.planned->job, worker.memory.view(), tasks[task],
                  [&](const std::uint32_t* chosen, View<const std::uint32_t> members) {
                    for (int i = 0; i < num_chosen; ++i)
                      (*counts)[chosen[i]] += static_cast<std::uint64_t>(members.size());
                    for (const std::uint32_t member : members) ++(*counts)[member];
                    return true;
                  });
  });
  Participation participation{std::vector<std::uint64_t>(n), {}};
  Count total = 0;
  for (std::size_t v = 0; v < n; ++v) {
    std::uint64_t& count = participation.counts[job.ordered.originals()[v]];
    for (const auto& part : parts) count += part[v];
    total += count;
  }
  job.prepared.seconds.run += lap.seconds();
  participation.result = job.result(pattern, total / static_cast<Count>(pattern.size()));
  return participation;
}

Estimate estimate(const Graph& graph, const GraphPattern& pattern, Index descents, std::uint64_t seed,
                  const Options& options) {
  if (descents < 1) throw InputError(fmt::format("an estimate needs at least one descent, not {}", descents));
  require_host(options);
  if (options.num_shards != 1) throw InputError("an estimate is of the whole graph: leave the shards");
  PreparedGraph prepared(graph, options);
  const auto planned = plan_search(prepared, pattern, false);
  const Options& resolved = prepared.options();
  Lap lap;
  std::vector<double> values(static_cast<std::size_t>(descents));
  std::vector<SearchWorker> workers;
  workers.reserve(static_cast<std::size_t>(resolved.threads));
  for (int i = 0; i < resolved.threads; ++i) workers.emplace_back(planned->job);
  Pool<SearchWorker> pool(workers);
  const Index tasks = (descents + kDescentsPerTask - 1) / kDescentsPerTask;
  parallel_for_range(resolved.threads, tasks, 1, [&](Index begin, Index end) {
    const auto worker = pool.take();
    for (Index task = begin; task < end; ++task) {
      const Index first = task * kDescentsPerTask, count = std::min(kDescentsPerTask, descents - first);
      // Seeds far apart: SplitMix64 steps through its states one by one.
      const std::uint64_t own = seed * 0xD1342543DE82EF95ULL + static_cast<std::uint64_t>(task) * 0xA0761D6478BD642FULL;
      descend_randomly(worker->queue, planned->job, worker->memory.view(), own, view_of(values).part(first, count));
    }
  });
  Estimate estimate;
  estimate.descents = descents;
  double squares = 0;
  const auto count = static_cast<double>(descents);
  for (const double value : values) {
    estimate.subgraphs += value / count;
    estimate.hits += value > 0;
  }
  for (const double value : values) squares += (value - estimate.subgraphs) * (value - estimate.subgraphs);
  const double scale =
      static_cast<double>(planned->plans.front().multiply) / static_cast<double>(planned->plans.front().divide);
  const double deviation = descents > 1 ? std::sqrt(squares / (count - 1) / count) : estimate.subgraphs;
  estimate.low = std::max(0.0, estimate.subgraphs - 1.96 * deviation) * scale;
  estimate.high = (estimate.subgraphs + 1.96 * deviation) * scale;
  estimate.subgraphs *= scale;
  estimate.seconds = lap.seconds();
  return estimate;
}

}  // namespace quarry::mine
