/// Checks the bond entries of a chunk that nobody has checked before: every code known, every list ended, every
/// neighbour inside its molecule and listed once.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "library/chunk_codec.hpp"
#include "quarry/error.hpp"

namespace quarry {

/// A column that is being checked; its errors name it.
struct CheckedSection {
  const std::string& where;
  SectionId id;

  template <class... Values>
  [[noreturn]] void fail(fmt::format_string<Values...> text, Values&&... values) const {
    throw InputError(fmt::format("{}, section {}: ", where, section_name(id)) +
                     fmt::format(text, std::forward<Values>(values)...));
  }
};

inline bool valid_code(const BondCode& code) {
  if (code.kind >= kNumBondKinds || code.last > 1 || code.reserved != 0) return false;
  return code.distance != 0 || (code.kind == 0 && code.last == 1);
}

/// Walks the bond entries of one molecule after the other, trusting nothing.
class BondChecker {
 public:
  /// @param chunk  with a checked bond table
  BondChecker(const Chunk& chunk, const CheckedSection& section) : chunk_(chunk), section_(section) {
    table_.fill({kUnknown, 0, 0, 0});
    std::copy(chunk.bond_table.begin(), chunk.bond_table.end(), table_.begin());
    std::ranges::transform(table_, distances_.begin(),
                           [](const BondCode& code) { return std::int64_t{code.distance}; });
    std::ranges::transform(table_, steps_.begin(),
                           [](const BondCode& code) { return code.last + (code.distance != 0 ? kBond : 0); });
    for (std::size_t first = 0; first < chunk.bond_table.size(); ++first) {
      if (table_[first].last == 1) continue;
      for (std::size_t next = 0; next < chunk.bond_table.size(); ++next)
        misfits_[first * 256 + next] = table_[next].distance - 1 < table_[first].distance - 1 ? 0 : 1;
    }
  }

  /// @param codes  the entries of the molecule's bonds
  /// @return number of bonds
  Index check(Index molecule, std::uint32_t num_atoms, std::span<const std::uint8_t> codes) {
    if (const auto num_bonds = count_bonds(num_atoms, codes)) return *num_bonds;
    molecule_ = molecule;
    num_atoms_ = num_atoms;
    // No bond is listed twice, so no atom of a small molecule can have too many.
    const bool count_degrees = num_atoms_ > kMaxAtomBonds + 1;
    if (count_degrees) degrees_.assign(num_atoms_, 0);
    const std::uint8_t* code = codes.data();
    const std::uint8_t* const end = code + codes.size();
    std::uint32_t atom = 0, previous_distance = 0;  // 0: the atom has no entry yet
    Index num_bonds = 0;
    while (code != end) {
      if (atom == num_atoms_) section_.fail("molecule {} has entries after its last atom", molecule_);
      const std::uint8_t byte = *code++;
      const BondCode entry = byte == kEscape ? escaped(code, end, atom) : table_[byte];
      // The distances of an atom fall, and 0 is alone: as an unsigned number, 0 - 1 is larger than any.
      const bool fits = previous_distance == 0 ? entry.distance <= atom : entry.distance - 1 < previous_distance - 1;
      if (!fits) explain(byte, entry, atom);
      if (count_degrees && entry.distance != 0) count(atom, entry.distance);
      num_bonds += entry.distance != 0 ? 1 : 0;
      previous_distance = entry.last == 1 ? 0 : entry.distance;
      atom += entry.last;
    }
    if (atom != num_atoms_) section_.fail("the list of atom {} of molecule {} does not end", atom, molecule_);
    return num_bonds;
  }

 private:
  /// PERF: all tests of most molecules, without a branch, in half the time
  /// @return  nothing where something is wrong, or too rare for these tests
  std::optional<Index> count_bonds(std::uint32_t num_atoms, std::span<const std::uint8_t> codes) const {
    if (num_atoms > kMaxAtomBonds + 1 || codes.empty() || table_[codes.back()].last == 0) return std::nullopt;
    std::uint64_t steps = 0;  // atoms, and bonds from kBond on
    std::int64_t before_first = 0;
    std::uint8_t misfits = 0;
    std::size_t previous = kEscape;  // which any code may follow
    for (const std::uint8_t code : codes) {
      // Negative where an entry points before the first atom.
      before_first |= static_cast<std::int64_t>(steps & (kBond - 1)) - distances_[code];
      misfits |= misfits_[previous * 256 + code];
      steps += steps_[code];
      previous = code;
    }
    if (before_first < 0 || misfits != 0 || (steps & (kBond - 1)) != num_atoms) return std::nullopt;
    return static_cast<Index>(steps / kBond);
  }

  static constexpr std::uint64_t kBond = std::uint64_t{1} << 32;
  static constexpr std::uint32_t kUnknown = 0xffffffff;  // fits no atom

  BondCode escaped(const std::uint8_t*& code, const std::uint8_t* end, std::uint32_t atom) const {
    BondCode entry;
    if (end - code < std::ptrdiff_t{sizeof entry}) {
      section_.fail("an entry of atom {} of molecule {} is cut short", atom, molecule_);
    }
    std::memcpy(&entry, code, sizeof entry);
    code += sizeof entry;
    if (!valid_code(entry)) section_.fail("an entry of atom {} of molecule {} makes no sense", atom, molecule_);
    return entry;
  }

  void count(std::uint32_t atom, std::uint32_t distance) {
    if (++degrees_[atom] > kMaxAtomBonds || ++degrees_[atom - distance] > kMaxAtomBonds) {
      section_.fail("an atom of molecule {} has more than {} bonds", molecule_, kMaxAtomBonds);
    }
  }

  [[noreturn]] void explain(std::uint8_t byte, const BondCode& entry, std::uint32_t atom) const {
    if (byte != kEscape && byte >= chunk_.bond_table.size()) {
      section_.fail("atom {} of molecule {} uses code {}, the table has {}", atom, molecule_, byte,
                    chunk_.bond_table.size());
    }
    if (entry.distance > atom) section_.fail("atom {} of molecule {} points before its first atom", atom, molecule_);
    if (entry.distance == 0) section_.fail("atom {} of molecule {} has an empty entry after a bond", atom, molecule_);
    section_.fail("the neighbours of atom {} of molecule {} do not ascend", atom, molecule_);
  }

  const Chunk& chunk_;
  const CheckedSection& section_;
  std::array<BondCode, 256> table_;
  std::array<std::int64_t, 256> distances_;
  std::array<std::uint64_t, 256> steps_;
  std::vector<std::uint8_t> misfits_ = std::vector<std::uint8_t>(256 * 256);  ///< [256, 256] 1: may not follow
  Index molecule_ = 0;
  std::uint32_t num_atoms_ = 0;
  std::vector<std::uint16_t> degrees_;
};

}  // namespace quarry
