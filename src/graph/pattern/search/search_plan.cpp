#include "graph/pattern/search/search_plan.hpp"

#include <algorithm>

namespace quarry {
namespace {

/// Do both compute the same members? What is kept of them, and why, may differ.
bool same_members(SetDefinition one, const SetDefinition& other) {
  one.size_only = other.size_only;
  one.load = other.load;
  one.required = other.required;
  return one == other;
}

/// Where a set is now, given where each set was moved.
std::int8_t moved_to(std::int8_t set, const std::vector<int>& new_index) { return set < 0 ? set : new_index[set]; }

void move_sets(CountTerm& term, const std::vector<int>& new_index) {
  for (int i = 0; i < term.num_sets; ++i) term.sets[i].set = moved_to(term.sets[i].set, new_index);
}

}  // namespace

int SearchPlanBuilder::child_of(int parent, const ChosenVertex& vertex, int position) {
  const auto children = [&]() -> std::vector<int>& { return parent < 0 ? roots_ : nodes_[parent].children; };
  for (const int child : children()) {
    if (nodes_[child].vertex == vertex) return child;
  }
  nodes_.push_back({vertex, position, 0, {}, {}, {}});
  children().push_back(std::ssize(nodes_) - 1);
  return children().back();
}

int SearchPlanBuilder::add_set(Node& node, const SetDefinition& definition) {
  auto found =
      std::ranges::find_if(node.sets, [&](int set) { return same_members(sets_[set].definition, definition); });
  if (found == node.sets.end()) {
    found = node.sets.insert(found, std::ssize(sets_));
    sets_.push_back({definition});
  }
  Set& set = sets_[*found];
  set.definition.size_only = set.definition.size_only && definition.size_only;
  set.definition.load = set.definition.load || definition.load;
  if (definition.required && set.last_requiring != num_patterns_) {
    ++set.num_requiring;
    set.last_requiring = num_patterns_;
  }
  return *found;
}

bool SearchPlanBuilder::add(const PatternPlan& pattern) {
  if (std::ssize(sets_) + std::ssize(pattern.sets) > kMaxSets) return false;
  std::vector<int> new_index(pattern.sets.size());
  std::size_t next_set = 0;
  int node = -1;
  for (int position = 0; position < pattern.num_chosen; ++position) {
    ChosenVertex vertex = pattern.positions[position];
    vertex.candidates = moved_to(vertex.candidates, new_index);
    node = child_of(node, vertex, position);
    ++nodes_[node].num_patterns;
    for (; next_set < pattern.computed.size() && pattern.computed[next_set] == position; ++next_set) {
      SetDefinition set = pattern.sets[next_set];
      set.source = moved_to(set.source, new_index);
      new_index[next_set] = add_set(nodes_[node], set);
    }
  }
  const std::size_t first_sum = sums_.size();
  add_sums(pattern, new_index);
  const auto add_terms = [&](auto begin, auto end) {
    for (; begin != end; ++begin) {
      CountTerm& term = terms_.emplace_back(*begin);
      move_sets(term, new_index);
      for (int i = 0; i < term.num_sums; ++i) term.sums[i] += first_sum;
    }
  };
  for (std::size_t i = first_sum; i < sums_.size(); ++i) {
    CountedSum& sum = sums_[i];
    const auto begin = pattern.sum_terms.begin() + sum.first_term, end = pattern.sum_terms.begin() + sum.last_term;
    sum.first_term = terms_.size();
    add_terms(begin, end);
    sum.last_term = terms_.size();
  }
  SearchLeaf leaf;
  leaf.pattern = num_patterns_++;
  leaf.first_term = terms_.size();
  leaf.falling_factorial = pattern.falling_factorial;
  add_terms(pattern.terms.begin(), pattern.terms.end());
  leaf.last_term = terms_.size();
  nodes_[node].leaves.push_back(leaf);
  return true;
}

/// The sums of a pattern with their sets, which they share with no other.
void SearchPlanBuilder::add_sums(const PatternPlan& pattern, std::vector<int>& new_index) {
  for (CountedSum sum : pattern.sums) {
    const int first_set = sum.first_set, last_set = sum.last_set;
    sum.candidates = moved_to(sum.candidates, new_index);
    sum.first_set = sets_.size();
    for (int set = first_set; set < last_set; ++set) {
      SetDefinition definition = pattern.sets[set];
      definition.source = moved_to(definition.source, new_index);
      new_index[set] = std::ssize(sets_);
      sets_.push_back({definition});
    }
    sum.last_set = sets_.size();
    sums_.push_back(sum);
  }
}

SearchPlan SearchPlanBuilder::build() const {
  SearchPlan plan;
  plan.terms = terms_;
  std::vector<int> new_index(sets_.size());
  const auto add_nodes = [&](const auto& add_siblings, const std::vector<int>& siblings, std::size_t i) -> int {
    if (i == siblings.size()) return -1;
    const Node& from = nodes_[siblings[i]];
    const int index = std::ssize(plan.nodes);
    plan.nodes.emplace_back();
    SearchNode node{from.vertex};
    node.position = from.position;
    node.candidates = moved_to(from.vertex.candidates, new_index);
    node.first_set = plan.sets.size();
    for (const int set : from.sets) {
      new_index[set] = std::ssize(plan.sets);
      SetDefinition& definition = plan.sets.emplace_back(sets_[set].definition);
      definition.source = moved_to(definition.source, new_index);
      definition.required = sets_[set].num_requiring == from.num_patterns;
    }
    node.last_set = plan.sets.size();
    node.first_leaf = plan.leaves.size();
    plan.leaves.insert(plan.leaves.end(), from.leaves.begin(), from.leaves.end());
    node.last_leaf = plan.leaves.size();
    node.child = add_siblings(add_siblings, from.children, 0);
    node.sibling = add_siblings(add_siblings, siblings, i + 1);
    plan.nodes[index] = node;
    return index;
  };
  add_nodes(add_nodes, roots_, 0);
  plan.sums = sums_;
  for (CountedSum& sum : plan.sums) {
    const int first_set = sum.first_set, last_set = sum.last_set;
    sum.candidates = moved_to(sum.candidates, new_index);
    sum.first_set = plan.sets.size();
    for (int set = first_set; set < last_set; ++set) {
      new_index[set] = std::ssize(plan.sets);
      SetDefinition& definition = plan.sets.emplace_back(sets_[set].definition);
      definition.source = moved_to(definition.source, new_index);
    }
    sum.last_set = plan.sets.size();
  }
  for (CountTerm& term : plan.terms) move_sets(term, new_index);
  return plan;
}

}  // namespace quarry
