/// The atoms of a receptor in one list, and which of them are bonded by their distance.
#pragma once
#include <vector>

#include "readers/receptor/structure.hpp"

namespace quarry {

struct ListedAtom {
  const SiteResidue* residue = nullptr;
  const SiteAtom* atom = nullptr;
  bool is_hydrogen() const;
};

class BondedAtoms {
 public:
  explicit BondedAtoms(const Structure& structure);
  const std::vector<ListedAtom>& atoms() const { return atoms_; }
  /// Nearer than 1.1 times the sum of their radii, in order.
  const std::vector<int>& neighbours(int atom) const { return neighbours_[atom]; }
  double distance(int left, int right) const;
  /// In degrees, at `centre`.
  double angle(int left, int centre, int right) const;
  int element(int atom) const { return atoms_[atom].atom->element; }

 private:
  std::vector<ListedAtom> atoms_;
  std::vector<std::vector<int>> neighbours_;
};

}  // namespace quarry
