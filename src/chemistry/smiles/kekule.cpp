#include "chemistry/smiles/kekule.hpp"

#include <algorithm>

#include "chemistry/smiles/rings/ring_systems.hpp"
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

}  // namespace

void AtomQueue::clear(std::size_t num_atoms) {
  slots_.resize(num_atoms + 1);
  waits_.assign(num_atoms, false);
  front_ = size_ = 0;
}

void AtomQueue::push_back(int atom) {
  slots_[slot(size_++)] = static_cast<AtomId>(atom);
  waits_[atom] = true;
}

void AtomQueue::push_front(int atom) {
  front_ = slot(slots_.size() - 1);
  slots_[front_] = static_cast<AtomId>(atom);
  ++size_;
  waits_[atom] = true;
}

int AtomQueue::pop_front() {
  const int atom = slots_[front_];
  front_ = slot(1);
  --size_;
  waits_[atom] = false;
  return atom;
}

Unproven KekuleSearch::run(Draft& draft) {
  if (!draft.has_aromatic) return Unproven::none;
  draft_ = &draft;
  in_system_.assign(draft.atoms.size(), false);
  takes_double_.assign(draft.atoms.size(), false);
  is_done_.assign(draft.atoms.size(), false);
  queue_.clear(draft.atoms.size());
  const std::size_t num_rings = draft.rings.size();
  std::uint64_t open = num_rings == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << num_rings) - 1;
  while (open != 0) {
    system_.clear();
    visit_system(draft, std::countr_zero(open), &Ring::sharing, open, system_);
    atoms_.clear();
    bool has_aromatic = false;
    for (const int ring : system_) {
      for (const AtomId atom : draft.atoms_of(draft.rings[ring])) {
        if (draft.atoms[atom].element == 0) return Unproven::dummy_ring;
        if (in_system_[atom]) continue;
        in_system_[atom] = true;
        atoms_.push_back(atom);
        has_aromatic |= draft.atoms[atom].aromatic;
      }
    }
    if (has_aromatic && !run_system()) return Unproven::kekule;
    for (const AtomId atom : atoms_) in_system_[atom] = is_done_[atom] = takes_double_[atom] = false;
  }
  return clear_marks();
}

bool KekuleSearch::run_system() {
  done_.clear();
  mark_candidates();
  return place_bonds();
}

/// Atoms that need a double bond, with all their aromatic bonds single; atoms that are not aromatic are done.
void KekuleSearch::mark_candidates() {
  to_single_.clear();
  for (const AtomId atom : atoms_) {
    if (!draft_->atoms[atom].aromatic) {
      done_.push_back(atom);
      is_done_[atom] = true;
      continue;
    }
    for (const Link& link : draft_->links_of(atom)) {
      if (draft_->bonds[link.bond].aromatic) to_single_.push_back(link.bond);
    }
    takes_double_[atom] = is_candidate(atom);
  }
  for (const BondId bond : to_single_) draft_->bonds[bond].type = kSingle;
}

bool KekuleSearch::is_candidate(int index) const {
  const DraftAtom& atom = draft_->atoms[index];
  int bond_orders = atom.all_hydrogens();
  for (const Link& link : draft_->links_of(index)) {
    const DraftBond& bond = draft_->bonds[link.bond];
    bond_orders += bond.aromatic ? 1 : kTwiceOrder[bond.type] / 2;
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
    const int atom = !queue_.is_empty()
                         ? queue_.pop_front()
                         : *std::ranges::find_if(atoms_, [&](AtomId candidate) { return !is_done_[candidate]; });
    done_.push_back(static_cast<AtomId>(atom));
    is_done_[atom] = true;
    const auto choice = std::ranges::find(choices_, atom, &Choice::atom);
    if (choice != choices_.end()) {
      options_ = choice->open;
    } else {
      visit_neighbours(atom);
    }
    if (takes_double_[atom] && !place_bond(atom) && !go_back()) return false;
  }
  return true;
}

/// Neighbours wait for their turn; those that could share a double bond are options.
void KekuleSearch::visit_neighbours(int atom) {
  options_.first = options_.last = 0;
  for (const Link& link : draft_->links_of(atom)) {
    const int other = link.neighbour;
    if (is_done_[other] || !in_system_[other]) continue;
    if (!queue_.has(other)) queue_.push_back(other);
    if (takes_double_[atom] && takes_double_[other] && draft_->bonds[link.bond].aromatic)
      options_.atoms[options_.last++] = link.neighbour;
  }
}

/// The first option gets the bond, the others stay for later. @return  false where there is no option
bool KekuleSearch::place_bond(int atom) {
  if (options_.is_empty()) return false;
  const int other = options_.atoms[options_.first++];
  const auto link = std::ranges::find(draft_->links_of(atom), other, &Link::neighbour);
  draft_->bonds[link->bond].type = kDouble;
  placed_.push_back(link->bond);
  takes_double_[atom] = takes_double_[other] = false;
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
    is_done_[atom] = false;
    queue_.push_front(atom);
    if (last) break;
  }
  std::erase_if(placed_, [&](BondId id) {
    DraftBond& bond = draft_->bonds[id];
    if (is_done_[bond.begin] || is_done_[bond.end]) return false;
    bond.type = kSingle;
    takes_double_[bond.begin] = takes_double_[bond.end] = true;
    return true;
  });
  return true;
}

/// Aromatic atoms outside rings are an error. Hydrogens of aromatic nitrogen and phosphorus become implied ones again.
Unproven KekuleSearch::clear_marks() {
  Draft& draft = *draft_;
  for (DraftBond& bond : draft.bonds) bond.aromatic = false;
  for (int index = 0; index < std::ssize(draft.atoms); ++index) {
    DraftAtom& atom = draft.atoms[index];
    if (!atom.aromatic) continue;
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
