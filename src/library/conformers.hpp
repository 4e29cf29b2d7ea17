/// The section `conformers` of a chunk: coordinates of molecules that were embedded when the library was made.
///
/// ```
/// u32 [molecules + 1]  first isomer of each molecule; from 0, never falling
/// u32 [isomers][2]     atoms, hydrogens included, and conformers
/// f32                  coordinates, [conformers][atoms][3] of each isomer, end to end
/// ```
/// A molecule whose record has coordinates has no isomer; one that could not be embedded has one without conformers.
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "quarry/library.hpp"

namespace quarry {

/// A stereoisomer of a molecule.
struct StoredIsomer {
  Index num_atoms = 0;
  std::vector<float> coordinates;  ///< [conformers][num_atoms][3], angstrom
  Index num_conformers() const { return num_atoms == 0 ? 0 : std::ssize(coordinates) / (3 * num_atoms); }
  bool operator==(const StoredIsomer&) const = default;
};

/// @param molecules  [molecules of the chunk] isomers of each
std::vector<std::byte> pack_conformers(std::span<const std::vector<StoredIsomer>> molecules);

/// A section, checked. Borrows its bytes, unless it keeps their owner.
class ConformerSection {
 public:
  /// @param where  begins every message
  /// @throws InputError  the bytes are no such section
  ConformerSection(std::span<const std::byte> bytes, Index num_molecules, const std::string& where);
  std::vector<StoredIsomer> isomers(Index molecule) const;
  /// Keeps what owns the bytes as long as this section.
  void keep(std::shared_ptr<const void> owner) { owner_ = std::move(owner); }

 private:
  struct Extent {
    Index num_atoms = 0, num_conformers = 0;
    std::span<const float> coordinates;
  };
  std::vector<Index> first_isomer_;  // [molecules + 1]
  std::vector<Extent> extents_;      // [isomers]
  std::shared_ptr<const void> owner_;
};

/// The section of a chunk, if it has one. @throws InputError  it is damaged
std::optional<ConformerSection> conformers_of(const Library& library, Index chunk);

}  // namespace quarry
