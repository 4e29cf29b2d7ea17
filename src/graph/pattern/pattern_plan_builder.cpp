#include "graph/pattern/pattern_plan_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "quarry/error.hpp"
#include "util/check.hpp"

namespace quarry {
namespace {

Positions bit(int position) { return 1U << position; }
Positions bits_below(int position) { return (1U << position) - 1; }

/// Those of `positions` below `end`.
Positions below(Positions positions, int end) { return positions & bits_below(end); }

}  // namespace

double expected_size(const PatternPlanInput& input, const std::vector<int>& order, Positions adjacent,
                     const std::array<std::uint32_t, kMaxPatternVertices>& edge_labels, std::uint32_t label) {
  const auto label_of = [&](int vertex) { return input.pattern.labels[vertex]; };
  // The first vertex was reached over the edge to the second, any other over that to the first neighbour before it.
  const auto reached_over = [&](int position) -> EdgeEnd {
    int from = position == 0 ? 1 : 0;
    while (from < position && !input.matrix.adjacent(order[from], order[position])) ++from;
    const auto edge_label = static_cast<std::uint32_t>(input.matrix.at(order[from], order[position]));
    return {edge_label, label_of(order[from])};
  };
  double smallest = std::numeric_limits<double>::max(), smallest_chance = 1, all_chances = 1;
  for (std::uint64_t rest = adjacent; rest != 0; rest &= rest - 1) {
    const int position = __builtin_ctzll(rest);
    const std::uint32_t from_label = label_of(order[position]);
    const EdgeEnd edge{edge_labels[position], label};
    const double fanout = input.edges->fanout(from_label, reached_over(position), edge);
    const double chance = std::min(1.0, std::max(input.edges->density(from_label, edge), input.statistics.clustering));
    all_chances *= chance;
    if (fanout < smallest) smallest_chance = chance;
    smallest = std::min(smallest, fanout);
  }
  return smallest * all_chances / smallest_chance;
}

PatternPlanBuilder::PatternPlanBuilder(const PatternPlanInput& input, const std::vector<int>& order, int num_counted)
    : input_(input), order_(order), position_of_(order.size()), sum_at_(order.size(), -1) {
  constexpr std::size_t kUsualSets = 16;
  sets_.reserve(kUsualSets);
  plan_.num_vertices = input.pattern.size();
  plan_.num_chosen = num_chosen_ = num_known_ = plan_.num_vertices - num_counted;
  for (int position = 0; position < plan_.num_vertices; ++position) {
    position_of_[order[position]] = position;
    plan_.order[position] = order[position];
  }
  // The rules may restrict one counted vertex. Several are counted in all their arrangements: then the rules break only
  // the symmetries among the chosen vertices, and the count is divided by the others.
  std::vector<int> colours(order.size());
  for (std::size_t i = 0; i < input.given.size(); ++i) colours[input.given[i]] = 2 + static_cast<int>(i);
  std::vector<int> fixed = order_;
  if (num_counted > 1) {
    fixed.resize(num_chosen_);
    for (int position = num_chosen_; position < plan_.num_vertices; ++position) colours[order_[position]] = 1;
  }
  const Symmetry symmetry = input.num_automorphisms == 1 ? Symmetry{} : symmetry_of(input.pattern, fixed, colours);
  plan_.multiply = symmetry.order;
  plan_.divide = input.num_automorphisms;
  for (const OrderRule& rule : symmetry.rules) rules_.push_back({position_of_[rule.small], position_of_[rule.large]});
}

PatternPlanBuilder::Requirement PatternPlanBuilder::requirement_of(int position) const {
  Requirement requirement;
  requirement.edge_labels.fill(kAnyLabel);
  const int vertex = order_[position];
  requirement.label = input_.pattern.labels[vertex];
  for (int other = 0; other < std::min(position, num_chosen_); ++other) {
    const std::int64_t label = input_.matrix.at(vertex, order_[other]);
    if (label != PatternMatrix::kNoEdge) {
      requirement.adjacent |= bit(other);
      requirement.edge_labels[other] = label;
    } else if (input_.vertex_induced) {
      requirement.non_adjacent |= bit(other);
    }
  }
  for (const OrderRule& rule : rules_) {
    if (rule.large == position) requirement.greater_than |= bit(rule.small);
  }
  return requirement;
}

/// Nothing where no vertex can be both.
std::optional<PatternPlanBuilder::Requirement> PatternPlanBuilder::both(const Requirement& one,
                                                                        const Requirement& other) const {
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

const PatternPlanInput::Labelled& PatternPlanBuilder::labelled(std::uint32_t label) const {
  return label == kAnyLabel ? input_.all : input_.labels.at(label);
}

/// Members expected, counting what is required of the first `num_positions` positions.
double PatternPlanBuilder::size_of(const Requirement& requirement, int num_positions) const {
  const Positions adjacent = below(requirement.adjacent, num_positions);
  if (input_.edges != nullptr && adjacent != 0) {
    const double size = expected_size(input_, order_, adjacent, requirement.edge_labels, requirement.label);
    return size * std::pow(0.5, __builtin_popcount(below(requirement.greater_than, num_positions)));
  }
  const int num_adjacent = __builtin_popcount(below(requirement.adjacent, num_positions));
  const int num_smaller = __builtin_popcount(below(requirement.greater_than, num_positions));
  const double share = labelled(requirement.label).share;
  const GraphStatistics& graph = input_.statistics;
  const double members =
      num_adjacent == 0 ? graph.num_vertices : graph.reach * std::pow(graph.clustering, num_adjacent - 1);
  return members * share * std::pow(0.5, num_smaller);
}

PatternPlanBuilder::SetKey PatternPlanBuilder::key_of(const Requirement& requirement, int position) const {
  SetKey key{requirement, sum_at_[position]};
  key.requirement.adjacent = below(requirement.adjacent, position + 1);
  key.requirement.non_adjacent = below(requirement.non_adjacent, position + 1);
  key.requirement.greater_than = below(requirement.greater_than, position + 1);
  std::fill(key.requirement.edge_labels.begin() + position + 1, key.requirement.edge_labels.end(), kAnyLabel);
  return key;
}

SetDefinition PatternPlanBuilder::define_set(const Requirement& requirement, int position, int source) const {
  SetDefinition set;
  set.source = source;
  set.vertex_label = requirement.label;
  const bool adjacent = (requirement.adjacent & bit(position)) != 0;
  if (adjacent && requirement.edge_labels[position] != kAnyLabel) set.edge_label = requirement.edge_labels[position];
  if (source < 0) {
    set.subtract = below(requirement.non_adjacent, position);
    set.greater_than = below(requirement.greater_than, position + 1);
    const auto range = labelled(requirement.label).range;
    set.begin = range.begin;
    set.end = range.end;
  } else {
    set.intersect = adjacent;
    set.subtract = requirement.non_adjacent & bit(position);
    set.after_chosen = (requirement.greater_than & bit(position)) != 0;
  }
  return set;
}

int PatternPlanBuilder::add_sets(const Requirement& requirement, bool required) {
  int set = -1;
  for (int position = 0; position < num_known_; ++position) {
    const Positions restricts = requirement.adjacent | requirement.non_adjacent | requirement.greater_than;
    const bool begun = below(requirement.adjacent, position + 1) != 0;
    if (!begun || (restricts & bit(position)) == 0) continue;
    const SetKey key = key_of(requirement, position);
    const auto known = std::ranges::find(sets_, key, &Draft::key);
    const int next = static_cast<int>(known - sets_.begin());
    if (known == sets_.end()) {
      if (set >= 0 && (requirement.adjacent & bit(position)) != 0) sets_[set].definition.load = true;
      const double source_size = set < 0 ? 0 : sets_[set].size;
      sets_.push_back({key, define_set(requirement, position, set), position, size_of(requirement, position + 1),
                       source_size + input_.statistics.reach, sum_at_[position]});
    }
    set = next;
    if (required) sets_[set].definition.required = true;
  }
  QUARRY_CHECK(set >= 0, "every vertex but the first has a neighbour before it");
  return set;
}

/// Positions whose vertices may be as required. Two vertices have one edge at most: a neighbour over an edge with another
/// label than the one that is asked for is not in the set. Where a position stands for several vertices of the pattern,
/// laid on each other, the edges of the one that `order_` names are there in any case.
Positions PatternPlanBuilder::distinct_from(const Requirement& requirement) const {
  const auto differ = [](std::uint32_t one, std::uint32_t other) {
    return one != kAnyLabel && other != kAnyLabel && one != other;
  };
  const auto may_be = [&](int position) {
    if (differ(input_.pattern.labels[order_[position]], requirement.label)) return false;
    for (std::uint64_t rest = requirement.adjacent; rest != 0; rest &= rest - 1) {
      const int other = __builtin_ctzll(rest);
      const std::int64_t label = input_.matrix.at(order_[position], order_[other]);
      if (label >= 0 && differ(static_cast<std::uint32_t>(label), requirement.edge_labels[other])) return false;
    }
    return true;
  };
  Positions positions = 0;
  for (int position = 0; position < num_known_; ++position) {
    const bool differs_anyway = ((requirement.adjacent | requirement.greater_than) & bit(position)) != 0;
    if (!differs_anyway && may_be(position)) positions |= bit(position);
  }
  return positions;
}

/// Those of them whose vertices are as required because of the pattern's own edges. The edge that is given is left out, for
/// it may be missing from the graph.
Positions PatternPlanBuilder::surely_in(const Requirement& requirement) const {
  if (requirement.non_adjacent != 0 || requirement.greater_than != 0) return 0;
  const auto meets = [](std::uint32_t label, std::uint32_t required) {
    return required == kAnyLabel || label == required;
  };
  const auto is_in = [&](int position) {
    if (!meets(input_.pattern.labels[order_[position]], requirement.label)) return false;
    for (std::uint64_t rest = requirement.adjacent; rest != 0; rest &= rest - 1) {
      const int other = __builtin_ctzll(rest);
      const bool is_given = std::max(position, other) < std::ssize(input_.given);
      const std::int64_t label = input_.matrix.at(order_[position], order_[other]);
      if (is_given || label < 0 || !meets(static_cast<std::uint32_t>(label), requirement.edge_labels[other]))
        return false;
    }
    return true;
  };
  Positions positions = 0;
  for (std::uint64_t rest = distinct_from(requirement); rest != 0; rest &= rest - 1) {
    const int position = __builtin_ctzll(rest);
    if (is_in(position)) positions |= bit(position);
  }
  return positions;
}

bool PatternPlanBuilder::counted_alike() const {
  const Requirement first = requirement_of(num_chosen_);
  for (int position = num_chosen_ + 1; position < plan_.num_vertices; ++position) {
    if (!(requirement_of(position) == first)) return false;
  }
  return true;
}

void PatternPlanBuilder::add_term(std::int64_t factor, const std::vector<Requirement>& groups) {
  CountTerm term;
  term.factor = factor;
  for (const Requirement& group : groups) term.sets[term.num_sets++] = counted_set(group);
  add_term(term, plan_.terms);
}

SetMinusChosen PatternPlanBuilder::counted_set(const Requirement& requirement) {
  SetMinusChosen members;
  const int set = add_sets(requirement, false);
  members.set = set;
  const Positions inside = input_.choose_all ? Positions{0} : surely_in(requirement);
  members.num_inside = static_cast<std::int8_t>(__builtin_popcount(inside));
  members.distinct_from = distinct_from(requirement) & ~inside;
  sets_[set].distinct_from |= members.distinct_from;
  return members;
}

/// Equal terms become one.
void PatternPlanBuilder::add_term(CountTerm term, std::vector<CountTerm>& terms) {
  std::sort(term.sets, term.sets + term.num_sets);
  std::sort(term.sums, term.sums + term.num_sums);
  const auto same = std::ranges::find_if(terms, [&](const CountTerm& other) {
    return std::equal(other.sets, other.sets + other.num_sets, term.sets, term.sets + term.num_sets) &&
           std::equal(other.sums, other.sums + other.num_sums, term.sums, term.sums + term.num_sums);
  });
  if (same == terms.end())
    terms.push_back(term);
  else
    same->factor += term.factor;
}

/// Inclusion-exclusion over the partitions of the counted vertices: those of one group lie on one vertex of the graph,
/// and a group of b vertices has the factor (-1)^(b - 1) (b - 1)!.
void PatternPlanBuilder::add_partitions(int next, std::vector<Requirement>& groups, std::vector<int>& sizes) {
  if (next == plan_.num_vertices) {
    std::int64_t factor = 1;
    for (const int size : sizes) {
      for (int i = 1; i < size; ++i) factor *= -i;
    }
    return add_term(factor, groups);
  }
  const Requirement requirement = requirement_of(next);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto merged = both(groups[i], requirement);
    if (!merged) continue;
    const Requirement before = groups[i];
    groups[i] = *merged;
    ++sizes[i];
    add_partitions(next + 1, groups, sizes);
    groups[i] = before;
    --sizes[i];
  }
  groups.push_back(requirement);
  sizes.push_back(1);
  add_partitions(next + 1, groups, sizes);
  groups.pop_back();
  sizes.pop_back();
}

void PatternPlanBuilder::add_terms() {
  const int num_counted = plan_.num_vertices - num_chosen_;
  if (counts_pieces()) {
    plan_.terms = terms_of(counted_piece());
    return;
  }
  if (num_counted > 1 && counted_alike()) {
    plan_.falling_factorial = num_counted;
    add_term(1, {requirement_of(num_chosen_)});
    return;
  }
  std::vector<Requirement> groups;
  std::vector<int> sizes;
  add_partitions(num_chosen_, groups, sizes);
  std::erase_if(plan_.terms, [](const CountTerm& term) { return term.factor == 0; });
}

/// The size of a set is enough where nobody reads its members, no vertex is looked up in it, and no member has to have
/// an edge label.
void PatternPlanBuilder::find_sizes_only() {
  std::vector<bool> is_read(sets_.size());
  for (const Draft& set : sets_) {
    if (set.definition.source >= 0) is_read[set.definition.source] = true;
  }
  for (int position = 2; position < num_chosen_; ++position) is_read[plan_.positions[position].candidates] = true;
  for (const DraftSum& draft : sums_) is_read[draft.sum.candidates] = true;
  if (input_.choose_all) is_read[plan_.terms[0].sets[0].set] = true;
  for (std::size_t i = 0; i < sets_.size(); ++i) {
    SetDefinition& set = sets_[i].definition;
    set.size_only = !is_read[i] && sets_[i].distinct_from == 0 && set.edge_label < 0;
  }
}

/// Sets in the order of the positions at which they are computed, and then of the sums; a source stands before what begins
/// with it.
void PatternPlanBuilder::order_sets() {
  std::vector<int> order(sets_.size()), index_of(sets_.size());
  plan_.sets.reserve(sets_.size());
  plan_.computed.reserve(sets_.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int set) { return std::pair(sets_[set].sum, sets_[set].position); });
  for (int i = 0; i < std::ssize(order); ++i) index_of[order[i]] = i;
  const auto move = [&](std::int8_t& set) {
    if (set >= 0) set = index_of[set];
  };
  for (const int set : order) {
    plan_.sets.push_back(sets_[set].definition);
    move(plan_.sets.back().source);
    if (sets_[set].sum < 0) plan_.computed.push_back(sets_[set].position);
  }
  const auto move_terms = [&](std::vector<CountTerm>& terms) {
    for (CountTerm& term : terms) {
      for (int i = 0; i < term.num_sets; ++i) move(term.sets[i].set);
    }
  };
  move_terms(plan_.terms);
  std::int16_t first_set = static_cast<std::int16_t>(plan_.computed.size());
  for (DraftSum& draft : sums_) {
    const auto is_its = [&](const Draft& set) { return set.sum == &draft - sums_.data(); };
    move_terms(draft.terms);
    move(draft.sum.candidates);
    draft.sum.first_set = first_set;
    draft.sum.last_set = first_set += std::ranges::count_if(sets_, is_its);
    draft.sum.first_term = plan_.sum_terms.size();
    plan_.sum_terms.insert(plan_.sum_terms.end(), draft.terms.begin(), draft.terms.end());
    draft.sum.last_term = plan_.sum_terms.size();
    plan_.sums.push_back(draft.sum);
  }
  for (int position = 0; position < num_chosen_; ++position) move(plan_.positions[position].candidates);
}

/// Of the sets and terms so far.
double PatternPlanBuilder::cost() const {
  double matches = 1, cost = 0;
  for (int position = 0; position < num_chosen_; ++position) {
    if (position >= std::ssize(input_.given)) matches *= size_of(requirement_of(position), position);
    double work = 1;
    for (const Draft& set : sets_) {
      if (set.position == position && set.sum < 0) work += set.definition.source < 0 ? 1 : set.row_cost;
    }
    cost += matches * work;
  }
  return cost + matches * cost_of_sums(plan_.terms);
}

PatternPlan PatternPlanBuilder::build(double limit) {
  for (int position = 0; position < num_chosen_; ++position) {
    const Requirement requirement = requirement_of(position);
    ChosenVertex& vertex = plan_.positions[position];
    if (position < std::ssize(input_.given)) continue;
    const auto range = labelled(requirement.label).range;
    vertex.begin = range.begin;
    vertex.end = range.end;
    vertex.distinct_from = below(distinct_from(requirement), position);
    if (position == 1) {
      vertex.after_first = requirement.greater_than != 0;
      if (requirement.edge_labels[0] != kAnyLabel) vertex.edge_label = requirement.edge_labels[0];
    }
    if (position > 1) vertex.candidates = add_sets(requirement, true);
  }
  for (int position = num_chosen_; position < plan_.num_vertices; ++position) {
    const Requirement requirement = requirement_of(position);
    if (requirement.adjacent != 0) add_sets(requirement, true);
  }
  if (cost() >= limit) return std::move(plan_);
  add_terms();
  if (std::ssize(sets_) > kMaxSets && !sums_.empty()) plan_.terms.clear();
  if (plan_.terms.empty()) return std::move(plan_);
  if (std::ssize(sets_) > kMaxSets)
    throw CapacityError(fmt::format("sets for the pattern '{}'", input_.pattern.name), kMaxSets, std::ssize(sets_));
  plan_.cost = cost();
  if (plan_.cost >= limit) return std::move(plan_);
  find_sizes_only();
  order_sets();
  return std::move(plan_);
}

}  // namespace quarry
