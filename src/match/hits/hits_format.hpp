/// The bytes of a `.qhits` file, version 1. All numbers are little-endian.
///
/// ```
/// HitsFileHeader | queries | block | block | ... | end
/// ```
/// Each of the parts after the header is a HitsPart and `stored_bytes` of data: one zstd frame, which holds the columns
/// below; the end has none. A file is written and read from its beginning to its end. Blocks are cut by what they hold,
/// never by when it was found, so that a run has the same bytes each time.
///
/// A *number* is 1 to 10 bytes: 7 bits in each, the lowest first, and the eighth set in all but the last (LEB128).
///
/// Queries: the mode (a byte: 0 first, 1 all, 2 count, 3 unique); number of queries; for each query the number of its
/// atoms, the length of its id, and the id.
///
/// A block: the hits of consecutive molecules, ordered by query and then by molecule, a column for each of
/// - the number of hits of each query;
/// - molecules: the number of molecules between a hit and the one of the same query before it, or the block's beginning;
/// - states: a byte, the sum of 1 (truncated), 2 (timeout) and 4 (overflow);
/// - counts: numbers of embeddings;
/// - in the modes all and unique: how many of these embeddings are not stored; then the atoms of those that are;
/// - lengths of the names of the molecules that have hits, in order of molecule; then these names, end to end.
///
/// Ordered by query, a column of molecules takes two thirds of what it takes by molecule.
#pragma once
#include <array>
#include <cstdint>

#include "util/bytes.hpp"
#include "util/checksum.hpp"

namespace quarry::match {

inline constexpr std::array<char, 8> kHitsMagic{'Q', 'U', 'A', 'R', 'R', 'Y', 'H', 'T'};
inline constexpr std::uint32_t kHitsVersion = 1, kHitsEndianMark = 0x01020304;

struct HitsFileHeader {
  std::array<char, 8> magic = kHitsMagic;
  std::uint32_t endian_mark = kHitsEndianMark;
  std::uint32_t version = kHitsVersion;
  std::uint64_t checksum = 0;  ///< of the fields above
};
static_assert(sizeof(HitsFileHeader) == 24);

enum class HitsPartKind : std::uint32_t { queries = 1, block = 2, end = 3 };

struct HitsPart {
  std::uint32_t kind = 0;            ///< HitsPartKind
  std::uint32_t num_molecules = 0;   ///< of a block, at most kMaxBlockMolecules
  std::uint64_t first_molecule = 0;  ///< of a block; of the end: molecules in all
  std::uint64_t num_hits = 0;        ///< of a block; of the end: in all
  std::uint64_t raw_bytes = 0;       ///< of the data, decompressed
  std::uint64_t stored_bytes = 0;
  std::uint64_t data_checksum = 0;  ///< of the data as stored
  std::uint64_t checksum = 0;       ///< of the fields above
};
static_assert(sizeof(HitsPart) == 56);

/// A block ends with the molecule that reaches one of these.
inline constexpr Index kMaxBlockMolecules = 16384, kBlockHits = Index{1} << 20, kBlockAtoms = Index{1} << 22,
                       kBlockNameBytes = Index{1} << 24;

/// The checksum of a header or a part: of all bytes before it.
template <class Fields>
std::uint64_t checksum_of_fields(const Fields& fields) {
  return checksum_of(bytes_of(fields).first(sizeof fields - sizeof fields.checksum));
}

}  // namespace quarry::match
