/// Atoms are sorted by the cube they are in, so that only the 27 cubes around an atom are searched.
#include "readers/receptor/bonded.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <numbers>
#include <utility>

#include "chemistry/elements.hpp"
#include "util/cast.hpp"

namespace quarry {
namespace {

using Cube = std::array<Index, 3>;

Cube cube_of(const Point& position) {
  const auto index = [](double value) { return static_cast<Index>(std::floor(value / kMaxBondLength)); };
  return {index(position.x), index(position.y), index(position.z)};
}

double squared_distance(const Point& left, const Point& right) {
  const double x = left.x - right.x, y = left.y - right.y, z = left.z - right.z;
  return x * x + y * y + z * z;
}

bool bonded(const SiteAtom& left, const SiteAtom& right) {
  const double limit = 1.1 * (bonding_radius(left.element) + bonding_radius(right.element));
  return squared_distance(left.position, right.position) < limit * limit;
}

}  // namespace

bool ListedAtom::is_hydrogen() const { return atom->element == kHydrogen; }

BondedAtoms::BondedAtoms(const Structure& structure) {
  for (const SiteResidue& residue : structure) {
    for (const SiteAtom& atom : residue.atoms) atoms_.push_back({&residue, &atom});
  }
  std::vector<std::pair<Cube, int>> cubes;
  for (const ListedAtom& listed : atoms_) {
    cubes.emplace_back(cube_of(listed.atom->position), checked_cast<int>(std::ssize(cubes)));
  }
  std::ranges::sort(cubes);
  neighbours_.resize(atoms_.size());
  for (const auto& [cube, atom] : cubes) {
    // Cubes that differ in the last index only follow each other.
    for (int column = 0; column < 9; ++column) {
      const Index x = cube[0] + column / 3 - 1, y = cube[1] + column % 3 - 1;
      auto other = std::ranges::lower_bound(cubes, std::pair(Cube{x, y, cube[2] - 1}, 0));
      for (const Cube last{x, y, cube[2] + 1}; other != cubes.end() && other->first <= last; ++other) {
        const int candidate = other->second;
        if (candidate != atom && bonded(*atoms_[atom].atom, *atoms_[candidate].atom)) {
          neighbours_[atom].push_back(candidate);
        }
      }
    }
    std::ranges::sort(neighbours_[atom]);
  }
}

double BondedAtoms::distance(int left, int right) const {
  return std::sqrt(squared_distance(atoms_[left].atom->position, atoms_[right].atom->position));
}

double BondedAtoms::angle(int left, int centre, int right) const {
  const double a = distance(left, centre), b = distance(centre, right), c = distance(left, right);
  if (a == 0 || b == 0) return 0;
  const double cosine = std::clamp((a * a + b * b - c * c) / (2 * a * b), -1.0, 1.0);
  return std::acos(cosine) * 180 / std::numbers::pi;
}

}  // namespace quarry
