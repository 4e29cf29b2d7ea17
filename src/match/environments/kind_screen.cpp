#include "match/environments/kind_screen.hpp"

#include <algorithm>

namespace quarry::match {

KindScreen::KindScreen(const Plan& plan) {
  if (plan.predicate_words() > 1) return;
  const PlanView view = plan.view();
  const auto predicate_of = [&](std::uint32_t mask) {
    return plan.predicate_of(plan.rules.classes[mask - view.atom_class_mask()]);
  };
  for (Index query = 0; query < view.num_queries; ++query) {
    std::uint64_t needs = 0;
    for (std::uint32_t i = view.query(query).atoms.first; i < view.query(query).atoms.last; ++i) {
      needs |= std::uint64_t{1} << predicate_of(view.pattern_atoms[i].mask);
    }
    if (std::ranges::find(needs_, needs) == needs_.end()) needs_.push_back(needs);
  }
}

void KindScreen::set_kinds(std::span<const std::uint64_t> kind_rows, Index stride) {
  predicates_.clear();
  for (std::size_t first = 0; first < kind_rows.size(); first += stride) predicates_.push_back(kind_rows[first]);
}

bool KindScreen::may_match(const Chunk& chunk, Index molecule) const {
  std::uint64_t present = 0;
  for_each_kind(chunk, molecule,
                [&](std::uint32_t kind) { present |= kind < predicates_.size() ? predicates_[kind] : 0; });
  return std::ranges::any_of(needs_, [&](std::uint64_t needs) { return (needs & ~present) == 0; });
}

}  // namespace quarry::match
