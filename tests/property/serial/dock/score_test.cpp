/// Scores of poses against sums over all pairs.
#include <gtest/gtest.h>

#include <cmath>

#include "reference/dock.hpp"
#include "support/dock/random_ligands.hpp"
#include "support/temporary_folder.hpp"

namespace quarry::test {
namespace {

using dock::Score;
using dock::Scoring;

constexpr Scoring kScorings[] = {Scoring::vina, Scoring::vinardo};

void expect_same(const Score& found, const Score& plain, double tolerance) {
  EXPECT_NEAR(found.inter, plain.inter, tolerance);
  EXPECT_NEAR(found.intra, plain.intra, tolerance);
  EXPECT_NEAR(found.score, plain.score, tolerance);
  EXPECT_NEAR(found.terms.gauss1, plain.terms.gauss1, tolerance);
  EXPECT_NEAR(found.terms.gauss2, plain.terms.gauss2, tolerance);
  EXPECT_NEAR(found.terms.repulsion, plain.terms.repulsion, tolerance);
  EXPECT_NEAR(found.terms.hydrophobic, plain.terms.hydrophobic, tolerance);
  EXPECT_NEAR(found.terms.hydrogen_bond, plain.terms.hydrogen_bond, tolerance);
}

/// The first line of the sum, by hand.
TEST(DockReference, TwoAtomsByHand) {
  const auto energy = [](Scoring scoring, AtomType one, AtomType other, double distance) {
    return reference::energy(scoring, reference::pair_terms(scoring, one, other, distance));
  };
  // Two hydrophobic carbons that touch: d = 0.
  const auto carbon = AtomType::carbon_hydrophobic;
  EXPECT_NEAR(energy(Scoring::vina, carbon, carbon, 3.8), -0.035579 - 0.005156 * std::exp(-2.25) - 0.035069, 1e-12);
  EXPECT_NEAR(energy(Scoring::vinardo, carbon, carbon, 4), -0.045 - 0.035, 1e-12);
  // A hydrogen bond, d = -0.7, repulsion 0.49.
  EXPECT_NEAR(energy(Scoring::vina, AtomType::nitrogen_donor, AtomType::oxygen_acceptor, 2.8),
              -0.035579 * std::exp(-1.96) - 0.005156 * std::exp(-3.4225) + 0.840245 * 0.49 - 0.587439, 1e-12);
  EXPECT_NEAR(energy(Scoring::vinardo, AtomType::metal, AtomType::oxygen_acceptor, 2.5),
              -0.045 * std::exp(-0.140625) + 0.8 * 0.09 - 0.6 * 0.5, 1e-12);
  EXPECT_EQ(energy(Scoring::vina, carbon, carbon, 8), 0);
  EXPECT_EQ(energy(Scoring::vina, carbon, AtomType::hydrogen, 3), 0);
}

Ligand one_atom(AtomType type) {
  Ligand ligand;
  ligand.id = "one";
  ligand.elements = {static_cast<std::uint8_t>(type == AtomType::hydrogen ? 1 : 6)};
  ligand.types = {type};
  ligand.autodock_types = {"C"};
  ligand.fragments.resize(1);
  ligand.fragment_of = {0};
  ligand.conformers = {{{0, 0, 0}}};
  return ligand;
}

TEST(DockScore, EveryPairOfTypesAtEveryDistance) {
  const std::vector<Point> origin(1);
  for (int one = 0; one <= kNumAtomTypes; ++one) {
    const Ligand ligand = one_atom(static_cast<AtomType>(one));
    for (int other = 0; other < kNumAtomTypes; ++other) {
      for (const Scoring scoring : kScorings) {
        for (double distance = 0; distance < 9; distance += 0.25) {
          Receptor receptor;
          receptor.atoms.push_back({{0, 0, distance}, static_cast<AtomType>(other), 6, ""});
          expect_same(dock::score_pose(receptor, ligand, origin, scoring),
                      reference::score(receptor, ligand, origin, scoring, 0), 1e-6);
          if (HasFailure()) FAIL() << one << " and " << other << " at " << distance;
        }
      }
    }
  }
}

TEST(DockScore, RandomPoses) {
  Random random(21);
  for (int round = 0; round < rounds(60); ++round) {
    const int heavy = static_cast<int>(random.between(1, 40));
    const Ligand ligand =
        random_ligand(random, {.heavy_atoms = heavy,
                               .torsions = static_cast<int>(random.between(0, std::min(heavy - 1, 10))),
                               .hydrogens = static_cast<int>(random.below(9))});
    const Receptor receptor = random_receptor(random, 150, 4);
    const std::vector<Point> pose = random_pose(random, ligand, 3);
    for (const Scoring scoring : kScorings) {
      const double weight = scoring == Scoring::vina ? 0.05846 : 0.02;
      const Score plain = reference::score(receptor, ligand, pose, scoring, weight);
      expect_same(dock::score_pose(receptor, ligand, pose, scoring), plain, 1e-4);
      const Score other = dock::score_pose(receptor, ligand, pose, scoring, 0.3);
      EXPECT_NEAR(other.score, plain.inter / (1 + 0.3 * ligand.num_torsions_weighted), 1e-4);
    }
  }
}

/// Moved as a whole, or with its atoms in another order, a complex has the same score.
TEST(DockScore, ATurnedAndARenumberedComplex) {
  Random random(22);
  for (int round = 0; round < rounds(20); ++round) {
    const Ligand ligand = random_ligand(random, {.heavy_atoms = 25, .torsions = 6, .hydrogens = 5});
    const Receptor receptor = random_receptor(random, 150, 5);
    const std::vector<Point> pose = random_pose(random, ligand, 2);
    const Score score = dock::score_pose(receptor, ligand, pose);
    const Placement placement = random_placement(random, 300);
    expect_same(dock::score_pose(placement(receptor), ligand, placement(pose)), score, 1e-4);
    const std::vector<int> order = random_order(random, ligand.num_atoms());
    expect_same(dock::score_pose(receptor, renumbered(ligand, order), renumbered(pose, order)), score, 1e-6);
    Receptor shuffled = receptor;
    random.shuffle(shuffled.atoms);
    expect_same(dock::score_pose(shuffled, ligand, pose), score, 1e-6);
  }
}

TEST(DockScore, AwkwardPoses) {
  Random random(23);
  const Ligand ligand = random_ligand(random, {.heavy_atoms = 255, .torsions = 32, .hydrogens = 40});
  const Receptor receptor = random_receptor(random);
  for (const double place : {0., 7., 1e6}) {
    const std::vector<Point> on_top(ligand.num_atoms(), {place, place, place});
    const Score found = dock::score_pose(receptor, ligand, on_top),
                plain = reference::score(receptor, ligand, on_top, Scoring::vina, 0.05846);
    EXPECT_NEAR(found.inter, plain.inter, 1e-6 * (100 + std::abs(plain.inter)));
    EXPECT_NEAR(found.intra, plain.intra, 1e-6 * (100 + std::abs(plain.intra)));
  }
  EXPECT_EQ(dock::score_pose({}, ligand, ligand.conformers[0]).inter, 0);
  EXPECT_THROW((void)dock::score_pose(receptor, ligand, std::vector<Point>(3)), InputError);
}

}  // namespace
}  // namespace quarry::test
