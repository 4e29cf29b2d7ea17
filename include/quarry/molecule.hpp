/// A molecule and a substructure pattern as plain data: what RDKit perceived, and what a SMARTS asks for.
///
/// Both are written in the same sixteen atom properties, so that a SMARTS primitive is one `AtomTest` and the whole
/// match is decided by data that can be printed. `src/chemistry` fills these from RDKit; `src/reference` matches them
/// by brute force; the engines match their packed form.
/// Source of the property definitions: RDKit 2022.09, GraphMol/QueryOps.h.
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "quarry/index.hpp"

#pragma GCC visibility push(default)
namespace quarry {

/// Everything a SMARTS atom primitive can ask about, with its letter.
enum class AtomProperty : std::uint8_t {
  element,                ///< #      atomic number, 0 for a dummy atom
  aromatic,               ///< a A    1 or 0
  charge,                 ///< + -    formal charge
  isotope,                ///<        mass number, 0 where none is given
  hydrogens,              ///< H      all attached hydrogens, explicit atoms included
  implicit_hydrogens,     ///< h      hydrogens that are not atoms of the graph
  degree,                 ///< D      explicit neighbours
  heavy_degree,           ///< d      explicit neighbours other than protium
  total_degree,           ///< X      neighbours counting implicit hydrogens
  valence,                ///< v      total valence
  ring_count,             ///< R      rings of the smallest set of smallest rings
  ring_size,              ///< r      size of the smallest ring, 0 outside rings
  ring_bonds,             ///< x      ring bonds
  hybridization,          ///< ^      RDKit's numbering (S 1, SP 2, SP2 3, SP3 4, ...)
  heteroatoms,            ///< z      neighbours other than carbon and hydrogen
  aliphatic_heteroatoms,  ///< Z      those of them that are aliphatic
};
inline constexpr int kNumAtomProperties = 16;

/// The distinct environment of an atom: one value per property, in the order of `AtomProperty`.
using AtomKind = std::array<std::int16_t, kNumAtomProperties>;

inline std::int16_t& value_of(AtomKind& kind, AtomProperty property) {
  return kind[static_cast<std::size_t>(property)];
}
inline std::int16_t value_of(const AtomKind& kind, AtomProperty property) {
  return kind[static_cast<std::size_t>(property)];
}

/// Bond type (RDKit's numbering: single 1, double 2, triple 3, aromatic 12, ...) and ring membership in one number.
using BondKind = std::uint8_t;
inline constexpr int kNumBondKinds = 64;
inline constexpr int kMaxBondType = 21;
constexpr BondKind bond_kind(int type, bool in_ring) { return 2 * type + (in_ring ? 1 : 0); }
constexpr int bond_type(BondKind kind) { return kind / 2; }
constexpr bool in_ring(BondKind kind) { return (kind & 1) != 0; }

/// Types of a dative bond, which has a direction: its end gives the electrons to its begin, or its begin to its end. A
/// library of an earlier version has RDKit's 17 for both; a query that asks for the direction is an error there.
inline constexpr int kDative = 17, kDativeLeft = 18, kDativeRight = 19;

/// The kind of the same bond with its ends exchanged.
constexpr BondKind reversed(BondKind kind) {
  const int type = bond_type(kind);
  return type == kDativeLeft || type == kDativeRight ? bond_kind(kDativeLeft + kDativeRight - type, in_ring(kind))
                                                     : kind;
}

struct Bond {
  std::uint32_t begin = 0, end = 0;
  BondKind kind = 0;
  bool operator==(const Bond&) const = default;
};

/// A tetrahedral centre, of a molecule or a pattern.
/// `clockwise` is RDKit's tag restated for the neighbours in ascending order of index.
struct ChiralAtom {
  std::uint32_t atom = 0;
  bool clockwise = false;
  bool operator==(const ChiralAtom&) const = default;
};

/// A double bond of known geometry, of a molecule or a pattern: are the two neighbours on the same side?
struct StereoBond {
  std::uint32_t begin = 0, end = 0;
  std::uint32_t begin_neighbour = 0, end_neighbour = 0;
  bool cis = false;
  bool operator==(const StereoBond&) const = default;
};

/// A molecule: atoms in input order, each bond once. Chiral atoms and stereo bonds are in ascending order.
struct Molecule {
  std::vector<AtomKind> atoms;
  std::vector<Bond> bonds;
  std::vector<ChiralAtom> chiral_atoms;
  std::vector<StereoBond> stereo_bonds;
  bool operator==(const Molecule&) const = default;
};

/// True where `low <= property <= high`.
struct AtomTest {
  AtomProperty property = AtomProperty::element;
  std::int16_t low = 0, high = 0;
  bool operator==(const AtomTest&) const = default;
};

/// What a query atom asks, as a tree. `negated` turns the truth of `op` around.
struct AtomExpression {
  enum class Op : std::uint8_t {
    any,        ///< always true
    test,       ///< `test`
    recursive,  ///< `$()`: the atom is the first atom of a match of `Pattern::recursive[recursive]`
    all_of,     ///< every child
    any_of,     ///< some child
  };
  Op op = Op::any;
  bool negated = false;
  AtomTest test;
  std::uint32_t recursive = 0;
  std::vector<AtomExpression> children;
  bool operator==(const AtomExpression&) const = default;
};

/// A query bond; `kinds` has bit `k` set where a bond of `BondKind` k is accepted, from `begin` to `end`.
struct PatternBond {
  std::uint32_t begin = 0, end = 0;
  std::uint64_t kinds = 0;
  bool operator==(const PatternBond&) const = default;
};

/// A compiled SMARTS. An embedding maps its atoms to distinct atoms of a molecule so that every atom expression
/// and every bond holds; the molecule may have more bonds between the images.
struct Pattern {
  std::vector<AtomExpression> atoms;
  std::vector<PatternBond> bonds;
  std::vector<Pattern> recursive;             ///< the bodies of `$()`, in order of use
  std::vector<std::int32_t> component_group;  ///< empty, or per atom: its group, -1 for none. Atoms of one group lie in
                                              ///< one component of the molecule, those of different groups in
                                              ///< different components. Bonded atoms share one group
  std::vector<ChiralAtom> chiral_atoms;       ///< tetrahedral marks, honoured only when chirality is asked for
  std::vector<StereoBond> stereo_bonds;       ///< double-bond marks, honoured likewise
  bool operator==(const Pattern&) const = default;
};

/// Most atoms of a pattern; the body of each `$()` may have as many again.
inline constexpr Index kMaxPatternAtoms = 1024;

/// One query of a set.
struct Query {
  std::string id;
  std::string smarts;  ///< as written
  Pattern pattern;
  bool merged = false;  ///< hydrogen atoms of it became hydrogen counts
  Index line = 0;       ///< of its file, from 1
  /// A molecule matches where the number of different sets of atoms at which the pattern occurs is in [least, most].
  Index least = 1, most = kNoMost;
  std::string group = {}, comment = {};  ///< from the columns of these names
  /// Why the stereo marks of the SMARTS cannot be honoured, a sentence; empty where they can. Such a query is searched without
  /// chirality only.
  std::string stereo_refusal = {};

  static constexpr Index kNoMost = std::numeric_limits<Index>::max();
  bool is_counted() const { return least != 1 || most != kNoMost; }
};

}  // namespace quarry
#pragma GCC visibility pop
