#include "match/environments/neighbour_screen.hpp"

#include <algorithm>

#include "library/chunk_codec.hpp"

namespace quarry::match {
namespace {

/// Each test is done for each atom.
constexpr std::size_t kMostTests = 32;

}  // namespace

NeighbourScreen::NeighbourScreen(const Plan& plan) {
  const PlainRules& rules = plan.rules;
  // Where directions are asked for, a bond whose direction a library lacks must be met when its molecule is unpacked.
  if (plan.predicate_words() != 1 || rules.words() != 1 || plan.has_directions) return;
  const PlanView view = plan.view();
  const auto test_of = [&](std::uint32_t mask) {
    const PlainClass& asked = rules.classes[mask - view.atom_class_mask()];
    AtomTest test{std::uint64_t{1} << plan.predicate_of(asked), 0};
    for (std::uint32_t d = asked.demands.first; d < asked.demands.last; ++d)
      test.demands |= std::uint64_t{1} << rules.class_demands[d];
    return test;
  };
  std::vector<std::uint64_t> all_needs;
  for (Index query = 0; query < view.num_queries; ++query) {
    std::uint64_t needs = 0;
    for (std::uint32_t i = view.query(query).atoms.first; i < view.query(query).atoms.last; ++i) {
      const AtomTest test = test_of(view.pattern_atoms[i].mask);
      const auto known = std::ranges::find(tests_, test);
      const std::size_t number = known - tests_.begin();
      if (number == kMostTests) return;
      if (known == tests_.end()) tests_.push_back(test);
      needs |= std::uint64_t{1} << number;
    }
    if (std::ranges::find(all_needs, needs) == all_needs.end()) all_needs.push_back(needs);
  }
  // A bond on a cycle and one off it have different labels: what either may meet.
  for (int kind = 0; kind < kNumBondKinds; ++kind)
    demands_of_bond_[kind] = rules.demands_of_bond[kind] | rules.demands_of_bond[kind + kOnCycle];
  needs_ = std::move(all_needs);
}

void NeighbourScreen::set_kinds(std::span<const std::uint64_t> kind_rows) {
  kinds_.clear();
  for (std::size_t first = 0; first + 1 < kind_rows.size(); first += 2)
    kinds_.push_back({kind_rows[first], kind_rows[first + 1]});
}

bool NeighbourScreen::may_match(const Chunk& chunk, Index molecule) {
  atoms_.clear();
  const auto bonds = for_each_kind(chunk, molecule, [&](std::uint32_t kind) { atoms_.push_back(bits_of(kind)); });
  met_.assign(atoms_.size(), 0);
  for_each_bond(chunk, bonds, atoms_.size(), [&](std::uint32_t begin, std::uint32_t end, BondKind kind) {
    met_[begin] |= atoms_[end].towards & demands_of_bond_[kind % kNumBondKinds];
    met_[end] |= atoms_[begin].towards & demands_of_bond_[reversed(kind) % kNumBondKinds];
  });
  std::uint64_t present = 0;
  for (std::size_t test = 0; test < tests_.size(); ++test) {
    const auto [predicate, demands] = tests_[test];
    std::uint64_t found = 0;
    for (std::size_t atom = 0; atom < atoms_.size(); ++atom)
      found |= std::uint64_t{(atoms_[atom].predicates & predicate) != 0 && (demands & ~met_[atom]) == 0};
    present |= found << test;
  }
  return std::ranges::any_of(needs_, [&](std::uint64_t needs) { return (needs & ~present) == 0; });
}

}  // namespace quarry::match
