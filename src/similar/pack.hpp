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
#include "util/cast.hpp"

namespace quarry::similar {

enum class Order : std::uint8_t { input, magnitude };

/// The set of the molecules that have each feature, from which packed and stored chunks are written. Molecules stand at
/// positions, as in PackedView.
struct FeatureSets {
  std::vector<std::uint64_t> keys;           ///< ascending
  std::vector<std::uint32_t> first_feature;  ///< [keys + 1], as in PackedView
  std::vector<std::uint32_t> sets;           ///< [features]: the set of each
  Index num_bitmaps = 0;                     ///< the first sets, which are bitmaps in a packed chunk
  std::vector<std::uint32_t> offsets;        ///< [sets + 1] into `positions`
  std::vector<std::uint16_t> positions;      ///< ascending in each set
  std::vector<std::uint16_t> order;          ///< [molecules], as in PackedView
  std::vector<std::uint16_t> magnitudes;     ///< [molecules] by position

  std::span<const std::uint16_t> positions_of(Index set) const {
    return std::span(positions).subspan(offsets[set], offsets[set + 1] - offsets[set]);
  }
};

/// The numbers that the headers of packed and stored chunks have in common.
template <class Header>
Header header_of_sets(const FeatureSets& chunk, const Definition& definition) {
  Header header;
  header.metric = definition.metric == Metric::lingo ? 0 : 1;
  header.q = definition.q;
  header.fold_halogens = definition.fold_halogens ? 1 : 0;
  header.num_molecules = checked_cast<std::uint32_t>(chunk.order.size());
  header.num_keys = checked_cast<std::uint32_t>(chunk.keys.size());
  header.num_features = checked_cast<std::uint32_t>(chunk.sets.size());
  header.num_bitmaps = checked_cast<std::uint32_t>(chunk.num_bitmaps);
  header.num_entries = checked_cast<std::uint32_t>(chunk.positions.size() - chunk.offsets[chunk.num_bitmaps]);
  return header;
}

/// Finds the sets of molecules that come one after the other. The same multisets always give the same sets.
class Packer {
 public:
  Packer();
  ~Packer();
  /// Makes room for the features of all molecules, so that none is moved.
  void reserve(std::size_t keys);
  /// @param keys  the features of the next molecule, in any order, each repeated as often as it occurs
  /// @throws CapacityError  more than kChunkMolecules molecules
  void add(std::span<const std::uint64_t> keys);
  /// The packer must not be used again.
  FeatureSets finish(Order order);

 private:
  struct Census;
  std::unique_ptr<Census> census_;
};

/// The sets of all molecules. @throws CapacityError  as Packer::add
FeatureSets feature_sets_of(const Multisets& multisets, Order order);
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
