/// Explicit valences and the hydrogens that they leave room for, as RDKit counts them.
/// Source: RDKit 2022.09, GraphMol/Atom.cpp, calcExplicitValence and calcImplicitValence; MolOps.cpp, assignRadicals, adjustHs.
#include <algorithm>
#include <array>
#include <cstdint>

#include "chemistry/elements.hpp"
#include "chemistry/smiles/steps.hpp"

namespace quarry::smiles {
namespace {

constexpr int kRefused = -1;

/// By how much a charge raises the number of bonds.
int charge_effect(const DraftAtom& atom, const ElementFacts& facts) {
  const int effect = facts.early ? -atom.charge : atom.charge;
  return atom.element == kCarbon ? std::min(effect, -effect) : effect;
}

/// Twice the bond orders of every atom, not set beyond the atoms.
struct TwiceOrders {
  explicit TwiceOrders(const Draft& draft) {
    std::fill_n(of.begin(), draft.atoms.size(), std::uint8_t{0});
    for (const DraftBond& bond : draft.bonds) {
      of[bond.begin] += kTwiceOrder[bond.type];
      of[bond.end] += kTwiceOrder[bond.type];
    }
  }
  std::array<std::uint8_t, kMostAtoms> of;
};

int twice_bond_orders(const Draft& draft, int atom) {
  int twice = 0;
  for (const Link& link : draft.links_of(atom)) twice += kTwiceOrder[draft.bonds[link.bond].type];
  return twice;
}

/// @param twice  of the bond orders of an aromatic atom
/// @return  twice the largest valence that it may have, where that takes at most three halves of a bond away; else `twice`
int aromatic_twice(const ElementFacts& facts, int effect, int twice) {
  int allowed = facts.default_valence() + effect;
  if (allowed < 0 || twice <= 2 * allowed) return twice;
  for (int i = 0; i < facts.num_valences && facts.valences[i] != -1; ++i) {
    const int valence = facts.valences[i] + effect;
    if (2 * valence > twice) break;
    allowed = valence;
  }
  return twice - 2 * allowed <= 3 ? 2 * allowed : twice;
}

/// @param twice  of its bond orders
int explicit_valence(const DraftAtom& atom, int twice, bool aromatic) {
  twice += 2 * atom.hydrogens;
  if (aromatic) {
    const ElementFacts& facts = *atom.facts;
    twice = aromatic_twice(facts, charge_effect(atom, facts), twice);
  }
  return (twice + 1) / 2;
}

int explicit_valence(const Draft& draft, int index, bool aromatic) {
  return explicit_valence(draft.atoms[index], twice_bond_orders(draft, index), aromatic);
}

/// Are there no more bonds than the element may have?
bool is_allowed(const DraftAtom& atom, int explicit_valence) {
  const ElementFacts& facts = *atom.facts;
  const int effective = explicit_valence + (facts.outer_electrons >= 4 ? -atom.charge : atom.charge);
  return facts.highest_valence() <= 0 || effective <= facts.highest_valence();
}

/// Hydrogens that are added to an atom that is not in brackets; kRefused where RDKit refuses its valence.
int implicit_valence(const DraftAtom& atom, int explicit_valence) {
  const ElementFacts& facts = *atom.facts;
  if (atom.element == 0 || facts.default_valence() == -1) return 0;
  const int used = explicit_valence + atom.radicals, effect = charge_effect(atom, facts);
  if (atom.aromatic && used <= facts.default_valence() + effect) return facts.default_valence() + effect - used;
  for (int i = 0; i < facts.num_valences && facts.valences[i] >= 0; ++i) {
    const int allowed = facts.valences[i] + effect;
    if (atom.aromatic ? used == allowed && facts.valences[i] > 0 : used <= allowed) return allowed - used;
  }
  return atom.aromatic || facts.valences[facts.num_valences - 1] != -1 ? kRefused : 0;
}

struct Valences {
  std::int8_t of_bonds = 0, added = 0;  ///< bonds and hydrogens that are there; hydrogens to add, or kRefused
  bool allowed = false;
};

/// @param twice  of the bond orders
Valences computed_valences(const DraftAtom& atom, int twice) {
  const int of_bonds = explicit_valence(atom, twice, atom.aromatic);
  const int added = atom.fixed_hydrogens ? 0 : implicit_valence(atom, of_bonds);
  return {static_cast<std::int8_t>(of_bonds), static_cast<std::int8_t>(added), is_allowed(atom, of_bonds)};
}

/// Of atoms that are written without brackets and have few bonds, which nearly all are: neutral, without hydrogens.
class PlainValences {
 public:
  static constexpr int kMostTwice = 15;

  PlainValences() {
    for (int element = 0; element <= kIodine; ++element) {
      for (const bool aromatic : {false, true}) {
        for (int twice = 0; twice <= kMostTwice; ++twice) {
          DraftAtom atom;
          atom.facts = &facts_of(element);
          atom.element = static_cast<std::uint8_t>(element);
          atom.aromatic = aromatic;
          of_[element][aromatic ? 1 : 0][twice] = computed_valences(atom, twice);
        }
      }
    }
  }
  static bool have(const DraftAtom& atom, int twice) {
    const bool plain = !atom.fixed_hydrogens && atom.charge == 0 && atom.hydrogens == 0 && atom.radicals == 0;
    return plain && atom.element <= kIodine && twice <= kMostTwice;
  }
  Valences of(const DraftAtom& atom, int twice) const { return of_[atom.element][atom.aromatic ? 1 : 0][twice]; }

 private:
  static constexpr int kIodine = 53;
  std::array<std::array<std::array<Valences, kMostTwice + 1>, 2>, kIodine + 1> of_;
};

const PlainValences& plain_valences() {
  static const PlainValences table;
  return table;
}

Valences valences_of(const DraftAtom& atom, int twice, const PlainValences& plain) {
  return PlainValences::have(atom, twice) ? plain.of(atom, twice) : computed_valences(atom, twice);
}

/// Makes the bond to a neighbour one lower, and both atoms charged.
void separate(Draft& draft, int atom, const Link& link) {
  --draft.bonds[link.bond].type;
  draft.atoms[atom].charge = 1;
  draft.atoms[link.neighbour].charge = -1;
}

bool is_neutral(const Draft& draft, const Link& link, int element, int bond_type) {
  const DraftAtom& atom = draft.atoms[link.neighbour];
  return atom.element == element && atom.charge == 0 && draft.bonds[link.bond].type == bond_type;
}

/// `N(=O)=O` and `N=N#N`.
void separate_nitrogen(Draft& draft, int index) {
  const DraftAtom& atom = draft.atoms[index];
  if (atom.charge != 0) return;
  int twice = 0;
  bool aromatic = false;
  for (const Link& link : draft.links_of(index)) {
    const DraftBond& bond = draft.bonds[link.bond];
    twice += kTwiceOrder[bond.type];
    aromatic |= bond.aromatic;
  }
  if (twice + 2 * atom.hydrogens < 9 || explicit_valence(atom, twice, aromatic) != 5) return;
  for (const Link& link : draft.links_of(index)) {
    if (!is_neutral(draft, link, 8, kDouble) && !is_neutral(draft, link, 7, kTriple)) continue;
    separate(draft, index, link);
    return;
  }
}

/// `C=P(=O)X`; of several oxygens, the last one.
void separate_phosphorus(Draft& draft, int index) {
  const DraftAtom& atom = draft.atoms[index];
  if (atom.charge != 0 || atom.degree != 3 || explicit_valence(draft, index, atom.aromatic) != 5) return;
  const Link* oxygen = nullptr;
  bool double_to_chain = false;
  for (const Link& link : draft.links_of(index)) {
    const DraftAtom& other = draft.atoms[link.neighbour];
    if (is_neutral(draft, link, 8, kDouble)) {
      oxygen = &link;
    } else if ((other.element == 6 || other.element == 7) && other.degree >= 2) {
      double_to_chain |= draft.bonds[link.bond].type == kDouble;
    }
  }
  if (double_to_chain && oxygen != nullptr) separate(draft, index, *oxygen);
}

/// `Cl(=O)(=O)O` and its like, of oxygens only.
void separate_halogen(Draft& draft, int index) {
  DraftAtom& atom = draft.atoms[index];
  const int valence = explicit_valence(draft, index, atom.aromatic);
  if (atom.charge != 0 || (valence != 3 && valence != 5 && valence != 7)) return;
  const auto links = draft.links_of(index);
  if (!std::ranges::all_of(links, [&](Link link) { return draft.atoms[link.neighbour].element == 8; })) return;
  for (const Link& link : links) {
    DraftBond& bond = draft.bonds[link.bond];
    if (bond.type != kDouble) continue;
    bond.type = kSingle;
    ++atom.charge;
    draft.atoms[link.neighbour].charge = -1;
  }
}

/// Unpaired electrons of an element that prefers some valences.
int radicals_of(const ElementFacts& facts, const DraftAtom& atom, int valence) {
  const int shell = atom.element <= 2 ? 2 : 8;
  int radicals = shell - facts.outer_electrons - valence + atom.charge;
  if (radicals < 0) {
    radicals = 0;
    for (int i = 0; i < facts.num_valences && facts.num_valences > 1; ++i) {
      if (facts.valences[i] - valence + atom.charge < 0) continue;
      radicals = facts.valences[i] - valence + atom.charge;
      break;
    }
  }
  const int of_early_element = facts.outer_electrons - valence - atom.charge;
  return of_early_element >= 0 ? std::min(radicals, of_early_element) : radicals;
}

/// @param twice  of the bond orders
void update_valence(DraftAtom& atom, int twice, const PlainValences& plain) {
  const Valences valences = valences_of(atom, twice, plain);
  atom.explicit_valence = valences.of_bonds;
  atom.implicit_valence = std::max(std::int8_t{0}, valences.added);
}

/// The valence of an atom with changed bonds. Hydrogens that these no longer imply stay as explicit ones.
/// @param twice  of the bond orders
void settle_atom(DraftAtom& atom, int twice, const PlainValences& plain) {
  const int implied = atom.implicit_valence;
  update_valence(atom, twice, plain);
  if (atom.implicit_valence >= implied) return;
  atom.hydrogens = static_cast<std::int8_t>(atom.hydrogens + implied - atom.implicit_valence);
  atom.explicit_valence = static_cast<std::int8_t>(explicit_valence(atom, twice, atom.aromatic));
}

/// RDKit drops a chiral mark that means nothing, and with it fixes of one hydrogen no longer. Is the count the same then?
bool same_without_mark(const Draft& draft, int index) {
  const DraftAtom& atom = draft.atoms[index];
  if (atom.hydrogens != 1 || atom.charge != 0 || atom.aromatic) return true;
  DraftAtom open = atom;
  open.hydrogens = 0;
  return implicit_valence(open, twice_bond_orders(draft, index) / 2) == 1;
}

}  // namespace

void separate_charges(Draft& draft) {
  const auto may_be = [](const DraftAtom& atom, std::size_t) { return (atom.element != 6) & (atom.element != 8); };
  for (const AtomId index : SelectedAtoms(draft, may_be)) {
    switch (draft.atoms[index].element) {
      case 7:
        separate_nitrogen(draft, index);
        break;
      case 15:
        separate_phosphorus(draft, index);
        break;
      case 17:
      case 35:
      case 53:
        separate_halogen(draft, index);
        break;
      default:
        break;
    }
  }
}

void update_valence(Draft& draft, int index) {
  update_valence(draft.atoms[index], twice_bond_orders(draft, index), plain_valences());
}

Unproven assign_valences(Draft& draft) {
  const TwiceOrders twice(draft);
  const PlainValences& plain = plain_valences();
  for (std::size_t index = 0; index < draft.atoms.size(); ++index) {
    DraftAtom& atom = draft.atoms[index];
    const Valences valences = valences_of(atom, twice.of[index], plain);
    if (!valences.allowed || valences.added == kRefused) return Unproven::valence;
    atom.explicit_valence = valences.of_bonds;
    atom.implicit_valence = valences.added;
  }
  return Unproven::none;
}

void assign_radicals(Draft& draft) {
  const auto in_brackets = [](const DraftAtom& atom, std::size_t) {
    return atom.fixed_hydrogens & (atom.element != 0);
  };
  for (const AtomId index : SelectedAtoms(draft, in_brackets)) {
    DraftAtom& atom = draft.atoms[index];
    const ElementFacts& facts = *atom.facts;
    const int valence = twice_bond_orders(draft, index) / 2 + atom.hydrogens;
    atom.radicals =
        static_cast<std::int8_t>(facts.has_valences() ? radicals_of(facts, atom, valence)
                                                      : std::max(0, facts.outer_electrons - atom.charge) % 2);
  }
}

Unproven settle_hydrogens(Draft& draft) {
  const PlainValences& plain = plain_valences();
  const TwiceOrders twice(draft);
  // Bonds of others have not changed.
  const auto is_aromatic = [](const DraftAtom& atom) { return atom.aromatic | atom.written_aromatic; };
  const auto asks = [&](const DraftAtom& atom, std::size_t) { return is_aromatic(atom) | atom.chiral; };
  for (const AtomId index : SelectedAtoms(draft, asks)) {
    DraftAtom& atom = draft.atoms[index];
    if (is_aromatic(atom)) settle_atom(atom, twice.of[index], plain);
    if (atom.chiral && !same_without_mark(draft, index)) return Unproven::stereo;
  }
  return Unproven::none;
}

}  // namespace quarry::smiles
