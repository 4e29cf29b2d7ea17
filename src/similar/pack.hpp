/// From multisets to a packed chunk and back.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "exec/buffer.hpp"
#include "similar/features.hpp"
#include "similar/packed_chunk.hpp"

namespace quarry::similar {

enum class Order : std::uint8_t { input, magnitude };

/// Packs molecules that come one after the other. The same multisets always give the same bytes.
class Packer {
 public:
  Packer();
  ~Packer();
  /// @param keys  the features of the next molecule, in any order, each repeated as often as it occurs
  /// @throws CapacityError  more than kChunkMolecules molecules
  void add(std::span<const std::uint64_t> keys);
  /// A packed chunk; the packer must not be used again.
  Buffer<std::byte> finish(const Definition& definition, Order order);

 private:
  struct Census;
  std::unique_ptr<Census> census_;
};

/// Packs all molecules. @throws CapacityError  as Packer::add
Buffer<std::byte> pack(const Multisets& multisets, const Definition& definition, Order order);

/// The features of each molecule of a packed chunk, molecules in order of input.
struct Rows {
  std::vector<std::uint32_t> offsets;     ///< [molecules + 1] into `features`
  std::vector<std::uint32_t> features;    ///< of the chunk
  std::vector<std::uint16_t> magnitudes;  ///< [molecules]
  Index max_features = 0;                 ///< of one molecule
  RowsView view() const { return {view_of(offsets), view_of(features), view_of(magnitudes), max_features}; }
};
/// @param where  begins the message
/// @throws InputError  the features of a molecule are more or fewer than its magnitude (a forged file)
Rows rows_of(const PackedView& chunk, const std::string& where);

/// The multiset of one molecule, numbered in order of input.
Multisets multiset_at(const PackedView& chunk, Index molecule);
/// The multisets that the chunk was packed from. @param where, @throws  as rows_of
Multisets multisets_of(const PackedView& chunk, const std::string& where);

}  // namespace quarry::similar
