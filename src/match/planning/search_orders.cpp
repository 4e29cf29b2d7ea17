#include "match/planning/search_orders.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "graph/pattern/pattern_symmetry.hpp"
#include "match/planning/pattern_graph.hpp"

namespace quarry::match {
namespace {

// A search may start from any of the rarest atoms. More orders cost memory and seldom find a rarer one.
constexpr std::size_t kMaxOrders = 8;
// A found embedding stands for at most this many.
constexpr Index kMaxEquivalent = 1 << 20;

/// A pattern that may have symmetries.
class SymmetricPattern {
 public:
  explicit SymmetricPattern(const PatternDraft& draft) {
    Distinct<std::pair<MaskId, std::uint32_t>> classes;
    std::vector<std::uint32_t> labels;
    for (const PatternDraft::Atom& atom : draft.atoms) labels.push_back(classes.add({atom.mask, atom.signature}));
    // A bond that is not the same from both its ends has no place in a graph.
    may_have_symmetries_ = draft.relations == draft.back_relations && draft.atoms.size() <= kMaxGraphAtoms &&
                           classes.values().size() < draft.atoms.size();
    if (may_have_symmetries_) pattern_ = pattern_graph(*draft.pattern, labels, draft.relations);
    may_have_symmetries_ &= pattern_.is_connected;
  }

  /// Finds the rules of an order, and for how many embeddings one stands that obeys them.
  void set_rules(SearchOrder& order) const {
    if (!may_have_symmetries_) return;
    std::vector<int> placed;
    for (Index i = 0; i < std::ssize(order.atoms) - order.num_independent; ++i)
      placed.push_back(checked_cast<int>(pattern_.vertices[order.atoms[i].node]));
    const Symmetry symmetry = symmetry_of(pattern_.graph, placed, {}, kMaxEquivalent, kMaxGraphTries);
    order.num_equivalent = symmetry.order;
    // Where an atom has several rules, the atom of the last is greater than those of the others.
    for (const OrderRule& rule : symmetry.rules)
      order.greater_than[pattern_.atoms[rule.large]] = pattern_.atoms[rule.small];
  }

 private:
  PatternGraph pattern_;
  bool may_have_symmetries_ = false;
};

/// About how many atoms a search places for each candidate of its first atom, in hundredths.
Index cost_of(const SearchOrder& order) {
  // Of the neighbours of an atom these many fit, and this share of the bonds and rules to other atoms holds.
  constexpr double kFitting = 1.25, kBond = 0.3, kRule = 0.5;
  double sum = 1, partial = 1;
  for (Index i = 1; i < std::ssize(order.atoms) - order.num_independent; ++i) {
    const OrderedNode& atom = order.atoms[i];
    partial *= kFitting;
    for (std::size_t more = 1; more < atom.edges.size(); ++more) partial *= kBond;
    if (order.greater_than[atom.node] != kNoAtom) partial *= kRule;
    sum += partial;
  }
  return std::lround(100 * std::min(sum, 1e6));
}

}  // namespace

std::vector<SearchOrder> search_orders(const PatternDraft& draft, SearchGoal goal) {
  const bool only_counts = goal == SearchGoal::number;
  std::vector<double> shares;
  for (const PatternDraft::Atom& atom : draft.atoms) shares.push_back(atom.share);
  std::vector<QueryEdge> edges;
  for (const PatternBond& bond : draft.pattern->bonds) edges.push_back({bond.begin, bond.end});
  std::optional<SymmetricPattern> symmetric;
  if (goal != SearchGoal::embeddings) symmetric.emplace(draft);
  const auto order_from = [&](std::uint32_t root) {
    SearchOrder order{matching_order(shares, edges, root), std::vector(draft.atoms.size(), kNoAtom)};
    if (only_counts) order.num_independent = move_independent_to_end(order.atoms, edges, kMaxIndependent);
    if (symmetric) symmetric->set_rules(order);
    if (only_counts)
      order.cost = cost_of(order);
    else
      order.num_equivalent = 1;  // sets are not counted by their embeddings
    return order;
  };

  // The atom that a recursive pattern is about is its first, so its search begins there.
  std::vector<std::uint32_t> roots(draft.is_recursive ? 1 : draft.atoms.size());
  std::iota(roots.begin(), roots.end(), 0);
  std::ranges::stable_sort(roots, {}, [&](std::uint32_t atom) { return shares[atom]; });
  std::vector<SearchOrder> orders;
  for (const std::uint32_t root : roots) {
    const auto begins_alike = [&](const SearchOrder& other) {
      return draft.atoms[other.atoms.front().node].mask == draft.atoms[root].mask;
    };
    const auto known = std::ranges::find_if(orders, begins_alike);
    if (known == orders.end() && orders.size() < kMaxOrders) {
      orders.push_back(order_from(root));
    } else if (known != orders.end() && only_counts && roots.size() <= kMaxGraphAtoms) {
      SearchOrder order = order_from(root);
      if (order.cost < known->cost) *known = std::move(order);
    }
  }
  return orders;
}

}  // namespace quarry::match
