/// Checks of poses in two halves: what no torsion changes, once a conformer, and the rest for every pose.
///
/// Source: Buttenschoen, Morris, Deane, Chem. Sci. 2024, 15, 3130 (PoseBusters), with the limits of its version for
/// docking. Only heavy atoms count. Metals, to which ligands bind, count with their covalent radius.
#pragma once
#include <span>
#include <vector>

#include "dock/receptor_cells.hpp"
#include "quarry/dock.hpp"

namespace quarry::dock {

/// Van der Waals and covalent radius of an atom.
struct Radii {
  double van_der_waals = 0, covalent = 0;
  bool is_metal = false;
};

/// A conformer of a ligand, ready to have its poses checked. Does not refer to the ligand.
class ConformerChecks {
 public:
  ConformerChecks(const Ligand& ligand, std::span<const Point> conformer);

 private:
  friend class PoseChecker;
  struct HeavyAtom {
    int atom = 0;
    Radii radii;
  };
  /// Two atoms whose distance a torsion changes.
  struct Clash {
    int begin = 0, end = 0;
    double least_squared = 0;
  };

  bool strained_ = false;
  bool clashes_ = false;  // in a part that is rigid
  double volume_ = 0;     // of all atoms, radii scaled
  std::vector<HeavyAtom> atoms_;
  std::vector<Clash> flexible_;
};

/// Checks poses in one receptor. Checking is thread-safe.
class PoseChecker {
 public:
  /// @throws InputError  the position of an atom is not finite
  explicit PoseChecker(const Receptor& receptor);
  /// @param positions  [num_atoms] of a pose of this conformer, all finite
  PoseChecks check(const ConformerChecks& conformer, std::span<const Point> positions) const;

 private:
  struct Atom {
    Point position;
    Radii radii;
  };
  bool is_too_far(const ConformerChecks& conformer, std::span<const Point> positions) const;

  std::vector<Atom> atoms_;
  ReceptorCells cells_;
};

}  // namespace quarry::dock
