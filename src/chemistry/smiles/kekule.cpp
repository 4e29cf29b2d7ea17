#include "chemistry/smiles/kekule.hpp"

#include <algorithm>

#include "chemistry/smiles/rings/visit_system.hpp"
#include "chemistry/smiles/steps.hpp"

namespace quarry::smiles {
namespace {

constexpr int kMostReturns = 100;

/// The smallest valence of an atom, or the next that holds its bonds.
int valence_to_fill(const DraftAtom& atom, const ElementFacts& facts, int bond_orders) {
  int effect = facts.early ? -atom.charge : atom.charge;
  if (atom.element == 6) effect = std::min(effect, -effect);
  int valence = facts.default_valence() + effect;
  for (int i = 1; atom.valence() > valence && i < facts.num_valences && facts.valences[i] > 0; ++i)
    valence = facts.valences[i] + effect;
  const bool oxide = atom.valence() == 5 && bond_orders == 4 && valence == 3 && effect == 0 &&
                     atom.degree + atom.implicit_valence == 3 && atom.all_hydrogens() == 0;
  return oxide && (atom.element == 7 || atom.element == 15 || atom.element == 33) ? 5 : valence;
}

/// Is it one of six atoms that give an electron each, or of five of which one gives two: benzene, pyridine, pyrrole?
bool has_six_electrons(const Draft& draft, const Ring& ring) {
  if (ring.size != 5 && ring.size != 6) return false;
  for (const BondId bond : draft.bonds_of(ring))
    if (!draft.bonds[bond].aromatic) return false;
  std::uint32_t num_pairs = 0;
  for (const AtomId index : draft.atoms_of(ring)) {
    const DraftAtom& atom = draft.atoms[index];
    if (!atom.aromatic || atom.charge != 0) return false;
    const bool has_hydrogen = atom.element == 7 && atom.degree == 2 && atom.fixed_hydrogens && atom.hydrogens == 1;
    if (!has_hydrogen && (atom.fixed_hydrogens || atom.hydrogens != 0)) return false;
    int twice = 0;
    for (const Link& link : draft.links_of(index)) twice += kTwiceOrder[draft.bonds[link.bond].type];
    // Two bonds in the ring, and perhaps a single one, or one of the other ring.
    const bool simple = atom.degree == 2 || (atom.degree == 3 && twice == (atom.ring_bonds == 3 ? 9 : 8));
    const bool gives_two = (atom.element == 7 && (atom.degree == 3 || has_hydrogen)) ||
                           ((atom.element == 8 || atom.element == 16) && atom.degree == 2);
    if (!simple || (!gives_two && atom.element != 6 && atom.element != 7)) return false;
    num_pairs += gives_two ? 1 : 0;
  }
  return ring.size + num_pairs == 6;
}

/// The system of the first ring, where that is one ring of six electrons, or two that share a bond; else none. Such rings are
/// aromatic and have a Kekule form. Two of five atoms are left out, for they may have none.
std::uint64_t plainly_aromatic_system(const Draft& draft, int first) {
  const Ring& ring = draft.rings[first];
  const std::uint64_t bit = std::uint64_t{1} << first;
  if (!has_six_electrons(draft, ring)) return 0;
  if (ring.sharing == 0) return bit;
  if ((ring.sharing & (ring.sharing - 1)) != 0 || ring.fused != ring.sharing) return 0;
  const Ring& other = draft.rings[std::countr_zero(ring.sharing)];
  const bool plain = other.sharing == bit && ring.size + other.size > 10 && has_six_electrons(draft, other);
  return plain ? bit | ring.sharing : 0;
}

}  // namespace

void AtomQueue::clear(std::size_t num_atoms) {
  if (slots_.size() < num_atoms + 1) slots_.resize(num_atoms + 1);
  front_ = size_ = 0;
}

void AtomQueue::push_front(int atom) {
  front_ = slot(slots_.size() - 1);
  slots_[front_] = static_cast<AtomId>(atom);
  ++size_;
}

Unproven KekuleSearch::run(Draft& draft) {
  if (draft.num_aromatic == 0) return Unproven::none;
  draft_ = &draft;
  states_.assign(draft.atoms.size(), 0);
  queue_.clear(draft.atoms.size());
  num_kept_ = 0;
  const std::size_t num_rings = draft.rings.size();
  std::uint64_t open = num_rings == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << num_rings) - 1;
  while (open != 0) {
    const int first = std::countr_zero(open);
    if (const std::uint64_t plain = plainly_aromatic_system(draft, first); plain != 0) {
      keep_aromatic(plain);
      open &= ~plain;
      continue;
    }
    system_.clear();
    visit_system(draft, first, &Ring::sharing, open, system_);
    atoms_.clear();
    bool has_aromatic = false;
    for (const int ring : system_) {
      for (const AtomId atom : draft.atoms_of(draft.rings[ring])) {
        if (draft.atoms[atom].element == 0) return Unproven::dummy_ring;
        if (states_[atom] != 0) continue;
        states_[atom] = kInSystem;
        atoms_.push_back(atom);
        has_aromatic |= draft.atoms[atom].aromatic;
      }
    }
    if (has_aromatic && !run_system()) return Unproven::kekule;
    for (const AtomId atom : atoms_) states_[atom] = 0;
  }
  return num_kept_ == draft.num_aromatic ? Unproven::none : clear_marks();
}

/// Leaves the rings as they are written, but for hydrogens that become implied ones, see `clear_marks`.
void KekuleSearch::keep_aromatic(std::uint64_t rings) {
  for (; rings != 0; rings &= rings - 1) {
    Ring& ring = draft_->rings[std::countr_zero(rings)];
    ring.aromatic = true;
    for (const AtomId index : draft_->atoms_of(ring)) {
      num_kept_ += states_[index] == kKept ? 0 : 1;
      states_[index] = kKept;
      DraftAtom& atom = draft_->atoms[index];
      if (!atom.fixed_hydrogens) continue;
      atom.fixed_hydrogens = false;
      atom.hydrogens = 0;
      atom.explicit_valence = 2;
      atom.implicit_valence = 1;
    }
  }
}

bool KekuleSearch::run_system() {
  done_.clear();
  mark_candidates();
  return place_bonds();
}

/// Atoms that need a double bond, with all their aromatic bonds single; atoms that are not aromatic are done.
void KekuleSearch::mark_candidates() {
  for (const AtomId atom : atoms_) {
    if (!draft_->atoms[atom].aromatic) {
      done_.push_back(atom);
      states_[atom] |= kDone;
    } else if (needs_double(atom)) {
      states_[atom] |= kTakesDouble;
    }
  }
}

bool KekuleSearch::needs_double(int index) {
  const DraftAtom& atom = draft_->atoms[index];
  int bond_orders = atom.all_hydrogens();
  for (const Link& link : draft_->links_of(index)) {
    DraftBond& bond = draft_->bonds[link.bond];
    if (bond.aromatic) bond.type = kSingle;
    bond_orders += kTwiceOrder[bond.type] / 2;
  }
  const int valence = valence_to_fill(atom, *atom.facts, bond_orders);
  if (atom.degree + atom.implicit_valence >= valence) return false;
  return valence == bond_orders + 1 || (atom.fixed_hydrogens && valence == bond_orders + 2);
}

bool KekuleSearch::place_bonds() {
  choices_.clear();
  placed_.clear();
  num_returns_ = 0;
  while (done_.size() < atoms_.size() || !queue_.is_empty()) {
    const int atom = next_atom();
    done_.push_back(static_cast<AtomId>(atom));
    states_[atom] = static_cast<std::uint8_t>((states_[atom] & ~kWaits) | kDone);
    const auto choice = std::ranges::find(choices_, atom, &Choice::atom);
    if (choice != choices_.end()) {
      options_ = choice->open;
    } else {
      visit_neighbours(atom);
    }
    if ((states_[atom] & kTakesDouble) != 0 && !place_bond(atom) && !go_back()) return false;
  }
  return true;
}

int KekuleSearch::next_atom() {
  if (!queue_.is_empty()) return queue_.pop_front();
  return *std::ranges::find_if(atoms_, [&](AtomId atom) { return (states_[atom] & kDone) == 0; });
}

/// Neighbours wait for their turn; those that could share a double bond are options.
void KekuleSearch::visit_neighbours(int atom) {
  options_.first = options_.last = 0;
  const bool takes = (states_[atom] & kTakesDouble) != 0;
  for (const Link& link : draft_->links_of(atom)) {
    std::uint8_t& state = states_[link.neighbour];
    if ((state & (kInSystem | kDone)) != kInSystem) continue;
    if ((state & kWaits) == 0) {
      state |= kWaits;
      queue_.push_back(link.neighbour);
    }
    if (takes && (state & kTakesDouble) != 0 && draft_->bonds[link.bond].aromatic)
      options_.links[options_.last++] = link;
  }
}

/// The first option gets the bond, the others stay for later. @return  false where there is no option
bool KekuleSearch::place_bond(int atom) {
  if (options_.is_empty()) return false;
  const Link link = options_.links[options_.first++];
  draft_->bonds[link.bond].type = kDouble;
  placed_.push_back(link.bond);
  states_[atom] &= ~kTakesDouble;
  states_[link.neighbour] &= ~kTakesDouble;
  const auto choice = std::ranges::find(choices_, atom, &Choice::atom);
  if (choice == choices_.end()) {
    if (!options_.is_empty()) choices_.push_back({atom, options_});
  } else if (options_.is_empty()) {
    choices_.erase(choice);
  } else {
    choice->open = options_;
  }
  return true;
}

/// Undoes what was done since the last choice. @return  false where there is none, or too many were undone
bool KekuleSearch::go_back() {
  if (choices_.empty() || num_returns_ == kMostReturns) return false;
  ++num_returns_;
  const auto position = std::ranges::find(done_, choices_.back().atom, [](AtomId atom) { return int{atom}; });
  while (done_.end() != position) {
    const AtomId atom = done_.back();
    const bool last = done_.end() - 1 == position;
    done_.pop_back();
    states_[atom] = static_cast<std::uint8_t>((states_[atom] & ~kDone) | kWaits);
    queue_.push_front(atom);
    if (last) break;
  }
  std::erase_if(placed_, [&](BondId id) {
    DraftBond& bond = draft_->bonds[id];
    if (((states_[bond.begin] | states_[bond.end]) & kDone) != 0) return false;
    bond.type = kSingle;
    states_[bond.begin] |= kTakesDouble;
    states_[bond.end] |= kTakesDouble;
    return true;
  });
  return true;
}

/// Aromatic atoms outside rings are an error. Hydrogens of aromatic nitrogen and phosphorus become implied ones again.
Unproven KekuleSearch::clear_marks() {
  Draft& draft = *draft_;
  for (DraftBond& bond : draft.bonds) bond.aromatic &= (states_[bond.begin] & states_[bond.end]) == kKept;
  for (int index = 0; index < std::ssize(draft.atoms); ++index) {
    DraftAtom& atom = draft.atoms[index];
    if (!atom.aromatic || states_[index] == kKept) continue;
    if (atom.ring_count == 0) return Unproven::kekule;
    atom.aromatic = false;
    if ((atom.element != 7 && atom.element != 15) || atom.charge != 0 || atom.hydrogens != 1) continue;
    const int valence = atom.valence();
    atom.fixed_hydrogens = false;
    atom.hydrogens = 0;
    update_valence(draft, index);
    if (atom.valence() != valence) return Unproven::kekule;
  }
  return Unproven::none;
}

}  // namespace quarry::smiles
