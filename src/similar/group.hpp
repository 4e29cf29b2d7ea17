/// Groups: rows of one block that are compared with all columns before the next.
#pragma once
#include <algorithm>
#include <chrono>

#include "similar/comparison.hpp"
#include "similar/fingerprints.hpp"

namespace quarry::similar {

using Clock = std::chrono::steady_clock;
inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Rows of one block that are compared together.
struct Group {
  const BlockView& block;
  RowsView rows;
  Index first = 0, last = 0;  ///< in the block
  Index number = 0;           ///< of the run's groups
  Index size() const { return last - first; }
};

inline RowsView view_of_rows(const Rows& rows) {
  return {view_of(rows.offsets), view_of(rows.features), view_of(rows.magnitudes), rows.max_features};
}

/// Calls `visit(block, its rows, number of the first row)` for all blocks, in order.
template <class Visit>
void for_each_block(const Fingerprints& rows, Visit&& visit) {
  const auto& impl = rows.impl();
  for (Index i = 0; i < impl.num_blocks(); ++i) {
    const auto block = impl.block(i);
    const Rows features = rows_of(block->view);
    visit(block->view, view_of_rows(features), impl.first[static_cast<std::size_t>(i)]);
  }
}

/// @throws InputError  the definitions differ
void check_comparable(const Fingerprints& rows, const Fingerprints& columns);

}  // namespace quarry::similar
