/// The second half of making a plan: the masks get their indices in a molecule's row, and every array is filled.
#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <span>

#include "graph/pattern/matching_order.hpp"
#include "match/planning/plan_draft.hpp"

namespace quarry::match {
namespace {

// A search may start from any of the rarest atoms. More roots cost memory and seldom find a rarer one.
constexpr std::size_t kMaxRoots = 8;
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

/// Sets a bit of a row of bits.
void set_bit(std::span<std::uint64_t> row, Index bit) { row[bit / kWordBits] |= std::uint64_t{1} << (bit % kWordBits); }

std::vector<std::uint32_t> neighbours_of(const Pattern& pattern, std::uint32_t atom) {
  std::vector<std::uint32_t> result;
  for (const PatternBond& bond : pattern.bonds) {
    if (bond.begin == atom) result.push_back(bond.end);
    if (bond.end == atom) result.push_back(bond.begin);
  }
  std::ranges::sort(result);
  return result;
}

class PlanWriter {
 public:
  PlanWriter(const PlanDraft& draft, const Options& options) : draft_(draft) {
    plan_.predicates = draft.predicates.values();
    plan_.refine = options.refine;
    plan_.chirality = options.chirality;
  }

  Plan write() {
    number_masks();
    write_relations();
    write_programs();
    write_demands();
    write_atom_classes();
    write_signatures();
    for (const PatternDraft& pattern : draft_.patterns) write_pattern(pattern);
    write_query_tables();
    return std::move(plan_);
  }

 private:
  void number_masks();
  std::uint32_t index_of(MaskId mask) const { return indices_[mask.kind][mask.number]; }
  void write_relations();
  void write_programs();
  void write_demands();
  void write_atom_classes();
  void write_signatures();
  void write_pattern(const PatternDraft& draft);
  /// Which queries need each predicate, atom class, recursive pattern and program.
  void write_query_tables();

  Range write_atoms(const PatternDraft& draft);
  Range write_programs_of(const PatternDraft& draft);
  Range write_recursive_demands(const PatternDraft& draft);
  Range write_roots(const PatternDraft& draft);
  Range write_levels(const PatternDraft& draft, std::uint32_t root);
  /// What the atoms that have these masks need together.
  Range write_room(std::span<const SearchLevel> levels);
  void write_stereo(const PatternDraft& draft, PatternEntry& entry);
  /// Recursive patterns that the pattern's atoms refer to, nested ones included.
  std::vector<bool> recursive_needs_of(const PatternDraft& draft) const;

  const PlanDraft& draft_;
  Plan plan_;
  PlanArrays<Owned>& arrays_ = plan_.arrays;
  std::array<std::vector<std::uint32_t>, kNumMaskKinds> indices_;  // of each mask, by its kind and number
  std::uint32_t first_signature_ = 0;
  std::vector<std::uint32_t> demand_order_, atom_class_order_;  // their numbers, in the order of the row
  std::vector<PatternEntry> queries_;
  std::vector<std::vector<bool>> recursive_needs_;  // of each recursive pattern: those inside it
};

void PlanWriter::number_masks() {
  // Demands into predicates come first, because a table serves them; the rest by mask, so that like loops come together.
  demand_order_ = order_by(draft_.demands.values(), &DemandDraft::mask);
  // Atom classes by the number of their masks: loops of one length can be unrolled.
  atom_class_order_ = order_by(draft_.atom_classes.values(), [](const auto& masks) { return masks.size(); });
  plan_.num_recursive = std::ranges::count(draft_.patterns, true, &PatternDraft::is_recursive);

  std::uint32_t next = 0;
  const auto number = [&](MaskId::Kind kind, const std::vector<std::uint32_t>& order) {
    indices_[kind].resize(order.size());
    for (const std::uint32_t i : order) indices_[kind][i] = next++;
  };
  const auto in_order = [](std::size_t size) {
    std::vector<std::uint32_t> order(size);
    std::iota(order.begin(), order.end(), 0);
    return order;
  };
  number(MaskId::predicate, in_order(draft_.predicates.values().size()));
  number(MaskId::recursive, in_order(plan_.num_recursive));
  number(MaskId::program, in_order(draft_.programs.values().size()));
  number(MaskId::demand, demand_order_);
  number(MaskId::ring_system, in_order(draft_.ring_systems.values().size()));
  number(MaskId::atom_class, atom_class_order_);
  first_signature_ = next;
}

void PlanWriter::write_relations() {
  for (const auto& [kinds, on_cycle] : draft_.relations.values()) {
    arrays_.relation_kinds.insert(arrays_.relation_kinds.end(), {on_cycle ? 0 : kinds, kinds});
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
    for (const Operation& operation : program) {
      const auto* mask = std::get_if<MaskId>(&operation);
      operations.push_back(mask != nullptr ? index_of(*mask) : std::get<std::uint32_t>(operation));
    }
    arrays_.programs.push_back(append(arrays_.operations, operations));
  }
}

void PlanWriter::write_demands() {
  for (const std::uint32_t i : demand_order_) {
    const DemandDraft& demand = draft_.demands.values()[i];
    arrays_.demands.push_back({demand.relation, demand.back_relation, index_of(demand.mask), demand.count});
    if (demand.mask.kind == MaskId::predicate) ++plan_.num_plain_demands;
  }
  const PlanView view = plan_.view();
  const Index words = view.plain_demand_words;
  arrays_.demands_of_bond.assign(2 * kNumBondKinds * words, 0);
  arrays_.demands_of_count.assign(kMaxDemandCount * words, 0);
  const auto row = [&](std::vector<std::uint64_t>& rows, Index i) { return std::span(rows).subspan(i * words, words); };
  for (Index d = 0; d < view.num_plain_demands; ++d) {
    const NeighbourDemand& demand = arrays_.demands[d];
    for (int label = 0; label < 2 * kNumBondKinds; ++label) {
      if (view.accepts(demand.relation, label)) set_bit(row(arrays_.demands_of_bond, label), d);
    }
    set_bit(row(arrays_.demands_of_count, demand.count - 1), d);
  }
}

void PlanWriter::write_atom_classes() {
  arrays_.ring_systems = draft_.ring_systems.values();
  std::vector<AtomClass> classes;
  for (const std::vector<MaskId>& masks : draft_.atom_classes.values()) {
    std::vector<std::uint32_t> others;
    for (const MaskId mask : std::span(masks).subspan(1)) others.push_back(index_of(mask));
    classes.push_back({index_of(masks.front()), append(arrays_.atom_class_masks, others)});
  }
  for (const std::uint32_t i : atom_class_order_) arrays_.atom_classes.push_back(classes[i]);
  const auto size = [](const AtomClass& atom_class) { return Index{atom_class.others.last - atom_class.others.first}; };
  for (Index least = 0; least <= kMaxUnrolledMasks + 1; ++least) {
    const auto first = std::ranges::lower_bound(arrays_.atom_classes, least, {}, size);
    arrays_.atom_classes_by_size.push_back(first - arrays_.atom_classes.begin());
  }
}

void PlanWriter::write_signatures() {
  arrays_.label_masks = draft_.label_predicates;  // predicates stand first in the row, under their own numbers
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
  entry.atoms = write_atoms(draft);
  entry.programs = write_programs_of(draft);
  entry.roots = write_roots(draft);
  if (draft.is_recursive) entry.demands = write_recursive_demands(draft);
  if (plan_.chirality) write_stereo(draft, entry);
  const bool has_stereo = entry.chiral.first != entry.chiral.last || entry.stereo.first != entry.stereo.last;
  const bool is_bond = entry.num_atoms == 2 && draft.relations.size() == 1;
  entry.demands_decide = !has_stereo && (entry.num_atoms == 1 || is_bond);

  plan_.has_directions |= draft.relations != draft.back_relations;
  plan_.has_groups |= !draft.pattern->component_group.empty();
  plan_.max_pattern_atoms = std::max<Index>(plan_.max_pattern_atoms, entry.num_atoms);
  (draft.is_recursive ? arrays_.patterns : queries_).push_back(entry);
}

Range PlanWriter::write_atoms(const PatternDraft& draft) {
  std::vector<PatternAtom> atoms;
  for (const std::uint32_t a : order_by(draft.atoms, &PatternDraft::Atom::share)) {
    const PatternAtom atom{index_of(draft.atoms[a].mask), first_signature_ + draft.atoms[a].signature};
    const bool known = std::ranges::any_of(
        atoms, [&](const PatternAtom& other) { return other.mask == atom.mask && other.signature == atom.signature; });
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

Range PlanWriter::write_recursive_demands(const PatternDraft& draft) {
  std::vector<NeighbourDemand> demands;
  for (const DemandDraft& demand : draft.demands) {
    demands.push_back({demand.relation, demand.back_relation, index_of(demand.mask), demand.count});
  }
  return append(arrays_.recursive_demands, demands);
}

Range PlanWriter::write_roots(const PatternDraft& draft) {
  // The atom that a recursive pattern is about is its first, so its search has one root.
  const auto candidates =
      draft.is_recursive ? std::vector<std::uint32_t>{0} : order_by(draft.atoms, &PatternDraft::Atom::share);
  std::vector<Root> roots;
  for (const std::uint32_t atom : candidates) {
    const std::uint32_t mask = index_of(draft.atoms[atom].mask);
    const bool known = std::ranges::find(roots, mask, &Root::mask) != roots.end();
    if (known || roots.size() == kMaxRoots) continue;
    roots.push_back({mask, write_levels(draft, atom).first});
  }
  return append(arrays_.roots, roots);
}

Range PlanWriter::write_levels(const PatternDraft& draft, std::uint32_t root) {
  std::vector<double> shares;
  for (const PatternDraft::Atom& atom : draft.atoms) shares.push_back(atom.share);
  std::vector<QueryEdge> edges;
  for (const PatternBond& bond : draft.pattern->bonds) edges.push_back({bond.begin, bond.end});
  const auto same_component = checked_cast<std::uint32_t>(draft_.relations.values().size());

  std::vector<SearchLevel> levels;
  std::map<std::int32_t, std::uint32_t> group_positions;  // one placed atom of each component group
  for (const OrderedNode& node : matching_order(shares, edges, root)) {
    SearchLevel level;
    level.mask = index_of(draft.atoms[node.node].mask);
    level.signature = first_signature_ + draft.atoms[node.node].signature;
    level.query_atom = node.node;
    level.has_parent = !node.edges.empty();
    std::vector<BondCheck> checks;
    for (const OrderedNode::Back& back : node.edges) {
      const bool forward = draft.pattern->bonds[back.edge].begin == levels[back.position].query_atom;
      checks.push_back({back.position, (forward ? draft.relations : draft.back_relations)[back.edge]});
    }
    if (level.has_parent) {
      level.parent = checks.front();
      checks.erase(checks.begin());
    } else if (!draft.pattern->component_group.empty() && draft.pattern->component_group[node.node] >= 0) {
      const std::int32_t group = draft.pattern->component_group[node.node];
      for (const auto& [placed_group, position] : group_positions) {
        checks.push_back({position, placed_group == group ? same_component : same_component + 1});
      }
      group_positions.emplace(group, checked_cast<std::uint32_t>(levels.size()));
    }
    level.num_checks = checked_cast<std::uint16_t>(checks.size());
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
    for (const Operation& operation : draft_.programs.values()[atom.expression.number]) {
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
  arrays_.queries_of_predicate.assign(view.num_predicates * view.query_words, 0);
  arrays_.queries_of_atom_class.assign(view.num_atom_classes * view.query_words, 0);
  arrays_.needs.assign(view.num_queries * view.need_words, 0);
  const auto queries_of = [&](std::vector<std::uint64_t>& rows, Index i) {
    return std::span(rows).subspan(i * view.query_words, view.query_words);
  };
  Index query = 0;
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
      set_bit(queries_of(arrays_.queries_of_predicate, atom.predicate), query);
      set_bit(queries_of(arrays_.queries_of_atom_class, index_of(atom.mask) - view.atom_class_mask()), query);
    }
    ++query;
  }
}

}  // namespace

Plan write_plan(const PlanDraft& draft, const Options& options) { return PlanWriter(draft, options).write(); }

}  // namespace quarry::match
