/// Docked poses at the faces of the box, which an attraction outside draws them to.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/dock/random_ligands.hpp"
#include "support/dock/results.hpp"

namespace quarry::test {
namespace {

/// A wall that draws the ligand out of one face of the box, at x = `side`, y or z.
Receptor wall(int axis, double side) {
  Receptor receptor;
  for (int i = -3; i <= 3; ++i) {
    for (int j = -3; j <= 3; ++j) {
      double place[3];
      place[axis] = side;
      place[(axis + 1) % 3] = 3.0 * i;
      place[(axis + 2) % 3] = 3.0 * j;
      receptor.atoms.push_back({{place[0], place[1], place[2]}, AtomType::carbon_hydrophobic, 6, "wall"});
    }
  }
  return receptor;
}

TEST(DockEdges, NoFaceOfTheBoxIsLeft) {
  Random random(61);
  const Ligand ligand = random_ligand(random, {.heavy_atoms = 5, .torsions = 1, .hydrogens = 0});
  const dock::Options options = short_search(16, 2, 5);
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {-9.5, 9.5}) {
      SCOPED_TRACE(testing::Message() << "axis " << axis << ", side " << side);
      const dock::Result result = dock::Docker(wall(axis, side), cube(8), options).dock(ligand);
      ASSERT_FALSE(result.poses.empty());
      double nearest = 0;  // to the face
      for (const Point& at : result.poses.front().positions) {
        const double place[3] = {at.x, at.y, at.z};
        for (const double coordinate : place) EXPECT_LE(std::abs(coordinate), 4.05);
        nearest = std::max(nearest, side < 0 ? -place[axis] : place[axis]);
      }
      EXPECT_GT(nearest, 2.5) << "the wall draws it there";
    }
  }
}

}  // namespace
}  // namespace quarry::test
