/// Molecules packed one after the other: what one thread makes of a few rows, and what a chunk is made of.
///
/// They take a tenth of the same molecules as plain data and a handful of allocations, so that reading a chunk leaves
/// the caches and the heap to RDKit. `encode_chunk` joins those of a chunk under one dictionary.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "library/chunk.hpp"
#include "library/chunk_normalise.hpp"
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
  std::vector<std::uint32_t> uses;  ///< [values] how many of the ids are this one's
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

/// The number of each distinct value, in order of first use.
template <class Value>
class ValueIds {
 public:
  /// Appends values to a column. REQUIRES: it is the same column at every call.
  void append(std::span<const Value> more, CodedColumn<Value>& column) {
    const std::size_t before = column.ids.size();
    column.ids.resize(before + more.size());
    std::uint32_t* id = column.ids.data() + before;
    for (auto value = more.begin();;) {
      value = append_known(value, more.end(), column, id);
      if (value == more.end()) break;
      add(*value, column.values);
      column.uses.push_back(0);
    }
  }

 private:
  static constexpr std::size_t kNumWords = sizeof(Value) / 8;
  using Words = std::array<std::uint64_t, kNumWords>;
  static_assert(std::has_unique_object_representations_v<Value> && sizeof(Value) % 8 == 0);

  // PERF: word by word, for a copy of all goes through memory, and == calls memcmp, once for every atom.
  static std::uint64_t word_of(const Value& value, std::size_t index) {
    std::uint64_t word;
    std::memcpy(&word, reinterpret_cast<const std::byte*>(&value) + 8 * index, sizeof word);
    return word;
  }
  static Words words_of(const Value& value) {
    Words words;
    for (std::size_t i = 0; i < kNumWords; ++i) words[i] = word_of(value, i);
    return words;
  }
  static bool are_equal(const Value& value, const Words& words) {
    std::uint64_t difference = 0;
    for (std::size_t i = 0; i < kNumWords; ++i) difference |= word_of(value, i) ^ words[i];
    return difference == 0;
  }

  /// The sum of the words, each times an odd number of its own: all bits of the words count in its highest bits. It need not be
  /// as good as a checksum, and is asked for every atom.
  static std::uint64_t hash(const Words& words) {
    std::uint64_t sum = 0, factor = 0x9E3779B97F4A7C15;
    for (const std::uint64_t word : words) {
      sum += word * factor;
      factor *= 0xD1342543DE82EF95;
    }
    return sum;
  }

  /// Writes the ids of values up to the first that is new. @return  that one
  /// PERF: an id that is written could be any number of this object as far as a compiler knows, so the loop reads copies.
  template <class Iterator>
  Iterator append_known(Iterator value, Iterator end, CodedColumn<Value>& column, std::uint32_t*& id) const {
    const std::uint32_t* const slots = slots_.data();
    const Value* const known = column.values.data();
    std::uint32_t* const uses = column.uses.data();
    const std::size_t mask = mask_;
    const int shift = shift_;
    std::uint32_t* next = id;
    for (; value != end; ++value) {
      const Words words = words_of(*value);
      std::size_t slot = hash(words) >> shift;
      while (slots[slot] != 0 && !are_equal(known[slots[slot] - 1], words)) slot = (slot + 1) & mask;
      if (slots[slot] == 0) break;
      const std::uint32_t found = slots[slot] - 1;
      ++uses[found];
      *next++ = found;
    }
    id = next;
    return value;
  }
  /// Gives a new value an id.
  void add(const Value& value, std::vector<Value>& values) {
    values.push_back(value);
    if (4 * values.size() > slots_.size()) {
      grow(values);
    } else {
      enter(values, values.size() - 1);
    }
  }
  void enter(const std::vector<Value>& values, std::size_t id) {
    std::size_t slot = hash(words_of(values[id])) >> shift_;
    while (slots_[slot] != 0) slot = (slot + 1) & mask_;
    slots_[slot] = static_cast<std::uint32_t>(id + 1);
  }
  void grow(const std::vector<Value>& values) {
    mask_ = 4 * slots_.size() - 1;
    shift_ -= 2;
    slots_.assign(mask_ + 1, 0);
    for (std::size_t id = 0; id < values.size(); ++id) enter(values, id);
  }

  std::size_t mask_ = 63;                                                     ///< the number of slots less one
  int shift_ = 58;                                                            ///< 64 less the bits of the mask
  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(mask_ + 1);  ///< 0 where free, else 1 + id
};

/// Packs molecules one by one.
class MoleculePacker {
 public:
  /// Makes room for this many molecules of the usual size, that of a drug.
  void reserve(std::size_t molecules) {
    constexpr std::size_t kUsualAtoms = 28;
    packed_.counts.reserve(molecules);
    packed_.atoms.ids.reserve(molecules * kUsualAtoms);
    packed_.bonds.ids.reserve(molecules * kUsualAtoms);
  }
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
  PackedMolecules packed_;
  ValueIds<AtomKind> kind_ids_;
  ValueIds<BondCode> bond_ids_;
  std::vector<Bond> bonds_;           ///< of a molecule that is added and has them in another order
  std::vector<BondCode> bond_codes_;  ///< of the molecule that is added
};

/// Packs several molecules; messages name them "molecule 7 (id)".
PackedMolecules pack_molecules(std::span<const Molecule> molecules, std::span<const std::string_view> ids);

}  // namespace quarry
