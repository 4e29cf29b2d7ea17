/// The story of docking: the maps of the pocket are made once, then ligands flow through a pipeline, in the form
/// `batch` one for each thread of the host and many for a device, in the form `latency` one at a time.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "dock/batch/dock_batch.hpp"
#include "dock/batch/like_rows.hpp"
#include "exec/parallel.hpp"
#include "exec/workers.hpp"
#include "util/stopwatch.hpp"

namespace quarry::dock {
namespace {

void check(bool ok, const char* option, const char* limits, double value) {
  if (!ok) throw InputError(fmt::format("{} must be {}, not {}", option, limits, value), option);
}

Options checked(Options options) {
  constexpr int kMost = 1'000'000;
  const SearchOptions& search = options.search;
  check(search.restarts >= 1 && search.restarts <= kMost, "restarts", "1 to 1000000", search.restarts);
  check(search.iterations >= 0 && search.iterations <= 1000, "iterations", "0 to 1000", search.iterations);
  check(search.max_poses >= 1 && search.max_poses <= kMost, "max_poses", "1 to 1000000", search.max_poses);
  check(search.chains >= 0 && search.chains <= kMost, "chains", "0 to 1000000", search.chains);
  check(search.chain_steps >= 0 && search.chain_steps <= kMost, "chain_steps", "0 to 1000000", search.chain_steps);
  check(search.num_poses >= 1 && search.num_poses <= kMost, "num_poses", "1 to 1000000", search.num_poses);
  check(search.min_rmsd >= 0 && search.min_rmsd <= 1000, "min_rmsd", "0 to 1000", search.min_rmsd);
  if (search.pose_budget)
    check(*search.pose_budget >= 1, "pose_budget", "at least 1", static_cast<double>(*search.pose_budget));
  const double weight = options.torsion_weight.value_or(0);
  check(weight >= 0 && weight <= 1000, "torsion_weight", "0 to 1000", weight);
  options.threads = resolve_threads(options.threads);
  return options;
}

/// Rows on their way through the pipeline.
struct Slot {
  std::vector<NumberedRow> rows;
  std::vector<Result> results;
  DockSeconds seconds;
  Index batches = 0, latency_rows = 0, batch_rows = 0;
};

/// A source that can be asked what is to come.
class Source {
 public:
  explicit Source(const std::function<std::vector<LigandRow>()>& next) : next_(next) {}
  std::vector<LigandRow> next() {
    if (rows_.empty() && !ended_) (void)has(1);
    return std::exchange(rows_, {});
  }
  /// Are there this many more rows?
  bool has(Index count) {
    while (std::ssize(rows_) < count && !ended_) {
      std::vector<LigandRow> more = next_();
      ended_ = more.empty();
      std::ranges::move(more, std::back_inserter(rows_));
    }
    return std::ssize(rows_) >= count;
  }

 private:
  const std::function<std::vector<LigandRow>()>& next_;
  std::vector<LigandRow> rows_;
  bool ended_ = false;
};

/// Gives rows and their results to a sink in the order of the source.
class InOrder {
 public:
  explicit InOrder(const std::function<void(const LigandRow&, const Result&)>& sink) : sink_(sink) {}
  void add(NumberedRow row, Result result) {
    early_.try_emplace(row.number, std::move(row.row), std::move(result));
    for (auto done = early_.begin(); done != early_.end() && done->first == next_; done = early_.erase(done), ++next_)
      sink_(done->second.first, done->second.second);
  }

 private:
  const std::function<void(const LigandRow&, const Result&)>& sink_;
  std::map<Index, std::pair<LigandRow, Result>> early_;  ///< by number; one before them is not done
  Index next_ = 0;
};

void add(Statistics& statistics, const Slot& slot) {
  statistics.batches += slot.batches;
  statistics.latency_rows += slot.latency_rows;
  statistics.batch_rows += slot.batch_rows;
  statistics.dock_seconds += slot.seconds.dock;
  statistics.filter_seconds += slot.seconds.filter;
  statistics.score_seconds += slot.seconds.score;
  statistics.refine_seconds += slot.seconds.refine;
  statistics.check_seconds += slot.seconds.check;
}

}  // namespace

struct Docker::Impl {
  Options options;
  Stopwatch watch;
  PreparedPocket pocket;
  double grid_seconds = watch.seconds();  ///< elapsed
  PoseChecker checker;
  mutable Workers<SearchWorker> workers;
  std::vector<PocketView> views;  ///< [devices]
  std::optional<BatchRoom> room;  ///< of a queue of a device

  // Queues of a device: while some compute, the poses of others are clustered, and one ligand does not fill a device.
  static constexpr Index kQueues = 8;

  Impl(const Receptor& receptor, const Box& box, const Options& requested)
      : options(checked(requested)),
        pocket(receptor, box, options.scoring, options.threads),
        checker(receptor),
        workers(options, std::min<Index>(kQueues, options.threads), options.threads) {
    views.assign(workers.devices().size(), pocket.view());
    for (std::size_t d = 0; d < views.size(); ++d) {
      auto& device = workers.devices()[d];
      add_views(device.shared, views[d]);
      if (device.limit_bytes > 0 && device.shared.waiting_bytes() > device.limit_bytes) {
        throw CapacityError("bytes of the maps of the box on " + name_of({device.id}), device.limit_bytes,
                            device.shared.waiting_bytes(), "device_bytes");
      }
      device.send_shared();
      for (SearchWorker& worker : device.workers) worker.pocket = &views[d];
    }
    set_room();
  }

  DockContext context() const { return {pocket, checker, options}; }
  /// A worker of the host for one ligand at a time.
  SearchWorker all_threads() const {
    SearchWorker worker(options.threads);
    worker.pocket = &views.front();
    return worker;
  }
  /// The form of a run; on a device `automatic` is decided for each batch.
  Form form_of(Source& source) const {
    if (!workers.on_host() || options.form != Form::automatic) return options.form;
    return source.has(options.threads) ? Form::batch : Form::latency;
  }
  Index most_ligands(Form form) const { return workers.on_host() || form == Form::latency ? 1 : room->most_ligands(); }
  void set_room();
  void dock(Slot& slot, Form form, SearchWorker& worker) const;
};

/// Of the device that has least, for any of them may take a batch.
void Docker::Impl::set_room() {
  if (workers.on_host()) return;
  const auto& least =
      *std::ranges::min_element(workers.devices(), {}, [](const auto& device) { return device.room_bytes(); });
  Index num_teams = std::numeric_limits<Index>::max();
  for (auto& device : workers.devices())
    num_teams = std::min(num_teams, num_resident_teams(device.workers.front().queue, options.search.restarts));
  const DeviceRoom of = {least.id, least.limit_bytes, least.shared.num_bytes(), std::ssize(least.workers)};
  room.emplace(options, of, num_teams);
}

/// In batches that fit the memory of a device.
void Docker::Impl::dock(Slot& slot, Form form, SearchWorker& worker) const {
  std::vector<const LigandRow*> rows;
  for (const NumberedRow& row : slot.rows) rows.push_back(&row.row);
  if (room && form != Form::latency && std::ssize(rows) >= room->most_ligands()) {
    // A device waits for all queues where one takes more memory: so each takes at its first full batch what it will need.
    const BatchRoom::Bytes bytes = room->reserved(worker.queue);
    worker.memory.resize(worker.queue, bytes.poses);
    worker.ligands.reserve(worker.queue, bytes.packed);
  }
  slot.results.clear();
  slot.seconds = {};
  slot.batches = slot.latency_rows = slot.batch_rows = 0;
  for (std::size_t first = 0; first < rows.size();) {
    const BatchCut cut = room ? room->cut(worker.queue, rows, first) : BatchCut{first + 1, form};
    const std::size_t count = cut.end - first;
    std::ranges::move(dock_batch(worker, context(), cut.form, std::span(rows).subspan(first, count), slot.seconds),
                      std::back_inserter(slot.results));
    (cut.form == Form::batch ? slot.batch_rows : slot.latency_rows) += static_cast<Index>(count);
    ++slot.batches;
    first = cut.end;
  }
}

Docker::Docker(const Receptor& receptor, const Box& box, const Options& options)
    : impl_(std::make_unique<Impl>(receptor, box, options)) {}
Docker::Docker(Docker&&) noexcept = default;
Docker& Docker::operator=(Docker&&) noexcept = default;
Docker::~Docker() = default;

Statistics Docker::run(const std::function<std::vector<LigandRow>()>& next,
                       const std::function<void(const LigandRow&, const Result&)>& sink) const {
  const Stopwatch watch;
  const Impl& impl = *impl_;
  Statistics statistics;
  statistics.device = name_of(find_devices(impl.options.device));
  statistics.threads = impl.options.threads;
  statistics.grid_seconds = impl.grid_seconds;
  Source source(next);
  const Form form = impl.form_of(source);
  const std::function<std::vector<LigandRow>()> more = [&] { return source.next(); };
  LikeRows rows(more, impl.most_ligands(form), impl.workers.size());
  InOrder in_order(sink);
  std::optional<SearchWorker> all_threads;
  if (impl.workers.on_host() && form == Form::latency) all_threads.emplace(impl.all_threads());
  const auto work = [&](Slot& slot) {
    if (all_threads) return impl.dock(slot, form, *all_threads);
    const auto worker = impl.workers.take();
    impl.dock(slot, form, *worker);
  };
  const auto deliver = [&](Slot& slot) {
    for (std::size_t i = 0; i < slot.rows.size(); ++i) {
      const Result& result = slot.results[i];
      const bool rejected = result.status == Status::rejected;
      ++statistics.report.rows;
      ++(rejected ? statistics.report.rejected : statistics.report.ok);
      statistics.truncated += result.status == Status::truncated ? 1 : 0;
      statistics.poses += std::ssize(result.poses);
      statistics.cpu_seconds += result.cpu_seconds;
      in_order.add(std::move(slot.rows[i]), std::move(slot.results[i]));
    }
    add(statistics, slot);
    if (impl.options.progress) impl.options.progress(statistics.report.rows, 0);
  };
  // Beside a device the threads that are more than its queues share the ligands of each.
  const int threads = all_threads ? 1 : static_cast<int>(std::min<Index>(impl.workers.size(), impl.options.threads));
  std::vector<Slot> slots(4 * std::max<Index>(threads, impl.workers.size()));
  run_pipeline(
      threads, slots, [&](Slot& slot) { return !(slot.rows = rows.take()).empty(); }, work, deliver);
  statistics.seconds = watch.seconds();
  return statistics;
}

Result Docker::dock(const Ligand& ligand) const {
  const Impl& impl = *impl_;
  Slot slot;
  LigandRow& row = slot.rows.emplace_back().row;
  row.id = ligand.id;
  row.ligand = ligand;
  const Form form = impl.options.form == Form::batch ? Form::batch : Form::latency;
  if (impl.workers.on_host() && form == Form::latency && impl.options.threads > 1) {
    SearchWorker worker = impl.all_threads();
    impl.dock(slot, form, worker);
  } else {
    const auto worker = impl.workers.take();
    impl.dock(slot, form, *worker);
  }
  return std::move(slot.results.front());
}

}  // namespace quarry::dock
