/// Options of short searches, and comparisons of what docking returns.
#pragma once
#include "quarry/dock.hpp"

namespace quarry::test {

/// A search that takes no time, on one thread of the device of the tests: half of the initial poses are kept.
dock::Options short_search(int restarts, int chains, int chain_steps);

/// The same row, status and poses, to the last bit.
void expect_same_result(const dock::Result& one, const dock::Result& other);

/// Distances that no torsion changes are the same in both poses.
void expect_same_shape(const Ligand& ligand, std::span<const Point> one, std::span<const Point> other);

}  // namespace quarry::test
