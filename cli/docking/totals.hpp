/// Numbers of a run of `dock`, its closing line and its JSON object.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "docking/options.hpp"
#include "output/json.hpp"

namespace quarry::cli {

/// Elapsed seconds, but of dock, filter, score, refine and check: summed over threads.
struct DockSeconds {
  double read = 0, prepare = 0, grids = 0, dock = 0, filter = 0, score = 0, refine = 0, check = 0, write = 0;
};

struct DockTotals {
  Report report;
  Index truncated = 0, poses = 0;
  Index resumed = 0;  ///< rows taken from the ledger
  Index receptor_atoms = 0;
  std::vector<std::pair<std::string, dock::Box>> boxes = {};  ///< of all targets, with their names
  std::optional<double> grid_spacing = {};                    ///< the widest of all targets
  double cpu_seconds = 0;                                     ///< of all rows that were docked, those before too
  double run_seconds = 0;                                     ///< elapsed, of the ligands of this run
  DockSeconds seconds;

  void add(const dock::Statistics& statistics);
};

void print_closing_line(const DockTotals& totals, double seconds);

/// @param mode  what the job has to say beside: "redock" or "enrichment"
void print_dock_json(const DockOptions& options, const DockTotals& totals, double seconds,
                     const std::optional<Json::Member>& mode = {});

}  // namespace quarry::cli
