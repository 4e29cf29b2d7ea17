/// Options of short searches, and comparisons of what docking returns.
#pragma once
#include "quarry/dock.hpp"

namespace quarry::test {

/// A search that takes no time, on one thread of the device of the tests: half of the initial poses are kept.
dock::Options short_search(int restarts, int chains, int chain_steps);

/// The same row, status and poses, to the last bit.
void expect_same_result(const dock::Result& one, const dock::Result& other);

/// All that holds of a ligand's result, whatever was docked: the poses are as far apart as was asked for and of the ligand's
/// shape, and scores and checks are those of sums over all pairs.
/// @param box  in which they lie: that of docking, or a larger one
void expect_right(const Receptor& receptor, const Ligand& ligand, const dock::Box& box, const dock::Options& options,
                  const dock::Result& result);

/// Distances that no torsion changes are the same in both poses.
void expect_same_shape(const Ligand& ligand, std::span<const Point> one, std::span<const Point> other);

}  // namespace quarry::test
