/// Docks a batch of ligands on one queue.
#pragma once
#include <span>

#include "dock/batch/batch_search.hpp"
#include "dock/checks.hpp"
#include "dock/pocket/prepared_pocket.hpp"

namespace quarry::dock {

/// What all batches of a run share.
struct DockContext {
  const PreparedPocket& pocket;
  const PoseChecker& checker;
  const Options& options;
};

/// Elapsed seconds of the stages of a batch.
struct DockSeconds {
  double dock = 0, filter = 0, score = 0, refine = 0, check = 0;

  DockSeconds& operator+=(const DockSeconds& more) {
    dock += more.dock;
    filter += more.filter;
    score += more.score;
    refine += more.refine;
    check += more.check;
    return *this;
  }
};

/// @param form  latency or batch: is each ligand the work of all teams, or of one?
/// @return      a result for each row, in order
[[nodiscard]] std::vector<Result> dock_batch(SearchWorker& worker, const DockContext& context, Form form,
                                             std::span<const LigandRow* const> rows, DockSeconds& seconds);

}  // namespace quarry::dock
