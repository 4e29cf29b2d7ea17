/// Matches themselves: listed, sampled, counted at each vertex.
#include "mine/listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <set>

#include "exec/parallel.hpp"
#include "graph/pattern/pattern_symmetry.hpp"
#include "graph/pattern/search/match_rows.hpp"
#include "mine/prepared.hpp"
#include "mine/search/engine.hpp"
#include "mine/search/visits.hpp"
#include "quarry/error.hpp"
#include "util/random.hpp"

namespace quarry::mine {
namespace {

/// All tasks on their way together take at most 1/16 of the memory.
constexpr Index kMemoryShares = 16;

/// What every job on matches begins with.
struct MatchJob {
  PreparedGraph prepared;
  std::unique_ptr<PlannedSearch> planned;
  const OrderedGraph& ordered;
  RowWriter writer;
  Stopwatch stopwatch;  ///< of what follows

  MatchJob(const Graph& graph, const GraphPattern& pattern, const Options& options)
      : prepared(graph, checked(options)),
        planned(plan_search(prepared, pattern, true)),
        ordered(prepared.ordered(prepared.layout_for(pattern))),
        writer(planned->plans.front(), ordered.originals()) {}

  bool visit(SearchWorker& worker, Entries task, const MatchVisitor& visitor) const {
    return visit_matches(worker.queue, planned->job, worker.memory.view(), task, visitor);
  }

  Result finish(const GraphPattern& pattern, Count subgraphs) {
    prepared.run_seconds += stopwatch.seconds();
    const Index automorphisms = num_automorphisms(pattern);
    return {pattern,        prepared.options().semantics, subgraphs, subgraphs * automorphisms, automorphisms,
            Method::search, prepared.statistics()};
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
  ListSlot(const SearchJob& job, Index memory_bytes) : worker({}, job) {
    // Rows take up to twice what they hold.
    max_values = std::clamp(memory_bytes / (2 * Index{sizeof(std::uint32_t)}), list_limits.task_values,
                            list_limits.max_task_values);
  }
  bool is_full() const { return rows.size() >= max_values; }

  SearchWorker worker;
  Entries task;
  Index max_values = 0;  ///< that `rows` holds before the task stops
  MatchRows rows;
  bool complete = false;
};

/// Cuts a list as it goes on, into tasks of about equally many values.
class ListTasks {
 public:
  explicit ListTasks(std::vector<Entries> pieces) : pieces_(std::move(pieces)) {}

  /// @return false after the last
  bool next(Entries& task) {
    if (next_ == pieces_.size()) return false;
    task = pieces_[next_++];
    const double left = pieces_.back().last - task.first;
    const double wanted =
        std::min(left / list_limits.min_tasks, list_limits.task_values / std::max(1.0, values_per_entry_.load()));
    while (next_ < pieces_.size() && pieces_[next_].last - task.first <= wanted) task.last = pieces_[next_++].last;
    return true;
  }
  void note_delivered(Entries task, double num_values) {
    values_per_entry_ = (values_per_entry_ + num_values / (task.last - task.first)) / 2;
  }

 private:
  std::vector<Entries> pieces_;
  std::size_t next_ = 0;
  std::atomic<double> values_per_entry_ = list_limits.task_values;  ///< of the tasks delivered last
};

/// Hands rows on until the limit, and notes that there are more.
class LimitedSink {
 public:
  LimitedSink(const MatchSink& sink, Index limit, Index width) : sink_(sink), limit_(limit), width_(width) {}

  void take(std::span<const std::uint32_t> values) {
    const Index rows = std::ssize(values) / width_;
    const Index taken = limit_ > 0 ? std::min(rows, limit_ - num_rows_) : rows;
    if (taken > 0) sink_(values.first(taken * width_));
    num_rows_ += taken;
    if (taken < rows) full_ = true;
  }
  /// Was there a row beyond the limit?
  bool is_full() const { return full_; }
  Count num_rows() const { return num_rows_; }
  /// Values after which a task need not look for more at once.
  Index most_values() const {
    constexpr Index kAll = std::numeric_limits<Index>::max();
    return limit_ > 0 && limit_ < kAll / width_ - 1 ? (limit_ + 1) * width_ : kAll;
  }

 private:
  const MatchSink& sink_;
  Index limit_, width_, num_rows_ = 0;
  std::atomic<bool> full_ = false;  // tasks that are under way read it
};

/// Delivers a task; of one that stopped, also the rest.
/// @return values
Index deliver_task(const MatchJob& job, ListSlot& slot, LimitedSink& sink) {
  Index num_values = 0;
  const auto flush = [&] {
    num_values += slot.rows.size();
    if (slot.rows.size() > 0) sink.take(slot.rows.values());
    slot.rows.clear();
  };
  flush();
  if (slot.complete || sink.is_full()) return num_values;
  Index delivered = num_values / job.writer.width();
  job.visit(slot.worker, slot.task, [&](const std::uint32_t* chosen, View<const std::uint32_t> members) {
    const Index skipped = std::min(delivered, members.size());
    delivered -= skipped;
    job.writer.append(chosen, members.part(skipped, members.size() - skipped), slot.rows);
    if (slot.is_full()) flush();
    return !sink.is_full();
  });
  flush();
  return num_values;
}

/// `count` different numbers below `bound`, ascending (Floyd; Bentley, Comm. ACM 1987, 30, 754).
std::vector<Index> distinct_numbers(Index count, Index bound, std::uint64_t seed) {
  RandomNumbers random(seed);
  std::set<Index> drawn;
  for (Index top = bound - count; top < bound; ++top) {
    const Index number = random.below(top + 1);
    drawn.insert(drawn.contains(number) ? top : number);
  }
  return {drawn.begin(), drawn.end()};
}

/// Indices of matches of the whole graph as indices of matches of each task. @param counts  matches of each task
std::vector<std::vector<Index>> split_by_task(const std::vector<Index>& indices, const std::vector<Tally>& counts) {
  std::vector<std::vector<Index>> split(counts.size());
  std::size_t task = 0;
  Index before = 0;
  for (const Index index : indices) {
    while (index - before >= counts[task].count) before += counts[task++].count;
    split[task].push_back(index - before);
  }
  return split;
}

/// The matches of a task with the given indices.
MatchRows pick_matches(const MatchJob& job, SearchWorker& worker, Entries task, std::span<const Index> indices) {
  MatchRows rows;
  Index seen = 0;
  auto next = indices.begin();
  job.visit(worker, task, [&](const std::uint32_t* chosen, View<const std::uint32_t> members) {
    for (; next != indices.end() && *next < seen + members.size(); ++next) {
      job.writer.append(chosen, members.part(*next - seen, 1), rows);
    }
    seen += members.size();
    return next != indices.end();
  });
  return rows;
}

}  // namespace

Result list(const Graph& graph, const GraphPattern& pattern, const Options& options, const MatchSink& sink, Index limit,
            const ListStart& start) {
  if (limit < 0) throw InputError(fmt::format("a list cannot end after {} subgraphs", limit));
  MatchJob job(graph, pattern, options);
  const Options& resolved = job.prepared.options();
  auto pieces = cut_entries(*job.planned, resolved.split, list_limits.pieces);
  ProgressCounter progress(resolved.progress, num_entries(pieces));
  const Index entries_before = pieces.empty() ? 0 : pieces.front().first;
  const auto done = std::ranges::find_if(pieces, [&](const Entries& piece) { return piece.first >= start.entry; });
  pieces.erase(pieces.begin(), done);
  if (!pieces.empty() && pieces.front().first > entries_before) progress.add(pieces.front().first - entries_before);
  ListTasks tasks(std::move(pieces));
  std::vector<ListSlot> slots;
  const Index num_slots = 2 * resolved.threads;
  slots.reserve(num_slots);
  for (Index i = 0; i < num_slots; ++i)
    slots.emplace_back(job.planned->job, job.prepared.memory().bytes() / kMemoryShares / num_slots);
  LimitedSink limited(sink, limit, job.writer.width());
  for (ListSlot& slot : slots) slot.max_values = std::min(slot.max_values, limited.most_values());
  run_pipeline(
      resolved.threads, slots, [&](ListSlot& slot) { return !limited.is_full() && tasks.next(slot.task); },
      [&](ListSlot& slot) {
        slot.complete =
            job.visit(slot.worker, slot.task, [&](const std::uint32_t* chosen, View<const std::uint32_t> members) {
              if (slot.is_full() || limited.is_full()) return false;
              job.writer.append(chosen, members, slot.rows);
              return true;
            });
      },
      [&](ListSlot& slot) {
        if (limited.is_full()) return;
        const Index num_values = deliver_task(job, slot, limited);
        tasks.note_delivered(slot.task, num_values);
        if (start.delivered && !limited.is_full()) start.delivered(slot.task.last);
        progress.add(slot.task.last - slot.task.first);
      });
  Result result = job.finish(pattern, limited.num_rows());
  result.truncated = limited.is_full();
  return result;
}

Result sample(const Graph& graph, const GraphPattern& pattern, Index size, std::uint64_t seed, const Options& options,
              const MatchSink& sink) {
  if (size < 0) throw InputError(fmt::format("a sample cannot have {} matches", size));
  MatchJob job(graph, pattern, options);
  const Options& resolved = job.prepared.options();
  const auto tasks = cut_entries(*job.planned, resolved.split, list_limits.sample_tasks);
  const std::vector<Tally> counts = count_tasks(resolved, *job.planned, tasks);
  Count total = 0;
  for (const Tally& count : counts) total += count.count;
  if (total > INT64_MAX)
    throw CapacityError(fmt::format("a sample is drawn from at most 2^63 matches, and there are {}", total));
  const Index num_matches = total;
  const auto picked = split_by_task(distinct_numbers(std::min(size, num_matches), num_matches, seed), counts);
  std::vector<MatchRows> rows(tasks.size());
  Workers<SearchWorker> workers(resolved.threads, job.planned->job);
  for_each_task(workers, {}, tasks, [&](SearchWorker& worker, Index task) {
    if (!picked[task].empty()) rows[task] = pick_matches(job, worker, tasks[task], picked[task]);
  });
  for (const MatchRows& of_task : rows) {
    if (of_task.size() > 0) sink(of_task.values());
  }
  return job.finish(pattern, total);
}

Participation per_vertex(const Graph& graph, const GraphPattern& pattern, const Options& options) {
  MatchJob job(graph, pattern, options);
  const Options& resolved = job.prepared.options();
  const Index n = graph.num_vertices();
  job.prepared.memory().require(8 * n * (resolved.threads + 1), "the counts of each vertex");
  const auto tasks = cut_entries(*job.planned, resolved.split, list_limits.sample_tasks);
  Workers<SearchWorker> workers(resolved.threads, job.planned->job);
  std::vector<SearchWorker>& all_workers = workers.devices().front().workers;
  for (SearchWorker& worker : all_workers) worker.counts.resize(n);
  const int num_chosen = job.planned->plans.front().num_chosen;
  for_each_task(workers, resolved.progress, tasks, [&](SearchWorker& worker, Index task) {
    job.visit(worker, tasks[task], [&](const std::uint32_t* chosen, View<const std::uint32_t> members) {
      for (int i = 0; i < num_chosen; ++i) worker.counts[chosen[i]] += members.size();
      for (const std::uint32_t member : members) ++worker.counts[member];
      return true;
    });
  });
  Participation participation{std::vector<std::uint64_t>(n), {}};
  Count total = 0;
  for (Index v = 0; v < n; ++v) {
    std::uint64_t& count = participation.counts[job.ordered.originals()[v]];
    for (const SearchWorker& worker : all_workers) count += worker.counts[v];
    total += count;
  }
  participation.result = job.finish(pattern, total / pattern.size());
  return participation;
}

}  // namespace quarry::mine
