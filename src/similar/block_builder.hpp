/// From multisets to a block and back.
#pragma once
#include <cstddef>
#include <vector>

#include "exec/buffer.hpp"
#include "similar/block.hpp"
#include "similar/multisets.hpp"

namespace quarry::similar {

enum class Order : std::uint8_t { input, magnitude };

/// Packs at most kChunkMolecules multisets. The same multisets always give the same bytes.
/// @throws CapacityError  more molecules
Buffer<std::byte> build_block(const Multisets& multisets, const Definition& definition, Order order);

/// The features of each molecule of a block, molecules in order of input.
struct Rows {
  std::vector<std::uint32_t> offsets;     ///< [molecules + 1] into `features`
  std::vector<std::uint32_t> features;    ///< of the block
  std::vector<std::uint16_t> magnitudes;  ///< [molecules]
  Index max_features = 0;                 ///< of one molecule
};
/// @throws InputError  a molecule has other features than its magnitude says (a forged file)
Rows rows_of(const BlockView& block);

/// The multiset of one molecule of a block in order of input.
Multisets multiset_at(const BlockView& block, Index molecule);
/// The multisets that the block was built of.
Multisets multisets_of(const BlockView& block);

}  // namespace quarry::similar
