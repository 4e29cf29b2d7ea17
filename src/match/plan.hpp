/// What to search for, decided once on the host: the queries, in terms of masks that all of them share.
///
/// Every molecule of a batch has a row of masks with one bit per atom:
///   plain expressions   atoms that fulfil a distinct expression that the environment of an atom decides
///   atom classes        atoms that fulfil the expression, the neighbour demands and the ring system of a query atom
///   recursive patterns  atoms at which a distinct body of `$()` matches
///   programs            atoms that fulfil a distinct expression with `$()`, evaluated by a small program
///   signatures          atoms whose surroundings dominate those of some query atoms (SIGMo, section 4.3)
///   refined classes     atoms of a class that have a signature
/// A mask is named by its index in this row. The candidates of a query atom are a refined class, or its atom class where
/// nothing is refined. Query atoms share classes: the 3,417 atoms of 619 queries fall into 1,649 classes.
#pragma once
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "exec/parcel.hpp"
#include "exec/simd/bits.hpp"
#include "exec/view.hpp"
#include "graph/graph_batch.hpp"
#include "quarry/match.hpp"

namespace quarry::match {

inline void set_bit(std::span<std::uint64_t> words, Index bit) {
  words[bit / kWordBits] |= std::uint64_t{1} << (bit % kWordBits);
}

/// Half-open range of the elements of another array.
struct Range {
  std::uint32_t first = 0, last = 0;
};

/// A bond from the atom that is placed to an atom placed before. Its relation says which bonds of the molecule fit: each
/// relation is a mask per atom, its neighbours over a bond of an accepted kind, and on a cycle where the query bond is.
/// The last two relations, where queries have component groups, are "in the same component" and "in another".
struct BondCheck {
  std::uint32_t query_atom = 0;  ///< the other
  std::uint32_t relation = 0;
};

/// Holds while at least `count` atoms in the union of some masks are not used.
struct RoomDemand {
  Range masks;  ///< in `room_masks`
  std::uint32_t count = 0;
};

inline constexpr std::uint32_t kNoAtom = 0xFFFFFFFFU;

/// One atom of a matching order.
struct SearchLevel {
  std::uint32_t mask = 0;  ///< its candidates
  std::uint32_t query_atom = 0;
  BondCheck parent;  ///< a bond to an atom placed before
  bool has_parent = false;
  bool has_only_parent = false;  ///< it has a parent, no other bonds to check, and need not be greater than any
  std::uint16_t num_checks = 0;
  std::uint32_t first_check = 0;         ///< the other bonds to atoms placed before
  std::uint32_t greater_than = kNoAtom;  ///< a query atom placed before, whose image is a smaller atom, or kNoAtom
  Range room;  ///< of a level without parent, in `room_demands`: what this atom and those after it need together
};

/// At most so many atoms at the end of an order are counted all at once.
inline constexpr Index kMaxIndependent = 3;
/// In molecules with more atoms than this only one is, because the choices of three might not fit 64 bits.
inline constexpr Index kMaxAtomsTogether = Index{1} << 20;

/// One matching order of a pattern: its first atom has this mask.
struct Root {
  std::uint32_t mask = 0;
  std::uint32_t first_level = 0;
  std::uint32_t num_independent = 1;  ///< atoms at its end without bonds between them, which are counted all at once
  std::uint32_t num_equivalent = 1;   ///< embeddings that each one found stands for
  std::uint32_t equivalent_bits = 0;  ///< `num_equivalent` is at most 2 to the power of this
  std::uint32_t cost = 1;             ///< of each candidate of the first atom, relative to other orders
};

/// A demand never asks for more neighbours than this.
inline constexpr std::uint32_t kMaxDemandCount = 4;

/// Holds at an atom that has at least `count` neighbours over `relation` in `mask`.
struct NeighbourDemand {
  std::uint32_t relation = 0;  ///< from the atom to its neighbours
  std::uint32_t mask = 0, count = 1;
};

/// What the environment of an atom decides of a class of query atoms: the expression, or a predicate that it implies, the
/// demands into predicates, and the ring system.
struct PlainClass {
  std::uint32_t expression = 0;
  Range demands;  ///< in `PlainRules::class_demands`, the rarest first
  RingSystem ring_system;
};

/// An expression with `$()` that the environment of an atom decides.
struct PlainProgram {
  std::uint32_t predicate = 0;  ///< that it implies
  Range operations;             ///< in `PlainRules::operations`
};

/// What follows from the environment of an atom, which is its kind, its ring system, and the bonds and kinds of its
/// neighbours. Evaluated on the host, once for each distinct environment. Plain expressions are the predicates of a plan, then
/// the plain programs.
struct PlainRules {
  std::vector<NeighbourDemand> demands;  ///< those into predicates; `mask` is the predicate
  std::vector<std::uint64_t>
      demands_of_bond;  ///< [2 * kNumBondKinds, words] by edge label: whose relation accepts the bond
  std::vector<std::uint64_t> demands_of_count;  ///< [kMaxDemandCount, words] that ask for this count
  std::vector<PlainProgram> programs;
  std::vector<std::uint32_t>
      operations;                   ///< those of expression programs on bits: plain expressions, then atom classes
  std::vector<PlainClass> classes;  ///< by number of the atom class
  std::vector<std::uint32_t> class_demands;
  std::vector<Range>
      classes_of_demand;  ///< [demands] into `class_list`: of a predicate and with this as its rarest demand
  std::vector<Range> classes_of_expression;  ///< [plain expressions] into it: all others
  std::vector<std::uint32_t> class_list;
  std::vector<std::uint32_t> masks;     ///< plain expressions that have a mask, in order
  std::vector<Range> queries_of_class;  ///< [classes] into `query_list`: those whose rarest atom is of this class
  std::vector<std::uint32_t> query_list;

  Index words() const { return words_for(std::ssize(demands)); }
};

/// The masks of one atom of a pattern.
struct PatternAtom {
  std::uint32_t mask = 0, refined_mask = 0;  ///< the candidates, and those that are left after refinement
};

/// The masks of a class and of the signature that its atoms must have.
struct RefinedClass {
  std::uint32_t mask = 0, signature = 0;
};

/// A query or a recursive pattern.
struct PatternEntry {
  std::uint32_t num_atoms = 0;
  std::uint8_t cycle_lengths = 0;  ///< that a molecule needs, see graph/cycle_lengths.hpp
  bool demands_decide = false;     ///< it occurs where some atom class, or a body's first atom, has a candidate
  Range atoms;                     ///< distinct ones, the rarest first
  Range roots;
  Range programs;  ///< those that its atoms need, in `pattern_programs`
  Range demands;   ///< of a recursive pattern's first atom, in `recursive_demands`
  Range chiral, stereo;
};

/// What a molecule needs for a query, beside an atom of its rarest class.
/// PERF: those of all queries fit the first cache, which their PatternEntry do not.
struct QueryScreen {
  std::uint32_t num_atoms = 0;
  std::uint8_t cycle_lengths = 0;  ///< as those of PatternEntry
  Range classes;                   ///< in `class_bits`: its other atom classes, the rarest first
};

/// A tetrahedral mark: `neighbours` of the query atom in ascending order.
struct ChiralCheck {
  std::uint32_t atom = 0;
  bool clockwise = false;
  Range neighbours;
};

/// One condition of a signature: at least `threshold` atoms with `label` within `radius` bonds, the centre not counted.
struct Feature {
  std::uint8_t radius = 1, label = 0, threshold = 1;
  auto operator<=>(const Feature&) const = default;
};

/// Operators of an expression program, in postfix order; any other operation pushes the mask of that index.
inline constexpr std::uint32_t kOpAnd = 0xFFFFFFFFU, kOpOr = 0xFFFFFFFEU, kOpNot = 0xFFFFFFFDU;
inline constexpr int kProgramStack = 32;

/// Rows of bits that kernels combine are taken in strips of words, so that a loop can keep a strip in registers.
inline constexpr Index kStripWords = 8, kStripBits = kStripWords * kWordBits;
QUARRY_HD constexpr Index strips_for(Index bits) { return (bits + kStripBits - 1) / kStripBits; }

/// The first masks are decided by environments. A strip of the row of an environment has a bit for each mask of a strip, in
/// this order: the transpose of a row of words by atoms then has 8 masks that follow one another in each of its rows.
QUARRY_HD constexpr Index word_of_mask(Index mask) { return mask / kStripBits * kStripWords + mask % kStripWords; }
QUARRY_HD constexpr Index bit_of_mask(Index mask) { return mask % kStripBits / kStripWords; }

/// What an atom class asks beside what environments decide.
struct OtherClass {
  Range masks;    ///< in `other_masks`: an atom is in these
  Range demands;  ///< in `demands`
};

/// The arrays of a plan, owned (`Array` is a vector) or borrowed by a kernel (`Array` is a view). An edge label is a bond
/// kind, plus kOnCycle for a bond on a cycle.
template <template <class> class Array>
struct PlanArrays {
  Array<PatternEntry> patterns;  ///< [num_recursive + num_queries], recursive patterns first, inner before outer
  Array<PatternAtom> pattern_atoms;
  Array<QueryScreen> screens;               ///< [num_queries]
  Array<std::uint32_t> class_bits;          ///< bits of the row of an environment
  Array<std::uint64_t> queries_with_needs;  ///< [query_words] those with a row of `needs` that is not empty, as bits
  Array<Range> query_others;  ///< [num_queries] into `query_other_masks`: the atom classes that are not plain
  Array<std::uint32_t> query_other_masks;
  Array<Root> roots;
  Array<SearchLevel> levels;
  Array<BondCheck> bond_checks;
  Array<RoomDemand> room_demands;
  Array<std::uint32_t> room_masks;  ///< indices of masks
  Array<Range> programs;            ///< [num_programs] into `operations`
  Array<std::uint32_t> operations, pattern_programs;
  Array<NeighbourDemand> demands, recursive_demands;  ///< of atom classes, and of recursive patterns
  Array<OtherClass> other_classes;                    ///< the atom classes that are not plain, which are the last
  Array<std::uint32_t> other_masks;
  Array<std::uint64_t>
      needs;  ///< [num_queries, need_words] recursive patterns, programs and other classes that a query needs
  Array<std::uint64_t> relation_kinds;  ///< [num_bond_relations, 2] accepted bond kinds off and on cycles
  Array<Range> relations_of_bond;       ///< [2 * kNumBondKinds] by edge label, into `relation_list`
  Array<std::uint32_t> relation_list;
  Array<std::uint32_t> label_masks;  ///< [num_labels] predicate that defines the label
  Array<Feature> features;           ///< distinct ones
  Array<Range> signatures;           ///< [num_signatures] into `signature_features`
  Array<std::uint32_t> signature_features;
  Array<RefinedClass> refined_classes;
  Array<ChiralCheck> chiral_checks;
  Array<std::uint32_t> chiral_neighbours;
  Array<StereoBond> stereo_bonds;

  /// Every array of `plan`, as a tuple of references.
  template <class AnyArrays>
  static auto all(AnyArrays& plan) {
    return std::tie(plan.patterns, plan.pattern_atoms, plan.screens, plan.class_bits, plan.queries_with_needs,
                    plan.query_others, plan.query_other_masks, plan.roots, plan.levels, plan.bond_checks,
                    plan.room_demands, plan.room_masks, plan.programs, plan.operations, plan.pattern_programs,
                    plan.demands, plan.recursive_demands, plan.other_classes, plan.other_masks, plan.needs,
                    plan.relation_kinds, plan.relations_of_bond, plan.relation_list, plan.label_masks, plan.features,
                    plan.signatures, plan.signature_features, plan.refined_classes, plan.chiral_checks,
                    plan.chiral_neighbours, plan.stereo_bonds);
  }
};

template <class T>
using Owned = std::vector<T>;
template <class T>
using Borrowed = View<const T>;

/// Everything that a kernel reads of a plan. `need_words` is padded.
struct PlanView : PlanArrays<Borrowed> {
  Index num_queries = 0, query_words = 0;
  Index num_plain = 0;  ///< plain expressions that have a mask
  Index num_atom_classes = 0;
  Index num_plain_classes = 0;  ///< the first atom classes, which the environment of an atom decides
  Index num_recursive = 0, num_programs = 0;
  Index num_signatures = 0, num_refined_classes = 0;
  Index num_relations = 0, num_bond_relations = 0;
  Index refine = 0, num_labels = 0;
  Index max_pattern_atoms = 0, max_recursive_atoms = 0;  ///< of all patterns, and of recursive ones
  Index need_words = 0;  ///< of a row of bits over recursive patterns, programs and other classes
  bool chirality = false;

  QUARRY_HD const PatternEntry& query(Index q) const { return patterns[num_recursive + q]; }
  QUARRY_HD bool accepts(Index relation, std::uint8_t edge_label) const {
    return (relation_kinds[2 * relation + edge_label / kOnCycle] >> (edge_label % kOnCycle) & 1) != 0;
  }
  /// The first bit of the other classes in a row of `needs`: a word of their own begins there.
  QUARRY_HD Index first_class_need() const { return words_for(num_recursive + num_programs) * kWordBits; }
  /// Words of the row of an environment over the masks that it decides.
  QUARRY_HD Index row_words() const { return strips_for(num_plain + num_atom_classes) * kStripWords; }
  /// Index of the first mask of each kind; plain expressions are the first of all.
  QUARRY_HD Index atom_class_mask() const { return num_plain; }
  QUARRY_HD Index recursive_mask() const { return row_words() * kWordBits; }
  QUARRY_HD Index program_mask() const { return recursive_mask() + num_recursive; }
  QUARRY_HD Index signature_mask() const { return program_mask() + num_programs; }
  QUARRY_HD Index refined_class_mask() const { return signature_mask() + num_signatures; }
  QUARRY_HD Index num_masks() const { return refined_class_mask() + num_refined_classes; }
  /// Words of the whole row of an environment: after its masks come the queries whose rarest atom is of one of its classes.
  QUARRY_HD Index environment_words() const { return row_words() + query_words; }
};

/// The owning form.
struct Plan {
  PlanArrays<Owned> arrays;
  std::vector<AtomExpression> predicates;  ///< distinct ones; predicate p of an atom kind is bit p of its row
  PlainRules rules;
  Index num_queries = 0, num_recursive = 0;
  Index max_pattern_atoms = 0, max_recursive_atoms = 0;  ///< of all patterns, and of recursive ones
  int refine = 0;
  bool chirality = false, has_groups = false;
  bool has_ring_bonds = false;  ///< some pattern has a bond on a cycle
  bool has_cycles = false;      ///< some pattern has a cycle whose length a molecule must have; it has ring bonds, too
  bool has_directions = false;  ///< some query bond is not the same from both its ends

  PlanView view() const;
  Index predicate_words() const { return words_for(std::ssize(predicates)); }
  /// The predicate that every atom of a class fulfils.
  std::uint32_t predicate_of(const PlainClass& asked) const {
    const std::size_t expression = asked.expression;
    return expression < predicates.size() ? asked.expression : rules.programs[expression - predicates.size()].predicate;
  }
  /// Do the demands fit a word, so that bonds of packed molecules can be looked at? Where directions are asked for, a bond
  /// whose direction a library lacks must be met when its molecule is unpacked.
  bool may_screen_bonds() const { return rules.words() == 1 && !has_directions; }
  /// Where `may_screen_bonds`: the demands of a class.
  std::uint64_t demands_of(const PlainClass& asked) const;
  /// Where `may_screen_bonds`: the demands whose relation may accept a bond of this kind, on a cycle or off it. Without
  /// directions a bond is the same from both ends.
  std::uint64_t demands_of_bond(BondKind kind) const {
    return rules.demands_of_bond[kind % kOnCycle] | rules.demands_of_bond[kind % kOnCycle + kOnCycle];
  }
  /// Bits that follow from the kind of an atom: the predicates that it fulfils, [predicate_words()], then the demands into
  /// these predicates, towards which it counts as a neighbour, [rules.words()].
  std::vector<std::uint64_t> kind_row(const AtomKind& kind) const;
};

/// @throws InputError, CapacityError  see match::Matcher
[[nodiscard]] Plan make_plan(const QuerySet& queries, const Options& options);

/// Adds the arrays of a plan to a parcel. When that is sent to a device, `plan` becomes the view of the copies there.
void add_plan(Parcel& parcel, PlanView& plan);

}  // namespace quarry::match
