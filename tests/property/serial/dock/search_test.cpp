/// The steps of algorithm 1 against plain computations: initial poses by their distribution, `align` and `optimize` by
/// trying all that they choose from.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/dock/plain_poses.hpp"
#include "support/dock/random_ligands.hpp"

namespace quarry::test {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

dock::SearchPlan plan_of(int alignments, int iterations, std::uint64_t seed = 1) {
  dock::SearchPlan plan;
  plan.seed = seed;
  plan.alignments = alignments;
  plan.iterations = iterations;
  return plan;
}

PlainQuaternion orientation_of(const LaunchedPose& pose) {
  return {pose.variables[3], pose.variables[4], pose.variables[5], pose.variables[6]};
}

/// Numbers of a pose that all have the mean 0 and lie in [-1, 1]: the rank of its spot, what became of the axes, waves
/// of its torsions.
std::vector<double> features_of(const LaunchedPose& pose, double rank) {
  std::vector<double> features = {2 * rank - 1};
  for (const Point& axis : {Point{1, 0, 0}, Point{0, 1, 0}, Point{0, 0, 1}}) {
    const Point turned = rotated(orientation_of(pose), axis);
    features.insert(features.end(), {turned.x, turned.y, turned.z});
  }
  for (std::size_t t = 7; t < pose.variables.size(); ++t) {
    for (const int times : {1, 2}) {
      features.push_back(std::cos(times * pose.variables[t]));
      features.push_back(std::sin(times * pose.variables[t]));
    }
  }
  return features;
}

/// Every hot spot, every orientation and every torsion are as likely as the others, and do not depend on each other.
TEST(DockSearch, InitialPosesAreUniform) {
  Random random(81);
  PoseLaunch launch(random_receptor(random), random_ligand(random, {6, 3, 0}), cube(10));
  const double count = 8000;
  const LaunchedPoses poses = launch.search(plan_of(0, 0), static_cast<Index>(count));
  const View<const float> spots = launch.pocket().spots;
  const Index num_spots = spots.size() / 3;
  ASSERT_GT(num_spots, 50);
  std::vector<double> uses(num_spots), means, squares;
  std::vector<std::vector<double>> products;
  for (const LaunchedPose& pose : poses) {
    Index spot = 0;
    while (spot < num_spots && !std::equal(pose.variables.begin(), pose.variables.begin() + 3, &spots[3 * spot]))
      ++spot;
    ASSERT_LT(spot, num_spots) << "a pose begins beside all hot spots";
    uses[spot] += 1;
    for (std::size_t t = 7; t < pose.variables.size(); ++t)
      ASSERT_LE(std::abs(pose.variables[t]), std::numbers::pi + 1e-3);
    const std::vector<double> features = features_of(pose, static_cast<double>(spot) / static_cast<double>(num_spots));
    means.resize(features.size());
    squares.resize(features.size());
    products.resize(features.size(), std::vector<double>(features.size()));
    for (std::size_t i = 0; i < features.size(); ++i) {
      means[i] += features[i] / count;
      squares[i] += features[i] * features[i] / count;
      for (std::size_t j = 0; j < i; ++j) products[i][j] += features[i] * features[j] / count;
    }
  }
  double chi_square = 0;
  const double expected = count / static_cast<double>(num_spots), freedom = static_cast<double>(num_spots - 1);
  for (const double number : uses) chi_square += std::pow(number - expected, 2) / expected;
  EXPECT_NEAR(chi_square, freedom, 5 * std::sqrt(2 * freedom));
  for (std::size_t i = 0; i < means.size(); ++i) {
    EXPECT_NEAR(means[i], 0, 0.04) << "feature " << i;
    EXPECT_NEAR(squares[i], i < 10 ? 1. / 3 : 0.5, 0.03) << "feature " << i;
    for (std::size_t j = 0; j < i; ++j) EXPECT_NEAR(products[i][j], 0, 0.03) << "features " << i << " and " << j;
  }
}

/// A pose is made again from the seed and its number.
TEST(DockSearch, APoseDependsOnSeedAndNumberAlone) {
  Random random(82);
  PoseLaunch launch(random_receptor(random), random_ligand(random, {9, 3, 1}), cube(12));
  const LaunchedPoses all = launch.search(plan_of(16, 1), 70), other = launch.search(plan_of(16, 1, 2), 70);
  for (const Index count : {1, 15, 17, 33}) {
    const LaunchedPoses some = launch.search(plan_of(16, 1), count);
    for (Index i = 0; i < count; ++i) EXPECT_EQ(some[i].variables, all[i].variables) << i << " of " << count;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_NE(all[i].variables, other[i].variables);
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(all[i].variables, all[j].variables);
  }
}

/// `align` lays the middle of the ligand on the hot spot, tries all orientations, and takes the one with the lowest
/// energy; or leaves the pose, if that is lower.
TEST(DockSearch, AlignTakesTheBestOrientation) {
  Random random(83);
  int num_turned = 0, num_left = 0;
  for (int round = 0; round < rounds(4); ++round) {
    PoseLaunch launch(random_receptor(random, 150, 5), random_ligand(random, {12, 3, 2}), cube(14));
    for (const int alignments : {1, 16}) {
      const dock::SearchPlan plan = plan_of(alignments, 0, 7);
      const LaunchedPoses starts = launch.search(plan_of(0, 0, 7), 40), ends = launch.search(plan, 40);
      for (Index i = 0; i < std::ssize(starts); ++i) {
        const PlainPose start(launch, starts[i].variables), end(launch, ends[i].variables);
        const Point middle = start.middle();
        const auto& at = starts[i].variables;
        std::vector<Point> best = start.positions();
        double lowest = start.inter();
        for (int turn = 0; turn < alignments; ++turn) {
          const auto draw = [&](int number) { return random_number(7, i, DrawPurpose::align, turn, number); };
          const PlainQuaternion rotation = uniform_rotation(draw(0), draw(1), draw(2));
          std::vector<Point> positions;
          for (const Point& p : start.positions()) {
            const Point moved = rotated(rotation, {p.x - middle.x, p.y - middle.y, p.z - middle.z});
            positions.push_back({moved.x + at[0], moved.y + at[1], moved.z + at[2]});
          }
          const double energy = start.inter_at(positions);
          if (energy < lowest) std::tie(lowest, best) = std::pair(energy, positions);
        }
        ASSERT_NEAR(ends[i].inter, lowest, 5e-3 + 1e-4 * std::abs(lowest)) << "pose " << i;
        ASSERT_NEAR(end.inter(), lowest, 5e-3 + 1e-4 * std::abs(lowest));
        for (std::size_t a = 0; a < best.size(); ++a) ASSERT_LT(distance(end.positions()[a], best[a]), 2e-3);
        ++(best == start.positions() ? num_left : num_turned);
      }
    }
  }
  EXPECT_GT(num_turned, num_left);
  EXPECT_GT(num_left, 0);
}

struct Angle {
  double energy = 0;
  int sure_bumps = 0, most_bumps = 0;  ///< of atoms nearer than a little less, a little more, than the limit
};

/// A fragment at each of its angles, the others as they are.
std::vector<Angle> all_angles(const PoseLaunch& launch, std::vector<float> variables, int fragment, int count) {
  const float start = variables[6 + fragment];
  std::vector<Angle> angles;
  for (int i = 0; i < count; ++i) {
    variables[6 + fragment] = static_cast<float>(start + kTurn * i / count);
    const PlainPose pose(launch, variables);
    angles.push_back(
        {pose.energy_of(fragment), pose.internal_bumps(fragment, 2.499), pose.internal_bumps(fragment, 2.501)});
  }
  return angles;
}

/// Fragment after fragment: the angle with the lowest energy of those at which no atoms of the ligand bump.
TEST(DockSearch, OptimizeTakesTheBestAngleWithoutABump) {
  Random random(84);
  int num_turned = 0, num_bumping = 0, num_against_energy = 0;
  for (int round = 0; round < rounds(8); ++round) {
    // In a narrow pocket and box, where walls cost more than bumps seem to.
    const bool narrow = round % 2 == 1;
    const int heavy = static_cast<int>(random.between(12, 30));
    PoseLaunch launch(random_receptor(random, 150, narrow ? 3 : 5),
                      random_ligand(random, {heavy, static_cast<int>(random.between(3, 9)), 2}), cube(narrow ? 8 : 14));
    const dock::SearchPlan plan = plan_of(4, 1, 5);
    const LaunchedPoses starts = launch.search(plan_of(4, 0, 5), 40), ends = launch.search(plan, 40);
    for (std::size_t i = 0; i < starts.size(); ++i) {
      std::vector<float> variables = starts[i].variables;
      for (int part = 0; part < 7; ++part) ASSERT_EQ(ends[i].variables[part], variables[part]);
      for (int fragment = 1; fragment < launch.packed().num_fragments; ++fragment) {
        const std::vector<Angle> angles = all_angles(launch, variables, fragment, plan.angles);
        const double steps = (ends[i].variables[6 + fragment] - variables[6 + fragment]) / kTurn * plan.angles;
        const int choice = static_cast<int>(std::lround(steps));
        ASSERT_NEAR(steps, choice, 1e-3);
        ASSERT_TRUE(0 <= choice && choice < plan.angles);
        const Angle& chosen = angles[choice];
        const int least_bumps = std::ranges::min_element(angles, {}, &Angle::most_bumps)->most_bumps;
        EXPECT_LE(chosen.sure_bumps, least_bumps) << "round " << round << ", pose " << i << ", fragment " << fragment;
        double lowest = INFINITY, lowest_of_all = INFINITY;
        for (const Angle& angle : angles) {
          lowest_of_all = std::min(lowest_of_all, angle.energy);
          if (angle.most_bumps <= chosen.sure_bumps) lowest = std::min(lowest, angle.energy);
        }
        if (chosen.sure_bumps == 0) {
          EXPECT_LE(chosen.energy, lowest + 0.03);
          num_against_energy += lowest_of_all < chosen.energy - 0.03;
        }
        num_turned += choice != 0;
        num_bumping += chosen.sure_bumps > 0;
        variables[6 + fragment] = ends[i].variables[6 + fragment];
      }
    }
  }
  EXPECT_GT(num_turned, 200);
  EXPECT_GT(num_bumping, 10);
  EXPECT_GT(num_against_energy, 50);
}

/// A ligand whose heavy atoms lie in two fragments.
Ligand two_fragments(Random& random) {
  while (true) {
    Ligand ligand = random_ligand(random, {14, 1, 0});
    dock::PackedLigands packed;
    dock::pack(ligand, ligand.conformers[0], packed);
    if (packed.fragments.size() == 2) return ligand;
  }
}

/// A second iteration begins where the first ended: a fragment alone is best where it is.
TEST(DockSearch, IterationsFollowEachOther) {
  Random random(85);
  PoseLaunch launch(random_receptor(random, 150, 5), two_fragments(random), cube(14));
  const LaunchedPoses once = launch.search(plan_of(2, 1), 32), twice = launch.search(plan_of(2, 2), 32);
  for (std::size_t i = 0; i < once.size(); ++i)
    EXPECT_NEAR(std::remainder(once[i].variables[7] - twice[i].variables[7], kTurn), 0, 1e-3);
}

/// The energy of a pose is that of its atoms.
TEST(DockSearch, EnergiesAreThoseOfThePoses) {
  Random random(86);
  for (const int heavy : {15, 15, 40, 70}) {  // 32 atoms are a word of partners
    PoseLaunch launch(random_receptor(random, 150, 5), random_ligand(random, {heavy, 4, 2}), cube(12));
    for (const LaunchedPose& pose : launch.search(plan_of(16, 1), 40)) {
      const PlainPose plain(launch, pose.variables);
      EXPECT_NEAR(pose.inter, plain.inter(), 5e-3 + 1e-4 * std::abs(pose.inter));
      const bool near = std::ranges::any_of(launch.ligand().flexible_pairs, [&](const auto& pair) {
        return distance(plain.positions()[pair.first], plain.positions()[pair.second]) < 2.1;  // beyond the tables
      });
      if (!near) {
        const double num_pairs = static_cast<double>(launch.ligand().flexible_pairs.size());
        EXPECT_NEAR(pose.intra, plain.intra(), 0.03 + 4e-4 * num_pairs);
      }
    }
  }
}

}  // namespace
}  // namespace quarry::test
