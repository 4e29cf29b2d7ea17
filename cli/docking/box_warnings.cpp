#include "docking/box_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "output/text.hpp"
#include "output/warnings.hpp"

namespace quarry::cli {

double checked_grid_spacing(const dock::Box& box, const std::string& of) {
  const double spacing = dock::grid_spacing(box);
  if (spacing > dock::kGridSpacing)
    warn(
        fmt::format("the box{} is so large that its maps have points {:.3f} A apart instead of {:.3f}, and poses "
                    "may be missed: smaller boxes find more",
                    of, spacing, dock::kGridSpacing));
  return spacing;
}

void warn_of_ligand(const DockTarget& target, const Receptor& receptor) {
  constexpr double kNearlyAll = 0.9;
  if (target.ligand.empty() || receptor.atoms.empty()) return;
  std::vector<Point> atoms;
  for (const ReceptorAtom& atom : receptor.atoms) atoms.push_back(atom.position);
  const Point all = dock::box_around(atoms, 0).size, own = dock::box_around(target.ligand, 0).size;
  if (own.x >= kNearlyAll * all.x && own.y >= kNearlyAll * all.y && own.z >= kNearlyAll * all.z) {
    warn(
        "the atoms of --autobox-ligand are spread as far as the receptor, and the box is around all of it: give a "
        "ligand that lies in the pocket");
    return;
  }
  // Its hydrogens, up to two of three atoms, are none of the receptor's.
  constexpr double kSamePosition = 0.3;
  const Index num_same = std::ranges::count_if(target.ligand, [&](const Point& atom) {
    return std::ranges::any_of(atoms, [&](const Point& other) {
      return std::hypot(atom.x - other.x, atom.y - other.y, atom.z - other.z) < kSamePosition;
    });
  });
  if (3 * num_same >= std::ssize(target.ligand))
    warn(fmt::format(
        "the receptor has {} where --autobox-ligand has them: it seems to hold that ligand, which is in the "
        "way of others; remove it",
        counted(num_same, "atom")));
}

}  // namespace quarry::cli
