#include "match/plan_builder.hpp"

#include <algorithm>
#include <numeric>

#include "chemistry/predicates.hpp"
#include "graph/pattern/matching_order.hpp"
#include "match/rarity.hpp"
#include "match/signature.hpp"

namespace quarry::match {
namespace {

using Op = AtomExpression::Op;

// Places a search may start from: the rarest atoms. More roots cost memory and seldom find a rarer one.
constexpr std::size_t kMaxRoots = 8;

/// Number of `key`, a new one where it has none.
template <class Ids, class Key>
std::pair<std::uint32_t, bool> intern(Ids& ids, const Key& key) {
  const auto [place, is_new] = ids.try_emplace(key, static_cast<std::uint32_t>(ids.size()));
  return {place->second, is_new};
}

void check_size(const Pattern& pattern, const std::string& what) {
  const auto num_atoms = static_cast<Index>(pattern.atoms.size());
  if (num_atoms > kMaxPatternAtoms) throw CapacityError("atoms of " + what, kMaxPatternAtoms, num_atoms);
  if (num_atoms == 0) throw InputError(what + " has no atoms");
}

std::vector<std::uint32_t> neighbours_of(const Pattern& pattern, std::uint32_t atom) {
  std::vector<std::uint32_t> result;
  for (const PatternBond& bond : pattern.bonds) {
    if (bond.begin == atom) result.push_back(bond.end);
    if (bond.end == atom) result.push_back(bond.begin);
  }
  std::ranges::sort(result);
  return result;
}

}  // namespace

std::uint32_t PlanBuilder::intern_predicate(const AtomExpression& expression) {
  const auto [id, is_new] = intern(predicate_ids_, key_of(expression, Pattern{}));
  if (is_new) plan_.predicates_.push_back(expression);
  return id;
}

std::uint32_t PlanBuilder::intern_body(const Pattern& body) {
  const std::string key = key_of(body);
  if (const auto known = body_ids_.find(key); known != body_ids_.end()) return known->second;
  check_size(body, "a $() body");
  const Shape shape = compile_bonds(body);
  const auto atoms = compile_atoms(body, shape, true);  // numbers the inner bodies
  const PatternEntry entry = compile_pattern(body, shape, atoms, true);
  std::vector<bool> needs = needed_bodies(entry);
  const auto id = static_cast<std::uint32_t>(bodies_.size());
  needs.resize(id + 1);
  needs[id] = true;
  body_ids_.emplace(key, id);
  bodies_.push_back(entry);
  body_needs_.push_back(std::move(needs));
  return id;
}

void PlanBuilder::emit(const AtomExpression& expression, const Pattern& owner, std::vector<std::uint32_t>& program,
                       int depth) {
  if (depth >= kProgramStack) throw CapacityError("nesting of logic in one SMARTS atom", kProgramStack - 1, depth);
  if (!has_recursion(expression)) {
    program.push_back(intern_predicate(expression));
    return;
  }
  if (expression.op == Op::recursive) {
    program.push_back(kBodyTag | intern_body(owner.recursive[expression.recursive]));
  } else {
    // The children without `$()` are one predicate together.
    AtomExpression plain;
    plain.op = expression.op;
    int pushed = 0;
    const auto push = [&](const AtomExpression& child) {
      emit(child, owner, program, depth + (pushed > 0 ? 1 : 0));
      if (pushed++ > 0) program.push_back(expression.op == Op::all_of ? kOpAnd : kOpOr);
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

std::uint32_t PlanBuilder::intern_expression(const AtomExpression& expression, const Pattern& owner) {
  if (!has_recursion(expression)) return intern_predicate(expression);
  std::vector<std::uint32_t> program;
  emit(expression, owner, program, 0);
  const auto [id, is_new] = intern(program_ids_, key_of(expression, owner));
  if (is_new) plan_.programs_.push_back(append(plan_.operations_, program));
  return kProgramTag | id;
}

std::uint32_t PlanBuilder::intern_relation(std::uint64_t kinds, bool on_cycle) {
  const auto [id, is_new] = intern(relation_ids_, std::pair(kinds, on_cycle));
  if (is_new) plan_.relation_kinds_.insert(plan_.relation_kinds_.end(), {on_cycle ? 0 : kinds, kinds});
  return id;
}

PlanBuilder::Shape PlanBuilder::compile_bonds(const Pattern& pattern) {
  GraphBatch graph;
  std::vector<GraphBatch::Edge> edges;
  for (const PatternBond& bond : pattern.bonds) edges.push_back({bond.begin, bond.end, 0});
  graph.append(std::vector<std::uint32_t>(pattern.atoms.size(), 0), edges);
  const GraphBatchView view = graph.view();
  const auto on_cycle = [&](const PatternBond& bond) {
    Index place = view.row_offsets[bond.begin];
    while (view.neighbours[place] != bond.end) ++place;
    return view.edge_labels[place] == kOnCycle;
  };
  Shape shape;
  for (const PatternBond& bond : pattern.bonds) {
    shape.relations.push_back(intern_relation(bond.kinds, on_cycle(bond)));
  }
  shape.blocks.assign(view.ring_blocks.begin(), view.ring_blocks.end());
  return shape;
}

std::uint32_t PlanBuilder::intern_signature(const std::vector<Feature>& features) {
  if (signature_ids_.empty()) {
    signature_ids_.emplace(std::vector<Feature>{}, 0);
    plan_.signatures_.push_back({});
  }
  const auto [id, is_new] = intern(signature_ids_, features);
  if (!is_new) return id;
  std::vector<std::uint32_t> ids;
  for (const Feature& feature : features) {
    const auto [feature_id, is_new_feature] = intern(feature_ids_, feature);
    if (is_new_feature) plan_.features_.push_back(feature);
    ids.push_back(feature_id);
  }
  plan_.signatures_.push_back(append(plan_.signature_features_, ids));
  return id;
}

std::vector<Arc> PlanBuilder::arcs_of(const Pattern& pattern, const Shape& shape, const std::vector<Atom>& atoms,
                                      std::uint32_t atom) {
  std::vector<Arc> arcs;
  for (std::size_t b = 0; b < pattern.bonds.size(); ++b) {
    const PatternBond& bond = pattern.bonds[b];
    if (bond.begin == atom) arcs.push_back({shape.relations[b], atoms[bond.end].expression, 1});
    if (bond.end == atom) arcs.push_back({shape.relations[b], atoms[bond.begin].expression, 1});
  }
  std::ranges::sort(arcs);
  std::vector<Arc> counted;
  for (const Arc& arc : arcs) {
    const bool again = !counted.empty() && counted.back().relation == arc.relation && counted.back().mask == arc.mask;
    if (!again) {
      counted.push_back(arc);
    } else if (counted.back().count < kMaxArcCount) {
      ++counted.back().count;
    }
  }
  return counted;
}

std::uint32_t PlanBuilder::intern_node(std::uint32_t expression, const std::vector<Arc>& arcs, RingBlock block) {
  std::vector<std::uint32_t> key{expression};
  for (const Arc& arc : arcs) {
    const auto [id, is_new] = intern(arc_ids_, arc);
    if (is_new) plan_.arcs_.push_back(arc);
    key.push_back(kArcTag | id);
  }
  if (block.num_nodes > 0) {
    const auto [id, is_new] = intern(block_ids_, block);
    if (is_new) plan_.blocks_.push_back(block);
    key.push_back(kBlockTag | id);
  }
  const auto [id, is_new] = intern(node_ids_, key);
  if (is_new) plan_.nodes_.push_back({expression, append(plan_.node_masks_, {key.begin() + 1, key.end()})});
  return kNodeTag | id;
}

std::vector<PlanBuilder::Atom> PlanBuilder::compile_atoms(const Pattern& pattern, const Shape& shape, bool is_body) {
  const auto features = signature_features(pattern, is_body ? 0 : plan_.refine_);
  std::vector<Atom> atoms(pattern.atoms.size());
  for (std::size_t a = 0; a < atoms.size(); ++a) {
    const AtomExpression relaxed = upper_bound(pattern.atoms[a]);
    atoms[a].expression = intern_expression(pattern.atoms[a], pattern);
    atoms[a].signature = intern_signature(features[a]);
    atoms[a].relaxed = intern_predicate(relaxed);
    atoms[a].rarity = typical_share(relaxed) * (has_recursion(pattern.atoms[a]) ? 0.5 : 1.0);
  }
  // Bodies are searched before there are nodes.
  for (std::uint32_t a = 0; a < atoms.size(); ++a) {
    atoms[a].mask = is_body ? atoms[a].expression
                            : intern_node(atoms[a].expression, arcs_of(pattern, shape, atoms, a), shape.blocks[a]);
  }
  return atoms;
}

Range PlanBuilder::add_steps(const Pattern& pattern, const Shape& shape, const std::vector<Atom>& atoms,
                             std::uint32_t root) {
  std::vector<double> rarity;
  for (const Atom& atom : atoms) rarity.push_back(atom.rarity);
  std::vector<QueryEdge> edges;
  for (const PatternBond& bond : pattern.bonds) edges.push_back({bond.begin, bond.end});

  std::vector<Step> steps;
  std::map<std::int32_t, std::uint32_t> group_positions;  // one placed atom of each component group
  for (const OrderedNode& node : matching_order(rarity, edges, root)) {
    Step step{atoms[node.node].mask, atoms[node.node].signature, node.node, {}, !node.edges.empty(), 0, 0};
    std::vector<Check> checks;
    for (const OrderedNode::Back& back : node.edges) checks.push_back({back.position, shape.relations[back.edge]});
    if (step.has_parent) {
      step.parent = checks.front();
      checks.erase(checks.begin());
    }
    if (node.edges.empty() && !pattern.component_group.empty()) {
      const std::int32_t group = pattern.component_group[node.node];
      for (const auto& [placed_group, position] : group_positions) {
        if (group >= 0) checks.push_back({position, placed_group == group ? kSameComponent : kOtherComponent});
      }
      if (group >= 0) group_positions.emplace(group, static_cast<std::uint32_t>(steps.size()));
    }
    step.num_checks = static_cast<std::uint16_t>(checks.size());
    step.first_check = append(plan_.checks_, checks).first;
    steps.push_back(step);
  }
  return append(plan_.steps_, steps);
}

Range PlanBuilder::add_roots(const Pattern& pattern, const Shape& shape, const std::vector<Atom>& atoms, bool is_body) {
  std::vector<std::uint32_t> by_rarity(atoms.size());
  std::iota(by_rarity.begin(), by_rarity.end(), 0);
  std::ranges::stable_sort(by_rarity, {}, [&](std::uint32_t a) { return atoms[a].rarity; });
  if (is_body) by_rarity = {0};
  std::vector<Root> roots;
  for (const std::uint32_t atom : by_rarity) {
    const bool known = std::ranges::any_of(roots, [&](const Root& root) { return root.mask == atoms[atom].mask; });
    if (known || roots.size() == kMaxRoots) continue;
    roots.push_back({atoms[atom].mask, add_steps(pattern, shape, atoms, atom).first});
  }
  return append(plan_.roots_, roots);
}

void PlanBuilder::add_stereo(const Pattern& pattern, PatternEntry& entry) {
  std::vector<ChiralCheck> checks;
  for (const ChiralAtom& chiral : pattern.chiral_atoms) {
    const auto neighbours = neighbours_of(pattern, chiral.atom);
    // With fewer than three neighbours there is no handedness to compare, only a mark to demand.
    const Range range = append(plan_.chiral_neighbours_, neighbours.size() < 3 ? decltype(neighbours){} : neighbours);
    checks.push_back({chiral.atom, chiral.clockwise, range});
  }
  entry.chiral = append(plan_.chiral_, checks);
  entry.stereo = append(plan_.stereo_, pattern.stereo_bonds);
}

PatternEntry PlanBuilder::compile_pattern(const Pattern& pattern, const Shape& shape, const std::vector<Atom>& atoms,
                                          bool is_body) {
  PatternEntry entry;
  entry.num_atoms = static_cast<std::uint32_t>(atoms.size());
  std::vector<PatternAtom> pattern_atoms;
  std::vector<std::uint32_t> programs;
  std::vector<Atom> by_rarity = atoms;
  std::ranges::stable_sort(by_rarity, {}, &Atom::rarity);
  for (const Atom& atom : by_rarity) {
    const bool known = std::ranges::any_of(pattern_atoms, [&](const PatternAtom& other) {
      return other.mask == atom.mask && other.signature == atom.signature;
    });
    if (!known) pattern_atoms.push_back({atom.mask, atom.signature});
    if ((atom.expression & kTagMask) == kProgramTag) programs.push_back(atom.expression & ~kTagMask);
  }
  std::ranges::sort(programs);
  programs.erase(std::unique(programs.begin(), programs.end()), programs.end());
  entry.programs = append(plan_.pattern_programs_, programs);
  entry.atoms = append(plan_.pattern_atoms_, pattern_atoms);
  entry.roots = add_roots(pattern, shape, atoms, is_body);
  if (is_body) entry.arcs = append(plan_.body_arcs_, arcs_of(pattern, shape, atoms, 0));
  if (plan_.chirality_) add_stereo(pattern, entry);
  const bool has_stereo = entry.chiral.first != entry.chiral.last || entry.stereo.first != entry.stereo.last;
  entry.arcs_decide = !has_stereo && (atoms.size() == 1 || (atoms.size() == 2 && pattern.bonds.size() == 1));
  plan_.has_groups_ |= !pattern.component_group.empty();
  plan_.max_pattern_atoms_ = std::max<Index>(plan_.max_pattern_atoms_, entry.num_atoms);
  return entry;
}

std::vector<bool> PlanBuilder::needed_bodies(const PatternEntry& entry) const {
  std::vector<bool> needed(bodies_.size(), false);
  for (std::uint32_t p = entry.programs.first; p < entry.programs.last; ++p) {
    const Range program = plan_.programs_[plan_.pattern_programs_[p]];
    for (std::uint32_t o = program.first; o < program.last; ++o) {
      const std::uint32_t operation = plan_.operations_[o];
      if (operation >= kOpNot || (operation & kTagMask) != kBodyTag) continue;
      const auto& inner = body_needs_[operation & ~kTagMask];
      for (std::size_t b = 0; b < inner.size(); ++b) needed[b] = needed[b] || inner[b];
    }
  }
  return needed;
}

void PlanBuilder::add_query(const Query& query) {
  check_size(query.pattern, "query " + query.id);
  for (const PatternBond& bond : query.pattern.bonds) {
    const auto& groups = query.pattern.component_group;
    if (!groups.empty() && groups[bond.begin] != groups[bond.end]) {
      throw InputError("query " + query.id + " bonds atoms of different component groups");
    }
  }
  const Shape shape = compile_bonds(query.pattern);
  const std::vector<Atom> atoms = compile_atoms(query.pattern, shape, false);
  queries_.push_back(compile_pattern(query.pattern, shape, atoms, false));
  query_needs_.push_back(needed_bodies(queries_.back()));
  auto& screened = screened_.emplace_back();
  for (const Atom& atom : atoms) screened.push_back(atom.relaxed);
}

}  // namespace quarry::match
