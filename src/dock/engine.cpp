/// The story of docking: the maps of the pocket are made once, then ligands flow through a pipeline in batches, one ligand
/// for each thread of the host, many for a device.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "dock/batch/dock_batch.hpp"
#include "exec/parallel.hpp"
#include "exec/workers.hpp"
#include "util/stopwatch.hpp"

namespace quarry::dock {
namespace {

/// Sends the arrays of a pocket.
void add_views(Parcel& parcel, PocketView& pocket) {
  SurroundingsView& near = pocket.surroundings;
  parcel.add(pocket.maps.cells);
  parcel.add(pocket.tables);
  parcel.add(pocket.spots);
  parcel.add(near.offsets);
  parcel.add(near.types);
  for (View<const float>* view :
       {&near.x, &near.y, &near.z, &near.radius, &near.hydrophobic, &near.donor, &near.acceptor})
    parcel.add(*view);
}

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

/// Rows that are docked together.
struct Slot {
  std::vector<LigandRow> rows;
  std::vector<Result> results;
};

/// Deals the rows of a source out to slots.
class Rows {
 public:
  explicit Rows(const std::function<std::vector<LigandRow>()>& next) : next_(next) {}
  bool fill(Slot& slot, Index count) {
    slot.rows.clear();
    while (std::ssize(slot.rows) < count) {
      if (taken_ == rows_.size()) {
        rows_ = ended_ ? std::vector<LigandRow>{} : next_();
        taken_ = 0;
        ended_ |= rows_.empty();
        if (ended_) break;
      }
      slot.rows.push_back(std::move(rows_[taken_++]));
    }
    return !slot.rows.empty();
  }

 private:
  const std::function<std::vector<LigandRow>()>& next_;
  std::vector<LigandRow> rows_;
  std::size_t taken_ = 0;
  bool ended_ = false;
};

}  // namespace

struct Docker::Impl {
  Options options;
  Stopwatch watch;
  PreparedPocket pocket;
  PoseChecker checker;
  mutable Workers<SearchWorker> workers;
  std::vector<PocketView> views;  ///< [devices]
  double grid_seconds = 0;        ///< elapsed

  static constexpr Index kWorkersPerDevice = 2;

  Impl(const Receptor& receptor, const Box& box, const Options& requested)
      : options(checked(requested)),
        pocket(receptor, box, options.scoring, options.threads),
        checker(receptor),
        workers(options, kWorkersPerDevice) {
    grid_seconds = watch.seconds();
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
  }

  DockContext context() const { return {pocket, checker, options}; }
  /// Ligands of one batch.
  Index batch_rows() const {
    constexpr Index kDeviceRows = 256;
    return workers.on_host() || options.form == Form::latency ? 1 : kDeviceRows;
  }
  void dock(Slot& slot, DockSeconds& seconds) const;
};

/// Like ligands are docked together, in batches that fit the memory of a device.
void Docker::Impl::dock(Slot& slot, DockSeconds& seconds) const {
  std::vector<const LigandRow*> rows;
  for (const LigandRow& row : slot.rows) rows.push_back(&row);
  const auto size = [](const LigandRow* row) { return std::pair(row->ligand.num_torsions(), row->ligand.num_atoms()); };
  std::stable_sort(rows.begin(), rows.end(), [&](auto* a, auto* b) { return size(a) < size(b); });
  slot.results.assign(rows.size(), {});
  const auto worker = workers.take();
  const Index most = workers.on_host() ? 1 : 32;
  for (std::size_t first = 0; first < rows.size();) {
    const std::size_t count = std::min<std::size_t>(most, rows.size() - first);
    std::vector<Result> results = dock_batch(*worker, context(), std::span(rows).subspan(first, count), seconds);
    for (std::size_t i = 0; i < count; ++i) slot.results[rows[first + i] - slot.rows.data()] = std::move(results[i]);
    first += count;
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
  Rows rows(next);
  std::mutex mutex;
  std::vector<Slot> slots(4 * std::max<Index>(impl.options.threads, impl.workers.size()));
  const auto work = [&](Slot& slot) {
    DockSeconds seconds;
    impl.dock(slot, seconds);
    const std::lock_guard lock(mutex);
    statistics.dock_seconds += seconds.dock;
    statistics.score_seconds += seconds.score;
    statistics.refine_seconds += seconds.refine;
    statistics.check_seconds += seconds.check;
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
      sink(slot.rows[i], result);
    }
    if (impl.options.progress) impl.options.progress(statistics.report.rows, 0);
  };
  run_pipeline(
      impl.options.threads, slots, [&](Slot& slot) { return rows.fill(slot, impl.batch_rows()); }, work, deliver);
  statistics.seconds = watch.seconds();
  return statistics;
}

Result Docker::dock(const Ligand& ligand) const {
  const Impl& impl = *impl_;
  LigandRow row;
  row.id = ligand.id;
  row.ligand = ligand;
  const LigandRow* const rows[] = {&row};
  DockSeconds seconds;
  if (!impl.workers.on_host() || impl.options.form == Form::batch || impl.options.threads == 1) {
    const auto worker = impl.workers.take();
    return dock_batch(*worker, impl.context(), rows, seconds).front();
  }
  SearchWorker worker(impl.options.threads);  // all threads for one ligand
  worker.pocket = &impl.views.front();
  return dock_batch(worker, impl.context(), rows, seconds).front();
}

double Docker::grid_seconds() const { return impl_->grid_seconds; }

}  // namespace quarry::dock
