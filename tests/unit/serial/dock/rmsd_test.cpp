/// The distance of a pose from a reference.
#include <gtest/gtest.h>

#include <cmath>

#include "quarry/dock.hpp"
#include "support/temporary_folder.hpp"

namespace quarry::test {
namespace {

/// Three carbons with a hydrogen between them.
Ligand three_carbons() {
  Ligand ligand;
  ligand.id = "three";
  ligand.elements = {6, 1, 6, 6};
  return ligand;
}

const std::vector<Point> kPose = {{0, 0, 0}, {9, 9, 9}, {1, 0, 0}, {0, 2, 0}};

TEST(DockRmsd, LeastOverMaps) {
  const std::vector<std::vector<Point>> references = {
      {{0, 0, 3}, {1, 0, 3}, {0, 2, 3}}, {{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}, {{0, 0, 2}, {1, 0, 2}, {0, 2, 2}}};
  const Ligand ligand = three_carbons();
  EXPECT_DOUBLE_EQ(dock::symmetric_rmsd(ligand, kPose, std::span(references).first(1)), 3);
  EXPECT_DOUBLE_EQ(dock::symmetric_rmsd(ligand, kPose, references), std::sqrt(4. / 3));
}

TEST(DockRmsd, OfOtherMolecules) {
  const std::vector<std::vector<Point>> references = {{{0, 0, 3}, {1, 0, 3}}};
  const auto message_for = [](std::span<const Point> pose, std::span<const std::vector<Point>> maps) {
    return message_of<InputError>([&] { (void)dock::symmetric_rmsd(three_carbons(), pose, maps); });
  };
  EXPECT_EQ(message_for(kPose, references), "three: the reference has 2 heavy atoms and the ligand 3");
  EXPECT_EQ(message_for(std::span(kPose).first(3), references), "three: the pose has 3 atoms and the ligand 4");
  EXPECT_EQ(message_for(kPose, {}), "three: there is no reference to measure the pose by");
}

}  // namespace
}  // namespace quarry::test
