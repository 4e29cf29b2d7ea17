/// The story of a match run: a plan for the queries, and tasks of consecutive molecules that flow through the stages.
#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>

#include "exec/parallel.hpp"
#include "match/batch_store.hpp"
#include "match/collect.hpp"
#include "match/kind_rows.hpp"
#include "match/plan.hpp"
#include "match/steps.hpp"
#include "quarry/match.hpp"

namespace quarry::match {
namespace {

// Molecules of one task: enough that handing it on costs nothing, few enough that memory stays small.
constexpr Index kTaskMolecules = 512;
// Mask words of one batch, so that all stages of a batch run in a core's second-level cache.
// PERF: 32 KiB, 128 KiB and 512 KiB of masks are alike within the noise of one machine; bench/match
constexpr Index kBatchWords = 16 * 1024;

/// A run of consecutive molecules of one chunk, and what was found in them.
struct Task {
  Index chunk = -1, first = 0, last = 0;
  Queue queue;
  BatchStore store;
  Index rows_of_chunk = -1;
  std::vector<std::uint64_t> kind_rows;
  Result result;
  Statistics statistics;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// First molecule after a batch that starts at `first`: as many as fit, but at least one.
Index batch_end(const PlanView& plan, const Chunk& chunk, Index first, Index last) {
  Index words = 0, end = first;
  do {
    words += region_words(plan, chunk.num_atoms(end));
    ++end;
  } while (end < last && words + region_words(plan, chunk.num_atoms(end)) <= kBatchWords);
  return end;
}

void add_launch_times(Statistics::Seconds& seconds, const Queue& queue) {
  for (const Queue::LaunchTime& time : queue.launch_times()) {
    const bool candidates = time.name == "pack" || time.name == "candidates" || time.name == "bodies";
    if (candidates || time.name == "neighbours") seconds.candidates += time.seconds;
    if (time.name == "refine") seconds.refine += time.seconds;
    if (time.name == "map") seconds.map += time.seconds;
    if (time.name == "join") seconds.join += time.seconds;
  }
}

}  // namespace

struct Matcher::Impl {
  Impl(const QuerySet& queries, const Options& the_options)
      : options(the_options), plan(queries, options), plan_view(plan.view()), kind_rows(plan) {
    options.threads = resolve_threads(options.threads);
  }

  /// The next task, or false at the end of the library.
  bool next(const Library& library, Task& task, Index& chunk, Index& molecule) const;
  void work(const Library& library, Task& task);
  void match_batch(const Chunk& chunk, Task& task, Index first, Index last);

  Options options;
  Plan plan;
  PlanView plan_view;
  KindRows kind_rows;
};

bool Matcher::Impl::next(const Library& library, Task& task, Index& chunk, Index& molecule) const {
  while (chunk < library.num_chunks() && molecule == library.num_molecules(chunk)) {
    ++chunk;
    molecule = 0;
  }
  if (chunk == library.num_chunks()) return false;
  task.chunk = chunk;
  task.first = molecule;
  task.last = std::min(molecule + kTaskMolecules, library.num_molecules(chunk));
  molecule = task.last;
  return true;
}

void Matcher::Impl::work(const Library& library, Task& task) {
  const auto start = std::chrono::steady_clock::now();
  const Chunk& chunk = library.chunk(task.chunk);
  if (task.rows_of_chunk != task.chunk) {
    kind_rows.collect(chunk, task.kind_rows);
    task.rows_of_chunk = task.chunk;
  }
  task.statistics = {};
  task.statistics.seconds.read = seconds_since(start);
  task.result = {};
  task.result.first_molecule = library.first_molecule(task.chunk) + task.first;
  task.result.hit_offsets.push_back(0);
  if (stores_mappings(options.mode)) task.result.mapping_offsets.push_back(0);
  for (Index first = task.first; first < task.last;) {
    const Index last = batch_end(plan_view, chunk, first, task.last);
    match_batch(chunk, task, first, last);
    first = last;
  }
}

void Matcher::Impl::match_batch(const Chunk& chunk, Task& task, Index first, Index last) {
  Queue& queue = task.queue;
  BatchStore& store = task.store;
  const auto start = std::chrono::steady_clock::now();
  store.load(queue, plan_view, plan.has_groups(), chunk, view_of(task.kind_rows), first, last);
  store.shape().max_pattern_atoms = plan.max_pattern_atoms();
  task.statistics.seconds.read += seconds_since(start);

  const BatchView batch = store.view(options.pair_budget);
  find_candidates(queue, plan_view, batch, store.shape());
  refine(queue, plan_view, batch, store.shape());
  if (options.count_candidates) add_candidates(queue, plan_view, batch, store.shape(), task.statistics);
  map_pairs(queue, plan_view, batch, store.shape());
  const Index num_pairs = store.reserve_pairs(queue);
  const BatchView mapped = store.view(options.pair_budget);
  write_pairs(queue, plan_view, mapped, store.shape());
  const View<PairResult> results = store.results(queue);
  count_embeddings(queue, plan_view, mapped, store.shape(), search_limit(options), results);
  task.statistics.mapped_pairs += num_pairs;
  collect_hits(queue, plan_view, mapped, store.shape(), options, results, task.result);
}

Matcher::Matcher(const QuerySet& queries, const Options& options) : impl_(std::make_unique<Impl>(queries, options)) {}
Matcher::Matcher(Matcher&&) noexcept = default;
Matcher::~Matcher() = default;

Statistics Matcher::run(const Library& library, const std::function<void(const Result&)>& sink) {
  const auto start = std::chrono::steady_clock::now();
  Statistics total;
  total.queries = impl_->plan_view.num_queries;
  const int threads = impl_->options.threads;
  Index released = 0;  // chunks whose pages are let go, so that memory stays flat
  std::vector<Task> tasks(static_cast<std::size_t>(threads == 1 ? 1 : 2 * threads));
  Index chunk = 0, molecule = 0;
  run_pipeline(
      threads, tasks, [&](Task& task) { return impl_->next(library, task, chunk, molecule); },
      [&](Task& task) { impl_->work(library, task); },
      [&](Task& task) {
        summarise(task.result, task.statistics);
        total += task.statistics;
        sink(task.result);
        for (; released < task.chunk; ++released) library.release(released);
        if (impl_->options.progress) impl_->options.progress(total.molecules, library.num_molecules());
      });
  for (const Task& task : tasks) add_launch_times(total.seconds, task.queue);
  total.pairs = total.molecules * total.queries;
  total.seconds.total = seconds_since(start);
  return total;
}

Result run(const Library& library, const QuerySet& queries, const Options& options, Statistics* statistics) {
  Result whole;
  whole.hit_offsets.push_back(0);
  if (stores_mappings(options.mode)) whole.mapping_offsets.push_back(0);
  Matcher matcher(queries, options);
  const Statistics found = matcher.run(library, [&](const Result& part) { append_result(whole, part); });
  if (statistics != nullptr) *statistics = found;
  return whole;
}

}  // namespace quarry::match
