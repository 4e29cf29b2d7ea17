/// The plans of several patterns as one search: orders that begin alike are walked once, and what both compute there is
/// computed once.
///
/// A tree for each way to choose the first vertex. A node is one vertex of an order; the patterns whose chosen vertices
/// end at it are its leaves.
#pragma once

#include "graph/pattern/pattern_plan.hpp"

namespace quarry {

struct SearchNode : ChosenVertex {
  std::int8_t position = 0;                  ///< the number of vertices that are chosen before it
  std::int16_t child = -1, sibling = -1;     ///< nodes; -1: none
  std::int16_t first_set = 0, last_set = 0;  ///< sets computed when its vertex has been chosen, half open
  std::int16_t first_leaf = 0, last_leaf = 0;
};

/// A pattern whose chosen vertices are complete.
struct SearchLeaf {
  std::int16_t pattern = 0;
  std::int16_t first_term = 0, last_term = 0;
  std::int8_t falling_factorial = 0;  ///< as of the plan
};

struct SearchPlan {
  std::vector<SearchNode> nodes;  ///< the first is the first root; the other roots are its siblings
  std::vector<SetDefinition> sets;
  std::vector<CountTerm> terms;
  std::vector<CountedSum> sums;
  std::vector<SearchLeaf> leaves;
};

/// Collects plans.
class SearchPlanBuilder {
 public:
  /// Adds a plan, as the next pattern. @return false, and nothing is changed, where its sets would be too many
  [[nodiscard]] bool add(const PatternPlan& pattern);
  SearchPlan build() const;

 private:
  struct Set {
    SetDefinition definition;
    int num_requiring = 0;    ///< patterns that have no match where it is empty
    int last_requiring = -1;  ///< the last of them
  };
  struct Node {
    ChosenVertex vertex;
    int position = 0;
    int num_patterns = 0;
    std::vector<int> sets, children;
    std::vector<SearchLeaf> leaves;
  };
  /// @param parent  a node, or -1: a root
  int child_of(int parent, const ChosenVertex& vertex, int position);
  int add_set(Node& node, const SetDefinition& definition);
  void add_sums(const PatternPlan& pattern, std::vector<int>& new_index);

  std::vector<Set> sets_;
  std::vector<Node> nodes_;
  std::vector<int> roots_;
  std::vector<CountTerm> terms_;
  std::vector<CountedSum> sums_;
  int num_patterns_ = 0;
};

}  // namespace quarry
