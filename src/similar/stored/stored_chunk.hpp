/// A packed chunk as a library stores it: the same sets of molecules in half the bytes, without the columns that follow
/// from others.
///
/// Each set is a list of gaps between positions, a byte or two each, or a bitmap where that takes no more bytes. Decoding is
/// one pass over these bytes; what it makes is what `pack` makes of the same multisets (docs/library-format.md,
/// section `fingerprints`).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "exec/buffer.hpp"
#include "similar/pack.hpp"
#include "similar/packed_chunk.hpp"

namespace quarry::similar {

/// The first bytes of a stored chunk.
struct StoredHeader {
  std::uint32_t metric = 0, q = 0, fold_halogens = 0;
  std::uint32_t num_molecules = 0, num_keys = 0, num_features = 0;
  std::uint32_t num_bitmaps = 0, num_entries = 0;  ///< of the packed chunk
  std::uint32_t least_magnitude = 0;
  std::uint32_t magnitude_bytes = 0;  ///< of one molecule: 1 or 2
  std::uint32_t key_bytes = 0, length_bytes = 0, set_bytes = 0;
  std::uint32_t reserved = 0;
};
static_assert(sizeof(StoredHeader) == 56);

/// A gap below this is one byte; a longer one has its higher bits in the byte and the lower eight in another.
inline constexpr std::uint32_t kOneByteGaps = 192;

/// Appends the bytes of a chunk. @param chunk  in order of magnitude
void append_stored(const FeatureSets& chunk, const Definition& definition, std::vector<std::byte>& bytes);

/// The packed chunk that was stored. Every value is checked before it is used.
/// @param wanted  rows; then only those features are decoded that they have. nullptr: all
/// @throws InputError  names `where` and what is wrong
Buffer<std::byte> decode_stored(std::span<const std::byte> bytes, const std::string& where,
                                const PackedView* wanted = nullptr);

/// Takes the first of several stored chunks off. @throws InputError  there are too few bytes
std::span<const std::byte> take_stored(std::span<const std::byte>& rest, const std::string& where);

/// @throws InputError  there are too few bytes, or the definition is not known
Definition definition_of_stored(std::span<const std::byte> bytes, const std::string& where);

}  // namespace quarry::similar
