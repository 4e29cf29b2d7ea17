/// Boxes: how wide their maps are.
#include <gtest/gtest.h>

#include "quarry/dock.hpp"

namespace quarry::dock {
namespace {

double spacing_of(double x, double y, double z) { return grid_spacing({{1, 2, 3}, {x, y, z}}); }

TEST(DockBox, MapsOfMoreThanEightMillionCellsAreWider) {
  EXPECT_EQ(spacing_of(0.1, 0.1, 0.1), kGridSpacing);
  EXPECT_EQ(spacing_of(25, 25, 25), kGridSpacing);
  EXPECT_EQ(spacing_of(75, 75, 75), kGridSpacing) << "200 cells along each axis";
  EXPECT_GT(spacing_of(75.001, 75, 75), kGridSpacing);
  EXPECT_DOUBLE_EQ(spacing_of(150, 150, 150), 2 * kGridSpacing);
  EXPECT_DOUBLE_EQ(spacing_of(37.5, 75, 150), kGridSpacing) << "the volume counts";
}

}  // namespace
}  // namespace quarry::dock
