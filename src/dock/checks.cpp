/// Bonds, angles, flat rings, distances and volumes of poses.
#include "dock/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "chemistry/elements.hpp"
#include "dock/overlap.hpp"
#include "dock/point.hpp"

namespace quarry::dock {
namespace {

constexpr double kStrain = 0.25;         // a bond, or the ends of an angle, beyond their bounds
constexpr double kClash = 0.3;           // other atoms below their bound
constexpr double kFlat = 0.25;           // angstrom out of the plane of an aromatic ring
constexpr double kLeastDistance = 0.75;  // to the receptor, over the sum of radii
constexpr double kMostDistance = 5;      // angstrom, to the receptor
constexpr double kMostOverlap = 0.075;   // of the ligand's volume
constexpr double kRadiusScale = 0.8;     // of the spheres whose volume that is
constexpr double kMostRadiiSum = 4.2;    // no two elements that are docked have a greater one

Radii radii_of(int element, AtomType type) {
  return {van_der_waals_radius(element), covalent_radius(element), type == AtomType::metal};
}

double radii_sum(const Radii& a, const Radii& b) {
  return a.is_metal || b.is_metal ? a.covalent + b.covalent : a.van_der_waals + b.van_der_waals;
}

Sphere scaled_sphere(const Point& center, const Radii& radii) {
  return {center, kRadiusScale * (radii.is_metal ? radii.covalent : radii.van_der_waals)};
}

bool is_strained(const Ligand::Bound& bound, std::span<const Point> positions) {
  const double distance = norm(positions[bound.begin] - positions[bound.end]);
  return distance < (1 - kStrain) * bound.lower || distance > (1 + kStrain) * bound.upper;
}

/// @param ring  its atoms, in order around it
bool is_flat(const std::vector<int>& ring, std::span<const Point> positions) {
  Point center, normal;
  for (const int atom : ring) center = center + (1. / static_cast<double>(ring.size())) * positions[atom];
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const int next = ring[(i + 1) % ring.size()];
    normal = normal + cross(positions[ring[i]] - center, positions[next] - center);
  }
  return std::all_of(ring.begin(), ring.end(),
                     [&](int atom) { return std::abs(dot(positions[atom] - center, normal)) <= kFlat * norm(normal); });
}

}  // namespace

ConformerChecks::ConformerChecks(const Ligand& ligand, std::span<const Point> conformer) {
  std::vector<Sphere> spheres;
  for (int atom = 0; atom < ligand.num_atoms(); ++atom) {
    if (ligand.elements[atom] == 1) continue;
    atoms_.push_back({atom, radii_of(ligand.elements[atom], ligand.types[atom])});
    spheres.push_back(scaled_sphere(conformer[atom], atoms_.back().radii));
  }
  volume_ = volume(spheres);
  for (const Ligand::Bound& bound : ligand.bounds) {
    const double least = (1 - kClash) * bound.lower;
    if (bound.num_bonds <= 2) {
      strained_ |= is_strained(bound, conformer);
    } else if (ligand.fragment_of[bound.begin] == ligand.fragment_of[bound.end]) {
      clashes_ |= squared_distance(conformer[bound.begin], conformer[bound.end]) < least * least;
    } else {
      flexible_.push_back({bound.begin, bound.end, least * least});
    }
  }
  for (const std::vector<int>& ring : ligand.flat_rings) strained_ |= !is_flat(ring, conformer);
}

PoseChecker::PoseChecker(const Receptor& receptor) : cells_(receptor, kMostRadiiSum) {
  for (const ReceptorAtom& atom : receptor.atoms) {
    atoms_.push_back({atom.position, radii_of(atom.element, atom.type)});
  }
}

/// Looks at every pair of atoms: few poses are so far that it is asked.
bool PoseChecker::is_too_far(const ConformerChecks& conformer, std::span<const Point> positions) const {
  return std::ranges::none_of(conformer.atoms_, [&](const auto& heavy) {
    return std::ranges::any_of(atoms_, [&](const Atom& atom) {
      return squared_distance(positions[heavy.atom], atom.position) <= kMostDistance * kMostDistance;
    });
  });
}

PoseChecks PoseChecker::check(const ConformerChecks& conformer, std::span<const Point> positions) const {
  PoseChecks result;
  std::vector<Sphere> ligand_spheres, receptor_spheres;  // those that meet
  for (const auto& heavy : conformer.atoms_) {
    const Sphere sphere = scaled_sphere(positions[heavy.atom], heavy.radii);
    const std::size_t num_before = receptor_spheres.size();
    cells_.for_near(sphere.center, [&](Index i) {
      const auto& [position, other_radii] = atoms_[i];
      const double sum = radii_sum(heavy.radii, other_radii), distance = squared_distance(sphere.center, position);
      if (distance >= sum * sum) return;
      result.min_distance = std::min(result.min_distance, std::sqrt(distance) / sum);
      const Sphere other = scaled_sphere(position, other_radii);
      const double reach = sphere.radius + other.radius;
      if (distance < reach * reach) receptor_spheres.push_back(other);
    });
    if (receptor_spheres.size() > num_before) ligand_spheres.push_back(sphere);
  }
  if (!ligand_spheres.empty()) {
    result.overlap = std::min(1., shared_volume(ligand_spheres, receptor_spheres) / conformer.volume_);
  }
  const auto& flexible = conformer.flexible_;
  result.internal_clash =
      conformer.clashes_ || std::any_of(flexible.begin(), flexible.end(), [&](const ConformerChecks::Clash& clash) {
        return squared_distance(positions[clash.begin], positions[clash.end]) < clash.least_squared;
      });
  result.strained = conformer.strained_;
  result.too_far = result.min_distance == 1 && is_too_far(conformer, positions);
  result.valid = result.min_distance >= kLeastDistance && result.overlap <= kMostOverlap && !result.internal_clash &&
                 !result.strained && !result.too_far;
  return result;
}

PoseChecks check_pose(const Receptor& receptor, const Ligand& ligand, std::span<const Point> positions) {
  if (std::ssize(positions) != ligand.num_atoms()) {
    throw InputError(
        fmt::format("{}: the pose has {} atoms and the ligand {}", ligand.id, positions.size(), ligand.num_atoms()));
  }
  for (const Point& point : positions) {
    if (!is_finite(point)) throw InputError(fmt::format("{}: a position of the pose is not finite", ligand.id));
  }
  return PoseChecker(receptor).check(ConformerChecks(ligand, positions), positions);
}

}  // namespace quarry::dock
