/// Local minima of poses: energies by sums over all pairs, slopes by differences.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reference/dock.hpp"
#include "support/dock/random_ligands.hpp"
#include "support/dock/results.hpp"

namespace quarry::test {
namespace {

using dock::Pose;
using dock::Scoring;

double energy_of(const Receptor& receptor, const Ligand& ligand, std::span<const Point> pose, Scoring scoring) {
  const dock::Score score = reference::score(receptor, ligand, pose, scoring, 0);
  return score.inter + score.intra;
}

struct Complex {
  Receptor receptor;
  Ligand ligand;
  std::vector<Point> pose;
};

Complex random_complex(Random& random) {
  Complex one;
  const int heavy = static_cast<int>(random.between(1, 25));
  one.ligand = random_ligand(
      random,
      {.heavy_atoms = heavy, .torsions = static_cast<int>(random.between(0, std::min(heavy - 1, 8))), .hydrogens = 4});
  one.receptor = random_receptor(random, 250, 8);
  one.pose = random_pose(random, one.ligand, 1);
  return one;
}

TEST(DockMinimise, EndsLowerAndKeepsTheShape) {
  Random random(31);
  for (int round = 0; round < rounds(40); ++round) {
    const auto [receptor, ligand, start] = random_complex(random);
    for (const Scoring scoring : {Scoring::vina, Scoring::vinardo}) {
      const Pose end = dock::minimize_pose(receptor, ligand, start, scoring);
      ASSERT_EQ(end.positions.size(), start.size());
      EXPECT_LE(energy_of(receptor, ligand, end.positions, scoring),
                energy_of(receptor, ligand, start, scoring) + 1e-3);
      expect_same_shape(ligand, start, end.positions);
      const dock::Score plain =
          reference::score(receptor, ligand, end.positions, scoring, dock::torsion_weight(scoring));
      EXPECT_NEAR(end.score.inter, plain.inter, 1e-4);
      EXPECT_NEAR(end.score.intra, plain.intra, 1e-4);
      EXPECT_NEAR(end.score.score, plain.score, 1e-4);
    }
  }
}

/// A small step from a minimum gains nothing. The energy has kinks, where a minimum has slopes on both sides.
TEST(DockMinimise, NoStepFromThereGains) {
  Random random(32);
  for (int round = 0; round < rounds(25); ++round) {
    const auto [receptor, ligand, start] = random_complex(random);
    const Pose end = dock::minimize_pose(receptor, ligand, start);
    const double least = energy_of(receptor, ligand, end.positions, Scoring::vina);
    for (int step = 0; step < 60; ++step) {
      const double size = std::pow(10., random_between(random, -3, -1.3));
      reference::Motion motion{{}, {}, std::vector<double>(ligand.num_torsions(), 0)};
      const Point direction = random_direction(random);
      const auto scaled = Point{size * direction.x, size * direction.y, size * direction.z};
      if (step % 3 == 0) motion.shift = scaled;
      if (step % 3 == 1) motion.rotation = scaled;
      if (step % 3 == 2 && ligand.num_torsions() > 0) {
        motion.torsions[random.below(ligand.num_torsions())] = random.chance(50) ? size : -size;
      }
      const double there = energy_of(receptor, ligand, reference::moved(ligand, end.positions, motion), Scoring::vina);
      EXPECT_GE(there, least - 0.05) << "round " << round << ", step " << step;
    }
  }
}

/// Minimising is the same wherever the complex lies, up to rounding: minima are compared by their energies. It begins
/// near a minimum: from a clash rounding alone decides which minimum is reached.
TEST(DockMinimise, ATurnedAndARenumberedComplex) {
  Random random(33);
  int num_same = 0, num_all = 0;
  for (int round = 0; round < rounds(20); ++round) {
    const auto [receptor, ligand, clash] = random_complex(random);
    const std::vector<Point> minimum = dock::minimize_pose(receptor, ligand, clash).positions;
    const std::vector<Point> start = reference::moved(
        ligand, minimum, {random_direction(random), {}, std::vector<double>(ligand.num_torsions(), 0.1)});
    const Pose end = dock::minimize_pose(receptor, ligand, start);
    const Placement placement = random_placement(random, 50);
    const Pose turned = dock::minimize_pose(placement(receptor), ligand, placement(start));
    const std::vector<int> order = random_order(random, ligand.num_atoms());
    const Pose other = dock::minimize_pose(receptor, renumbered(ligand, order), renumbered(start, order));
    const double energies[] = {end.score.inter + end.score.intra, turned.score.inter + turned.score.intra,
                               other.score.inter + other.score.intra};
    for (const int i : {1, 2}) num_same += std::abs(energies[i] - energies[0]) < 0.01;
    num_all += 2;
  }
  // Rounding may send a start from between two minima to either.
  EXPECT_GE(num_same, num_all * 9 / 10);
}

TEST(DockMinimise, AMinimumStays) {
  Random random(34);
  for (int round = 0; round < rounds(10); ++round) {
    const auto [receptor, ligand, start] = random_complex(random);
    const Pose once = dock::minimize_pose(receptor, ligand, start);
    const Pose twice = dock::minimize_pose(receptor, ligand, once.positions);
    EXPECT_NEAR(once.score.inter + once.score.intra, twice.score.inter + twice.score.intra, 0.02);
  }
}

TEST(DockMinimise, AwkwardPoses) {
  Random random(35);
  const Receptor receptor = random_receptor(random);
  Ligand ligand = random_ligand(random, {.heavy_atoms = 60, .torsions = 32, .hydrogens = 0});
  std::vector<std::vector<Point>> starts = {ligand.conformers[0], std::vector<Point>(60),
                                            std::vector<Point>(60, receptor.atoms[0].position),
                                            std::vector<Point>(60, {500, 500, 500})};
  for (const std::vector<Point>& start : starts) {
    const Pose end = dock::minimize_pose(receptor, ligand, start);
    EXPECT_TRUE(std::isfinite(end.score.score));
    EXPECT_TRUE(std::isfinite(end.score.intra));
    for (const Point& point : end.positions) EXPECT_TRUE(std::isfinite(point.x + point.y + point.z));
  }
  EXPECT_THROW((void)dock::minimize_pose(receptor, ligand, std::vector<Point>(3)), InputError);
  const Pose alone = dock::minimize_pose({}, ligand, ligand.conformers[0]);
  EXPECT_EQ(alone.score.inter, 0);
}

}  // namespace
}  // namespace quarry::test
