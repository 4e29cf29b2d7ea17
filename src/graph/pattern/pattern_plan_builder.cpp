#include "graph/pattern/pattern_plan_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "util/check.hpp"

namespace quarry::mine {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }
std::uint16_t bit(int position) { return static_cast<std::uint16_t>(1U << position); }
std::uint16_t bits_below(int position) { return static_cast<std::uint16_t>(bit(position) - 1); }

}  // namespace

PlanBuilder::PlanBuilder(const PlanInput& input, const std::vector<int>& order, int counted)
    : input_(input), order_(order), places_(order.size()), num_chosen_(static_cast<int>(order.size()) - counted) {
  for (std::size_t position = 0; position < order.size(); ++position) {
    places_[at(order[position])] = static_cast<int>(position);
    plan_.order[position] = static_cast<std::uint8_t>(order[position]);
  }
  plan_.num_vertices = static_cast<int>(order.size());
  plan_.num_chosen = num_chosen_;
  // One counted vertex has a place in the rules. Several are counted in all their arrangements, so that only what
  // symmetry does to the chosen ones is broken, and the rest is divided by.
  Symmetry symmetry;
  if (counted == 1) {
    symmetry = symmetry_of(input.pattern, order_);
  } else {
    std::vector<bool> is_chosen(order.size());
    for (int i = 0; i < num_chosen_; ++i) is_chosen[at(order_[at(i)])] = true;
    symmetry = symmetry_of(input.pattern, {order_.begin(), order_.begin() + num_chosen_}, is_chosen);
  }
  plan_.multiply = symmetry.order;
  plan_.divide = input.automorphisms;
  for (const OrderRule& rule : symmetry.rules) rules_.push_back({places_[at(rule.small)], places_[at(rule.large)]});
}

PlanBuilder::Requirement PlanBuilder::requirement_of(int position) const {
  Requirement requirement;
  requirement.edge_labels.fill(kAnyLabel);
  const int vertex = order_[at(position)];
  requirement.label = input_.pattern.labels[at(vertex)];
  for (int other = 0; other < std::min(position, num_chosen_); ++other) {
    const std::int64_t label = input_.matrix.at(vertex, order_[at(other)]);
    if (label != PatternMatrix::kNoEdge) {
      requirement.adjacent |= bit(other);
      requirement.edge_labels[at(other)] = static_cast<std::uint32_t>(label);
    } else if (input_.vertex_induced) {
      requirement.apart |= bit(other);
    }
  }
  for (const OrderRule& rule : rules_) {
    if (rule.large == position) requirement.later_than |= bit(rule.small);
  }
  return requirement;
}

/// Nothing where no vertex can be both.
std::optional<PlanBuilder::Requirement> PlanBuilder::both(const Requirement& one, const Requirement& other) const {
  Requirement result = one;
  result.adjacent |= other.adjacent;
  const auto merge = [](std::uint32_t& mine, std::uint32_t theirs) {
    if (mine != kAnyLabel && theirs != kAnyLabel && mine != theirs) return false;
    if (mine == kAnyLabel) mine = theirs;
    return true;
  };
  if (!merge(result.label, other.label)) return std::nullopt;
  for (std::size_t i = 0; i < result.edge_labels.size(); ++i) {
    if (!merge(result.edge_labels[i], other.edge_labels[i])) return std::nullopt;
  }
  return result;
}

OrderedGraph::Range PlanBuilder::range_of(std::uint32_t label) const {
  return label == kAnyLabel ? OrderedGraph::Range{0, input_.num_vertices} : input_.label_ranges.at(label);
}

/// Members expected, counting what is required of the first `num_positions` positions.
double PlanBuilder::size_of(const Requirement& requirement, int num_positions) const {
  const std::uint16_t below = bits_below(num_positions);
  const int adjacent = __builtin_popcount(requirement.adjacent & below);
  const int later = __builtin_popcount(requirement.later_than & below);
  const auto range = range_of(requirement.label);
  const GraphStatistics& graph = input_.statistics;
  const double share = graph.num_vertices > 0 ? (range.end - range.begin) / graph.num_vertices : 0;
  const double members = adjacent == 0 ? graph.num_vertices : graph.reach * std::pow(graph.clustering, adjacent - 1);
  return members * share * std::pow(0.5, later);
}

PlanBuilder::SetKey PlanBuilder::key_of(const Requirement& requirement, int position) const {
  const std::uint16_t below = bits_below(position + 1);
  std::vector<std::uint32_t> edge_labels(requirement.edge_labels.begin(),
                                         requirement.edge_labels.begin() + position + 1);
  return {static_cast<std::uint16_t>(requirement.adjacent & below),
          static_cast<std::uint16_t>(requirement.apart & below),
          static_cast<std::uint16_t>(requirement.later_than & below), requirement.label, std::move(edge_labels)};
}

SetStep PlanBuilder::make_step(const Requirement& requirement, int position, int source) const {
  SetStep step;
  step.source = static_cast<std::int8_t>(source);
  const bool adjacent = (requirement.adjacent & bit(position)) != 0;
  if (adjacent && requirement.edge_labels[at(position)] != kAnyLabel)
    step.edge_label = requirement.edge_labels[at(position)];
  if (source < 0) {
    step.subtract = requirement.apart & bits_below(position);
    step.later_than = requirement.later_than & bits_below(position + 1);
    const auto range = range_of(requirement.label);
    step.begin = range.begin;
    step.end = range.end;
  } else {
    step.intersect = adjacent;
    step.subtract = requirement.apart & bit(position);
    step.after_chosen = (requirement.later_than & bit(position)) != 0;
  }
  return step;
}

int PlanBuilder::add_sets(const Requirement& requirement, bool required) {
  int set = -1;
  for (int position = 0; position < num_chosen_; ++position) {
    const std::uint16_t here = requirement.adjacent | requirement.apart | requirement.later_than;
    const bool begun = (requirement.adjacent & bits_below(position + 1)) != 0;
    if (!begun || (here & bit(position)) == 0) continue;
    const auto [entry, is_new] = set_of_.try_emplace(key_of(requirement, position), static_cast<int>(sets_.size()));
    if (is_new) {
      if (set >= 0 && (requirement.adjacent & bit(position)) != 0) sets_[at(set)].step.load = true;
      const double source = set < 0 ? 0 : sets_[at(set)].size;
      sets_.push_back({make_step(requirement, position, set), position, size_of(requirement, position + 1),
                       source + input_.statistics.reach});
      set_distinct_from_.push_back(0);
    }
    set = entry->second;
    if (required) sets_[at(set)].step.required = true;
  }
  QUARRY_CHECK(set >= 0, "every vertex but the first has a neighbour before it");
  return set;
}

std::uint16_t PlanBuilder::distinct_from(const Requirement& requirement) const {
  return static_cast<std::uint16_t>(bits_below(num_chosen_) & ~requirement.adjacent & ~requirement.later_than);
}

bool PlanBuilder::counted_alike() const {
  const Requirement first = requirement_of(num_chosen_);
  for (int position = num_chosen_ + 1; position < std::ssize(order_); ++position) {
    if (!(requirement_of(position) == first)) return false;
  }
  return true;
}

void PlanBuilder::add_term(std::int64_t factor, const std::vector<Requirement>& blocks) {
  Term term;
  term.factor = factor;
  term.num_sets = static_cast<std::int8_t>(blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const int set = add_sets(blocks[i], false);
    term.sets[i] = {static_cast<std::int8_t>(set), distinct_from(blocks[i])};
    set_distinct_from_[at(set)] |= distinct_from(blocks[i]);
  }
  std::sort(term.sets, term.sets + term.num_sets);
  const auto same = std::find_if(plan_.terms.begin(), plan_.terms.end(), [&](const Term& other) {
    return std::equal(other.sets, other.sets + other.num_sets, term.sets, term.sets + term.num_sets);
  });
  if (same == plan_.terms.end())
    plan_.terms.push_back(term);
  else
    same->factor += term.factor;
}

/// Counted vertices on one place of the graph are a block; blocks of b count (-1)^(b - 1) (b - 1)! each way to make
/// them: inclusion-exclusion over the partitions of the counted vertices.
void PlanBuilder::add_partitions(int next, std::vector<Requirement>& blocks, std::vector<int>& sizes) {
  if (next == plan_.num_vertices) {
    std::int64_t factor = 1;
    for (const int size : sizes) {
      for (int i = 1; i < size; ++i) factor *= -i;
    }
    return add_term(factor, blocks);
  }
  const Requirement requirement = requirement_of(next);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto merged = both(blocks[i], requirement);
    if (!merged) continue;
    const Requirement before = blocks[i];
    blocks[i] = *merged;
    ++sizes[i];
    add_partitions(next + 1, blocks, sizes);
    blocks[i] = before;
    --sizes[i];
  }
  blocks.push_back(requirement);
  sizes.push_back(1);
  add_partitions(next + 1, blocks, sizes);
  blocks.pop_back();
  sizes.pop_back();
}

void PlanBuilder::add_terms() {
  const int counted = plan_.num_vertices - num_chosen_;
  if (counted > 1 && counted_alike()) {
    plan_.falling = counted;
    add_term(1, {requirement_of(num_chosen_)});
    return;
  }
  std::vector<Requirement> blocks;
  std::vector<int> sizes;
  add_partitions(num_chosen_, blocks, sizes);
  std::erase_if(plan_.terms, [](const Term& term) { return term.factor == 0; });
}

/// Sets in the order of the positions at which they are computed; a source stands before what begins with it.
void PlanBuilder::order_sets() {
  std::vector<int> order(sets_.size()), places(sets_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int one, int other) { return sets_[at(one)].position < sets_[at(other)].position; });
  for (std::size_t i = 0; i < order.size(); ++i) places[at(order[i])] = static_cast<int>(i);
  const auto moved = [&](std::int8_t set) { return static_cast<std::int8_t>(set < 0 ? set : places[at(set)]); };
  for (const int set : order) {
    SetStep step = sets_[at(set)].step;
    step.source = moved(step.source);
    plan_.sets.push_back(step);
    plan_.computed.push_back(static_cast<std::int8_t>(sets_[at(set)].position));
  }
  for (Term& term : plan_.terms) {
    for (int i = 0; i < term.num_sets; ++i) term.sets[i].set = moved(term.sets[i].set);
  }
  for (int position = 0; position < num_chosen_; ++position) {
    Position& place = plan_.positions[at(position)];
    place.candidates = moved(place.candidates);
  }
}

void PlanBuilder::estimate_cost() {
  double matches = 1;
  for (int position = 0; position < num_chosen_; ++position) {
    matches *= size_of(requirement_of(position), position);
    double work = 1;
    for (const Draft& set : sets_) {
      if (set.position == position) work += set.step.source < 0 ? 1 : set.row_cost;
    }
    plan_.cost += matches * work;
  }
}

PatternPlan PlanBuilder::build() {
  for (int position = 0; position < num_chosen_; ++position) {
    const Requirement requirement = requirement_of(position);
    Position& place = plan_.positions[at(position)];
    const auto range = range_of(requirement.label);
    place.begin = range.begin;
    place.end = range.end;
    place.distinct_from = static_cast<std::uint16_t>(distinct_from(requirement) & bits_below(position));
    if (position == 1) {
      place.after_first = requirement.later_than != 0;
      if (requirement.edge_labels[0] != kAnyLabel) place.edge_label = requirement.edge_labels[0];
    }
    if (position > 1) place.candidates = static_cast<std::int8_t>(add_sets(requirement, true));
  }
  for (int position = num_chosen_; position < plan_.num_vertices; ++position) add_sets(requirement_of(position), true);
  add_terms();
  if (std::ssize(sets_) > kMaxSets)
    throw CapacityError(fmt::format("sets for the pattern '{}'", input_.pattern.name), kMaxSets, std::ssize(sets_));
  std::vector<bool> is_read(sets_.size());
  for (const Draft& set : sets_) {
    if (set.step.source >= 0) is_read[at(set.step.source)] = true;
  }
  for (int position = 2; position < num_chosen_; ++position)
    is_read[at(plan_.positions[at(position)].candidates)] = true;
  if (input_.choose_all) is_read[at(plan_.terms[0].sets[0].set)] = true;
  // A size alone is not enough where a vertex has to be looked for in the set, or an edge label at each member.
  for (std::size_t i = 0; i < sets_.size(); ++i) {
    sets_[i].step.size_only = !is_read[i] && set_distinct_from_[i] == 0 && sets_[i].step.edge_label < 0;
  }
  estimate_cost();
  order_sets();
  return std::move(plan_);
}

}  // namespace quarry::mine
