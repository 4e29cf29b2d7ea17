#include "chemistry/smiles/aromaticity.hpp"

#include <algorithm>
#include <bit>

#include "chemistry/smiles/element_facts.hpp"
#include "chemistry/smiles/rings/ring_systems.hpp"
#include "chemistry/smiles/steps.hpp"

namespace quarry::smiles {
namespace {

/// Most rings that are tried together, and most fused rings for which that is not left to RDKit.
constexpr int kMostTogether = 6, kMostFused = 16;
/// Most atoms, and most bonds, of fused rings.
constexpr std::size_t kMostInSystem = 64;
constexpr std::uint8_t kNoNumber = 255;

bool is_multiple(const DraftBond& bond) { return bond.type == kDouble || bond.type == kTriple; }

/// More outer electrons, or as many and a smaller number.
bool is_more_electronegative(int left, int right) {
  const int left_electrons = facts_of(left).outer_electrons, right_electrons = facts_of(right).outer_electrons;
  return left_electrons > right_electrons || (left_electrons == right_electrons && left < right);
}

/// The neighbour at the first multiple bond that is no ring bond; -1 where there is none.
int outer_neighbour(const Draft& draft, int atom) {
  for (const Link& link : draft.links_of(atom)) {
    const DraftBond& bond = draft.bonds[link.bond];
    if (!bond.in_ring && is_multiple(bond)) return link.neighbour;
  }
  return -1;
}

bool has_ring_multiple(const Draft& draft, int atom) {
  return std::ranges::any_of(draft.links_of(atom), [&](Link link) {
    return draft.bonds[link.bond].in_ring && is_multiple(draft.bonds[link.bond]);
  });
}

/// No more bonds than the element usually has, no radical that disqualifies, at most one multiple bond.
bool can_be_aromatic(const Draft& draft, int index) {
  const DraftAtom& atom = draft.atoms[index];
  constexpr int kArgon = 18, kSelenium = 34, kTellurium = 52;
  if (atom.element > kArgon && atom.element != kSelenium && atom.element != kTellurium) return false;
  const int like = atom.element - atom.charge;  // the element with as many electrons
  if (atom.facts->default_valence() > 0 && atom.valence() > facts_of(like).default_valence()) return false;
  if (atom.radicals != 0 && (atom.element != 6 || atom.charge != 0)) return false;
  if (atom.explicit_valence - atom.degree <= 1) return true;
  return std::ranges::count_if(draft.links_of(index), [&](Link link) { return is_multiple(draft.bonds[link.bond]); }) <=
         1;
}

/// The next larger number with as many bits.
std::uint32_t next_combination(std::uint32_t bits) {
  const std::uint32_t lowest = bits & -bits, carried = bits + lowest;
  return carried | (((bits ^ carried) >> 2) / lowest);
}

}  // namespace

AromaticityModel::Donor AromaticityModel::donor_of(int index) const {
  const DraftAtom& atom = draft_->atoms[index];
  if (atom.element == 0) return has_ring_multiple(*draft_, index) ? Donor::one : Donor::any;
  const int electrons = pi_electrons(atom);
  if (electrons < 0) return Donor::unfit;
  const int outer = outer_neighbour(*draft_, index);
  const bool stolen = outer >= 0 && is_more_electronegative(draft_->atoms[outer].element, atom.element);
  if (electrons == 0) {
    if (outer >= 0) return Donor::none;
    return has_ring_multiple(*draft_, index) ? Donor::one : Donor::unfit;
  }
  if (electrons == 1) {
    if (outer >= 0) return stolen ? Donor::none : Donor::one;
    if (atom.explicit_valence != atom.degree + atom.hydrogens) return Donor::one;
    return atom.charge == 1 ? Donor::none : Donor::unfit;
  }
  return (electrons - (stolen ? 1 : 0)) % 2 == 1 ? Donor::one : Donor::two;
}

AromaticityModel::Donor AromaticityModel::fitting_donor_of(int index) const {
  const Donor donor = donor_of(index);
  return donor != Donor::unfit && can_be_aromatic(*draft_, index) ? donor : Donor::unfit;
}

/// Can every atom take part, and is one of them no dummy?
bool AromaticityModel::is_fit(const Ring& ring) {
  bool all_dummies = true;
  for (const AtomId atom : draft_->atoms_of(ring)) {
    if (donors_[atom] == Donor::unknown) donors_[atom] = fitting_donor_of(atom);
    if (donors_[atom] == Donor::unfit) return false;
    all_dummies &= draft_->atoms[atom].element == 0;
  }
  return !all_dummies;
}

Unproven AromaticityModel::run(Draft& draft) {
  if (draft.rings.empty()) return Unproven::none;
  draft_ = &draft;
  donors_.assign(draft.atoms.size(), Donor::unknown);
  atom_numbers_.assign(draft.atoms.size(), kNoNumber);
  bond_numbers_.assign(draft.bonds.size(), kNoNumber);
  std::uint64_t open = 0;
  for (std::size_t ring = 0; ring < draft.rings.size(); ++ring) {
    if (is_fit(draft.rings[ring])) open |= std::uint64_t{1} << ring;
  }
  while (open != 0) {
    system_.clear();
    visit_system(draft, std::countr_zero(open), &Ring::fused, open, system_);
    const Unproven reason = run_system();
    if (reason != Unproven::none) return reason;
  }
  return Unproven::none;
}

/// Numbers atoms and bonds of the system from 0.
void AromaticityModel::number_system() {
  rings_.clear();
  atoms_.clear();
  bonds_.clear();
  for (const int id : system_) {
    const Ring& ring = draft_->rings[id];
    for (const AtomId atom : draft_->atoms_of(ring)) {
      if (atom_numbers_[atom] != kNoNumber) continue;
      atom_numbers_[atom] = static_cast<std::uint8_t>(std::min(atoms_.size(), kMostInSystem));
      atoms_.push_back(atom);
    }
    for (const BondId bond : draft_->bonds_of(ring)) {
      if (bond_numbers_[bond] != kNoNumber) continue;
      bond_numbers_[bond] = static_cast<std::uint8_t>(std::min(bonds_.size(), kMostInSystem));
      bonds_.push_back(bond);
    }
  }
}

Unproven AromaticityModel::run_system() {
  const int num_rings = static_cast<int>(system_.size());
  if (num_rings > kMostFused) return Unproven::aromaticity;
  number_system();
  if (atoms_.size() > kMostInSystem || bonds_.size() > kMostInSystem) return Unproven::aromaticity;
  const auto bit = [](int i) { return std::uint64_t{1} << i; };
  gives_one_ = gives_two_ = gives_any_ = done_bonds_ = 0;
  for (const AtomId atom : atoms_) {
    const std::uint64_t number = bit(atom_numbers_[atom]);
    if (donors_[atom] == Donor::one) gives_one_ |= number;
    if (donors_[atom] == Donor::two) gives_two_ |= number;
    if (donors_[atom] == Donor::any) gives_any_ |= number;
  }
  std::uint64_t all_bonds = 0;
  for (const int id : system_) {
    SystemRing ring;
    for (const AtomId atom : draft_->atoms_of(draft_->rings[id])) ring.atoms |= bit(atom_numbers_[atom]);
    for (const BondId bond : draft_->bonds_of(draft_->rings[id])) ring.bonds |= bit(bond_numbers_[bond]);
    for (int i = 0; i < num_rings; ++i) {
      if ((draft_->rings[id].fused >> system_[i] & 1) != 0) ring.fused |= std::uint32_t{1} << i;
    }
    all_bonds |= ring.bonds;
    rings_.push_back(ring);
  }
  for (int size = 1; size <= std::min(num_rings, kMostTogether) && done_bonds_ != all_bonds; ++size) {
    for (std::uint32_t rings = (std::uint32_t{1} << size) - 1; rings >> num_rings == 0;
         rings = next_combination(rings)) {
      if (size == 1 || is_connected(rings)) mark(rings);
    }
  }
  for (const AtomId atom : atoms_) atom_numbers_[atom] = kNoNumber;
  for (const BondId bond : bonds_) bond_numbers_[bond] = kNoNumber;
  return Unproven::none;
}

bool AromaticityModel::is_connected(std::uint32_t rings) const {
  std::uint32_t reached = rings & -rings;
  for (std::uint32_t next = reached; next != 0;) {
    const int ring = std::countr_zero(next);
    next &= next - 1;
    const std::uint32_t more = rings_[ring].fused & rings & ~reached;
    reached |= more;
    next |= more;
  }
  return reached == rings;
}

/// Six, ten, ... electrons, or two; at most one atom may give any number.
bool AromaticityModel::is_aromatic(std::uint64_t atoms) const {
  const int num_any = std::popcount(atoms & gives_any_);
  if (num_any > 1) return false;
  const int least = std::popcount(atoms & gives_one_) + 2 * std::popcount(atoms & gives_two_) + num_any;
  const int most = least + num_any;
  if (most < 6) return most == 2;
  return least % 4 == 2 || most % 4 == 2;
}

/// Marks the atoms and outer bonds of rings that are aromatic together.
void AromaticityModel::mark(std::uint32_t rings) {
  std::uint64_t atoms[3] = {}, bonds[2] = {};  // in at least one, two, three of the rings
  for (std::uint32_t rest = rings; rest != 0; rest &= rest - 1) {
    const SystemRing& ring = rings_[std::countr_zero(rest)];
    atoms[2] |= atoms[1] & ring.atoms;
    atoms[1] |= atoms[0] & ring.atoms;
    atoms[0] |= ring.atoms;
    bonds[1] |= bonds[0] & ring.bonds;
    bonds[0] |= ring.bonds;
  }
  if (!is_aromatic(atoms[0] & ~atoms[2])) return;
  for (std::uint64_t rest = atoms[0]; rest != 0; rest &= rest - 1)
    draft_->atoms[atoms_[std::countr_zero(rest)]].aromatic = true;
  const std::uint64_t outer = bonds[0] & ~bonds[1];
  for (std::uint64_t rest = outer & ~done_bonds_; rest != 0; rest &= rest - 1) {
    DraftBond& bond = draft_->bonds[bonds_[std::countr_zero(rest)]];
    bond.aromatic = true;
    if (bond.type == kSingle || bond.type == kDouble) bond.type = kAromatic;
  }
  done_bonds_ |= outer;
}

}  // namespace quarry::smiles
