/// The story of a match run: tasks of consecutive molecules flow through a pipeline. Each is cut into batches, each batch
/// passes the stages, and the results are delivered in order.
#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "chemistry/stereo/resolve_stereo.hpp"
#include "exec/parallel.hpp"
#include "exec/workers.hpp"
#include "library/library_impl.hpp"
#include "match/batch/batch_room.hpp"
#include "match/batch/batch_store.hpp"
#include "match/collect.hpp"
#include "match/count_rules.hpp"
#include "match/environments/kind_rows.hpp"
#include "match/environments/kind_screen.hpp"
#include "match/environments/neighbour_screen.hpp"
#include "match/equal_queries.hpp"
#include "match/plan.hpp"
#include "match/steps.hpp"
#include "match/stereo_screen.hpp"
#include "quarry/match.hpp"
#include "util/stopwatch.hpp"

namespace quarry::match {
namespace {

/// Consecutive molecules of one chunk, and what was found in them.
struct Task {
  Index chunk = -1, first = 0, last = 0;
  std::vector<Index> molecules;  ///< that some query may match, counted from the first of the chunk
  BatchInput input;
  Result result;
  Statistics statistics;
  std::unique_ptr<Task> screened;  ///< of the matcher that asks which molecules need their stereo marks
};

/// Gives the molecules that were not searched their place in the result, without hits.
void add_dropped(Task& task) {
  std::vector<Index>& offsets = task.result.hit_offsets;  // of the searched molecules
  std::size_t searched = task.molecules.size();
  offsets.resize(task.last - task.first + 1);
  for (Index row = task.last - task.first; row > 0; --row) {
    offsets[row] = offsets[searched];
    if (searched > 0 && task.molecules[searched - 1] == task.first + row - 1) --searched;
  }
}

/// What a thread knows of atoms, and keeps for its next task.
struct KnownAtoms {
  KnownAtoms(const DeviceId&, const Plan& plan, EvaluatedRows* evaluated)
      : screen(plan), neighbour_screen(plan), environments(plan, evaluated) {}
  Index chunk = -1;  ///< whose kinds are known
  KindScreen screen;
  NeighbourScreen neighbour_screen;
  EnvironmentRows environments;
};

/// A queue, and the memory of the batch that it works on.
struct Worker {
  explicit Worker(const DeviceId& device) : queue(device) {}
  Queue queue;
  PlanView plan;  ///< in memory that the queue's device can read
  BatchStore store;
};

/// What launches are part of.
enum class Stage { uncounted, candidates, refine, map, join };

}  // namespace

struct Matcher::Impl {
  Impl(const QuerySet& queries, const Options& options);

  Statistics run(const Library& library, const std::function<void(const Result&)>& sink, Index first_molecule,
                 Index last_molecule);
  /// Makes the next task, from `molecule` of `chunk` on. @return  false at `last_molecule` of the library
  bool next(const Library& library, Index last_molecule, Index& chunk, Index& molecule, Task& task) const;
  Index host_task_size(Index molecules_left) const;
  void search(const Library& library, Task& task);
  void search_batch(const Library& library, const Chunk& chunk, std::span<const Index> molecules,
                    EnvironmentRows& environments, Task& task);
  /// Those of a task, counted from the first of its chunk, of which a query asks for the stereo marks.
  std::vector<Index> molecules_with_asked_stereo(const Library& library, Task& task);
  /// Searches the one molecule in `task.input` on the host, which has room, and as far as it must be searched.
  void search_molecule(Task& task) const;
  /// All stages of the batch in `task.input`.
  /// @param limit  embeddings of a pair after which its search stops
  /// @return  false where a device has no room for the embeddings of a pair, or where a pair must be searched further
  bool run_stages(Worker& worker, Index limit, Task& task) const;

  void share_plan();
  void forget_run();
  StageSeconds launch_seconds() const;
  std::string device_names() const;

  CountRules rules;
  Options options;  ///< with the mode to search in
  EqualQueries equal;
  Plan plan;  ///< of the distinct queries
  PlanView plan_view;
  KindRows kind_rows;
  std::vector<Task> tasks;  ///< their memory is for the next run too
  Workers<Worker> workers;
  EvaluatedRows evaluated_rows;
  Workers<KnownAtoms> known_atoms;  ///< one for each thread, on any device
  BatchRoom room;
  bool every_stereo = false;     ///< every molecule needs its stereo marks
  std::unique_ptr<Impl> screen;  ///< finds those that need them; without it, none does
};

Matcher::Matcher(const QuerySet& queries, const Options& options) : impl_(std::make_unique<Impl>(queries, options)) {}
Matcher::Matcher(Matcher&&) noexcept = default;
Matcher::~Matcher() = default;

Statistics Matcher::run(const Library& library, const std::function<void(const Result&)>& sink, Index first_molecule,
                        Index last_molecule) {
  return impl_->run(library, sink, first_molecule, last_molecule);
}

Statistics Matcher::Impl::run(const Library& library, const std::function<void(const Result&)>& sink,
                              Index first_molecule, Index last_molecule) {
  const Stopwatch stopwatch;
  Statistics total;
  forget_run();
  Index chunk = 0, molecule = first_molecule;
  for (; chunk < library.num_chunks() && molecule > library.num_molecules(chunk); ++chunk)
    molecule -= library.num_molecules(chunk);
  Index released = chunk;  // chunks whose memory was given back, so that it does not grow with the library
  run_pipeline(
      options.threads, tasks, [&](Task& task) { return next(library, last_molecule, chunk, molecule, task); },
      [&](Task& task) { library.in_chunk(task.chunk, [&] { search(library, task); }); },
      [&](Task& task) {
        total += task.statistics;
        sink(task.result);
        for (; released < task.chunk; ++released) library.release(released);
        if (options.progress) options.progress(first_molecule + total.molecules, library.num_molecules());
      });
  LibraryAccess::impl(library).check_unchanged();
  total.queries = equal.num_queries();
  total.pairs = total.molecules * total.queries;
  total.stages += launch_seconds();
  total.device = device_names();
  total.threads = options.threads;
  total.seconds = stopwatch.seconds();
  return total;
}

/// Tasks become smaller towards the end of a run, so that its threads end at about the same time.
/// PERF: 64 shards of 20,000 molecules take 2 % less on two threads
Index Matcher::Impl::host_task_size(Index molecules_left) const {
  constexpr Index kLeastMolecules = 64;
  const Index share = molecules_left / (4 * options.threads);
  return std::min(host_task_molecules, std::max(kLeastMolecules, share));
}

bool Matcher::Impl::next(const Library& library, Index last_molecule, Index& chunk, Index& molecule, Task& task) const {
  while (chunk < library.num_chunks() && molecule == library.num_molecules(chunk)) {
    ++chunk;
    molecule = 0;
  }
  if (chunk == library.num_chunks()) return false;
  const Index end = std::min(library.num_molecules(chunk), last_molecule - library.first_molecule(chunk));
  if (molecule >= end) return false;
  const Index left = std::min(library.num_molecules(), last_molecule) - library.first_molecule(chunk) - molecule;
  const Index most = workers.on_host() ? host_task_size(left) : device_task_molecules;
  task.chunk = chunk;
  task.first = molecule;
  task.last = std::min(molecule + most, end);
  molecule = task.last;
  return true;
}

void Matcher::Impl::search(const Library& library, Task& task) {
  const Stopwatch reading;
  const Chunk& chunk = chunk_of(library, task.chunk);
  const auto known = known_atoms.take();
  if (known->chunk != task.chunk) {
    const std::vector<AtomKind> kinds(chunk.kind_table.begin(), chunk.kind_table.end());
    LibraryAccess::impl(library).check_unchanged();
    known->environments.set_kinds(kind_rows, kinds);
    if (known->screen.is_on()) known->screen.set_chunk(chunk, known->environments.kind_rows());
    if (known->neighbour_screen.is_on()) known->neighbour_screen.set_kinds(known->environments.kind_rows());
    known->chunk = task.chunk;
  }
  task.statistics = {};
  task.statistics.stages.read = reading.seconds();
  restart(task.result, options.mode, library.first_molecule(task.chunk) + task.first);
  if (options.chirality && has_raw_stereo(library)) {
    const std::vector<Index> molecules = molecules_with_asked_stereo(library, task);
    task.statistics.stereo_resolved = resolve_stereo(library, task.chunk, molecules);
  }
  const auto may_match = [&](Index molecule) {
    return (!known->screen.is_on() || known->screen.may_match(chunk, molecule)) &&
           (!known->neighbour_screen.is_on() || known->neighbour_screen.may_match(chunk, molecule));
  };
  task.molecules.clear();
  for (Index molecule = task.first; molecule < task.last; ++molecule)
    if (may_match(molecule)) task.molecules.push_back(molecule);
  for (std::span<const Index> left = task.molecules; !left.empty();) {
    const Index size = room.batch_size(plan_view, chunk, left);
    search_batch(library, chunk, left.first(size), known->environments, task);
    left = left.subspan(size);
  }
  add_dropped(task);
  equal.spread(task.result);
  rules.apply(task.result);
  add_counts(task.result, task.statistics);
}

std::vector<Index> Matcher::Impl::molecules_with_asked_stereo(const Library& library, Task& task) {
  std::vector<Index> molecules;
  if (every_stereo) {
    for (Index molecule = task.first; molecule < task.last; ++molecule) molecules.push_back(molecule);
  } else if (screen) {
    if (!task.screened) task.screened = std::make_unique<Task>();
    Task& part = *task.screened;
    part.chunk = task.chunk;
    part.first = task.first;
    part.last = task.last;
    screen->search(library, part);
    const std::vector<Index>& hits = part.result.hit_offsets;
    // A pair that ran out of its budget has a hit too.
    for (Index row = 0; row < part.result.num_molecules(); ++row)
      if (hits[row] < hits[row + 1]) molecules.push_back(task.first + row);
  }
  return molecules;
}

void Matcher::Impl::search_batch(const Library& library, const Chunk& chunk, std::span<const Index> molecules,
                                 EnvironmentRows& environments, Task& task) {
  const Stopwatch reading;
  if (!workers.on_host()) environments.clear();  // a device gets the rows of its batch
  const bool is_raw = has_raw_stereo(library);
  task.input.load(plan, chunk, environments, molecules, is_raw ? &resolved_stereo(library, task.chunk) : nullptr);
  LibraryAccess::impl(library).check_unchanged();
  task.statistics.stages.read += reading.seconds();
  if (run_stages(*workers.take(), search_limit(options), task)) return;
  if (molecules.size() == 1) {
    search_molecule(task);
    return;
  }
  const std::size_t middle = molecules.size() / 2;
  search_batch(library, chunk, molecules.first(middle), environments, task);
  search_batch(library, chunk, molecules.subspan(middle), environments, task);
}

void Matcher::Impl::search_molecule(Task& task) const {
  Worker host{DeviceId{}};
  host.plan = plan_view;
  constexpr Index kMore = 16;
  Index limit = search_limit(options);
  while (!run_stages(host, limit, task)) limit = std::min(limit, std::numeric_limits<Index>::max() / kMore) * kMore;
}

bool Matcher::Impl::run_stages(Worker& worker, Index limit, Task& task) const {
  Queue& queue = worker.queue;
  BatchStore& store = worker.store;
  const BatchView& batch = store.view();
  store.send(queue, plan_view, task.input, options.pair_budget);

  queue.set_stage(Stage::candidates);
  find_candidates(queue, worker.plan, batch);

  queue.set_stage(Stage::refine);
  refine(queue, worker.plan, batch);

  queue.set_stage(Stage::map);
  map_pairs(queue, worker.plan, batch);
  const Index num_pairs = store.reserve_pairs(queue);
  write_pairs(queue, worker.plan, batch);

  queue.set_stage(Stage::join);
  if (stores_mappings(options.mode)) store.reserve_mappings(queue, plan_view);
  count_embeddings(queue, worker.plan, batch, limit, store.results(), store.first_offsets(), store.first_mappings());
  const FoundPairs found = store.fetch(queue, room.bytes());
  apply_caps(options, plan_view, found);
  if (!queue.on_host() && !fits_on_device(options, plan_view, found)) return false;
  if (!collect_hits(queue, plan_view, worker.plan, options, found, limit, task.result)) return false;

  queue.set_stage(Stage::uncounted);
  if (options.count_candidates) add_candidates(queue, worker.plan, batch, task.statistics);
  task.statistics.mapped_pairs += num_pairs;
  queue.finish();
  return true;
}

RunResult run(const Library& library, const QuerySet& queries, const Options& options) {
  RunResult whole{empty_result(options.mode, 0), {}};
  Matcher matcher(queries, options);
  whole.statistics = matcher.run(library, [&](const Result& part) { append_result(whole, part); });
  return whole;
}

namespace {

Options to_search(Options options, const CountRules& rules) {
  options.threads = resolve_threads(options.threads);
  options.mode = rules.search_mode();
  return options;
}

/// On the host: it has to do with few queries, and with molecules of which RDKit reads some.
Options to_screen(const Options& options) {
  Options screening;
  screening.threads = options.threads;
  screening.pair_budget = options.pair_budget;
  return screening;
}

}  // namespace

Matcher::Impl::Impl(const QuerySet& queries, const Options& the_options)
    : rules(queries, the_options.mode),
      options(to_search(the_options, rules)),
      equal(queries, options),
      plan(make_plan(equal.distinct(queries), options)),
      plan_view(plan.view()),
      kind_rows(plan),
      tasks(options.threads == 1 ? 1 : 2 * options.threads),
      workers(options, batches_in_flight(options)),
      known_atoms(options.threads, plan, options.threads > 1 || !workers.on_host() ? &evaluated_rows : nullptr) {
  share_plan();
  if (!options.chirality) return;
  const StereoScreen asked = stereo_screen(queries);
  every_stereo = asked.every_molecule;
  if (!every_stereo && !asked.queries.accepted.empty())
    screen = std::make_unique<Impl>(asked.queries, to_screen(options));
}

/// Sends the plan to every device. What the device with the least memory has left is the room for batches.
void Matcher::Impl::share_plan() {
  for (auto& device : workers.devices()) {
    PlanView view = plan.view();
    add_plan(device.shared, view);
    device.send_shared();
    for (Worker& worker : device.workers) worker.plan = view;
  }
  if (workers.on_host()) return;
  const auto& least =
      *std::ranges::min_element(workers.devices(), {}, [](const auto& device) { return device.room_bytes(); });
  room =
      BatchRoom(least.id, least.limit_bytes, least.shared.num_bytes(), least.room_bytes(), std::ssize(least.workers));
}

/// Times, and the chunks of another library.
void Matcher::Impl::forget_run() {
  for (auto& device : workers.devices()) {
    for (Worker& worker : device.workers) worker.queue.forget_times();
  }
  for (KnownAtoms& known : known_atoms.devices().front().workers) known.chunk = -1;
  if (screen) screen->forget_run();
}

StageSeconds Matcher::Impl::launch_seconds() const {
  StageSeconds seconds;
  for (const auto& device : workers.devices()) {
    for (const Worker& worker : device.workers) {
      for (const LaunchTime& time : worker.queue.launch_times()) {
        const Stage stage{time.label.stage};
        if (stage == Stage::candidates) seconds.candidates += time.seconds;
        if (stage == Stage::refine) seconds.refine += time.seconds;
        if (stage == Stage::map) seconds.map += time.seconds;
        if (stage == Stage::join) seconds.join += time.seconds;
      }
    }
  }
  return seconds;
}

std::string Matcher::Impl::device_names() const {
  std::vector<DeviceId> ids;
  for (const auto& device : workers.devices()) ids.push_back(device.id);
  return name_of(ids);
}

}  // namespace quarry::match
