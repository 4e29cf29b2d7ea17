#include "graph/pattern/search_plan.hpp"

#include <algorithm>
#include <functional>

namespace quarry::mine {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }
std::int8_t small(int i) { return static_cast<std::int8_t>(i); }
std::int16_t medium(std::size_t i) { return static_cast<std::int16_t>(i); }

/// Do both compute the same members? What is kept of them, and why, may differ.
bool same_members(SetStep one, const SetStep& other) {
  one.size_only = other.size_only;
  one.load = other.load;
  one.required = other.required;
  return one == other;
}

}  // namespace

int SearchPlanBuilder::child_of(int parent, const Position& place, int position) {
  const auto children = [&]() -> std::vector<int>& { return parent < 0 ? roots_ : nodes_[at(parent)].children; };
  for (const int child : children()) {
    if (nodes_[at(child)].place == place) return child;
  }
  nodes_.push_back({place, position, 0, {}, {}, {}});
  children().push_back(static_cast<int>(nodes_.size()) - 1);
  return children().back();
}

int SearchPlanBuilder::add_set(Node& node, const SetStep& step) {
  auto found = std::find_if(node.sets.begin(), node.sets.end(),
                            [&](int set) { return same_members(sets_[at(set)].step, step); });
  if (found == node.sets.end()) {
    sets_.push_back({step});
    found = node.sets.insert(found, static_cast<int>(sets_.size()) - 1);
  }
  Set& set = sets_[at(*found)];
  set.step.size_only = set.step.size_only && step.size_only;
  set.step.load = set.step.load || step.load;
  if (step.required && set.last_requiring != num_patterns_) {
    ++set.num_requiring;
    set.last_requiring = num_patterns_;
  }
  return *found;
}

bool SearchPlanBuilder::add(const PatternPlan& pattern) {
  if (std::ssize(sets_) + std::ssize(pattern.sets) > kMaxSets) return false;
  std::vector<int> moved(pattern.sets.size());
  const auto place_of = [&](std::int8_t set) { return small(set < 0 ? set : moved[at(set)]); };
  std::size_t next_set = 0;
  int node = -1;
  for (int position = 0; position < pattern.num_chosen; ++position) {
    Position place = pattern.positions[at(position)];
    place.candidates = place_of(place.candidates);
    node = child_of(node, place, position);
    ++nodes_[at(node)].num_patterns;
    for (; next_set < pattern.sets.size() && pattern.computed[next_set] == position; ++next_set) {
      SetStep step = pattern.sets[next_set];
      step.source = place_of(step.source);
      moved[next_set] = add_set(nodes_[at(node)], step);
    }
  }
  Leaf leaf{medium(at(num_patterns_++)), medium(terms_.size()), 0, small(pattern.falling)};
  for (Term term : pattern.terms) {
    for (int i = 0; i < term.num_sets; ++i) term.sets[i].set = place_of(term.sets[i].set);
    terms_.push_back(term);
  }
  leaf.last_term = medium(terms_.size());
  nodes_[at(node)].leaves.push_back(leaf);
  return true;
}

SearchPlan SearchPlanBuilder::build() const {
  SearchPlan plan;
  plan.terms = terms_;
  std::vector<int> set_places(sets_.size());
  const auto place_of = [&](std::int8_t set) { return small(set < 0 ? set : set_places[at(set)]); };
  const std::function<std::int16_t(const std::vector<int>&, std::size_t)> add_nodes =
      [&](const std::vector<int>& siblings, std::size_t i) -> std::int16_t {
    if (i == siblings.size()) return -1;
    const Node& from = nodes_[at(siblings[i])];
    const std::size_t place = plan.nodes.size();
    plan.nodes.emplace_back();
    SearchNode node{from.place};
    node.position = small(from.position);
    node.candidates = place_of(from.place.candidates);
    node.first_set = medium(plan.sets.size());
    for (const int set : from.sets) {
      set_places[at(set)] = static_cast<int>(plan.sets.size());
      SetStep step = sets_[at(set)].step;
      step.source = place_of(step.source);
      step.required = sets_[at(set)].num_requiring == from.num_patterns;
      plan.sets.push_back(step);
    }
    node.last_set = medium(plan.sets.size());
    node.first_leaf = medium(plan.leaves.size());
    plan.leaves.insert(plan.leaves.end(), from.leaves.begin(), from.leaves.end());
    node.last_leaf = medium(plan.leaves.size());
    node.child = add_nodes(from.children, 0);
    node.sibling = add_nodes(siblings, i + 1);
    plan.nodes[place] = node;
    return medium(place);
  };
  add_nodes(roots_, 0);
  for (Term& term : plan.terms) {
    for (int i = 0; i < term.num_sets; ++i) term.sets[i].set = place_of(term.sets[i].set);
  }
  return plan;
}

}  // namespace quarry::mine
