#include "match/planning/plan_draft.hpp"

#include <algorithm>

#include "chemistry/predicates.hpp"
#include "graph/cycle_lengths.hpp"
#include "match/planning/decided.hpp"
#include "match/planning/rarity.hpp"
#include "match/planning/signature.hpp"

namespace quarry::match {
namespace {

using Op = AtomExpression::Op;

// An expression with `$()` is taken to be rarer by this factor than the part of it without.
constexpr double kRecursiveShare = 0.5;

void check_size(const Pattern& pattern, const std::string& what) {
  const auto num_atoms = std::ssize(pattern.atoms);
  if (num_atoms > kMaxPatternAtoms) throw CapacityError("atoms of " + what, kMaxPatternAtoms, num_atoms);
  if (num_atoms == 0) throw InputError(what + " has no atoms");
}

/// The bonds of a pattern as a graph, which knows its cycles and ring systems.
GraphBatch graph_of(const Pattern& pattern) {
  std::vector<Edge> edges;
  for (const PatternBond& bond : pattern.bonds) edges.push_back({bond.begin, bond.end, 0});
  GraphBatch graph;
  graph.append(std::vector<std::uint32_t>(pattern.atoms.size(), 0), edges);
  return graph;
}

bool is_on_cycle(const GraphBatchView& graph, const PatternBond& bond) {
  Index i = graph.row_offsets[bond.begin];
  while (graph.neighbours[i] != bond.end) ++i;
  return graph.edge_labels[i] == kOnCycle;
}

/// What an atom's neighbours let it ask for: like neighbours are one demand with a count.
std::vector<DemandDraft> demands_of(const PatternDraft& draft, std::uint32_t atom) {
  std::vector<DemandDraft> single;
  for (std::size_t b = 0; b < draft.relations.size(); ++b) {
    const PatternBond& bond = draft.pattern->bonds[b];
    if (bond.begin == atom) single.push_back({draft.relations[b], draft.atoms[bond.end].expression});
    if (bond.end == atom) single.push_back({draft.back_relations[b], draft.atoms[bond.begin].expression});
  }
  std::ranges::sort(single);
  std::vector<DemandDraft> counted;
  for (const DemandDraft& demand : single) {
    const bool again =
        !counted.empty() && counted.back().relation == demand.relation && counted.back().mask == demand.mask;
    if (!again) {
      counted.push_back(demand);
    } else if (counted.back().count < kMaxDemandCount) {
      ++counted.back().count;
    }
  }
  return counted;
}

}  // namespace

void PlanDraft::add_query(const Query& query) {
  check_size(query.pattern, "query " + query.id);
  for (const PatternBond& bond : query.pattern.bonds) {
    const auto& groups = query.pattern.component_group;
    if (!groups.empty() && groups[bond.begin] != groups[bond.end]) {
      throw InputError("query " + query.id + " bonds atoms of different component groups");
    }
  }
  patterns.push_back(draft_pattern(query.pattern, false));
}

void PlanDraft::add_labels() {
  if (refine_ == 0) return;
  for (const AtomTest& test : signature_labels()) {
    AtomExpression expression;
    expression.op = Op::test;
    expression.test = test;
    label_predicates.push_back(add_predicate(expression));
  }
}

PatternDraft PlanDraft::draft_pattern(const Pattern& pattern, bool is_recursive) {
  PatternDraft draft;
  draft.pattern = &pattern;
  draft.is_recursive = is_recursive;
  const GraphBatch graph = graph_of(pattern);
  draft.cycle_lengths = cycle_lengths_of(graph.view(), 0).found;
  for (const PatternBond& bond : pattern.bonds) {
    const bool on_cycle = is_on_cycle(graph.view(), bond);
    draft.relations.push_back(relations.add({bond.kinds, on_cycle}));
    draft.back_relations.push_back(relations.add({reversed_kinds(bond.kinds), on_cycle}));
  }
  const auto features = signature_features(pattern, is_recursive ? 0 : refine_);
  for (std::size_t a = 0; a < pattern.atoms.size(); ++a) {
    const AtomExpression& expression = pattern.atoms[a];
    const AtomExpression implied = upper_bound(expression);
    PatternDraft::Atom& atom = draft.atoms.emplace_back();
    atom.mask = atom.expression = add_expression(expression, pattern);
    if (!features[a].empty()) atom.signature = signatures.add(features[a]);
    atom.predicate = add_predicate(implied);
    atom.share = typical_share(implied) * (has_recursion(expression) ? kRecursiveShare : 1.0);
  }
  for (std::uint32_t a = 0; a < draft.atoms.size(); ++a) {
    if (is_recursive && draft.atoms[a].expression.kind == MaskId::program) continue;
    draft.atoms[a].mask = add_atom_class(draft, a, graph.view().ring_systems[a]);
  }
  if (is_recursive) {
    draft.demands = demands_of(draft, 0);
    const bool is_class = draft.atoms[0].mask.kind == MaskId::atom_class;
    std::erase_if(draft.demands, [&](const auto& demand) { return is_class && demand.mask.kind == MaskId::predicate; });
  }
  return draft;
}

std::uint32_t PlanDraft::add_predicate(const AtomExpression& expression) {
  return predicates.add(key_of(expression, Pattern{}), expression);
}

std::uint32_t PlanDraft::add_recursive(const Pattern& body) {
  const std::string key = key_of(body);
  if (const auto known = recursive_.find(key)) return *known;
  check_size(body, "a $() body");
  PatternDraft draft = draft_pattern(body, true);  // adds the recursive patterns inside it first
  patterns.push_back(std::move(draft));
  return recursive_.add(key);
}

MaskId PlanDraft::add_decided(const Pattern& body) {
  const std::string key = key_of(body);
  if (const auto known = decided_.find(key)) return decided_.values()[*known];
  const MaskId first = draft_pattern(body, true).atoms.front().mask;
  decided_.add(key, first);
  return first;
}

MaskId PlanDraft::add_expression(const AtomExpression& expression, const Pattern& owner) {
  if (!has_recursion(expression)) return {MaskId::predicate, add_predicate(expression)};
  ProgramDraft program{{}, add_predicate(upper_bound(expression))};
  add_operations(expression, owner, 0, program.operations);
  const bool is_plain = is_decided(expression, owner);
  auto& known = is_plain ? plain_programs : programs;
  return {is_plain ? MaskId::plain_program : MaskId::program, known.add(key_of(expression, owner), program)};
}

void PlanDraft::add_operations(const AtomExpression& expression, const Pattern& owner, int depth,
                               std::vector<Operation>& program) {
  if (depth >= kProgramStack) throw CapacityError("nesting of logic in one SMARTS atom", kProgramStack - 1, depth);
  if (!has_recursion(expression)) {
    program.push_back(MaskId{MaskId::predicate, add_predicate(expression)});
    return;
  }
  if (expression.op == Op::recursive) {
    const Pattern& body = owner.recursive[expression.recursive];
    program.push_back(is_decided(body) ? add_decided(body) : MaskId{MaskId::recursive, add_recursive(body)});
  } else {
    // The children without `$()` are one predicate together.
    AtomExpression plain;
    plain.op = expression.op;
    bool is_first = true;
    const auto push = [&](const AtomExpression& child) {
      add_operations(child, owner, depth + (is_first ? 0 : 1), program);
      if (!is_first) program.push_back(expression.op == Op::all_of ? kOpAnd : kOpOr);
      is_first = false;
    };
    for (const AtomExpression& child : expression.children) {
      if (!has_recursion(child)) plain.children.push_back(child);
    }
    if (!plain.children.empty()) push(plain.children.size() == 1 ? plain.children.front() : plain);
    for (const AtomExpression& child : expression.children) {
      if (has_recursion(child)) push(child);
    }
  }
  if (expression.negated) program.push_back(kOpNot);
}

double PlanDraft::typical_share_of(const PatternDraft::Atom& atom) const {
  double share = atom.share;
  if (atom.mask.kind != MaskId::atom_class) return share;
  for (const std::uint32_t demand : atom_classes.values()[atom.mask.number].plain_demands)
    share *= typical_share_of_demand(demand);
  return share;
}

double PlanDraft::typical_share_of_demand(std::uint32_t number) const {
  constexpr double kNeighbours = 2.2;  // of a typical atom
  const DemandDraft& demand = plain_demands.values()[number];
  const double bonds = typical_bond_share(relations.values()[demand.relation].first);
  return std::min(1.0, kNeighbours * bonds * typical_share(predicates.values()[demand.mask.number]) / demand.count);
}

MaskId PlanDraft::add_atom_class(const PatternDraft& draft, std::uint32_t atom, RingSystem ring_system) {
  AtomClassDraft atom_class{draft.atoms[atom].expression, {}, ring_system, {}, {}};
  if (atom_class.expression.kind == MaskId::program) {
    atom_class.others.push_back(atom_class.expression);
    atom_class.expression = {MaskId::predicate, draft.atoms[atom].predicate};
  }
  for (const DemandDraft& demand : demands_of(draft, atom)) {
    if (demand.mask.kind == MaskId::predicate) {
      atom_class.plain_demands.push_back(plain_demands.add(demand));
    } else if (!draft.is_recursive) {
      atom_class.other_demands.push_back(demand);
    }
  }
  return {MaskId::atom_class, atom_classes.add(atom_class)};
}

}  // namespace quarry::match
