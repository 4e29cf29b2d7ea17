/// The engine `watch`: updates flow through updater, executor and delivery, several groups of them at a time.
#include "watch/device/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <optional>
#include <utility>

#include "exec/parallel.hpp"
#include "graph/graph_impl.hpp"
#include "quarry/device.hpp"
#include "util/stopwatch.hpp"
#include "watch/delivery.hpp"
#include "watch/replicas.hpp"
#include "watch/sharing_trial.hpp"
#include "watch/trial.hpp"

namespace quarry::watch {
namespace {

/// Groups on their way for each thread. PERF: while one thread is held up by a long search, the others go on with as many
/// groups; with 4 they waited, and two threads gained 1.35 on github orig_6_q3 where they gain 1.75.
constexpr Index kGroupsPerThread = 32;
/// Far below the distance after which vertices are used again, whatever else is under way.
constexpr Index kMaxBatch = VertexIds::kReuseDistance / 4;

double processor_seconds() {
  std::timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

const Options& checked(const Options& options) {
  const Index batch = options.fixed_batch > 0 ? options.fixed_batch : options.batch;
  if (batch < 1 || batch > kMaxBatch)
    throw InputError(fmt::format("a batch has 1 to {} updates, not {}", kMaxBatch, batch), "batch");
  if (options.fixed_batch < 0 || options.max_results < 0 || options.wait_ms < 0)
    throw InputError("fixed_batch, max_results and wait_ms are not negative");
  return options;
}

}  // namespace

const char* to_text(Fault fault) {
  constexpr std::array<const char*, kNumFaults> kTexts{"none", "duplicate edge", "absent edge",      "wrong label",
                                                       "loop", "unknown vertex", "vertex has edges", "unreadable"};
  return kTexts[static_cast<std::size_t>(fault)];
}

struct Watcher::Impl {
  Impl(const Graph& initial, const Options& given)
      : options(checked(given)),
        threads(resolve_threads(options.threads)),
        sharing(options.list || options.digest),
        plan(initial, options.list || options.digest, find_devices(options.device)[0].api == Api::host),
        arrivals(options),
        first(initial, plan, options, threads),
        replicas(first),
        delivery(plan, first.updater.ids(), first.executor, options),
        groups(threads == 1 ? 1 : kGroupsPerThread * threads) {
    if (find_devices(options.device)[0].api == Api::host) return;
    devices.emplace(first.graph, options);
    groups.resize(options.fixed_batch > 0 ? 1 : 2);
  }

  /// Takes the next updates that others may search, and applies those that are not yet. Those before them are done when it
  /// returns. @return false at the end, or where all groups must be delivered before it is called again
  bool next(UpdateGroup& group, UpdateSource& source, const AlertSink& sink) {
    for (;;) {
      first.executor.clear(group);
      if (taken == applied.size() && arrivals.num_waiting() == 0) {
        if (must_wait_for_batch) return false;
        must_wait_for_batch = options.fixed_batch > 0;
        if (!receive(source)) return ended = true, false;
      }
      if (has_complaint && taken == applied.size()) return ended = true, false;
      if (!searches_here() || taken < applied.size()) break;
      if (num_outstanding > 0) return false;
      const Stopwatch stopwatch;
      const Index before = arrivals.taken();
      search_here(group, sink);
      if (threads > 1) sharing.note(false, stopwatch.seconds(), arrivals.taken() - before);
    }
    ++num_outstanding;
    if (replicas.has_copies())
      hand_out(group);
    else
      take_some(group);
    return true;
  }
  bool receive(UpdateSource& source) {
    arrivals.forget(replicas.has_copies() ? replicas.oldest() : arrivals.taken());
    return !has_complaint && arrivals.receive(source, broken);
  }
  /// Does this thread everything, one update after the other? Each is searched for before the next is applied, so the search
  /// finds all rows as they are now. Where text is wanted threads share that.
  bool searches_here() const {
    return options.fixed_batch == 0 && (threads == 1 || delivery.makes_text() || !sharing.shares());
  }
  void search_here(UpdateGroup& group, const AlertSink& sink) {
    const Index size = first.executor.group_size();
    if (replicas.has_copies()) first.catch_up(arrivals, arrivals.taken());
    first.updater.take(arrivals.take(size));
    for (; first.updater.num_waiting() > 0; first.executor.clear(group)) {
      first.executor.search_one_by_one(group, [&] {
        first.apply_until_search(group, kMaxBatch, searches);
        return first.updater.num_waiting() > 0;
      });
      deliver(group, sink);
    }
    note_complaint(first);
    if (!replicas.has_copies()) return;
    replicas.free_all();
    if (arrivals.taken() - replicas.oldest() > replica_limits.most_late) replicas.give_up();
  }
  /// Others apply the updates of a group, and search for them, in a graph of their own.
  void hand_out(UpdateGroup& group) {
    group.position = arrivals.taken();
    group.arrived = arrivals.take(first.executor.group_size());
    group.replica = &replicas.take();
  }
  void search_in_replica(UpdateGroup& group) {
    group.replica->search(arrivals, group, searches);
    note_complaint(*group.replica);
    const Index end = group.position + std::ssize(group.arrived);
    Replica* late = replicas.exchange(*group.replica, end);
    for (; late != nullptr; late = replicas.exchange(*late, end)) late->catch_up(arrivals, end);
  }
  void note_complaint(const Replica& replica) {
    if (!replica.updater.complaint().empty()) has_complaint = true;
  }
  /// Whole updates, applied at once: a row that several of them change is copied once.
  void take_some(UpdateGroup& group) {
    const Index size = first.executor.group_size();
    const Stopwatch stopwatch;
    while (std::ssize(group.updates) < size || !group.updates.back().is_last) {
      if (taken == applied.size() && (arrivals.num_waiting() == 0 || has_complaint)) break;
      if (taken == applied.size()) apply(size, delivered_time());
      if (taken < applied.size()) add_next(group);
    }
    group.apply_seconds = stopwatch.seconds();
  }
  /// Adds the next update that is applied to a group.
  void add_next(UpdateGroup& group) {
    group.updates.push_back(applied[taken++]);
    if (searches) group.add_searches(group.updates.size() - 1, first.graph, first.searches);
  }
  /// Searches of earlier times have been delivered.
  Time delivered_time() const { return oldest.load(std::memory_order_acquire); }
  /// @param oldest_time  no search that is under way, or to come, reads an earlier one
  void apply(Index most, Time oldest_time) {
    applied.clear();
    taken = 0;
    first.updater.take(arrivals.take(most));
    first.updater.apply(oldest_time, applied);
    note_complaint(first);
  }
  void deliver(const UpdateGroup& group, const AlertSink& sink) {
    delivery.deliver(group, sink);
    if (group.sum.last_time > 0) oldest.store(group.sum.last_time + 1, std::memory_order_release);
    delivered += group.sum.updates;
    if (options.progress) options.progress(delivered, 0);
  }
  void deliver_outstanding(const UpdateGroup& group, const AlertSink& sink) {
    deliver(group, sink);
    const Clock::time_point now = Clock::now(), before = std::exchange(delivered_at, now);
    const bool was_busy = before != Clock::time_point{};
    sharing.note(true, was_busy ? std::chrono::duration<double>(now - before).count() : 0, group.sum.updates);
    if (--num_outstanding == 0) delivered_at = {};
  }
  void prepare() {
    const Stopwatch stopwatch;
    if (patterns_changed) {
      replicas.give_up();
      if (!options.cascade) first.graph.search_also(plan.kinds());
      plan.choose(first.graph, first.updater.now() + 1);
    }
    if (devices)
      devices->prepare(plan, patterns_changed, first.updater.now());
    else if (patterns_changed)
      replicate();
    patterns_changed = false;
    prepare_seconds += stopwatch.seconds();
  }
  /// Gives threads graphs of their own, if updates take so long that it pays.
  void replicate() {
    if (threads == 1 || options.list || options.digest || options.fixed_batch > 0) return;
    if (mean_work(first.searches, first.graph, first.updater.now() + 1) < replica_limits.least_work) return;
    replicas.make(plan, options, threads);
    if (replicas.has_copies()) sharing.share_at_first();
  }
  void run(UpdateSource& source, const AlertSink& sink) {
    broken = false;
    if (devices)
      run_on_devices(source, sink);
    else
      run_on_host(source, sink);
    first.graph.collect(first.updater.now() + 1);
    if (has_complaint) throw InputError(first.updater.complaint());
  }
  /// Lets a thread that waits for updates hear of an exception.
  template <class Action>
  void or_break(const Action& action) {
    try {
      action();
    } catch (...) {
      broken = true;
      throw;
    }
  }
  /// One thread applies a batch while another one searches for the batch before; a fixed batch is delivered before the
  /// next one.
  void run_on_devices(UpdateSource& source, const AlertSink& sink) {
    struct Rest {
      DeviceExecutor& devices;
      ~Rest() { devices.rest(); }
    } const rest{*devices};
    taken = applied.size();  // a run before this one may have been broken off
    run_pipeline(
        std::min<int>(threads, groups.size()), groups,
        [&](UpdateGroup& group) { return next_of_devices(group, source); },
        [&](UpdateGroup& group) { or_break([&] { devices->search(group); }); },
        [&](UpdateGroup& group) { or_break([&] { deliver(group, sink); }); });
  }
  /// As `next`. At most one group is on its way, which is of this batch or of the one before.
  bool next_of_devices(UpdateGroup& group, UpdateSource& source) {
    first.executor.clear(group);
    while (taken == applied.size()) {
      if (arrivals.num_waiting() == 0 && !receive(source)) return false;
      const Time before = first.updater.now();
      apply(arrivals.num_waiting(), delivered_time());
      if (!applied.empty()) devices->apply(applied, before, first.updater.now());
    }
    const Index size = devices->group_size();
    const auto is_full = [&] { return std::ssize(group.updates) >= size && group.updates.back().is_last; };
    while (taken < applied.size() && !is_full()) add_next(group);
    devices->make_ready_for(group);
    return true;
  }
  void run_on_host(UpdateSource& source, const AlertSink& sink) {
    ended = must_wait_for_batch = false;
    num_outstanding = 0;  // a run before this one may have been broken off
    delivered_at = {};
    if (replicas.has_copies()) {
      first.catch_up(arrivals, arrivals.taken());
      replicas.free_all();
    } else {
      arrivals.take_again_from(first.updater.position());
    }
    run_pipeline(
        threads, groups, [&](UpdateGroup& group) { return next(group, source, sink); },
        [&](UpdateGroup& group) {
          or_break([&] { group.replica != nullptr ? search_in_replica(group) : first.executor.search(group); });
        },
        [&](UpdateGroup& group) { or_break([&] { deliver_outstanding(group, sink); }); },
        [&] {
          must_wait_for_batch = false;
          return !ended;
        });
    if (replicas.has_copies()) first.catch_up(arrivals, arrivals.taken());
  }

  Options options;
  int threads;
  SharingTrial sharing;
  WatchPlan plan;
  Arrivals arrivals;
  Replica first;
  Replicas replicas;
  std::optional<DeviceExecutor> devices;  ///< none: the host searches
  Delivery delivery;
  std::vector<UpdateGroup> groups;

  std::vector<AppliedUpdate> applied;
  std::size_t taken = 0;             ///< of these
  bool must_wait_for_batch = false;  ///< until all groups of this one are delivered
  bool ended = false;
  std::atomic<bool> broken{false};         ///< by an exception
  std::atomic<bool> has_complaint{false};  ///< of an updater: nothing is applied from there on
  bool searches = true;                    ///< for updates
  bool patterns_changed = false;           ///< since the last run
  std::atomic<Time> oldest{1};             ///< searches of earlier times are delivered
  std::atomic<Index> num_outstanding{0};   ///< groups that were handed out to be searched, and are not delivered
  Clock::time_point delivered_at = {};     ///< the last of them, if others were under way then
  Index delivered = 0;
  double prepare_seconds = 0;
};

Watcher::Watcher(const Graph& graph, std::vector<GraphPattern> patterns, const Options& options) {
  const Stopwatch stopwatch;
  impl_ = std::make_unique<Impl>(graph, options);
  for (GraphPattern& pattern : patterns) add_pattern(std::move(pattern));
  impl_->prepare_seconds = stopwatch.seconds();
}
Watcher::Watcher(Watcher&&) noexcept = default;
Watcher& Watcher::operator=(Watcher&&) noexcept = default;
Watcher::~Watcher() = default;

int Watcher::add_pattern(GraphPattern pattern) {
  const int number = impl_->plan.add(std::move(pattern));
  impl_->delivery.add_pattern();
  impl_->patterns_changed = true;
  return number;
}
void Watcher::remove_pattern(int pattern) {
  const Index size = std::ssize(impl_->plan.patterns());
  if (pattern < 0 || pattern >= size)
    throw InputError(fmt::format("there is no pattern {}: the last one is {}", pattern, size - 1));
  impl_->plan.remove(pattern);
}

void Watcher::set_searching(bool searches) {
  impl_->searches = searches;
  impl_->delivery.measure_times(searches);
}

Statistics Watcher::run(UpdateSource& source, const AlertSink& sink) {
  impl_->prepare();
  const Stopwatch stopwatch;
  const double processor_before = processor_seconds();
  impl_->run(source, sink);
  Statistics statistics;
  impl_->delivery.report(statistics);
  statistics.device = resolve_device(impl_->options.device);
  statistics.threads = impl_->threads;
  statistics.run_cpu_seconds = processor_seconds() - processor_before;
  statistics.prepare_seconds = std::exchange(impl_->prepare_seconds, 0);
  statistics.seconds = statistics.run_seconds = stopwatch.seconds();
  const auto versions = impl_->first.graph.versions();
  statistics.versions_created = versions.created;
  statistics.versions_freed = versions.freed;
  statistics.versions_most = versions.most;
  statistics.peak_bytes = impl_->replicas.peak_bytes();
  return statistics;
}

Statistics Watcher::run(UpdateSource& source, const AlertText& text) {
  std::string of_alert;
  struct Use {
    Impl& impl;
    explicit Use(Impl& the_impl, const AlertText* text) : impl(the_impl) { set(text); }
    ~Use() { set(nullptr); }
    void set(const AlertText* text) {
      impl.delivery.set_text(text);
      impl.first.executor.keep(impl.delivery.makes_text() ? search_limits.kept_of_text : search_limits.kept_values);
    }
  } const use(*impl_, &text);
  return run(source, [&](const Alert& alert) {
    of_alert.clear();
    text.append(alert, of_alert);
    if (!of_alert.empty()) text.take(of_alert);
  });
}

Index Watcher::old_versions() const {
  const auto versions = impl_->first.graph.versions();
  return versions.created - versions.freed;
}

Graph Watcher::graph() const {
  const VertexIds& ids = impl_->first.updater.ids();
  const DynamicGraph& now = impl_->first.graph;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> vertices;  // by id
  for (Index v = 0; v < now.num_vertices(); ++v) {
    const auto vertex = static_cast<std::uint32_t>(v);
    if (ids.is_present(vertex)) vertices.emplace_back(ids.id(vertex), vertex);
  }
  std::ranges::sort(vertices);
  std::vector<std::uint32_t> ranks(now.num_vertices());
  GraphColumns columns;
  for (const auto& [id, vertex] : vertices) {
    ranks[vertex] = static_cast<std::uint32_t>(columns.ids.size());
    columns.ids.push_back(id);
    columns.vertex_labels.push_back(now.vertex_label(vertex));
  }
  std::vector<Edge> edges;
  edges.reserve(now.num_edges());
  now.for_each_edge([&](const Edge& edge) { edges.push_back({ranks[edge.from], ranks[edge.to], edge.label}); });
  const Graph without_ids = Graph::from_edges(std::ssize(vertices), edges, {}, true);
  columns.offsets.assign(without_ids.offsets().begin(), without_ids.offsets().end());
  columns.neighbours.assign(without_ids.neighbours().begin(), without_ids.neighbours().end());
  columns.edge_labels.assign(without_ids.edge_labels().begin(), without_ids.edge_labels().end());
  return GraphAccess::make(std::move(columns));
}

std::vector<PatternTotals> Watcher::totals() const { return impl_->delivery.totals(); }

}  // namespace quarry::watch
