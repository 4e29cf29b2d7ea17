/// The story of a match run: a plan for the queries, and tasks of consecutive molecules that flow through the stages.
#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "exec/parallel.hpp"
#include "exec/pool.hpp"
#include "match/batch_store.hpp"
#include "match/collect.hpp"
#include "match/kind_rows.hpp"
#include "match/plan.hpp"
#include "match/steps.hpp"
#include "quarry/match.hpp"

namespace quarry::match {
namespace {

// Molecules of one task on the host: enough that handing it on costs nothing, few enough that memory stays small.
constexpr Index kTaskMolecules = 512;
// Bytes of masks of one batch on the host, so that all stages of a batch run in a core's second-level cache.
// PERF: 32 KiB, 128 KiB and 512 KiB of masks are alike within the noise of one machine; bench/match
constexpr Index kBatchBytes = 128 << 10;
// On a device: enough molecules to fill it. PERF: not yet measured
constexpr Index kDeviceTaskMolecules = 8192;
// Batches in flight on a device, so that one is copied while another is computed.
constexpr Index kBatchesInFlight = 2;
// Of the memory for a batch: one share for itself, two for what buffers keep of batches with more of something else,
// one for embeddings that are stored.
constexpr Index kRoomShares = 4;

/// A run of consecutive molecules of one chunk, and what was found in them.
struct Task {
  Index chunk = -1, first = 0, last = 0;
  BatchInput input;
  Index rows_of_chunk = -1;
  std::vector<std::uint64_t> kind_rows;
  Result result;
  Statistics statistics;
};

/// A queue and the memory of the batch that it works on.
struct Worker {
  explicit Worker(const Place& place) : queue(place) {}
  Queue queue;
  PlanView plan;  ///< where the queue can read it
  BatchStore store;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void add_launch_times(Statistics::Seconds& seconds, const Queue& queue) {
  for (const Queue::LaunchTime& time : queue.launch_times()) {
    const bool candidates = time.name == "pack" || time.name == "candidates" || time.name == "bodies";
    if (candidates || time.name == "neighbours") seconds.candidates += time.seconds;
    if (time.name == "refine") seconds.refine += time.seconds;
    if (time.name == "map" || time.name == "scan") seconds.map += time.seconds;
    const bool order = time.name == "rank" || time.name == "sort";
    const bool hits = time.name == "gather" || time.name == "select";
    if (time.name == "join" || order || hits) seconds.join += time.seconds;
  }
}

/// The memory of a place and what is left of it for each batch.
struct Room {
  Place place;
  Index limit_bytes = 0, plan_bytes = 0;

  Index for_batch() const {
    if (place.api == Api::host) return kBatchBytes;
    return std::max<Index>(0, limit_bytes - plan_bytes) / (kBatchesInFlight * kRoomShares);
  }
  Index for_batches_of(Index bytes) const { return plan_bytes + bytes * kBatchesInFlight * kRoomShares; }
};

/// Workers that share the plan of their device: one per thread on the host, a few on each device.
class Workforce {
 public:
  Workforce(const Plan& plan, const Options& options, const std::vector<Place>& places)
      : room_{places[0]}, parcels_(places.size()) {
    std::vector<Room> rooms;
    for (const Place& place : places)
      rooms.push_back({place, on_host() ? 0 : device_room(place, options.device_bytes)});
    // Device after device in turns, so that few threads too keep every device at work.
    for (Index w = 0; w < (on_host() ? options.threads : kBatchesInFlight); ++w) {
      for (const Place& place : places) workers_.emplace_back(place);
    }
    for (std::size_t i = 0; i < places.size(); ++i) rooms[i].plan_bytes = send(plan, i);
    room_ = *std::ranges::min_element(rooms, {}, &Room::for_batch);
    pool_.emplace(workers_);
  }

  bool on_host() const { return room_.place.api == Api::host; }
  Pool<Worker>& pool() { return *pool_; }
  std::vector<Worker>& workers() { return workers_; }
  /// First molecule after a batch that starts at `first`: as many as fit, but on the host at least one.
  /// @param chunk_bytes  that every batch of the chunk takes besides
  Index batch_end(const PlanView& plan, const Chunk& chunk, Index chunk_bytes, Index first, Index last) const;
  /// Bytes that a batch may take; on a device as many again for the embeddings that it stores.
  Index room_bytes() const { return room_.for_batch(); }

 private:
  /// Sends the plan to a place, for all its workers. @return bytes
  Index send(const Plan& plan, std::size_t place) {
    PlanView view = plan.view();
    send_plan(workers_[place].queue, parcels_[place], view);
    for (std::size_t w = place; w < workers_.size(); w += parcels_.size()) workers_[w].plan = view;
    return parcels_[place].num_bytes();
  }
  /// What a molecule of a chunk takes of the room for a batch.
  Index bytes_of(const PlanView& plan, const Chunk& chunk, Index molecule) const {
    const Index atoms = chunk.num_atoms(molecule);
    if (on_host()) return 8 * region_words(plan, atoms);
    return device_bytes(plan, atoms, chunk.bond_offsets[molecule + 1] - chunk.bond_offsets[molecule]);
  }

  Room room_;                    // of the device that has least
  std::vector<Worker> workers_;  // before the parcels, which their queues must outlive
  std::vector<Parcel> parcels_;  // the plan on each device
  std::optional<Pool<Worker>> pool_;
};

Index Workforce::batch_end(const PlanView& plan, const Chunk& chunk, Index chunk_bytes, Index first, Index last) const {
  Index bytes = on_host() ? 0 : chunk_bytes, end = first;
  for (; end < last; ++end) {
    bytes += bytes_of(plan, chunk, end);
    if (bytes > room_.for_batch()) break;
  }
  if (end > first || on_host()) return std::max(end, first + 1);
  throw CapacityError("bytes on " + name_of({room_.place}) +
                          " for the queries and one molecule at a time (raise Options::device_bytes, "
                          "--device-memory, or use the host)",
                      room_.limit_bytes, room_.for_batches_of(bytes));
}

}  // namespace

struct Matcher::Impl {
  Impl(const QuerySet& queries, const Options& the_options)
      : options(with_threads(the_options)),
        plan(queries, options),
        plan_view(plan.view()),
        kind_rows(plan),
        workforce(plan, options, find_places(options.device)) {}

  static Options with_threads(Options options) {
    options.threads = resolve_threads(options.threads);
    return options;
  }
  /// The next task, or false at the end of the library.
  bool next(const Library& library, Task& task, Index& chunk, Index& molecule) const;
  void work(const Library& library, Task& task);
  void match_batch(const Chunk& chunk, Task& task, Index first, Index last);
  /// All stages of the batch in `task.input`. @return  false where the batch has too many embeddings to store
  bool search(Task& task, Worker& worker) const;

  Options options;
  Plan plan;
  PlanView plan_view;
  KindRows kind_rows;
  Workforce workforce;
};

bool Matcher::Impl::next(const Library& library, Task& task, Index& chunk, Index& molecule) const {
  while (chunk < library.num_chunks() && molecule == library.num_molecules(chunk)) {
    ++chunk;
    molecule = 0;
  }
  if (chunk == library.num_chunks()) return false;
  task.chunk = chunk;
  task.first = molecule;
  task.last =
      std::min(molecule + (workforce.on_host() ? kTaskMolecules : kDeviceTaskMolecules), library.num_molecules(chunk));
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
  const Index kinds_bytes = static_cast<Index>(task.kind_rows.size() * sizeof(std::uint64_t));
  for (Index first = task.first; first < task.last;) {
    const Index last = workforce.batch_end(plan_view, chunk, kinds_bytes, first, task.last);
    match_batch(chunk, task, first, last);
    first = last;
  }
}

void Matcher::Impl::match_batch(const Chunk& chunk, Task& task, Index first, Index last) {
  const auto start = std::chrono::steady_clock::now();
  task.input.load(plan, chunk, view_of(task.kind_rows), first, last);
  task.statistics.seconds.read += seconds_since(start);
  if (search(task, *workforce.pool().take())) return;
  const Index middle = first + (last - first) / 2;
  match_batch(chunk, task, first, middle);
  match_batch(chunk, task, middle, last);
}

bool Matcher::Impl::search(Task& task, Worker& worker) const {
  Queue& queue = worker.queue;
  BatchStore& store = worker.store;
  const BatchShape& shape = task.input.shape();
  const BatchView& batch = store.view();
  store.send(queue, plan_view, task.input, options.pair_budget);
  find_candidates(queue, worker.plan, batch, shape);
  refine(queue, worker.plan, batch, shape);
  map_pairs(queue, worker.plan, batch, shape);
  const Index num_pairs = store.reserve_pairs(queue);
  write_pairs(queue, worker.plan, batch, shape);
  store.order_pairs(queue, worker.plan);
  count_embeddings(queue, worker.plan, batch, shape, search_limit(options), store.results());
  const FoundPairs found = store.fetch(queue, workforce.room_bytes());
  apply_caps(options, found);
  if (stores_mappings(options.mode) && !fits_in_memory(plan_view, found, shape.num_molecules)) return false;
  task.statistics.mapped_pairs += num_pairs;
  if (options.count_candidates) add_candidates(queue, worker.plan, batch, shape, task.statistics);
  collect_hits(queue, plan_view, worker.plan, shape, options, found, task.result);
  queue.finish();
  return true;
}

Matcher::Matcher(const QuerySet& queries, const Options& options) : impl_(std::make_unique<Impl>(queries, options)) {}
Matcher::Matcher(Matcher&&) noexcept = default;
Matcher::~Matcher() = default;

Statistics Matcher::run(const Library& library, const std::function<void(const Result&)>& sink) {
  const auto start = std::chrono::steady_clock::now();
  Statistics total;
  total.queries = impl_->plan_view.num_queries;
  const int threads = impl_->options.threads;
  for (Worker& worker : impl_->workforce.workers()) worker.queue.forget_times();
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
  for (const Worker& worker : impl_->workforce.workers()) add_launch_times(total.seconds, worker.queue);
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
