/// Docking on one queue, one batch after the other, so that launches can be timed and their sizes varied.
#pragma once
#include <string>
#include <vector>

#include "bench/ceilings.hpp"
#include "bench/dock/dock_workload.hpp"
#include "bench/machine.hpp"
#include "bench/platform.hpp"
#include "bench/report.hpp"
#include "dock/batch/dock_batch.hpp"

namespace quarry::bench {

/// A run of one batch.
struct StagedDocking {
  double seconds = 0;         ///< elapsed
  double search_seconds = 0;  ///< of the launch `search`, algorithm 1
  std::vector<LaunchTime> launches;
  std::vector<dock::Result> results;
};

class DockStage {
 public:
  DockStage(const Complex& of, const dock::Box& box, const dock::Options& options, const DeviceId& device);
  DockStage(const DockStage&) = delete;
  DockStage& operator=(const DockStage&) = delete;

  Queue& queue() { return worker_.queue; }
  [[nodiscard]] StagedDocking run(const std::vector<LigandRow>& rows, dock::Form form);

 private:
  dock::Options options_;
  dock::PreparedPocket pocket_;
  dock::PoseChecker checker_;
  dock::SearchWorker worker_;
  dock::PocketView view_;
  Parcel shared_;
};

/// A set d_A_F of the paper, as rows: some ligands made from a seed, and those again until there are `count`.
struct PaperSet {
  std::string name;
  std::vector<LigandRow> rows;
};
PaperSet paper_set(int atoms, int torsions, int distinct, int count);

/// What a device is given of the sets.
struct DockLoad {
  Complex where;
  dock::Box box;
  dock::Options options;
  int distinct = 0;            ///< ligands of a set that are unlike each other, for conformers take minutes
  int batch = 0, latency = 0;  ///< ligands of a set in each form
};
/// @param small  for an emulated device
DockLoad dock_load(bool small);

/// What algorithm 1 must at least do for the rows, counted from the packed ligands.
struct DockCost {
  double operations = 0;  ///< sums and products of floats
  double bytes = 0;       ///< of the maps, a cell for each atom that is looked up
};
DockCost search_cost(const std::vector<LigandRow>& rows, const dock::SearchOptions& options);

/// A device finds what the host finds, to the last bit.
/// @param expected  of the host, for the ligands that are unlike each other, which `found` repeats
/// @throws SystemError  a pose is another
void require_same(const std::vector<dock::Result>& expected, const std::vector<dock::Result>& found,
                  const std::string& what);

/// Both forms on a device: ligands a second, end to end, and the roofline efficiency of the launch `search`. Recorded
/// set by set.
void add_dock_device(Report& report, const DeviceId& device, bool quick);

}  // namespace quarry::bench
