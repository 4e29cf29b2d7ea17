/// What the kernels of docking compute, one number after the other in double precision: the truth that they are compared with.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "support/dock/pose_launch.hpp"

namespace quarry::test {

/// What a random number of a pose is for.
enum class DrawPurpose { initial = 1, align, mutate, accept };
/// Random number of a pose, in [0, 1).
double random_number(std::uint64_t seed, Index pose, DrawPurpose purpose, Index step, Index number);

/// Scalar first.
using PlainQuaternion = std::array<double, 4>;
PlainQuaternion product(const PlainQuaternion& a, const PlainQuaternion& b);
Point rotated(const PlainQuaternion& q, const Point& point);
/// Uniform over all rotations, from three numbers in [0, 1). Source: Shoemake, Graphics Gems III, 1992.
PlainQuaternion uniform_rotation(double first, double second, double third);

/// Energy of an atom by the map of its type: trilinear within the box, and a slope outside.
double map_energy(const dock::MapsView& maps, AtomType type, const Point& place);

/// A pose of a launch as positions of atoms.
class PlainPose {
 public:
  PlainPose(const PoseLaunch& launch, const std::vector<float>& variables);

  const std::vector<Point>& positions() const { return positions_; }
  Point middle() const;  ///< of the heavy atoms
  /// Energy of heavy atoms with the receptor.
  double inter() const { return inter_of(positions_, 0); }
  double inter_at(const std::vector<Point>& positions) const { return inter_of(positions, 0); }
  double intra() const;

  /// Energy with the receptor of a fragment and all that hangs on it, and of its pairs with the rest.
  double energy_of(int fragment) const;
  /// Pairs of an atom of it and one of the rest that are nearer than `limit`.
  int internal_bumps(int fragment, double limit) const;

 private:
  double inter_of(const std::vector<Point>& positions, int fragment) const;
  /// Is the atom in the fragment, or in one that hangs on it?
  bool is_in(int fragment, int atom) const;
  double pair_energy(int one, int other) const;

  const PoseLaunch& launch_;
  dock::LigandView packed_;
  std::vector<Point> positions_;
};

}  // namespace quarry::test
