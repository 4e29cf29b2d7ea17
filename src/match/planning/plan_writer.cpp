/// The second half of making a plan: the masks get their indices in a molecule's row, and every array is filled.
#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <numeric>
#include <span>

#include "graph/cycle_lengths.hpp"
#include "match/planning/decided.hpp"
#include "match/planning/plan_draft.hpp"
#include "match/planning/query_screens.hpp"
#include "match/planning/rarity.hpp"
#include "match/planning/search_orders.hpp"

namespace quarry::match {
namespace {

constexpr std::uint32_t kNoMask = 0xFFFFFFFFU;
// Masks of which every union is checked for room; all unions of six would be 63 checks.
constexpr std::size_t kMaxRoomMasks = 5;

/// Appends items. @return  where they are
template <class T>
Range append(std::vector<T>& target, const std::vector<T>& items) {
  const auto first = checked_cast<std::uint32_t>(target.size());
  target.insert(target.end(), items.begin(), items.end());
  return {first, checked_cast<std::uint32_t>(target.size())};
}

/// Numbers of the items, sorted by a key; items with equal keys stay in order.
template <class T, class Key>
std::vector<std::uint32_t> order_by(const std::vector<T>& items, Key key) {
  std::vector<std::uint32_t> order(items.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return std::invoke(key, items[i]); });
  return order;
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

/// Does the environment of an atom decide the class?
bool is_plain(const AtomClassDraft& drafted) { return drafted.others.empty() && drafted.other_demands.empty(); }

class PlanWriter {
 public:
  PlanWriter(const PlanDraft& draft, const Options& options) : draft_(draft) {
    plan_.predicates = draft.predicates.values();
    plan_.refine = options.refine;
    plan_.chirality = options.chirality;
    if (options.mode == Mode::count) goal_ = SearchGoal::number;
    if (options.mode == Mode::unique) goal_ = SearchGoal::atom_sets;
  }

  Plan write() {
    number_masks();
    write_relations();
    write_programs();
    write_plain_programs();
    write_demands();
    write_atom_classes();
    write_signatures();
    for (const PatternDraft& pattern : draft_.patterns) write_pattern(pattern);
    write_query_tables();
    return std::move(plan_);
  }

 private:
  void number_masks();
  void number_plain_masks();
  std::uint32_t index_of(MaskId mask) const { return indices_[mask.kind][mask.number]; }
  /// The number of a predicate or plain program among the plain expressions.
  std::uint32_t expression_of(MaskId mask) const {
    return mask.number + (mask.kind == MaskId::predicate ? 0 : checked_cast<std::uint32_t>(plan_.predicates.size()));
  }
  void write_plain_programs();
  void write_relations();
  void write_programs();
  void write_demands();
  void write_atom_classes();
  void write_signatures();
  void write_pattern(const PatternDraft& draft);
  /// Which queries need each predicate, atom class, recursive pattern and program.
  void write_query_tables();

  /// Is it a star that demands decide, whatever stereo marks it has?
  static bool is_decided(const PatternDraft& draft);
  /// The mask of the candidates that are left to an atom after refinement.
  std::uint32_t refined_mask_of(const PatternDraft::Atom& atom);
  Range write_atoms(const PatternDraft& draft);
  Range write_programs_of(const PatternDraft& draft);
  std::vector<NeighbourDemand> written(const std::vector<DemandDraft>& drafted) const;
  Range write_roots(const PatternDraft& draft);
  Range write_levels(const PatternDraft& draft, const SearchOrder& order);
  /// What the atoms that have these masks need together.
  Range write_room(std::span<const SearchLevel> levels);
  void write_stereo(const PatternDraft& draft, PatternEntry& entry);
  /// Recursive patterns that the pattern's atoms refer to, nested ones included.
  std::vector<bool> recursive_needs_of(const PatternDraft& draft) const;

  const PlanDraft& draft_;
  Plan plan_;
  SearchGoal goal_ = SearchGoal::embeddings;
  PlanArrays<Owned>& arrays_ = plan_.arrays;
  std::array<std::vector<std::uint32_t>, kNumMaskKinds> indices_;  // of each mask, by its kind and number
  std::uint32_t first_atom_class_ = 0, num_plain_classes_ = 0, first_signature_ = 0;
  std::vector<std::uint32_t> atom_class_order_;                        // their numbers, in the order of the row
  Distinct<std::pair<std::uint32_t, std::uint32_t>> refined_classes_;  // mask of the class, and signature
  std::vector<PatternEntry> queries_;
  std::vector<std::vector<bool>> recursive_needs_;  // of each recursive pattern: those inside it
};

void PlanWriter::number_masks() {
  // Plain atom classes come first.
  atom_class_order_ = order_by(draft_.atom_classes.values(), [](const auto& drafted) { return !is_plain(drafted); });
  num_plain_classes_ = checked_cast<std::uint32_t>(
      std::ranges::count_if(draft_.atom_classes.values(), [](const auto& drafted) { return is_plain(drafted); }));
  plan_.num_recursive = std::ranges::count(draft_.patterns, true, &PatternDraft::is_recursive);

  number_plain_masks();
  auto next = checked_cast<std::uint32_t>(plan_.rules.masks.size());
  const auto number = [&](MaskId::Kind kind, const std::vector<std::uint32_t>& order) {
    indices_[kind].resize(order.size());
    for (const std::uint32_t i : order) indices_[kind][i] = next++;
  };
  const auto in_order = [](std::size_t size) {
    std::vector<std::uint32_t> order(size);
    std::iota(order.begin(), order.end(), 0);
    return order;
  };
  first_atom_class_ = next;
  number(MaskId::atom_class, atom_class_order_);
  next = checked_cast<std::uint32_t>(strips_for(next) * kStripBits);
  number(MaskId::recursive, in_order(plan_.num_recursive));
  number(MaskId::program, in_order(draft_.programs.values().size()));
  first_signature_ = next;
}

/// The plain expressions that have a mask: those that programs, demands and labels read.
void PlanWriter::number_plain_masks() {
  const auto number = [&](MaskId mask) {
    auto& indices = indices_[mask.kind];
    indices.resize(std::max<std::size_t>(indices.size(), mask.number + 1), kNoMask);
    if (indices[mask.number] != kNoMask) return;
    indices[mask.number] = checked_cast<std::uint32_t>(plan_.rules.masks.size());
    plan_.rules.masks.push_back(expression_of(mask));
  };
  const auto is_expression = [](MaskId mask) {
    return mask.kind == MaskId::predicate || mask.kind == MaskId::plain_program;
  };
  const auto number_if_plain = [&](MaskId mask) {
    if (is_expression(mask)) number(mask);
  };
  for (const std::uint32_t predicate : draft_.label_predicates) number({MaskId::predicate, predicate});
  for (const ProgramDraft& program : draft_.programs.values()) {
    for (const Operation& operation : program.operations) {
      if (const auto* mask = std::get_if<MaskId>(&operation)) number_if_plain(*mask);
    }
  }
  for (const AtomClassDraft& drafted : draft_.atom_classes.values()) {
    for (const DemandDraft& demand : drafted.other_demands) number_if_plain(demand.mask);
  }
  for (const PatternDraft& pattern : draft_.patterns) {
    for (const DemandDraft& demand : pattern.demands) number_if_plain(demand.mask);
  }
}

void PlanWriter::write_relations() {
  for (const auto& [kinds, on_cycle] : draft_.relations.values()) {
    arrays_.relation_kinds.insert(arrays_.relation_kinds.end(), {on_cycle ? 0 : kinds, kinds});
    plan_.has_ring_bonds |= on_cycle;
    plan_.has_directions |= kinds != reversed_kinds(kinds);
  }
  const PlanView view = plan_.view();
  for (int label = 0; label < 2 * kNumBondKinds; ++label) {
    std::vector<std::uint32_t> accepting;
    for (std::uint32_t r = 0; r < view.num_bond_relations; ++r) {
      if (view.accepts(r, label)) accepting.push_back(r);
    }
    arrays_.relations_of_bond.push_back(append(arrays_.relation_list, accepting));
  }
}

void PlanWriter::write_programs() {
  for (const auto& program : draft_.programs.values()) {
    std::vector<std::uint32_t> operations;
    for (const Operation& operation : program.operations) {
      const auto* mask = std::get_if<MaskId>(&operation);
      operations.push_back(mask != nullptr ? index_of(*mask) : std::get<std::uint32_t>(operation));
    }
    arrays_.programs.push_back(append(arrays_.operations, operations));
  }
}

void PlanWriter::write_plain_programs() {
  const auto num_expressions =
      checked_cast<std::uint32_t>(plan_.predicates.size() + draft_.plain_programs.values().size());
  for (const ProgramDraft& program : draft_.plain_programs.values()) {
    std::vector<std::uint32_t> operations;
    for (const Operation& operation : program.operations) {
      const auto* mask = std::get_if<MaskId>(&operation);
      if (mask == nullptr) {
        operations.push_back(std::get<std::uint32_t>(operation));
      } else if (mask->kind == MaskId::atom_class) {
        operations.push_back(num_expressions + index_of(*mask) - first_atom_class_);
      } else {
        operations.push_back(expression_of(*mask));
      }
    }
    plan_.rules.programs.push_back({program.predicate, append(plan_.rules.operations, operations)});
  }
}

void PlanWriter::write_demands() {
  PlainRules& rules = plan_.rules;
  for (const DemandDraft& demand : draft_.plain_demands.values()) {
    rules.demands.push_back({demand.relation, demand.mask.number, demand.count});
  }
  const PlanView view = plan_.view();
  const Index words = rules.words();
  rules.demands_of_bond.assign(2 * kNumBondKinds * words, 0);
  rules.demands_of_count.assign(kMaxDemandCount * words, 0);
  const auto row = [&](std::vector<std::uint64_t>& rows, Index i) { return std::span(rows).subspan(i * words, words); };
  for (Index d = 0; d < std::ssize(rules.demands); ++d) {
    const NeighbourDemand& demand = rules.demands[d];
    for (int label = 0; label < 2 * kNumBondKinds; ++label) {
      if (view.accepts(demand.relation, label)) set_bit(row(rules.demands_of_bond, label), d);
    }
    set_bit(row(rules.demands_of_count, demand.count - 1), d);
  }
}

void PlanWriter::write_atom_classes() {
  PlainRules& rules = plan_.rules;
  std::vector<std::vector<std::uint32_t>> of_demand(rules.demands.size());
  std::vector<std::vector<std::uint32_t>> of_expression(plan_.predicates.size() + rules.programs.size());
  const auto share = [&](std::uint32_t d) { return draft_.typical_share_of_demand(d); };
  for (const std::uint32_t i : atom_class_order_) {
    const AtomClassDraft& drafted = draft_.atom_classes.values()[i];
    const auto number = checked_cast<std::uint32_t>(rules.classes.size());
    std::vector<std::uint32_t> demands = drafted.plain_demands;
    std::ranges::stable_sort(demands, {}, share);
    const bool by_demand = drafted.expression.kind == MaskId::predicate && !demands.empty() &&
                           share(demands.front()) < typical_share(plan_.predicates[drafted.expression.number]);
    (by_demand ? of_demand[demands.front()] : of_expression[expression_of(drafted.expression)]).push_back(number);
    rules.classes.push_back(
        {expression_of(drafted.expression), append(rules.class_demands, demands), drafted.ring_system});
    if (is_plain(drafted)) continue;
    std::vector<std::uint32_t> masks;
    for (const MaskId mask : drafted.others) masks.push_back(index_of(mask));
    arrays_.other_classes.push_back(
        {append(arrays_.other_masks, masks), append(arrays_.demands, written(drafted.other_demands))});
  }
  for (const auto& classes : of_demand) rules.classes_of_demand.push_back(append(rules.class_list, classes));
  for (const auto& classes : of_expression) rules.classes_of_expression.push_back(append(rules.class_list, classes));
}

void PlanWriter::write_signatures() {
  for (const std::uint32_t predicate : draft_.label_predicates) {
    arrays_.label_masks.push_back(index_of({MaskId::predicate, predicate}));
  }
  Distinct<Feature> features;
  for (const std::vector<Feature>& signature : draft_.signatures.values()) {
    std::vector<std::uint32_t> numbers;
    for (const Feature& feature : signature) numbers.push_back(features.add(feature));
    arrays_.signatures.push_back(append(arrays_.signature_features, numbers));
  }
  arrays_.features = features.values();
}

void PlanWriter::write_pattern(const PatternDraft& draft) {
  PatternEntry entry;
  entry.num_atoms = checked_cast<std::uint32_t>(draft.atoms.size());
  entry.cycle_lengths = draft.cycle_lengths;
  entry.atoms = write_atoms(draft);
  entry.programs = write_programs_of(draft);
  entry.roots = write_roots(draft);
  if (draft.is_recursive) entry.demands = append(arrays_.recursive_demands, written(draft.demands));
  if (plan_.chirality) write_stereo(draft, entry);
  const bool has_stereo = entry.chiral.first != entry.chiral.last || entry.stereo.first != entry.stereo.last;
  entry.demands_decide = !has_stereo && is_decided(draft);
  constexpr std::uint8_t kCommon = 1U << (5 - kMinCycle) | 1U << (6 - kMinCycle);  // nearly every molecule has these
  plan_.has_cycles |= (draft.cycle_lengths & ~kCommon) != 0;
  plan_.has_groups |= !draft.pattern->component_group.empty();
  plan_.max_pattern_atoms = std::max<Index>(plan_.max_pattern_atoms, entry.num_atoms);
  if (draft.is_recursive) plan_.max_recursive_atoms = std::max<Index>(plan_.max_recursive_atoms, entry.num_atoms);
  (draft.is_recursive ? arrays_.patterns : queries_).push_back(entry);
}

bool PlanWriter::is_decided(const PatternDraft& draft) {
  Pattern unmarked = *draft.pattern;
  unmarked.chiral_atoms.clear();
  unmarked.stereo_bonds.clear();
  if (draft.is_recursive) return is_decided_star(unmarked, 0);
  for (std::uint32_t center = 0; center < draft.atoms.size(); ++center) {
    if (is_decided_star(unmarked, center)) return true;
  }
  return false;
}

std::uint32_t PlanWriter::refined_mask_of(const PatternDraft::Atom& atom) {
  if (atom.signature == PatternDraft::kNoSignature) return index_of(atom.mask);
  const std::uint32_t number = refined_classes_.add({index_of(atom.mask), atom.signature});
  if (number == arrays_.refined_classes.size())
    arrays_.refined_classes.push_back({index_of(atom.mask), first_signature_ + atom.signature});
  return first_signature_ + checked_cast<std::uint32_t>(arrays_.signatures.size()) + number;
}

Range PlanWriter::write_atoms(const PatternDraft& draft) {
  std::vector<PatternAtom> atoms;
  std::vector<double> shares;
  for (const PatternDraft::Atom& atom : draft.atoms) shares.push_back(draft_.typical_share_of(atom));
  for (const std::uint32_t a : order_by(shares, std::identity())) {
    const PatternAtom atom{index_of(draft.atoms[a].mask), refined_mask_of(draft.atoms[a])};
    const bool known = std::ranges::find(atoms, atom.refined_mask, &PatternAtom::refined_mask) != atoms.end();
    if (!known) atoms.push_back(atom);
  }
  return append(arrays_.pattern_atoms, atoms);
}

Range PlanWriter::write_programs_of(const PatternDraft& draft) {
  std::vector<std::uint32_t> programs;
  for (const PatternDraft::Atom& atom : draft.atoms) {
    if (atom.expression.kind == MaskId::program) programs.push_back(atom.expression.number);
  }
  std::ranges::sort(programs);
  programs.erase(std::unique(programs.begin(), programs.end()), programs.end());
  return append(arrays_.pattern_programs, programs);
}

std::vector<NeighbourDemand> PlanWriter::written(const std::vector<DemandDraft>& drafted) const {
  std::vector<NeighbourDemand> demands;
  for (const DemandDraft& demand : drafted) {
    demands.push_back({demand.relation, index_of(demand.mask), demand.count});
  }
  return demands;
}

Range PlanWriter::write_roots(const PatternDraft& draft) {
  const Pattern& pattern = *draft.pattern;
  // Marks are checked when all atoms are placed, component groups against atoms placed before.
  const bool has_marks = plan_.chirality && (!pattern.chiral_atoms.empty() || !pattern.stereo_bonds.empty());
  const bool may_use_symmetries = !draft.is_recursive && !has_marks && pattern.component_group.empty();
  std::vector<Root> roots;
  for (const SearchOrder& order : search_orders(draft, may_use_symmetries ? goal_ : SearchGoal::embeddings)) {
    const MaskId first = draft.atoms[order.atoms.front().node].mask;
    const auto num_equivalent = checked_cast<std::uint32_t>(order.num_equivalent);
    roots.push_back({.mask = index_of(first),
                     .first_level = write_levels(draft, order).first,
                     .num_independent = checked_cast<std::uint32_t>(order.num_independent),
                     .num_equivalent = num_equivalent,
                     .equivalent_bits = checked_cast<std::uint32_t>(std::bit_width(num_equivalent - 1)),
                     .cost = checked_cast<std::uint32_t>(order.cost)});
  }
  return append(arrays_.roots, roots);
}

Range PlanWriter::write_levels(const PatternDraft& draft, const SearchOrder& order) {
  const auto same_component = checked_cast<std::uint32_t>(draft_.relations.values().size());

  std::vector<SearchLevel> levels;
  std::map<std::int32_t, std::uint32_t> group_atoms;  // one placed atom of each component group
  for (const OrderedNode& node : order.atoms) {
    SearchLevel level;
    level.mask = refined_mask_of(draft.atoms[node.node]);
    level.query_atom = node.node;
    level.greater_than = order.greater_than[node.node];
    level.has_parent = !node.edges.empty();
    std::vector<BondCheck> checks;
    for (const OrderedNode::Back& back : node.edges) {
      const std::uint32_t other = levels[back.position].query_atom;
      const bool forward = draft.pattern->bonds[back.edge].begin == other;
      checks.push_back({other, (forward ? draft.relations : draft.back_relations)[back.edge]});
    }
    if (level.has_parent) {
      level.parent = checks.front();
      checks.erase(checks.begin());
    } else if (!draft.pattern->component_group.empty() && draft.pattern->component_group[node.node] >= 0) {
      const std::int32_t group = draft.pattern->component_group[node.node];
      for (const auto& [placed_group, atom] : group_atoms) {
        checks.push_back({atom, placed_group == group ? same_component : same_component + 1});
      }
      group_atoms.emplace(group, node.node);
    }
    level.num_checks = checked_cast<std::uint16_t>(checks.size());
    level.has_only_parent = level.has_parent && checks.empty() && level.greater_than == kNoAtom;
    level.first_check = append(arrays_.bond_checks, checks).first;
    levels.push_back(level);
  }
  const bool is_connected = std::ranges::all_of(std::span(levels).subspan(1), &SearchLevel::has_parent);
  for (std::size_t i = 0; i < levels.size() && !is_connected; ++i) {
    if (!levels[i].has_parent) levels[i].room = write_room(std::span(levels).subspan(i));
  }
  return append(arrays_.levels, levels);
}

Range PlanWriter::write_room(std::span<const SearchLevel> levels) {
  std::map<std::uint32_t, std::uint32_t> atoms_of;  // mask: atoms that are still to be placed
  for (const SearchLevel& level : levels) ++atoms_of[level.mask];
  std::vector<std::pair<std::uint32_t, std::uint32_t>> masks(atoms_of.begin(), atoms_of.end());
  std::ranges::stable_sort(masks, std::greater(), [](const auto& mask) { return mask.second; });
  std::vector<RoomDemand> demands;
  const auto demand = [&](const auto& contains) {
    std::vector<std::uint32_t> chosen;
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < masks.size(); ++i) {
      if (!contains(i)) continue;
      chosen.push_back(masks[i].first);
      count += masks[i].second;
    }
    if (count > 1) demands.push_back({append(arrays_.room_masks, chosen), count});
  };
  // Those that the most atoms have, in every union, and all of them together.
  const std::size_t num_combined = std::min(masks.size(), kMaxRoomMasks);
  for (std::size_t bits = 1; bits < std::size_t{1} << num_combined; ++bits) {
    demand([&](std::size_t i) { return i < num_combined && (bits >> i & 1) != 0; });
  }
  if (masks.size() > kMaxRoomMasks) demand([](std::size_t) { return true; });
  return append(arrays_.room_demands, demands);
}

void PlanWriter::write_stereo(const PatternDraft& draft, PatternEntry& entry) {
  std::vector<ChiralCheck> checks;
  for (const ChiralAtom& chiral : draft.pattern->chiral_atoms) {
    auto neighbours = neighbours_of(*draft.pattern, chiral.atom);
    // With fewer than three neighbours there is no handedness to compare, only a mark to demand.
    if (neighbours.size() < 3) neighbours.clear();
    checks.push_back({chiral.atom, chiral.clockwise, append(arrays_.chiral_neighbours, neighbours)});
  }
  entry.chiral = append(arrays_.chiral_checks, checks);
  entry.stereo = append(arrays_.stereo_bonds, draft.pattern->stereo_bonds);
}

std::vector<bool> PlanWriter::recursive_needs_of(const PatternDraft& draft) const {
  std::vector<bool> needs(plan_.num_recursive, false);
  for (const PatternDraft::Atom& atom : draft.atoms) {
    if (atom.expression.kind != MaskId::program) continue;
    for (const Operation& operation : draft_.programs.values()[atom.expression.number].operations) {
      const auto* mask = std::get_if<MaskId>(&operation);
      if (mask == nullptr || mask->kind != MaskId::recursive) continue;
      needs[mask->number] = true;
      const std::vector<bool>& inner = recursive_needs_[mask->number];
      for (Index i = 0; i < plan_.num_recursive; ++i) needs[i] = needs[i] || inner[i];
    }
  }
  return needs;
}

void PlanWriter::write_query_tables() {
  plan_.num_queries = std::ssize(queries_);
  arrays_.patterns.insert(arrays_.patterns.end(), queries_.begin(), queries_.end());
  const PlanView view = plan_.view();
  arrays_.needs.assign(view.num_queries * view.need_words, 0);
  arrays_.queries_with_needs.assign(view.query_words, 0);
  std::vector<std::vector<std::uint32_t>> of_class(view.num_atom_classes);
  std::uint32_t query = 0;
  for (const PatternDraft& draft : draft_.patterns) {
    const std::vector<bool> recursive = recursive_needs_of(draft);
    if (draft.is_recursive) {
      recursive_needs_.push_back(recursive);
      continue;
    }
    const auto needs = std::span(arrays_.needs).subspan(query * view.need_words, view.need_words);
    for (Index r = 0; r < view.num_recursive; ++r) {
      if (recursive[r]) set_bit(needs, r);
    }
    for (const PatternDraft::Atom& atom : draft.atoms) {
      if (atom.expression.kind == MaskId::program) set_bit(needs, view.num_recursive + atom.expression.number);
      const Index other_class = Index{index_of(atom.mask)} - first_atom_class_ - num_plain_classes_;
      if (other_class >= 0) set_bit(needs, view.first_class_need() + other_class);
    }
    if (std::ranges::any_of(needs, std::identity())) set_bit(arrays_.queries_with_needs, query);
    const std::uint32_t rarest = arrays_.pattern_atoms[view.query(query).atoms.first].mask;
    of_class[rarest - view.atom_class_mask()].push_back(query++);
  }
  add_screens(plan_);
  for (const auto& queries : of_class) {
    plan_.rules.queries_of_class.push_back(append(plan_.rules.query_list, queries));
  }
}

}  // namespace

Plan write_plan(const PlanDraft& draft, const Options& options) { return PlanWriter(draft, options).write(); }

}  // namespace quarry::match
