/// RDKit's numbers are hashes of 32 bits, made by one function, which `mixed` is.
#include "chemistry/fingerprints/morgan.hpp"

#include <GraphMol/Atom.h>
#include <GraphMol/PeriodicTable.h>

#include <algorithm>
#include <tuple>

namespace quarry {
namespace {

/// RDKit's dative bonds have one number; kinds of bonds here also have their direction.
std::uint32_t type_of(BondKind kind) {
  const int type = bond_type(kind);
  return type == kDativeLeft || type == kDativeRight ? kDative : type;
}

std::uint32_t mixed(std::uint32_t seed, std::uint32_t value) {
  return seed ^ (value + 0x9E3779B9U + (seed << 6) + (seed >> 2));
}

/// How much heavier an isotope is than its element, in whole units, rounded towards zero.
std::uint32_t mass_difference(int element, int isotope) {
  if (isotope == 0) return 0;
  RDKit::Atom atom(element);
  atom.setIsotope(isotope);
  return static_cast<std::uint32_t>(
      static_cast<int>(atom.getMass() - RDKit::PeriodicTable::getTable()->getAtomicWeight(element)));
}

/// The number of an atom by itself.
std::uint32_t number_of(const AtomKind& kind) {
  using enum AtomProperty;
  std::uint32_t number = 0;
  for (const AtomProperty property : {element, total_degree, hydrogens, charge})
    number = mixed(number, static_cast<std::uint32_t>(int{value_of(kind, property)}));
  number = mixed(number, mass_difference(value_of(kind, element), value_of(kind, isotope)));
  return value_of(kind, ring_count) > 0 ? mixed(number, 1) : number;
}

}  // namespace

const std::vector<std::uint32_t>& MorganBits::bits(const Molecule& molecule) {
  start(molecule);
  for (int round = 0; round < radius_; ++round) run_round(round);
  std::ranges::sort(bits_);
  bits_.erase(std::unique(bits_.begin(), bits_.end()), bits_.end());
  return bits_;
}

void MorganBits::start(const Molecule& molecule) {
  const std::size_t num_atoms = molecule.atoms.size();
  link(molecule);
  num_words_ = (molecule.bonds.size() + 63) / 64;
  bonds_.assign(num_atoms * num_words_, 0);
  next_bonds_ = bonds_;
  numbers_.resize(num_atoms);
  next_numbers_.resize(num_atoms);
  bits_.clear();
  alive_.clear();
  for (std::uint32_t atom = 0; atom < num_atoms; ++atom) {
    numbers_[atom] = number_of(molecule.atoms[atom]);
    set_bit(numbers_[atom]);
    if (first_[atom] < first_[atom + 1]) alive_.push_back(atom);  // one without bonds has no surroundings
  }
}

void MorganBits::link(const Molecule& molecule) {
  first_.assign(molecule.atoms.size() + 1, 0);
  for (const Bond& bond : molecule.bonds) {
    ++first_[bond.begin];
    ++first_[bond.end];
  }
  std::uint32_t total = 0;
  for (std::uint32_t& first : first_) first = total += first;
  neighbours_.resize(total);
  for (std::uint32_t i = 0; i < molecule.bonds.size(); ++i) {  // each list is filled from its end, where it begins then
    const Bond& bond = molecule.bonds[i];
    neighbours_[--first_[bond.begin]] = {bond.end, i, type_of(bond.kind)};
    neighbours_[--first_[bond.end]] = {bond.begin, i, type_of(bond.kind)};
  }
}

void MorganBits::run_round(int round) {
  std::ranges::fill(next_numbers_, 0);  // an atom that is left out has the number 0 in later rounds, as in RDKit
  for (const std::uint32_t atom : alive_) grow(atom, round);
  take_new_sets(round);
  std::swap(numbers_, next_numbers_);
  bonds_ = next_bonds_;
}

void MorganBits::grow(std::uint32_t atom, int round) {
  std::uint64_t* const bonds = next_bonds_.data() + atom * num_words_;
  terms_.clear();
  for (std::uint32_t i = first_[atom]; i < first_[atom + 1]; ++i) {
    const Neighbour& neighbour = neighbours_[i];
    bonds[neighbour.bond / 64] |= std::uint64_t{1} << neighbour.bond % 64;
    const std::uint64_t* const more = bonds_.data() + neighbour.atom * num_words_;
    for (std::size_t word = 0; word < num_words_; ++word) bonds[word] |= more[word];
    terms_.push_back(std::uint64_t{neighbour.type} << 32 | numbers_[neighbour.atom]);
  }
  std::ranges::sort(terms_);
  std::uint32_t number = mixed(static_cast<std::uint32_t>(round), numbers_[atom]);
  for (const std::uint64_t term : terms_) {
    const std::uint32_t pair =
        mixed(mixed(0, static_cast<std::uint32_t>(term >> 32)), static_cast<std::uint32_t>(term));
    number = mixed(number, pair);
  }
  next_numbers_[atom] = number;
}

bool MorganBits::was_set_before(Words bonds, int round) const {
  for (int earlier = 0; earlier < round; ++earlier) {
    const auto& sets = round_sets_[earlier];
    std::size_t low = 0, high = sets.size() / num_words_;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      const Words set(sets.data() + middle * num_words_, num_words_);
      if (std::ranges::equal(set, bonds)) return true;
      if (std::ranges::lexicographical_compare(set, bonds))
        low = middle + 1;
      else
        high = middle;
    }
  }
  return false;
}

/// Of atoms with the same bonds, the one with the smallest number counts.
void MorganBits::take_new_sets(int round) {
  std::ranges::sort(alive_, [&](std::uint32_t left, std::uint32_t right) {
    const auto order = std::lexicographical_compare_three_way(bonds_of(left).begin(), bonds_of(left).end(),
                                                              bonds_of(right).begin(), bonds_of(right).end());
    return order != 0 ? order < 0 : std::tie(next_numbers_[left], left) < std::tie(next_numbers_[right], right);
  });
  auto& sets = round_sets_[round];
  sets.clear();
  std::size_t num_kept = 0;
  for (std::size_t i = 0; i < alive_.size(); ++i) {
    const Words bonds = bonds_of(alive_[i]);
    if ((i > 0 && std::ranges::equal(bonds, bonds_of(alive_[i - 1]))) || was_set_before(bonds, round)) continue;
    set_bit(next_numbers_[alive_[i]]);
    sets.insert(sets.end(), bonds.begin(), bonds.end());
    alive_[num_kept++] = alive_[i];
  }
  alive_.resize(num_kept);
}

}  // namespace quarry
