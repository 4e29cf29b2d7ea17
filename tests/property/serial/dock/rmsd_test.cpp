/// The RMSD over maps against the one over all ways to lay a molecule on itself.
#include <gtest/gtest.h>

#include <algorithm>

#include "reference/dock.hpp"
#include "support/dock/random_ligands.hpp"

namespace quarry::test {
namespace {

/// A star of carbons around a nitrogen, and all its maps.
TEST(DockRmsd, EqualsBruteForce) {
  Ligand star;
  star.elements = {7, 6, 1, 6, 6};
  star.bonds = {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}, {0, 4, 1}};
  Random random(5);
  const auto points = [&] {
    std::vector<Point> places;
    for (int i = 0; i < 5; ++i) places.push_back(random_direction(random));
    return places;
  };
  for (int round = 0; round < rounds(50); ++round) {
    const std::vector<Point> pose = points(), crystal = points();
    std::vector<std::vector<Point>> maps;
    std::vector<int> order = {1, 3, 4};
    do {
      maps.push_back({crystal[0], crystal[order[0]], crystal[order[1]], crystal[order[2]]});
    } while (std::next_permutation(order.begin(), order.end()));
    EXPECT_NEAR(dock::symmetric_rmsd(star, pose, maps), reference::rmsd(star, pose, crystal), 1e-12);
  }
}

}  // namespace
}  // namespace quarry::test
