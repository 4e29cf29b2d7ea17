/// `--score-only` and `--minimize`: poses as they are in a file, or moved to their nearest local minimum. No pocket, no maps.
#pragma once
#include "docking/options.hpp"
#include "docking/totals.hpp"

namespace quarry::cli {

/// Writes a row and, with -o, a record for each pose of the ligands' file.
DockTotals score_poses(const DockOptions& options);

}  // namespace quarry::cli
