/// The orders in which a search may place the atoms of a pattern, each from another atom on.
#pragma once
#include <cstdint>
#include <vector>

#include "graph/pattern/matching_order.hpp"
#include "match/planning/plan_draft.hpp"

namespace quarry::match {

struct SearchOrder {
  std::vector<OrderedNode> atoms;
  /// [atoms of the pattern] the atom before it whose image is a smaller atom, or kNoAtom.
  std::vector<std::uint32_t> greater_than;
  Index num_independent = 1;  ///< atoms at the end without bonds between them
  Index num_equivalent = 1;   ///< embeddings for which each one that obeys `greater_than` stands
  Index cost = 1;             ///< of each candidate of the first atom, relative to other orders
};

/// What is asked of the embeddings that a search finds.
enum class SearchGoal : std::uint8_t {
  embeddings,  ///< every one
  /// Their sets of atoms. Of the embeddings that symmetries of the pattern carry to each other, which have the same atoms, only
  /// the one that is found first is looked for.
  atom_sets,
  /// How many there are. Of those that symmetries carry to each other one is looked for, and atoms without bonds between them
  /// stand at the end, to be counted together.
  number,
};

/// At least one, the first from the rarest atom. No two begin with atoms of one class.
std::vector<SearchOrder> search_orders(const PatternDraft& draft, SearchGoal goal);

}  // namespace quarry::match
