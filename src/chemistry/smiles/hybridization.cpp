/// Conjugation and hybridization, once aromaticity is known.
/// Source: RDKit 2022.09, GraphMol/ConjugHybrid.cpp.
#include <GraphMol/Atom.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "chemistry/smiles/steps.hpp"

namespace quarry::smiles {
namespace {

/// Can an atom be next to a multiple bond that is conjugated?
bool can_conjugate(const DraftAtom& atom) {
  constexpr int kNeon = 10;
  const int outer = atom.facts->outer_electrons;
  const bool element_can =
      atom.element <= kNeon || (outer != 5 && outer != 6) || (outer == 6 && atom.all_neighbours() < 2);
  return element_can && pi_electrons(atom) > 0;
}

bool is_above_single(const DraftBond& bond) { return kTwiceOrder[bond.type] >= 3; }

/// Makes bonds conjugated, beside those that are aromatic.
/// PERF: counted without branches, which would be mispredicted.
class Conjugation {
 public:
  explicit Conjugation(Draft& draft) : draft_(draft) {
    std::fill_n(bonds_of_.begin(), draft.atoms.size(), std::uint32_t{0});
    for (DraftBond& bond : draft.bonds) {
      bond.conjugated = bond.aromatic;
      const std::uint32_t counted =
          (bond.aromatic ? kConjugated : kOther) + (is_above_single(bond) ? kMultiple : std::uint32_t{0});
      bonds_of_[bond.begin] += counted;
      bonds_of_[bond.end] += counted;
    }
  }

  void run() {
    const auto has_both = [&](const DraftAtom&, std::size_t atom) {
      const std::uint32_t num_multiple = count(bonds_of_[atom], kMultiple), num_others = count(bonds_of_[atom], kOther);
      return (num_multiple != 0) & (num_others != 0);
    };
    for (const AtomId atom : SelectedAtoms(draft_, has_both)) conjugate_around(atom);
  }
  bool has_conjugated(std::size_t atom) const { return count(bonds_of_[atom], kConjugated) != 0; }

 private:
  /// One bond more of a kind. A word counts the bonds of an atom, eight bits for each kind, of which it has at most 24.
  enum Kind : std::uint32_t { kConjugated = 1, kOther = 1 << 8, kMultiple = 1 << 16 };
  static std::uint32_t count(std::uint32_t counts, Kind kind) { return counts / kind & 0xFF; }

  /// A multiple bond of this atom is conjugated with each other bond of it to an atom that can be conjugated.
  void conjugate_around(int index) {
    if (count(bonds_of_[index], kOther) == 0) return;  // now that those of earlier atoms are conjugated
    const DraftAtom& atom = draft_.atoms[index];
    if (atom.all_neighbours() < 2 || atom.all_neighbours() > 3 || !can_conjugate(atom)) return;
    const auto links = draft_.links_of(index);
    const std::uint32_t num_multiple = count(bonds_of_[index], kMultiple);
    for (const Link& link : links) {
      DraftBond& bond = draft_.bonds[link.bond];
      if (bond.conjugated) continue;
      const bool multiple = is_above_single(bond);
      if ((num_multiple > (multiple ? 1U : 0U) && is_open(link)) || (multiple && has_other_open(links, link)))
        mark(bond);
    }
  }

  bool is_open(const Link& link) const {
    const DraftAtom& neighbour = draft_.atoms[link.neighbour];
    return neighbour.all_neighbours() <= 3 && can_conjugate(neighbour);
  }
  bool has_other_open(std::span<const Link> links, const Link& link) const {
    return std::ranges::any_of(links, [&](const Link& other) { return other.bond != link.bond && is_open(other); });
  }
  void mark(DraftBond& bond) {
    bond.conjugated = true;
    for (const AtomId atom : {bond.begin, bond.end}) bonds_of_[atom] += kConjugated - kOther;
  }

  Draft& draft_;
  std::array<std::uint32_t, kMostAtoms> bonds_of_;  // not set beyond the atoms
};

/// Neighbours, lone pairs and unpaired electrons.
int num_orbitals(const DraftAtom& atom) {
  constexpr int kActinium = 89;
  const int neighbours = atom.all_neighbours();
  if (atom.element <= 1 || atom.element >= kActinium) return neighbours;
  const int outer = atom.facts->outer_electrons;
  const int free_electrons = outer - (atom.valence() + atom.charge);
  if (atom.radicals != 0 && atom.valence() + outer - atom.charge < 8)
    return neighbours + (free_electrons - atom.radicals) / 2 + atom.radicals;
  return neighbours + free_electrons / 2;
}

std::uint8_t hybridization_of(const DraftAtom& atom, bool has_conjugated_bond) {
  using RDKit::Atom;
  constexpr int kMostOrbitals = 6;
  // [has a conjugated bond and at most three neighbours][orbitals]
  static constexpr std::uint8_t kByOrbitals[2][kMostOrbitals + 1] = {
      {Atom::S, Atom::S, Atom::SP, Atom::SP2, Atom::SP3, Atom::SP3D, Atom::SP3D2},
      {Atom::S, Atom::S, Atom::SP, Atom::SP2, Atom::SP2, Atom::SP3D, Atom::SP3D2}};
  if (atom.element == 0) return Atom::UNSPECIFIED;
  const int neighbours = atom.all_neighbours();
  if (atom.chiral && neighbours == 4) return Atom::SP3;
  const int orbitals = num_orbitals(atom);
  if (orbitals < 0 || orbitals > kMostOrbitals) return Atom::UNSPECIFIED;
  const bool lowers = has_conjugated_bond & (neighbours <= 3);
  return kByOrbitals[lowers ? 1 : 0][orbitals];
}

}  // namespace

void assign_hybridization(Draft& draft) {
  Conjugation conjugation(draft);
  conjugation.run();
  for (std::size_t index = 0; index < draft.atoms.size(); ++index) {
    DraftAtom& atom = draft.atoms[index];
    atom.hybridization = hybridization_of(atom, conjugation.has_conjugated(index));
  }
}

}  // namespace quarry::smiles
