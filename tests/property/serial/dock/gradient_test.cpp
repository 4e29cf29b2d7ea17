/// Gradients by position, orientation and torsions, as kernels sum them up, against differences of energies in double
/// precision. Energies have kinks, and a jump at the cutoff: poses whose differences reach over one are drawn again.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "dock/batch/placement.hpp"
#include "dock/pocket/prepared_pocket.hpp"
#include "exec/launch.hpp"
#include "reference/dock.hpp"
#include "support/dock/plain_poses.hpp"
#include "support/dock/random_ligands.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "property/serial/dock/gradient_test.cpp"
#include "exec/simd/each_target.hpp"
// The kernels a second time, under another name, so that the linker does not take these, which have other options of
// floating point, for those of the library, which the other tests of this program run.
namespace quarry::dock_kernels {
using namespace dock;
}
// Each may use those before it.
// clang-format off
#include "exec/simd/lanes-inl.hpp"
#define dock dock_kernels
#include "dock/kernels/scoring-inl.hpp"
#include "dock/pocket/grids-inl.hpp"
#include "dock/kernels/fields-inl.hpp"
#include "dock/kernels/pose-inl.hpp"
#include "dock/kernels/minimise-inl.hpp"
#include "dock/kernels/search-inl.hpp"
#include "dock/kernels/kernels-inl.hpp"
#undef dock
// clang-format on

QUARRY_BEFORE_TARGET();
namespace quarry::dock_kernels {
namespace QUARRY_TARGET {

/// @param poses  [16][variables]
/// @return       [16][degrees]
std::vector<std::vector<double>> gradients_of(const LigandView& ligand, const PocketView& pocket, bool by_maps,
                                              const std::vector<std::vector<float>>& poses) {
  const int degrees = ligand.num_degrees(), size = ligand.num_variables() + degrees;
  const int rest_size = PoseMemory::size(ligand.num_atoms, ligand.num_fragments),
            parts_size = AtomField<HostTeam>::kMostSums * AtomField<HostTeam>::kSumParts;
  std::vector<float> memory(kLanes * (size + rest_size + parts_size));
  const Slots variables{memory.data(), kLanes}, gradient = variables.from(ligand.num_variables());
  const Slots parts = variables.from(size + rest_size);
  const PoseMemory rest(ligand, variables.from(size));
  const Mask wanted = less(same(0), same(1));
  HostTeam alone;
  std::vector<std::vector<double>> all(poses.size());
  for (std::size_t first = 0; first < poses.size(); first += kLanes) {
    for (int i = 0; i < ligand.num_variables() * kLanes; ++i) memory[i] = poses[first + i % kLanes][i / kLanes];
    if (by_maps) {
      evaluate<true>(alone, ligand, map_field(pocket), table_sum(pocket), variables, rest, gradient, wanted);
    } else {
      evaluate<true>(alone, ligand, atom_field(pocket, alone, parts), pair_sum(pocket), variables, rest, gradient,
                     wanted);
    }
    for (int i = 0; i < degrees * kLanes; ++i) all[first + i % kLanes].push_back(gradient.memory[gradient.first + i]);
  }
  return all;
}

}  // namespace QUARRY_TARGET
}  // namespace quarry::dock_kernels
QUARRY_AFTER_TARGET();

#if QUARRY_ONCE
namespace quarry::dock_kernels {

HWY_EXPORT(gradients_of);

namespace {

using namespace test;
using Points = std::vector<Point>;
using Energy = std::function<double(const Points&)>;
using Numbers = std::vector<double>;

struct Case {
  Ligand ligand;
  Receptor receptor;
  PackedLigands packed = {};
  LigandMap map = pack(ligand, ligand.conformers[0], packed);

  LigandView view() const { return ligand_of(packed.view(), 0); }
};

Case random_case(Random& random) {
  const int heavy = static_cast<int>(random.between(1, 22)), most = std::min(heavy - 1, 7);
  return {random_ligand(random, {heavy, static_cast<int>(random.between(0, most)), 4}),
          random_receptor(random, 120, random_between(random, 3, 7))};
}

std::vector<float> random_variables(Random& random, int num_torsions) {
  const auto draw = [&] { return random_between(random, 0, 1); };
  const Point place = random_placement(random, 2).shift;
  const PlainQuaternion q = uniform_rotation(draw(), draw(), draw());
  Numbers values = {place.x, place.y, place.z, q[0], q[1], q[2], q[3]};
  for (int t = 0; t < num_torsions; ++t) values.push_back(std::numbers::pi * random_between(random, -1, 1));
  return {values.begin(), values.end()};
}

/// What an energy gains for each unit of shift, rotation and torsion, in the order of reference::gradient.
Numbers slopes(const Ligand& ligand, const Points& at, const Energy& energy, double size = 1e-5) {
  Numbers all(6 + ligand.num_torsions());
  for (std::size_t degree = 0; degree < all.size(); ++degree) {
    for (const double step : {size, -size}) {
      reference::Motion motion{{}, {}, Numbers(ligand.num_torsions())};
      Point &shift = motion.shift, &turn = motion.rotation;
      double* const parts[] = {&shift.x, &shift.y, &shift.z, &turn.x, &turn.y, &turn.z};
      (degree < 6 ? *parts[degree] : motion.torsions[degree - 6]) = step;
      all[degree] += energy(reference::moved(ligand, at, motion)) / (2 * step);
    }
  }
  return all;
}

/// A kernel's gradient as the reference has it: turned about the mean of all atoms, not about the root's origin, and
/// with the torsions too that move no heavy atom.
Numbers as_reference(const Case& one, const Points& at, const std::vector<float>& pose, const Numbers& gradient) {
  Numbers result(gradient.begin(), gradient.begin() + 6);
  for (const Point& point : at) {
    const double part = 1. / one.ligand.num_atoms();
    const double x = point.x - pose[0], y = point.y - pose[1], z = point.z - pose[2];
    result[3] -= part * (y * gradient[2] - z * gradient[1]);
    result[4] -= part * (z * gradient[0] - x * gradient[2]);
    result[5] -= part * (x * gradient[1] - y * gradient[0]);
  }
  for (std::size_t f = 1; f < one.ligand.fragments.size(); ++f) {
    const int own = one.map.fragment_of[one.ligand.fragments[f].atom];
    const bool turns = own != one.map.fragment_of[one.ligand.fragments[f].parent_atom];
    result.push_back(turns ? gradient[5 + own] : 0);
  }
  return result;
}

/// Compares gradients of random poses, on every vector instruction set that this machine has.
/// @param gradient  by differences of 1e-5
void expect_gradients(Random& random, const Case& one, const PocketView& pocket, bool by_maps, const Energy& energy,
                      const std::function<Numbers(const Points&)>& gradient) {
  std::vector<std::vector<float>> poses;
  std::vector<Points> positions;
  std::vector<Numbers> expected;
  for (int draw = 0; poses.size() < 16; ++draw) {
    ASSERT_LT(draw, 64) << "differences depend on how long they are";
    const std::vector<float> pose = random_variables(random, one.view().num_torsions());
    const Points at = place_atoms(one.view(), one.map, pose);
    const Numbers plain = gradient(at), wider = slopes(one.ligand, at, energy, 3e-5);
    if (!std::ranges::equal(wider, plain,
                            [](double a, double b) { return std::abs(a - b) < 2e-5 * std::max(1., std::abs(b)); }))
      continue;
    poses.push_back(pose);
    positions.push_back(at);
    expected.push_back(plain);
  }
  for (std::int64_t left = hwy::SupportedTargets() & HWY_TARGETS; left != 0; left &= left - 1) {
    hwy::SetSupportedTargetsForTest(left & -left);
    const auto found = HWY_DYNAMIC_DISPATCH(gradients_of)(one.view(), pocket, by_maps, poses);
    hwy::SetSupportedTargetsForTest(0);
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const Numbers own = as_reference(one, positions[i], poses[i], found[i]);
      ASSERT_EQ(own.size(), expected[i].size());
      for (std::size_t d = 0; d < own.size(); ++d) {
        EXPECT_NEAR(own[d], expected[i][d], 1e-3 * std::max(1., std::abs(expected[i][d])))
            << "pose " << i << ", degree " << d << ", " << hwy::TargetName(left & -left);
      }
    }
  }
}

/// By sums over receptor atoms, in a wide box, or in one that some atoms leave against the slope of its walls.
TEST(DockGradient, BySumsIsThatOfTheReference) {
  Random random(121);
  for (int round = 0; round < rounds(14); ++round) {
    const Case one = random_case(random);
    const double wall = round % 4 == 3 ? 3 : 24;
    const auto outside = [&](const Points& at) {
      double sum = 0;
      for (const int a : one.map.heavy_atoms)
        for (const double x : {at[a].x, at[a].y, at[a].z}) sum += 20 * std::max(std::abs(x) - wall, 0.);
      return sum;
    };
    for (const Scoring scoring : {Scoring::vina, Scoring::vinardo}) {
      const Parameters parameters = parameters_of(scoring);
      const Surroundings near(one.receptor, parameters, {-24, -24, -24}, {24, 24, 24}, 6);
      const PocketView pocket = bare_pocket(parameters, near, {-wall, -wall, -wall}, {wall, wall, wall});
      const auto energy = [&](const Points& at) {
        const Score score = reference::score(one.receptor, one.ligand, at, scoring, 0);
        return score.inter + score.intra + outside(at);
      };
      expect_gradients(random, one, pocket, false, energy, [&](const Points& at) {
        Numbers gradient = reference::gradient(one.receptor, one.ligand, at, scoring);
        std::ranges::transform(gradient, slopes(one.ligand, at, outside), gradient.begin(), std::plus());
        return gradient;
      });
    }
  }
}

/// Energy of two atoms by a table of cubic pieces, four to an octave.
double table_energy(const float* table, double square) {
  const double inside = std::clamp<double>(square, kPairLow, kPairHigh);
  int octave = 0;
  const double quarters = 8 * std::frexp(inside, &octave);  // from 4 to 8
  const double t = (quarters - std::floor(quarters)) * std::ldexp(1, octave - 3);
  const float* const c = table + (4 * octave + static_cast<int>(quarters) + 4) % 16;
  const double slope = c[16] + t * (2 * c[32] + t * 3 * c[48]);
  return c[0] + t * (c[16] + t * (c[32] + t * c[48])) + std::min(square - inside, 0.) * slope;
}

/// By maps and tables. They are continuous, so the truth is their own energy in double precision.
TEST(DockGradient, ByMapsIsThatOfTheMaps) {
  Random random(122);
  for (int round = 0; round < rounds(12); ++round) {
    const Case one = random_case(random);
    const std::vector<AtomType>& types = one.ligand.types;
    for (const Scoring scoring : {Scoring::vina, Scoring::vinardo}) {
      const PreparedPocket pocket(one.receptor, cube(8), scoring, 1);
      const auto energy = [&](const Points& at) {
        double sum = 0;
        for (const int a : one.map.heavy_atoms) sum += map_energy(pocket.view().maps, types[a], at[a]);
        for (const auto& [a, b] : one.ligand.flexible_pairs) {
          const int table = pair_table_index(static_cast<int>(types[a]), static_cast<int>(types[b]));
          sum += table_energy(&pocket.view().tables[table * kPairTableSize], std::pow(distance(at[a], at[b]), 2));
        }
        return sum;
      };
      expect_gradients(random, one, pocket.view(), true, energy,
                       [&](const Points& at) { return slopes(one.ligand, at, energy); });
    }
  }
}

}  // namespace
}  // namespace quarry::dock_kernels
#endif
