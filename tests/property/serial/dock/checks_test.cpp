/// Checks of poses against all pairs and a fine grid, and each limit from both sides.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "reference/dock.hpp"
#include "support/dock/random_ligands.hpp"
#include "support/temporary_folder.hpp"

namespace quarry::test {
namespace {

using dock::PoseChecks;

/// The radii of the elements below.
double radius(int element) { return element == 6 ? 1.7 : element == 7 ? 1.6 : element == 8 ? 1.55 : 1.8; }

/// Only carbon, nitrogen, oxygen, sulfur and hydrogen.
template <class Element>
void make_common(Random& random, AtomType& type, Element& element) {
  if (type == AtomType::hydrogen) return;
  constexpr std::pair<AtomType, int> kChoices[] = {
      {AtomType::carbon_polar, 6}, {AtomType::nitrogen, 7}, {AtomType::oxygen, 8}, {AtomType::sulfur, 16}};
  const auto& [chosen, number] = kChoices[random.below(4)];
  type = chosen;
  element = static_cast<Element>(number);
}

Ligand common_ligand(Random& random, const LigandShape& shape) {
  Ligand ligand = random_ligand(random, shape);
  for (int i = 0; i < ligand.num_atoms(); ++i) make_common(random, ligand.types[i], ligand.elements[i]);
  return ligand;
}

Receptor common_receptor(Random& random, double hollow_radius) {
  Receptor receptor = random_receptor(random, 80, hollow_radius);
  for (ReceptorAtom& atom : receptor.atoms) make_common(random, atom.type, atom.element);
  return receptor;
}

TEST(DockChecks, DistanceAndOverlapOfRandomPoses) {
  Random random(11);
  int num_valid = 0, num_overlapping = 0, num_far = 0;
  for (int round = 0; round < std::max(rounds(60), 20); ++round) {
    const Ligand ligand =
        common_ligand(random, {.heavy_atoms = static_cast<int>(random.between(1, 20)), .torsions = 0, .hydrogens = 3});
    const Receptor receptor = common_receptor(random, random_between(random, 2, 6));
    std::vector<Point> pose = random_pose(random, ligand, 3);
    const double aside = round % 2 == 0 ? 0 : random_between(random, 0, 20);
    for (Point& point : pose) point.x += aside;
    const PoseChecks found = dock::check_pose(receptor, ligand, pose);
    double least = 1, nearest = 1000;
    std::vector<std::pair<Point, double>> spheres, receptor_spheres;
    for (const ReceptorAtom& atom : receptor.atoms) {
      receptor_spheres.emplace_back(atom.position, 0.8 * radius(atom.element));
    }
    for (int i = 0; i < ligand.num_atoms(); ++i) {
      if (ligand.elements[i] == 1) continue;
      spheres.emplace_back(pose[i], 0.8 * radius(ligand.elements[i]));
      for (const ReceptorAtom& atom : receptor.atoms) {
        const double sum = radius(ligand.elements[i]) + radius(atom.element);
        least = std::min(least, distance(pose[i], atom.position) / sum);
        nearest = std::min(nearest, distance(pose[i], atom.position));
      }
    }
    EXPECT_NEAR(found.min_distance, least, 1e-12);
    EXPECT_NEAR(found.overlap, reference::overlap(spheres, receptor_spheres, 0.15), 0.02);
    EXPECT_FALSE(found.strained);
    EXPECT_EQ(found.too_far, nearest > 5);
    EXPECT_EQ(found.valid,
              found.min_distance >= 0.75 && found.overlap <= 0.075 && !found.internal_clash && !found.too_far);
    num_far += found.too_far;
    num_valid += found.valid;
    num_overlapping += found.overlap > 0.01;
  }
  EXPECT_GT(num_valid, 0);
  EXPECT_GT(num_overlapping, 0);
  EXPECT_GT(num_far, 0);
}

/// Atoms of carbon at these places, without bonds.
Ligand carbons(const std::vector<Point>& places) {
  Ligand ligand;
  ligand.id = "carbons";
  ligand.elements.assign(places.size(), 6);
  ligand.types.assign(places.size(), AtomType::carbon_polar);
  ligand.fragments.resize(1);
  ligand.fragment_of.assign(places.size(), 0);
  ligand.conformers = {places};
  return ligand;
}

Receptor one_atom(const Point& position, AtomType type, std::uint8_t element) {
  Receptor receptor;
  receptor.id = "one";
  receptor.atoms.push_back({position, type, element, "A:X 1:X"});
  return receptor;
}

TEST(DockChecks, DistanceToProteinAndMetal) {
  const Ligand ligand = carbons({{0, 0, 0}, {0, 0, 20}, {0, 0, 30}});
  const auto check = [&](double at, AtomType type, std::uint8_t element) {
    return dock::check_pose(one_atom({at, 0, 0}, type, element), ligand, ligand.conformers[0]);
  };
  EXPECT_TRUE(check(0.751 * 3.4, AtomType::carbon_polar, 6).valid);
  EXPECT_FALSE(check(0.749 * 3.4, AtomType::carbon_polar, 6).valid);
  EXPECT_DOUBLE_EQ(check(1.7, AtomType::carbon_polar, 6).min_distance, 0.5);
  EXPECT_DOUBLE_EQ(check(3.5, AtomType::carbon_polar, 6).min_distance, 1);
  // Zinc by covalent radii: 0.68 + 1.45.
  EXPECT_TRUE(check(2, AtomType::metal, 30).valid);
  EXPECT_FALSE(check(1.59, AtomType::metal, 30).valid);
  EXPECT_NEAR(check(1.065, AtomType::metal, 30).min_distance, 0.5, 1e-9);
}

TEST(DockChecks, OverlapOfSpheres) {
  // Two spheres of radius r at distance r share 5/16 of the volume of one.
  const double r = 0.8 * 1.7;
  const Ligand one = carbons({{0, 0, 0}}), two = carbons({{0, 0, 0}, {50, 0, 0}});
  const Receptor receptor = one_atom({r, 0, 0}, AtomType::carbon_polar, 6);
  EXPECT_NEAR(dock::check_pose(receptor, one, one.conformers[0]).overlap, 5. / 16, 0.02);
  EXPECT_NEAR(dock::check_pose(receptor, two, two.conformers[0]).overlap, 5. / 32, 0.01);
  const Receptor same = one_atom({0, 0, 0}, AtomType::carbon_polar, 6);
  EXPECT_DOUBLE_EQ(dock::check_pose(same, one, one.conformers[0]).overlap, 1);
  EXPECT_EQ(dock::check_pose(same, one, std::vector<Point>{{2 * r + 0.01, 0, 0}}).overlap, 0);
}

TEST(DockChecks, FarFromTheReceptor) {
  const Receptor receptor = one_atom({0, 0, 0}, AtomType::carbon_polar, 6);
  const auto check = [&](double nearest) {
    const Ligand ligand = carbons({{30, 0, 0}, {0, nearest, 0}});
    return dock::check_pose(receptor, ligand, ligand.conformers[0]);
  };
  EXPECT_FALSE(check(4.99).too_far);
  EXPECT_TRUE(check(4.99).valid);
  EXPECT_TRUE(check(5.01).too_far);
  EXPECT_FALSE(check(5.01).valid);
  Ligand hydrogen = carbons({{30, 0, 0}, {0, 4, 0}});
  hydrogen.elements[1] = 1;
  EXPECT_TRUE(dock::check_pose(receptor, hydrogen, hydrogen.conformers[0]).too_far);
}

TEST(DockChecks, BondsAnglesAndClashes) {
  const Receptor receptor = one_atom({-4.9, 0, 0}, AtomType::carbon_polar, 6);
  const auto check = [&](double at, int num_bonds, int fragment) {
    Ligand ligand = carbons({{0, 0, 0}, {at, 0, 0}});
    ligand.fragments.resize(2);
    ligand.fragment_of[1] = static_cast<std::uint8_t>(fragment);
    ligand.bounds = {{0, 1, num_bonds, 2, 3}};
    return dock::check_pose(receptor, ligand, ligand.conformers[0]);
  };
  for (const int fragment : {0, 1}) {
    for (const int num_bonds : {1, 2}) {
      EXPECT_TRUE(check(1.501, num_bonds, fragment).valid);
      EXPECT_TRUE(check(3.749, num_bonds, fragment).valid);
      for (const double at : {1.499, 3.751}) {
        EXPECT_TRUE(check(at, num_bonds, fragment).strained);
        EXPECT_FALSE(check(at, num_bonds, fragment).valid);
        EXPECT_FALSE(check(at, num_bonds, fragment).internal_clash);
      }
    }
    EXPECT_TRUE(check(1.401, 3, fragment).valid);
    EXPECT_TRUE(check(1.399, 3, fragment).internal_clash);
    EXPECT_FALSE(check(1.399, 5, fragment).valid);
    EXPECT_FALSE(check(1.399, 5, fragment).strained);
    EXPECT_TRUE(check(90, 4, fragment).valid);  // too far is no clash
  }
}

TEST(DockChecks, FlatRings) {
  const Receptor receptor = one_atom({7.5, 4, 5}, AtomType::carbon_polar, 6);
  for (const int size : {5, 6}) {
    const auto ring = [&](double lift) {
      std::vector<Point> places;
      for (int i = 0; i < size; ++i) {
        const double angle = 2 * std::numbers::pi * i / size;
        places.push_back({1.4 * std::cos(angle), 1.4 * std::sin(angle), i % 2 == 0 ? lift : -lift});
      }
      Ligand ligand = carbons(Placement{{0.6, 0, 0.8}, 1, {3, 4, 5}}(places));
      ligand.flat_rings.resize(1);
      for (int i = 0; i < size; ++i) ligand.flat_rings[0].push_back(i);
      return dock::check_pose(receptor, ligand, ligand.conformers[0]);
    };
    EXPECT_TRUE(ring(0).valid);
    EXPECT_TRUE(ring(0.15).valid);
    EXPECT_TRUE(ring(0.35).strained);
    EXPECT_FALSE(ring(0.35).valid);
  }
}

TEST(DockChecks, ATurnedComplexIsTheSame) {
  Random random(12);
  for (int round = 0; round < rounds(20); ++round) {
    const Ligand ligand = common_ligand(random, {.heavy_atoms = 15, .torsions = 4, .hydrogens = 2});
    const Receptor receptor = common_receptor(random, 4);
    const std::vector<Point> pose = random_pose(random, ligand, 2);
    const Placement placement = random_placement(random, 100);
    const PoseChecks here = dock::check_pose(receptor, ligand, pose),
                     there = dock::check_pose(placement(receptor), ligand, placement(pose));
    EXPECT_NEAR(here.min_distance, there.min_distance, 1e-9);
    EXPECT_NEAR(here.overlap, there.overlap, 0.02);
    EXPECT_EQ(here.internal_clash, there.internal_clash);
    EXPECT_EQ(here.strained, there.strained);
    EXPECT_EQ(here.too_far, there.too_far);
  }
}

/// No crash, and nothing that is not a number.
TEST(DockChecks, AwkwardPoses) {
  const Ligand same = carbons(std::vector<Point>(255));
  Receptor far = one_atom({0, 0, 0}, AtomType::carbon_polar, 6);
  far.atoms.push_back({{1e9, -1e9, 1e9}, AtomType::metal, 30, "B:ZN 1:ZN"});
  const PoseChecks on_top = dock::check_pose(far, same, same.conformers[0]);
  EXPECT_EQ(on_top.min_distance, 0);
  EXPECT_EQ(on_top.overlap, 1);
  EXPECT_FALSE(on_top.valid);
  const std::vector<Point> distant(255, {1e12, 1e12, -1e12});
  EXPECT_TRUE(dock::check_pose(far, same, distant).too_far);
  EXPECT_TRUE(dock::check_pose({}, same, same.conformers[0]).too_far);
  const auto refused = [&](std::vector<Point> positions) {
    return message_of<InputError>([&] { (void)dock::check_pose(far, same, positions); });
  };
  EXPECT_EQ(refused({{0, 0, 0}}), "carbons: the pose has 1 atoms and the ligand 255");
  std::vector<Point> undefined = same.conformers[0];
  undefined[7].y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refused(undefined), "carbons: a position of the pose is not finite");
}

}  // namespace
}  // namespace quarry::test
