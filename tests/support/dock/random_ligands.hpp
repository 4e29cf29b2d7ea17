/// Random ligands and receptors as plain data, and ways to move them.
///
/// The atoms are of every type and lie at the distances that atoms have, but the molecules are no chemistry: trees of
/// atoms whose fragments are pieces of the tree.
#pragma once
#include <span>

#include "quarry/dock.hpp"
#include "support/random.hpp"

namespace quarry::test {

double distance(const Point& a, const Point& b);
/// In [low, high).
double random_between(Random& random, double low, double high);
/// Of length 1.
Point random_direction(Random& random);

struct LigandShape {
  int heavy_atoms = 12;
  int torsions = 3;  ///< at most heavy_atoms - 1
  int hydrogens = 4;
};
Ligand random_ligand(Random& random, const LigandShape& shape);

/// Atoms at least 3 apart in a shell around the origin that leaves room for a ligand.
Receptor random_receptor(Random& random, int num_atoms = 150, double hollow_radius = 6);
/// A box around the origin.
dock::Box cube(double size);

/// A turn about the origin, and then a shift.
struct Placement {
  Point axis = {0, 0, 1};
  double angle = 0;
  Point shift;
  Point operator()(const Point& point) const;
  std::vector<Point> operator()(std::span<const Point> points) const;
  Receptor operator()(const Receptor& receptor) const;
};
Placement random_placement(Random& random, double most_shift);

/// A pose of the ligand with random torsions, placed at random near the origin.
std::vector<Point> random_pose(Random& random, const Ligand& ligand, double most_shift);

/// The same ligand with its atoms in another order: atom i of the result is atom `order[i]` of the ligand.
Ligand renumbered(const Ligand& ligand, const std::vector<int>& order);
std::vector<Point> renumbered(std::span<const Point> positions, const std::vector<int>& order);
std::vector<int> random_order(Random& random, int size);

/// A row that holds this ligand.
LigandRow row_of(Index number, Ligand ligand);

}  // namespace quarry::test
