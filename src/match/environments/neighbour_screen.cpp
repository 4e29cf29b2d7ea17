#include "match/environments/neighbour_screen.hpp"

#include <algorithm>

#include "library/chunk_codec.hpp"

namespace quarry::match {
namespace {

/// Each is a bit of a word.
constexpr std::size_t kMostTests = 64;

}  // namespace

NeighbourScreen::NeighbourScreen(const Plan& plan) {
  if (plan.predicate_words() != 1 || !plan.may_screen_bonds()) return;
  const PlanView view = plan.view();
  std::vector<std::uint64_t> all_needs;
  for (Index query = 0; query < view.num_queries; ++query) {
    std::uint64_t needs = 0;
    for (std::uint32_t i = view.query(query).atoms.first; i < view.query(query).atoms.last; ++i) {
      const PlainClass& asked = plan.rules.classes[view.pattern_atoms[i].mask - view.atom_class_mask()];
      const AtomTest test{std::uint64_t{1} << plan.predicate_of(asked), plan.demands_of(asked)};
      if (test.demands == 0) continue;  // KindScreen has seen to it
      const auto known = std::ranges::find(tests_, test);
      const std::size_t number = known - tests_.begin();
      if (number == kMostTests) return;
      if (known == tests_.end()) tests_.push_back(test);
      needs |= std::uint64_t{1} << number;
    }
    if (needs == 0) return;
    if (std::ranges::find(all_needs, needs) == all_needs.end()) all_needs.push_back(needs);
  }
  for (int kind = 0; kind < kNumBondKinds; ++kind) demands_of_bond_[kind] = plan.demands_of_bond(kind);
  std::ranges::copy(plan.rules.demands_of_count, demands_of_count_.begin());
  counts_more_than_one_ = std::ranges::any_of(plan.rules.demands, [](const auto& demand) { return demand.count > 1; });
  needs_ = std::move(all_needs);
}

void NeighbourScreen::set_kinds(std::span<const std::uint64_t> kind_rows) {
  kinds_.clear();
  for (std::size_t first = 0; first + 1 < kind_rows.size(); first += 2)
    kinds_.push_back({kind_rows[first], kind_rows[first + 1], 0});
}

bool NeighbourScreen::may_match(const Chunk& chunk, Index molecule) {
  atoms_.clear();
  const auto bonds = for_each_kind(
      chunk, molecule, [&](std::uint32_t kind) { atoms_.push_back(kind < kinds_.size() ? kinds_[kind] : Atom{}); });
  for_each_neighbour(chunk, bonds, [&](std::uint32_t atom, std::uint64_t demands) { atoms_[atom].met |= demands; });
  if (!has_all_atoms()) return false;
  if (!counts_more_than_one_) return true;
  times_.assign(atoms_.size(), {});  // PERF: only now, for most molecules lack an atom anyway
  for_each_neighbour(chunk, bonds, [&](std::uint32_t atom, std::uint64_t demands) { times_[atom].add(demands); });
  const auto& of_count = demands_of_count_;
  for (std::size_t i = 0; i < atoms_.size(); ++i) {
    const auto& [once, twice, thrice, four_times] = times_[i];
    atoms_[i].met = (once & of_count[0]) | (twice & of_count[1]) | (thrice & of_count[2]) | (four_times & of_count[3]);
  }
  return has_all_atoms();
}

template <class Visit>
void NeighbourScreen::for_each_neighbour(const Chunk& chunk, std::span<const std::uint8_t> bonds, Visit&& visit) const {
  for_each_bond(chunk, bonds, atoms_.size(), [&](std::uint32_t earlier, std::uint32_t later, BondKind kind) {
    const std::uint64_t demands = demands_of_bond_[kind % kNumBondKinds];
    visit(earlier, atoms_[later].towards & demands);
    visit(later, atoms_[earlier].towards & demands);
  });
}

bool NeighbourScreen::has_all_atoms() const {
  std::uint64_t present = 0, absent = 0;
  return std::ranges::any_of(needs_, [&](std::uint64_t needs) {
    // The first atoms of a query are the rarest, so that most molecules need one test.
    for (std::uint64_t left = needs & ~present; left != 0 && (needs & absent) == 0; left &= left - 1) {
      const std::uint64_t test = left & -left;
      (has_atom(tests_[lowest_bit(left)]) ? present : absent) |= test;
    }
    return (needs & ~present) == 0;
  });
}

bool NeighbourScreen::has_atom(const AtomTest& test) const {
  return std::ranges::any_of(atoms_, [&](const Atom& atom) {
    return (atom.predicates & test.predicate) != 0 && (test.demands & ~atom.met) == 0;
  });
}

}  // namespace quarry::match
