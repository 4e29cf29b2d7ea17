/// What to search for, decided once on the host: queries and `$()` bodies as steps over shared masks.
///
/// Every molecule of a batch gets a row of masks, one bit per atom, shared by all queries:
///   predicates  atoms that fulfil a distinct atom predicate without `$()`
///   bodies      atoms at which a distinct `$()` body matches
///   programs    atoms that fulfil a distinct expression with `$()`, by a small program
///   arcs        atoms with so many neighbours, over a distinct bond relation, in one of the masks before
///   blocks      atoms in ring blocks with at least so many atoms and independent cycles
///   nodes       atoms that fulfil an expression and have the neighbours and the ring block of a query atom
///   signatures  atoms whose surroundings dominate a distinct query signature (SIGMo, section 4.3)
/// A mask is named by its place in this row. A query atom is then two numbers, its node and its signature; its
/// candidates are the AND of the two masks. Many queries share few nodes: 3,417 atoms of 619 queries are 1,649 nodes.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "exec/parcel.hpp"
#include "exec/simd/bits.hpp"
#include "exec/view.hpp"
#include "graph/graph_batch.hpp"
#include "quarry/match.hpp"

namespace quarry::match {

/// A half-open run of another array.
struct Range {
  std::uint32_t first = 0, last = 0;
};

/// Bond relations are masks per atom too: neighbours over a bond of an accepted kind, and on a cycle where the query
/// bond is. Component groups are the last two.
struct Check {
  std::uint32_t position = 0;  ///< of the other atom in the order
  std::uint32_t relation = 0;
};

/// One atom of a matching order. Its candidates are `mask & signature`.
struct Step {
  std::uint32_t mask = 0, signature = 0;
  std::uint32_t query_atom = 0;
  Check parent;  ///< a bond to an atom placed before
  bool has_parent = false;
  std::uint16_t num_checks = 0;
  std::uint32_t first_check = 0;  ///< what else must hold
};

/// A place to start: a step list whose first atom has this mask.
struct Root {
  std::uint32_t mask = 0;
  std::uint32_t first_step = 0;
};

/// Largest number of like neighbours that an arc can ask for; more are not asked for.
inline constexpr std::uint32_t kMaxArcCount = 4;

/// Atoms with at least `count` neighbours over `relation` in `mask`.
struct Arc {
  std::uint32_t relation = 0, mask = 0, count = 1;
  auto operator<=>(const Arc&) const = default;
};

/// Nodes of up to this many other masks have a loop of their own.
inline constexpr Index kMaxNodeSize = 5;

/// A query atom's demands on an atom and its surroundings.
struct Node {
  std::uint32_t mask = 0;  ///< of its expression
  Range others;            ///< in `node_masks`: arcs and block
};

/// One query atom of a pattern, in an order that tends to fail early.
struct PatternAtom {
  std::uint32_t mask = 0, signature = 0;
};

/// A query or a body.
struct PatternEntry {
  std::uint32_t num_atoms = 0;
  bool arcs_decide = false;  ///< a body of one or two atoms: its first atom's arcs are the whole answer
  Range atoms, roots;
  Range programs;  ///< those its atoms need, in `pattern_programs`
  Range arcs;      ///< of a body's first atom, in `body_arcs`
  Range chiral, stereo;
};

/// A tetrahedral mark: `neighbours` of the query atom in ascending order.
struct ChiralCheck {
  std::uint32_t atom = 0;
  bool clockwise = false;
  Range neighbours;
};

/// One signature constraint: at least `threshold` atoms of `atom_class` within `radius` bonds, the centre not counted.
struct Feature {
  std::uint8_t radius = 1, atom_class = 0, threshold = 1;
  auto operator<=>(const Feature&) const = default;
};

/// Instruction of an expression program, in postfix order: a slot to push, or an operator.
inline constexpr std::uint32_t kOpAnd = 0xFFFFFFFFU, kOpOr = 0xFFFFFFFEU, kOpNot = 0xFFFFFFFDU;
inline constexpr int kProgramStack = 32;

/// Bit rows that kernels combine by the dozen are padded to whole blocks of words, which a loop can keep in registers.
inline constexpr Index kRowBlock = 8;
QUARRY_HD constexpr Index padded_words(Index bits) {
  return (bits + kRowBlock * kWordBits - 1) / (kRowBlock * kWordBits) * kRowBlock;
}

/// Everything a kernel reads of a plan. Widths `query_words`, `need_words` and `plain_arc_words` are padded.
struct PlanView {
  Index num_queries = 0, query_words = 0;
  Index num_bodies = 0;
  Index num_predicates = 0, row_words = 0;
  Index num_programs = 0, num_arcs = 0, num_blocks = 0, num_nodes = 0, num_signatures = 0;
  Index num_relations = 0, num_bond_relations = 0;
  Index refine = 0, num_classes = 0;
  Index need_words = 0;      ///< of a bit row over bodies and programs
  Index num_plain_arcs = 0;  ///< the first arcs, those into predicates
  Index plain_arc_words = 0;
  bool chirality = false;

  View<const PatternEntry> patterns;  ///< [num_bodies + num_queries], bodies first, inner before outer
  View<const PatternAtom> pattern_atoms;
  View<const Root> roots;
  View<const Step> steps;
  View<const Check> checks;
  View<const Range> programs;  ///< [num_programs] into `operations`
  View<const std::uint32_t> operations, pattern_programs;
  View<const Arc> arcs, body_arcs;         ///< [num_arcs]; and those of bodies, which are not shared
  View<const std::uint64_t> label_arcs;    ///< [2 * kNumBondKinds, plain_arc_words] arcs whose relation accepts a label
  View<const std::uint64_t> count_arcs;    ///< [kMaxArcCount, plain_arc_words] arcs by their count
  View<const Node> nodes;                  ///< [num_nodes], by number of other masks
  View<const Index> nodes_by_size;         ///< [kMaxNodeSize + 2] first node with so many other masks or more
  View<const std::uint32_t> node_masks;    ///< places of masks
  View<const RingBlock> blocks;            ///< [num_blocks] distinct lower limits
  View<const std::uint64_t> screen;        ///< [num_predicates, query_words] queries that need the predicate
  View<const std::uint64_t> needs;         ///< [num_queries, need_words] bodies and programs that a query needs
  View<const std::uint64_t> node_queries;  ///< [num_nodes, query_words] queries with an atom of this node
  View<const std::uint64_t> relation_kinds;  ///< [num_bond_relations, 2] accepted bond kinds off and on cycles
  View<const Range> label_relations;         ///< [2 * kNumBondKinds] by edge label, into `relation_list`
  View<const std::uint32_t> relation_list;
  View<const std::uint32_t> class_masks;  ///< [num_classes] predicate that defines the class
  View<const Feature> features;           ///< distinct constraints
  View<const Range> signatures;           ///< [num_signatures] into `signature_features`; the first is empty
  View<const std::uint32_t> signature_features;
  View<const ChiralCheck> chiral;
  View<const std::uint32_t> chiral_neighbours;
  View<const StereoBond> stereo;

  QUARRY_HD const PatternEntry& query(Index q) const { return patterns[num_bodies + q]; }
  QUARRY_HD bool accepts(Index relation, std::uint8_t edge_label) const {
    return (relation_kinds[2 * relation + edge_label / kOnCycle] >> (edge_label % kOnCycle) & 1) != 0;
  }
  /// Places of the first mask of each sort.
  QUARRY_HD Index body_mask() const { return num_predicates; }
  QUARRY_HD Index program_mask() const { return body_mask() + num_bodies; }
  QUARRY_HD Index arc_mask() const { return program_mask() + num_programs; }
  QUARRY_HD Index block_mask() const { return arc_mask() + num_arcs; }
  QUARRY_HD Index node_mask() const { return block_mask() + num_blocks; }
  QUARRY_HD Index signature_mask() const { return node_mask() + num_nodes; }
  /// Bit of a mask in a row of needs.
  QUARRY_HD Index need_bit(Index mask) const { return mask - num_predicates; }
  QUARRY_HD Index num_masks() const { return signature_mask() + num_signatures; }
};

/// Turns the arrays of a plan to their copies on a device, which `parcel` keeps.
void send_plan(Queue& queue, Parcel& parcel, PlanView& plan);

/// The owning form.
class Plan {
 public:
  /// @throws InputError, CapacityError  see match::Matcher
  Plan(const QuerySet& queries, const Options& options);

  PlanView view() const;
  /// Distinct predicates, for the table of atom kinds: predicate p of a kind is bit p of its row.
  const std::vector<AtomExpression>& predicates() const { return predicates_; }
  /// The table row of an atom kind: its predicates, [row_words], then the arcs that a neighbour of this kind may serve,
  /// [plain_arc_words].
  std::vector<std::uint64_t> kind_row(const AtomKind& kind) const;
  Index max_pattern_atoms() const { return max_pattern_atoms_; }
  bool has_groups() const { return has_groups_; }

 private:
  friend class PlanBuilder;
  std::vector<AtomExpression> predicates_;
  std::vector<PatternEntry> patterns_;
  std::vector<PatternAtom> pattern_atoms_;
  std::vector<Arc> arcs_, body_arcs_;
  std::vector<RingBlock> blocks_;
  std::vector<Node> nodes_;
  std::vector<Index> nodes_by_size_;
  std::vector<Root> roots_;
  std::vector<Step> steps_;
  std::vector<Check> checks_;
  std::vector<Range> programs_, label_relations_, signatures_;
  std::vector<std::uint32_t> operations_, pattern_programs_, relation_list_, class_masks_, signature_features_,
      node_masks_, chiral_neighbours_;
  std::vector<std::uint64_t> screen_, needs_, node_queries_, label_arcs_, count_arcs_, relation_kinds_;
  std::vector<Feature> features_;
  std::vector<ChiralCheck> chiral_;
  std::vector<StereoBond> stereo_;
  Index num_bodies_ = 0, num_queries_ = 0, max_pattern_atoms_ = 0, num_plain_arcs_ = 0;
  int refine_ = 0;
  bool chirality_ = false, has_groups_ = false;
};

}  // namespace quarry::match
