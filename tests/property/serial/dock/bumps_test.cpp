/// Bumps of poses against plain distances, and the maps by which the search sees them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reference/dock.hpp"
#include "support/dock/plain_poses.hpp"
#include "support/dock/random_ligands.hpp"
#include "support/dock/results.hpp"

namespace quarry::test {
namespace {

/// Radii of Vina by type.
double radius_of(AtomType type) {
  constexpr double kRadii[] = {1.9, 1.9, 1.8, 1.8, 1.8, 1.8, 1.7, 1.7, 1.7, 1.7,
                               2.0, 2.1, 1.5, 1.8, 2.0, 2.2, 2.2, 2.3, 1.2};
  return kRadii[static_cast<int>(type)];
}

/// Pairs of a heavy atom and a receptor atom nearer than three quarters of the sum of their radii.
Index bumps_with(const Receptor& receptor, const Ligand& ligand, const std::vector<Point>& positions) {
  Index bumps = 0;
  for (int a = 0; a < ligand.num_atoms(); ++a) {
    if (ligand.elements[a] == 1) continue;
    for (const ReceptorAtom& atom : receptor.atoms)
      bumps += distance(positions[a], atom.position) < 0.75 * (radius_of(ligand.types[a]) + radius_of(atom.type));
  }
  return bumps;
}

TEST(DockBumps, AreCountedByDistances) {
  Random random(71);
  int num_bumping = 0;
  for (int round = 0; round < rounds(30); ++round) {
    const Receptor receptor = random_receptor(random, 100, 3);
    const Ligand ligand = random_ligand(random, {12, 3, 4});
    const std::vector<Point> pose = random_pose(random, ligand, 3);
    const Index expected = bumps_with(receptor, ligand, pose);
    EXPECT_EQ(dock::count_bumps(receptor, ligand, pose), expected);
    num_bumping += expected > 1;
  }
  EXPECT_GT(num_bumping, rounds(30) / 2);
}

/// Where there is no room, the poses that are returned bump.
TEST(DockBumps, OfReturnedPoses) {
  Random random(72);
  Index num_bumps = 0;
  for (int round = 0; round < rounds(4); ++round) {
    const Receptor receptor = random_receptor(random, 150, 2.5);
    const Ligand ligand = random_ligand(random, {14, 2, 3});
    for (const dock::Pose& pose : dock::Docker(receptor, cube(9), short_search(16, 0, 0)).dock(ligand).poses) {
      const Index expected = bumps_with(receptor, ligand, pose.positions);
      EXPECT_EQ(pose.bumps, expected);
      num_bumps += expected;
    }
  }
  EXPECT_GT(num_bumps, 20);
}

/// What is near enough to the limit of a bump that rounding decides.
bool is_close(double value, double limit, double allowed) { return std::abs(value - limit) < allowed; }

/// The flags by which poses are clipped: atoms whose energy with the receptor is above 1 kcal/mol, and pairs nearer than 2.5.
TEST(DockBumps, OfPosesWithinTheSearch) {
  Random random(73);
  int num_compared = 0, num_of_receptor = 0, num_internal = 0, num_none = 0;
  for (int round = 0; round < 8; ++round) {
    PoseLaunch launch(random_receptor(random, 150, 5), random_ligand(random, {4 + 3 * round, 2 + round / 2, 2}),
                      cube(12));
    dock::SearchPlan plan;
    plan.iterations = round % 2;
    const LaunchedPoses poses = launch.evaluate(launch.search(plan, 48));
    for (const LaunchedPose& pose : poses) {
      const PlainPose plain(launch, pose.variables);
      int of_receptor = 0, internal = 0;
      bool sure = true;
      for (const int atom : launch.map().heavy_atoms) {
        const double energy = map_energy(launch.pocket().maps, launch.ligand().types[atom], plain.positions()[atom]);
        of_receptor += energy > 1;
        sure = sure && !is_close(energy, 1, 2e-3);
      }
      for (const auto& [one, other] : launch.ligand().flexible_pairs) {
        const double apart = distance(plain.positions()[one], plain.positions()[other]);
        internal += apart < 2.5;
        sure = sure && !is_close(apart, 2.5, 1e-4);
      }
      if (!sure) continue;
      EXPECT_EQ(pose.bumps, of_receptor + internal);
      ++num_compared;
      num_of_receptor += of_receptor > 0;
      num_internal += internal > 0;
      num_none += of_receptor + internal == 0;
    }
  }
  EXPECT_GT(num_compared, 300);
  EXPECT_GT(num_of_receptor, 50);
  EXPECT_GT(num_internal, 20);
  EXPECT_GT(num_none, 8);
}

/// At the points of a grid a map is the energy of an atom there, repulsion bounded.
TEST(DockMaps, AreEnergiesOfOneAtom) {
  Random random(74);
  const Receptor receptor = random_receptor(random, 120, 4);
  PoseLaunch launch(receptor, random_ligand(random, {1, 0, 0}), cube(11));
  const dock::MapsView& maps = launch.pocket().maps;
  for (int round = 0; round < rounds(3000); ++round) {
    Ligand atom;
    atom.types = {static_cast<AtomType>(random.below(kNumAtomTypes))};
    if (atom.types[0] == AtomType::hydrogen) continue;
    atom.elements = {6};
    Point at;
    int axis = 0;
    for (double* const coordinate : {&at.x, &at.y, &at.z}) {
      *coordinate = maps.origin[axis] + maps.spacing * static_cast<double>(random.below(maps.size[axis] + 1));
      ++axis;
    }
    const double plain =
        reference::energy(dock::Scoring::vina, reference::inter_terms(receptor, atom, {&at, 1}, dock::Scoring::vina));
    const bool near = std::ranges::any_of(receptor.atoms,
                                          [&](const ReceptorAtom& other) { return distance(other.position, at) < 2; });
    if (near) continue;  // tables do not go there
    const double bounded = plain > 0 ? plain * 10 / (plain + 10) : plain;
    EXPECT_NEAR(map_energy(maps, atom.types[0], at), bounded, 0.06);
  }
}

/// The hot spots are those of the places that are looked at where carbon does best.
TEST(DockMaps, HotSpotsAreTheBestPlaces) {
  Random random(75);
  PoseLaunch launch(random_receptor(random, 150, 5), random_ligand(random, {1, 0, 0}), cube(14));
  const dock::PocketView& pocket = launch.pocket();
  const dock::MapsView& maps = pocket.maps;
  const auto energy_at = [&](const Point& at) { return map_energy(maps, AtomType::carbon_hydrophobic, at); };
  std::vector<double> all, found;
  for (int x = 1; x < maps.size[0]; x += 3) {
    for (int y = 1; y < maps.size[1]; y += 3) {
      for (int z = 1; z < maps.size[2]; z += 3)
        all.push_back(energy_at({maps.origin[0] + double{maps.spacing} * x, maps.origin[1] + double{maps.spacing} * y,
                                 maps.origin[2] + double{maps.spacing} * z}));
    }
  }
  for (Index s = 0; s < pocket.spots.size() / 3; ++s)
    found.push_back(energy_at({pocket.spots[3 * s], pocket.spots[3 * s + 1], pocket.spots[3 * s + 2]}));
  std::ranges::sort(all);
  all.resize(200);
  ASSERT_EQ(found.size(), all.size());
  for (std::size_t s = 0; s < all.size(); ++s) EXPECT_NEAR(found[s], all[s], 1e-3) << s;
}

}  // namespace
}  // namespace quarry::test
