/// The bytes of a chunk: header, table of sections, sections. All little-endian; format in words:
/// docs/library-format.md.
///
/// Every byte is covered: the header checksum spans header and table, each section has its own, sections follow each
/// other at the next multiple of 8 and the padding between them must be zero.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "quarry/index.hpp"
#include "util/checksum.hpp"

namespace quarry {

static_assert(std::endian::native == std::endian::little, "library files are read in place and are little-endian");

/// Sections in their order in a chunk.
enum class SectionId : std::uint32_t {
  atom_offsets,  ///< this and the next three: only in format 1
  bond_offsets,
  atom_kinds,
  bond_codes,
  kind_table,
  bond_table,
  chiral_offsets,  ///< this and the next three: only where a molecule of the chunk needs them
  chiral_atoms,
  stereo_offsets,
  stereo_bonds,
  ids,
  records,
  rejected,
  similar,           ///< LINGOs, in libraries of an earlier version
  conformers,        ///< library/conformers.hpp
  fingerprints,      ///< multisets for the engine `similar`, opaque here
  molecule_offsets,  ///< this and the next: from format 2 on
  molecule_codes,
};
inline constexpr std::size_t kNumSections = 18;

constexpr std::size_t index_of(SectionId id) { return static_cast<std::size_t>(id); }
constexpr SectionId section_at(std::size_t index) { return static_cast<SectionId>(index); }

/// Name in messages and in `quarry info`.
const char* section_name(SectionId id);
/// Does every search read it?
bool is_matching(SectionId id);

/// What a chunk holds, as its header states and the directory of a file repeats.
struct ChunkCounts {
  std::uint64_t molecules = 0, atoms = 0, bonds = 0, rows = 0, rejected = 0;
  bool operator==(const ChunkCounts&) const = default;
  ChunkCounts& operator+=(const ChunkCounts& more);
};

/// Are they within the limits of the format, and is every row either a molecule or rejected?
bool possible(const ChunkCounts& counts);

inline constexpr std::array<char, 8> kChunkMagic{'Q', 'R', 'Y', 'C', 'H', 'U', 'N', 'K'};

struct ChunkHeader {
  std::array<char, 8> magic = kChunkMagic;
  std::uint64_t bytes = 0;  ///< of the whole chunk
  ChunkCounts counts;
  std::uint64_t num_sections = 0;
  std::uint64_t checksum = 0;  ///< of this header with `checksum` 0, then the section table
};
static_assert(sizeof(ChunkHeader) == 72);

struct SectionEntry {
  std::uint64_t id = 0;         ///< SectionId, strictly ascending
  std::uint64_t offset = 0;     ///< from the start of the chunk, a multiple of 8
  std::uint64_t bytes = 0;      ///< as stored
  std::uint64_t raw_bytes = 0;  ///< after decompression; equal to `bytes` for columns
  std::uint64_t checksum = 0;   ///< of the bytes as stored
};
static_assert(sizeof(SectionEntry) == 40);

/// A section as it is stored, not yet checked; empty, with `present` false, where the chunk has none.
struct StoredSection {
  SectionId id = SectionId::ids;
  bool present = false;
  std::span<const std::byte> bytes;
  std::uint64_t raw_bytes = 0;  ///< stated size after decompression
  std::uint64_t checksum = 0;
};

/// Where the sections of a chunk are.
struct ChunkLayout {
  ChunkCounts counts;
  std::array<StoredSection, kNumSections> sections;
  const StoredSection& operator[](SectionId id) const { return sections[index_of(id)]; }
};

/// Reads header and table and checks them against the size of the chunk, without touching the sections.
/// @throws InputError  names `where` and what is wrong
ChunkLayout read_layout(std::span<const std::byte> bytes, const std::string& where, bool verify_checksum = true);

std::uint64_t checksum_of(const ChunkHeader& header, std::span<const std::byte> table);

constexpr std::uint64_t round_up_to_8(std::uint64_t bytes) { return (bytes + 7) / 8 * 8; }

}  // namespace quarry
