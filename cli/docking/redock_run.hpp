/// `--redock`: how near docking comes to the crystal poses of a folder of complexes.
#pragma once
#include "docking/options.hpp"
#include "docking/totals.hpp"

namespace quarry::cli {

/// Numbers of complexes, by the RMSD of the first pose, of the best of three, and of the best of all that are written.
struct RedockCounts {
  Index complexes = 0, top1_2 = 0, top1_1 = 0, top3_2 = 0, any_2 = 0;
  Index valid_2 = 0;  ///< first pose within 2 A that passes the checks
};

Json json_of(const RedockCounts& counts);

/// Docks each complex, several at a time, and writes a row for each, in order of their names.
RedockCounts redock(const DockOptions& options, DockTotals& totals);

}  // namespace quarry::cli
