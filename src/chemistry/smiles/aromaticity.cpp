#include "chemistry/smiles/aromaticity.hpp"

#include <algorithm>
#include <bit>

#include "chemistry/smiles/element_facts.hpp"
#include "chemistry/smiles/rings/visit_system.hpp"
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

/// The multiple bonds of an atom.
struct Multiples {
  int count = 0;
  bool in_ring = false;  ///< is one of them in a ring?
  int outer = -1;        ///< the neighbour at the first that is in none; -1 where there is none
};

Multiples multiples_of(const Draft& draft, int atom) {
  Multiples found;
  for (const Link& link : draft.links_of(atom)) {
    const DraftBond& bond = draft.bonds[link.bond];
    if (!is_multiple(bond)) continue;
    ++found.count;
    if (bond.in_ring) {
      found.in_ring = true;
    } else if (found.outer < 0) {
      found.outer = link.neighbour;
    }
  }
  return found;
}

/// No more bonds than the element usually has, no radical that disqualifies, at most one multiple bond.
bool can_be_aromatic(const DraftAtom& atom, const Multiples& multiples) {
  constexpr int kArgon = 18, kSelenium = 34, kTellurium = 52;
  if (atom.element > kArgon && atom.element != kSelenium && atom.element != kTellurium) return false;
  const int like = atom.element - atom.charge;  // the element with as many electrons
  if (atom.facts->default_valence() > 0 && atom.valence() > facts_of(like).default_valence()) return false;
  if (atom.radicals != 0 && (atom.element != 6 || atom.charge != 0)) return false;
  return atom.explicit_valence - atom.degree <= 1 || multiples.count <= 1;
}

/// What an atom with pi electrons gives.
Donor donor_of(const Draft& draft, const DraftAtom& atom, int electrons, const Multiples& multiples) {
  const bool stolen =
      multiples.outer >= 0 && is_more_electronegative(draft.atoms[multiples.outer].element, atom.element);
  if (electrons == 0) {
    if (multiples.outer >= 0) return Donor::none;
    return multiples.in_ring ? Donor::one : Donor::unfit;
  }
  if (electrons == 1) {
    if (multiples.outer >= 0) return stolen ? Donor::none : Donor::one;
    if (atom.explicit_valence != atom.degree + atom.hydrogens) return Donor::one;
    return atom.charge == 1 ? Donor::none : Donor::unfit;
  }
  return (electrons - (stolen ? 1 : 0)) % 2 == 1 ? Donor::one : Donor::two;
}

Donor donor_of(const Draft& draft, int index) {
  const DraftAtom& atom = draft.atoms[index];
  const bool dummy = atom.element == 0;
  const int electrons = dummy ? 0 : pi_electrons(atom);
  if (electrons < 0) return Donor::unfit;
  const Multiples multiples = multiples_of(draft, index);
  if (!can_be_aromatic(atom, multiples)) return Donor::unfit;
  if (dummy) return multiples.in_ring ? Donor::one : Donor::any;
  return donor_of(draft, atom, electrons, multiples);
}

/// Six, ten, ... electrons, or two; at most one atom may give any number.
bool are_aromatic(int num_one, int num_two, int num_any) {
  if (num_any > 1) return false;
  const int least = num_one + 2 * num_two + num_any;
  const int most = least + num_any;
  if (most < 6) return most == 2;
  return least % 4 == 2 || most % 4 == 2;
}

void mark_bond(DraftBond& bond) {
  bond.aromatic = true;
  if (bond.type == kSingle || bond.type == kDouble) bond.type = kAromatic;
}

/// The next larger number with as many bits.
std::uint32_t next_combination(std::uint32_t bits) {
  const std::uint32_t lowest = bits & -bits, carried = bits + lowest;
  return carried | (((bits ^ carried) >> 2) / lowest);
}

}  // namespace

/// Can every atom take part, and is one of them no dummy?
bool AromaticityModel::is_fit(const Ring& ring) {
  bool all_dummies = true;
  for (const AtomId atom : draft_->atoms_of(ring)) {
    if (donors_[atom] == Donor::unknown) donors_[atom] = donor_of(*draft_, atom);
    if (donors_[atom] == Donor::unfit) return false;
    all_dummies &= draft_->atoms[atom].element == 0;
  }
  return !all_dummies;
}

Unproven AromaticityModel::run(Draft& draft) {
  if (draft.rings.empty()) return Unproven::none;
  draft_ = &draft;
  donors_.assign(draft.atoms.size(), Donor::unknown);
  std::uint64_t open = 0;
  for (std::size_t ring = 0; ring < draft.rings.size(); ++ring) {
    if (!draft.rings[ring].aromatic && is_fit(draft.rings[ring])) open |= std::uint64_t{1} << ring;
  }
  while (open != 0) {
    const int first = std::countr_zero(open);
    const Ring& ring = draft.rings[first];
    if ((ring.fused & open) == 0) {
      open &= open - 1;
      if (ring.size > kMostInSystem) return Unproven::aromaticity;
      mark_alone(ring);
      continue;
    }
    system_.clear();
    visit_system(draft, first, &Ring::fused, open, system_);
    const Unproven reason = run_system();
    if (reason != Unproven::none) return reason;
  }
  return Unproven::none;
}

/// A ring that is fused with none that could be aromatic.
void AromaticityModel::mark_alone(const Ring& ring) {
  int num_donors[kNumDonors] = {};
  for (const AtomId atom : draft_->atoms_of(ring)) ++num_donors[static_cast<int>(donors_[atom])];
  const auto number = [&](Donor donor) { return num_donors[static_cast<int>(donor)]; };
  if (!are_aromatic(number(Donor::one), number(Donor::two), number(Donor::any))) return;
  for (const AtomId atom : draft_->atoms_of(ring)) draft_->atoms[atom].aromatic = true;
  for (const BondId bond : draft_->bonds_of(ring)) mark_bond(draft_->bonds[bond]);
}

/// Numbers atoms and bonds of the system from 0.
void AromaticityModel::number_system() {
  rings_.clear();
  atoms_.clear();
  bonds_.clear();
  atom_numbers_.assign(draft_->atoms.size(), kNoNumber);
  bond_numbers_.assign(draft_->bonds.size(), kNoNumber);
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

bool AromaticityModel::is_aromatic(std::uint64_t atoms) const {
  return are_aromatic(std::popcount(atoms & gives_one_), std::popcount(atoms & gives_two_),
                      std::popcount(atoms & gives_any_));
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
    mark_bond(draft_->bonds[bonds_[std::countr_zero(rest)]]);
  }
  done_bonds_ |= outer;
}

}  // namespace quarry::smiles
