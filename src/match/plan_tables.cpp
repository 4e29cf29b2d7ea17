/// The second half of the plan: masks get their places in the row, and the tables that need all queries are filled.
#include <algorithm>
#include <numeric>

#include "match/plan_builder.hpp"
#include "match/signature.hpp"

namespace quarry::match {
namespace {

/// Sorts items by a key, keeping equal ones in order. @return  new place by old place
template <class T, class Key>
std::vector<std::uint32_t> sort_by(std::vector<T>& items, Key key) {
  std::vector<std::uint32_t> order(items.size()), places(items.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return key(items[i]); });
  std::vector<T> sorted;
  for (const std::uint32_t i : order) {
    places[i] = static_cast<std::uint32_t>(sorted.size());
    sorted.push_back(items[i]);
  }
  items = std::move(sorted);
  return places;
}

}  // namespace

void PlanBuilder::fill_screen() {
  const auto query_words = static_cast<std::size_t>(padded_words(plan_.num_queries_));
  plan_.screen_.assign(plan_.predicates_.size() * query_words, 0);
  for (std::size_t q = 0; q < screened_.size(); ++q) {
    for (const std::uint32_t predicate : screened_[q]) {
      plan_.screen_[predicate * query_words + q / 64] |= std::uint64_t{1} << (q % 64);
    }
  }
}

void PlanBuilder::fill_needs() {
  const PlanView view = plan_.view();
  const auto set = [](std::vector<std::uint64_t>& rows, Index row_first, Index bit) {
    rows[row_first + bit / 64] |= std::uint64_t{1} << (bit % 64);
  };
  plan_.needs_.assign(static_cast<std::size_t>(view.num_queries * view.need_words), 0);
  plan_.node_queries_.assign(static_cast<std::size_t>(view.num_nodes * view.query_words), 0);
  for (Index q = 0; q < view.num_queries; ++q) {
    const auto need = [&](Index mask) {
      const bool is_computed = mask >= view.body_mask() && mask < view.arc_mask();
      if (is_computed) set(plan_.needs_, q * view.need_words, mask - view.body_mask());
    };
    for (std::size_t b = 0; b < query_needs_[q].size(); ++b) {
      if (query_needs_[q][b]) need(view.body_mask() + static_cast<Index>(b));
    }
    const Range atoms = queries_[q].atoms;
    for (std::uint32_t a = atoms.first; a < atoms.last; ++a) {
      const Index node = plan_.pattern_atoms_[a].mask - view.node_mask();
      set(plan_.node_queries_, node * view.query_words, q);
      need(plan_.nodes_[node].mask);
    }
  }
}

void PlanBuilder::fill_arcs() {
  const PlanView view = plan_.view();
  const auto words = static_cast<std::size_t>(view.plain_arc_words);
  plan_.label_arcs_.assign(2 * kNumBondKinds * words, 0);
  plan_.count_arcs_.assign(kMaxArcCount * words, 0);
  for (std::size_t a = 0; a < static_cast<std::size_t>(view.num_plain_arcs); ++a) {
    const std::uint64_t bit = std::uint64_t{1} << (a % 64);
    for (std::size_t label = 0; label < 2 * kNumBondKinds; ++label) {
      const bool accepts = view.accepts(plan_.arcs_[a].relation, static_cast<std::uint8_t>(label));
      if (accepts) plan_.label_arcs_[label * words + a / 64] |= bit;
    }
    plan_.count_arcs_[(plan_.arcs_[a].count - 1) * words + a / 64] |= bit;
  }
}

void PlanBuilder::fill_relations() {
  const auto num_bonds = static_cast<std::uint32_t>(plan_.relation_kinds_.size() / 2);
  for (Check& check : plan_.checks_) {
    if (check.relation == kSameComponent) check.relation = num_bonds;
    if (check.relation == kOtherComponent) check.relation = num_bonds + 1;
  }
  const PlanView view = plan_.view();
  for (int label = 0; label < 2 * kNumBondKinds; ++label) {
    std::vector<std::uint32_t> relations;
    for (std::uint32_t r = 0; r < num_bonds; ++r) {
      if (view.accepts(r, static_cast<std::uint8_t>(label))) relations.push_back(r);
    }
    plan_.label_relations_.push_back(append(plan_.relation_list_, relations));
  }
}

/// Arcs into predicates first: a table serves them. The rest by mask, so that loops of like length come together.
void PlanBuilder::sort_arcs() {
  const auto places = sort_by(plan_.arcs_, [](const Arc& arc) { return arc.mask; });
  for (std::uint32_t& mask : plan_.node_masks_) {
    if ((mask & kTagMask) == kArcTag) mask = kArcTag | places[mask & ~kTagMask];
  }
  plan_.num_plain_arcs_ = std::ranges::count_if(plan_.arcs_, [](const Arc& arc) { return (arc.mask & kTagMask) == 0; });
}

/// Nodes by the number of their masks: loops of one length can be unrolled.
void PlanBuilder::sort_nodes() {
  const auto size = [](const Node& node) { return Index{node.others.last - node.others.first}; };
  const auto places = sort_by(plan_.nodes_, size);
  for (Index least = 0; least <= kMaxNodeSize + 1; ++least) {
    plan_.nodes_by_size_.push_back(std::ranges::lower_bound(plan_.nodes_, least, {}, size) - plan_.nodes_.begin());
  }
  const auto move = [&](std::uint32_t& mask) {
    if ((mask & kTagMask) == kNodeTag) mask = kNodeTag | places[mask & ~kTagMask];
  };
  for (PatternAtom& atom : plan_.pattern_atoms_) move(atom.mask);
  for (Root& root : plan_.roots_) move(root.mask);
  for (Step& step : plan_.steps_) move(step.mask);
}

void PlanBuilder::number_masks() {
  const PlanView view = plan_.view();
  const auto number = [&](std::uint32_t& mask) {
    const std::uint32_t id = mask & ~kTagMask;
    switch (mask & kTagMask) {
      case kBodyTag:
        mask = static_cast<std::uint32_t>(view.body_mask()) + id;
        break;
      case kProgramTag:
        mask = static_cast<std::uint32_t>(view.program_mask()) + id;
        break;
      case kArcTag:
        mask = static_cast<std::uint32_t>(view.arc_mask()) + id;
        break;
      case kBlockTag:
        mask = static_cast<std::uint32_t>(view.block_mask()) + id;
        break;
      case kNodeTag:
        mask = static_cast<std::uint32_t>(view.node_mask()) + id;
        break;
      default:
        break;
    }
  };
  for (PatternAtom& atom : plan_.pattern_atoms_) number(atom.mask);
  for (Root& root : plan_.roots_) number(root.mask);
  for (Step& step : plan_.steps_) number(step.mask);
  for (Arc& arc : plan_.arcs_) number(arc.mask);
  for (Arc& arc : plan_.body_arcs_) number(arc.mask);
  for (Node& node : plan_.nodes_) number(node.mask);
  for (std::uint32_t& mask : plan_.node_masks_) number(mask);
  for (std::uint32_t& operation : plan_.operations_) {
    if (operation < kOpNot) number(operation);
  }
  const auto first_signature = static_cast<std::uint32_t>(view.signature_mask());
  for (PatternAtom& atom : plan_.pattern_atoms_) atom.signature += first_signature;
  for (Step& step : plan_.steps_) step.signature += first_signature;
}

void PlanBuilder::finish() {
  if (plan_.refine_ > 0) {
    for (const AtomTest& test : signature_classes()) {
      AtomExpression expression;
      expression.op = AtomExpression::Op::test;
      expression.test = test;
      plan_.class_masks_.push_back(intern_predicate(expression));
    }
  }
  plan_.num_bodies_ = static_cast<Index>(bodies_.size());
  plan_.num_queries_ = static_cast<Index>(queries_.size());
  plan_.patterns_ = bodies_;
  plan_.patterns_.insert(plan_.patterns_.end(), queries_.begin(), queries_.end());

  sort_arcs();
  sort_nodes();
  number_masks();
  fill_screen();
  fill_needs();
  fill_relations();
  fill_arcs();
}

}  // namespace quarry::match
