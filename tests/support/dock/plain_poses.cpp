#include "support/dock/plain_poses.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dock/batch/placement.hpp"
#include "reference/dock.hpp"
#include "support/dock/random_ligands.hpp"

namespace quarry::test {
namespace {

/// Source: Steele, Lea, Flood, OOPSLA 2014 (SplitMix64).
std::uint64_t split_mix(std::uint64_t state) {
  state += 0x9E3779B97F4A7C15ULL;
  state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9ULL;
  state = (state ^ (state >> 27)) * 0x94D049BB133111EBULL;
  return state ^ (state >> 31);
}

}  // namespace

double random_number(std::uint64_t seed, Index pose, DrawPurpose purpose, Index step, Index number) {
  const std::uint64_t of_pose = split_mix(split_mix(seed) + static_cast<std::uint64_t>(pose));
  const std::uint64_t of_purpose = split_mix(of_pose + static_cast<std::uint64_t>(purpose));
  const std::uint64_t bits = split_mix(of_purpose + static_cast<std::uint64_t>(64 * step + number));
  return std::ldexp(static_cast<double>(bits >> 40), -24);
}

PlainQuaternion product(const PlainQuaternion& a, const PlainQuaternion& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3], a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1]};
}

Point rotated(const PlainQuaternion& q, const Point& point) {
  const PlainQuaternion back = {q[0], -q[1], -q[2], -q[3]};
  const PlainQuaternion result = product(product(q, {0, point.x, point.y, point.z}), back);
  return {result[1], result[2], result[3]};
}

PlainQuaternion uniform_rotation(double first, double second, double third) {
  const double low = std::sqrt(1 - first), high = std::sqrt(first);
  const double one = 2 * std::numbers::pi * second, other = 2 * std::numbers::pi * third;
  return {high * std::cos(other), low * std::sin(one), low * std::cos(one), high * std::sin(other)};
}

double map_energy(const dock::MapsView& maps, AtomType type, const Point& place) {
  const double coordinates[3] = {place.x, place.y, place.z};
  Index cell[3];
  double within[3], outside = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double steps = (coordinates[axis] - maps.origin[axis]) / maps.spacing;
    const double inside = std::clamp(steps, 0.0, static_cast<double>(maps.size[axis]));
    outside += std::abs(steps - inside) * maps.spacing;
    cell[axis] = std::min<Index>(static_cast<Index>(inside), maps.size[axis] - 1);
    within[axis] = inside - static_cast<double>(cell[axis]);
  }
  const std::uint16_t* const corners =
      maps.cells_of(static_cast<int>(type)) + 8 * ((cell[0] * maps.size[1] + cell[1]) * maps.size[2] + cell[2]);
  double energy = 20 * outside;
  for (int corner = 0; corner < 8; ++corner) {
    const double part_x = corner / 4 == 1 ? within[0] : 1 - within[0];
    const double part_y = corner / 2 % 2 == 1 ? within[1] : 1 - within[1];
    const double part_z = corner % 2 == 1 ? within[2] : 1 - within[2];
    energy += part_x * part_y * part_z * (-8 + 18. / 65535 * corners[corner]);
  }
  return energy;
}

PlainPose::PlainPose(const PoseLaunch& launch, const std::vector<float>& variables)
    : launch_(launch), packed_(launch.packed()), positions_(dock::place_atoms(packed_, launch.map(), variables)) {}

Point PlainPose::middle() const {
  Point sum;
  for (const int atom : launch_.map().heavy_atoms) {
    sum.x += positions_[atom].x / packed_.num_atoms;
    sum.y += positions_[atom].y / packed_.num_atoms;
    sum.z += positions_[atom].z / packed_.num_atoms;
  }
  return sum;
}

double PlainPose::inter_of(const std::vector<Point>& positions, int fragment) const {
  double sum = 0;
  for (const int atom : launch_.map().heavy_atoms) {
    if (is_in(fragment, atom)) sum += map_energy(launch_.pocket().maps, launch_.ligand().types[atom], positions[atom]);
  }
  return sum;
}

double PlainPose::pair_energy(int one, int other) const {
  const auto& types = launch_.ligand().types;
  const double apart = distance(positions_[one], positions_[other]);
  return reference::energy(dock::Scoring::vina,
                           reference::pair_terms(dock::Scoring::vina, types[one], types[other], apart));
}

double PlainPose::intra() const { return reference::intra(launch_.ligand(), positions_, dock::Scoring::vina); }

bool PlainPose::is_in(int fragment, int atom) const {
  int own = launch_.map().fragment_of[atom];
  while (own != fragment && own > 0) own = packed_.fragments[own].parent;
  return own == fragment;
}

double PlainPose::energy_of(int fragment) const {
  double sum = inter_of(positions_, fragment);
  for (const auto& [one, other] : launch_.ligand().flexible_pairs) {
    if (is_in(fragment, one) != is_in(fragment, other)) sum += pair_energy(one, other);
  }
  return sum;
}

int PlainPose::internal_bumps(int fragment, double limit) const {
  return static_cast<int>(std::ranges::count_if(launch_.ligand().flexible_pairs, [&](const auto& pair) {
    const auto& [one, other] = pair;
    return is_in(fragment, one) != is_in(fragment, other) && distance(positions_[one], positions_[other]) < limit;
  }));
}

}  // namespace quarry::test
