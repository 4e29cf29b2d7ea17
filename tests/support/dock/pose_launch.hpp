/// The kernels of docking, launched one at a time on poses of one ligand.
#pragma once
#include <vector>

#include "dock/batch/batch_search.hpp"
#include "dock/pocket/prepared_pocket.hpp"

namespace quarry::test {

struct LaunchedPose {
  std::vector<float> variables;  ///< position, quaternion, torsions
  double inter = 0, intra = 0;
  int bumps = 0;  ///< 0 where the kernel counts none
  double energy() const { return inter + intra; }
};
using LaunchedPoses = std::vector<LaunchedPose>;

/// On one thread of the host; other tests compare devices with it.
class PoseLaunch {
 public:
  PoseLaunch(const Receptor& receptor, Ligand ligand, const dock::Box& box);

  LaunchedPoses search(const dock::SearchPlan& plan, Index count);
  /// Energies and bumps of poses as they are.
  LaunchedPoses evaluate(const LaunchedPoses& poses) { return minimise(poses, 0); }
  LaunchedPoses minimise(const LaunchedPoses& poses, int rounds);
  LaunchedPoses run_chains(const LaunchedPoses& starts, const dock::SearchPlan& plan);

  const Ligand& ligand() const { return ligand_; }
  const dock::LigandMap& map() const { return map_; }
  dock::LigandView packed() const { return dock::ligand_of(packed_.view(), 0); }
  /// On the host.
  const dock::PocketView& pocket() const { return pocket_.view(); }

 private:
  void resize(Index count);
  void load(const LaunchedPoses& poses);
  LaunchedPoses poses(bool with_bumps);

  Ligand ligand_;
  dock::PackedLigands packed_;
  dock::LigandMap map_;
  dock::PreparedPocket pocket_;
  dock::PocketView device_pocket_;
  Parcel shared_;
  dock::SearchWorker worker_;
  dock::PoseJob job_;
};

}  // namespace quarry::test
