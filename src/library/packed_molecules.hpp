/// Molecules packed one after the other: what one thread makes of a few rows, and what a chunk is made of.
///
/// They take a tenth of the same molecules as plain data and a handful of allocations, so that reading a chunk leaves
/// the caches and the heap to RDKit. `encode_chunk` joins those of a chunk under one dictionary.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "library/chunk.hpp"
#include "quarry/molecule.hpp"
#include "util/bytes.hpp"
#include "util/checksum.hpp"

namespace quarry {

/// Largest number of bonds of one atom.
inline constexpr Index kMaxAtomBonds = 255;
/// Most distinct atom kinds in a chunk.
inline constexpr Index kMaxChunkKinds = 65536;

/// Hashes a value without padding by its bytes.
struct BytesHash {
  template <class Value>
  std::size_t operator()(const Value& value) const {
    static_assert(std::has_unique_object_representations_v<Value>);
    return checksum_of(bytes_of(value));
  }
};

/// A sequence of values from a small set: each distinct value once, in order of first use, and the sequence as ids.
template <class Value>
struct CodedColumn {
  std::vector<Value> values;
  std::vector<std::uint32_t> ids;
};

/// Packed molecules, in order.
struct PackedMolecules {
  /// Of one molecule.
  struct Counts {
    std::uint32_t atoms = 0, bond_entries = 0, chiral_atoms = 0, stereo_bonds = 0;
  };
  std::vector<Counts> counts;  ///< [molecules]
  CodedColumn<AtomKind> atoms;
  CodedColumn<BondCode> bonds;  ///< for each atom the bonds to earlier atoms, or one entry of distance 0
  std::vector<ChiralAtom> chiral_atoms;
  std::vector<StereoBond> stereo_bonds;
  std::uint64_t num_bonds = 0;
};

/// Packs molecules one by one.
class MoleculePacker {
 public:
  /// Bonds may come in any order and direction; they are kept as (begin < end), in ascending order of (end, begin).
  /// Stereo bonds are kept with begin < end, chiral atoms and stereo bonds in ascending order.
  /// @param name  begins every message
  /// @throws InputError  no atoms; a bond to a missing atom or to itself, listed twice, or of an unknown kind; an atom
  ///                     with more than kMaxAtomBonds bonds; wrong stereo marks. The molecule is then not added
  void add(const Molecule& molecule, const std::string& name);
  /// Distinct kinds of the atoms so far.
  Index num_kinds() const { return std::ssize(packed_.atoms.values); }
  /// The molecules; the packer must not be used again.
  PackedMolecules finish() { return std::move(packed_); }

 private:
  template <class Value>
  using Ids = std::unordered_map<Value, std::uint32_t, BytesHash>;
  template <class Value>
  static void append(const Value& value, Ids<Value>& ids, CodedColumn<Value>& column);

  PackedMolecules packed_;
  Ids<AtomKind> kind_ids_;
  Ids<BondCode> bond_ids_;
};

/// Packs several molecules; messages name them "molecule 7 (id)".
PackedMolecules pack_molecules(std::span<const Molecule> molecules, std::span<const std::string> ids);

}  // namespace quarry
