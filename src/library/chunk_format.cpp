/// Reading and checking the header and the table of sections of a chunk.
#include "library/chunk_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "quarry/error.hpp"
#include "quarry/library.hpp"
#include "util/bytes.hpp"

namespace quarry {
namespace {

/// Which chunks have a section, perhaps with no bytes.
enum class Presence : std::uint8_t { some, all, format_1, format_2 };

struct SectionTraits {
  const char* name;
  Presence presence;
  bool matching;    ///< every search reads it
  bool compressed;  ///< a zstd frame, else a column
};
constexpr std::array<SectionTraits, kNumSections> kTraits{{
    {"atom_offsets", Presence::format_1, true, false},
    {"bond_offsets", Presence::format_1, true, false},
    {"atom_kinds", Presence::format_1, true, false},
    {"bond_codes", Presence::format_1, true, false},
    {"kind_table", Presence::all, true, false},
    {"bond_table", Presence::all, true, false},
    {"chiral_offsets", Presence::some, false, false},
    {"chiral_atoms", Presence::some, false, false},
    {"stereo_offsets", Presence::some, false, false},
    {"stereo_bonds", Presence::some, false, false},
    {"ids", Presence::all, false, true},
    {"records", Presence::all, false, true},
    {"rejected", Presence::some, false, true},
    {"similar", Presence::some, false, false},
    {"conformers", Presence::some, false, false},
    {"fingerprints", Presence::some, false, false},
    {"molecule_offsets", Presence::format_2, true, false},
    {"molecule_codes", Presence::format_2, true, false},
}};

ChunkHeader read_header(std::span<const std::byte> bytes, const std::string& where) {
  if (bytes.size() < sizeof(ChunkHeader)) {
    throw InputError(fmt::format("{}: the header is cut short ({} bytes)", where, bytes.size()));
  }
  const auto header = ByteReader(bytes, where).take<ChunkHeader>();
  if (header.magic != kChunkMagic) throw InputError(where + ": this is not the beginning of a chunk");
  if (header.bytes != bytes.size()) {
    throw InputError(fmt::format("{}: the header states {} bytes, there are {}", where, header.bytes, bytes.size()));
  }
  if (header.num_sections > kNumSections || bytes.size() - sizeof header < header.num_sections * sizeof(SectionEntry)) {
    throw InputError(fmt::format("{}: the header states {} sections", where, header.num_sections));
  }
  return header;
}

void check_zero(std::span<const std::byte> padding, const std::string& where, const char* after) {
  const bool all_zero = std::all_of(padding.begin(), padding.end(), [](std::byte b) { return b == std::byte{0}; });
  if (!all_zero) throw InputError(fmt::format("{}, section {}: the padding after it is not zero", where, after));
}

/// A chunk is of one format, and has all sections of it.
void check_presence(const ChunkLayout& layout, const std::string& where) {
  const Presence format = layout[SectionId::molecule_codes].present ? Presence::format_2 : Presence::format_1;
  for (std::size_t id = 0; id < kNumSections; ++id) {
    const SectionTraits& traits = kTraits[id];
    if (traits.presence == Presence::some) continue;
    const bool expected = traits.presence == Presence::all || traits.presence == format;
    if (layout.sections[id].present == expected) continue;
    throw InputError(fmt::format("{}, section {}: it {}", where, traits.name,
                                 expected ? "is missing" : "is of another format than others of this chunk"));
  }
}

}  // namespace

const char* section_name(SectionId id) { return kTraits[index_of(id)].name; }
bool is_matching(SectionId id) { return kTraits[index_of(id)].matching; }

ChunkCounts& ChunkCounts::operator+=(const ChunkCounts& more) {
  molecules += more.molecules;
  atoms += more.atoms;
  bonds += more.bonds;
  rows += more.rows;
  rejected += more.rejected;
  return *this;
}

bool possible(const ChunkCounts& counts) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  return counts.molecules <= kChunkMolecules && counts.atoms <= kMost && counts.bonds <= kMost &&
         counts.rejected <= kMost && counts.rows == counts.molecules + counts.rejected;
}

std::uint64_t checksum_of(const ChunkHeader& header, std::span<const std::byte> table) {
  ChunkHeader unsealed = header;
  unsealed.checksum = 0;
  ByteWriter both;
  both.append(bytes_of(unsealed));
  both.append(table);
  return checksum_of(both.bytes());
}

ChunkLayout read_layout(std::span<const std::byte> bytes, const std::string& where, bool verify_checksum) {
  const ChunkHeader header = read_header(bytes, where);
  const auto table = bytes.subspan(sizeof header, header.num_sections * sizeof(SectionEntry));
  if (verify_checksum && checksum_of(header, table) != header.checksum) {
    throw InputError(where + ": the header or the section table is damaged (checksum)");
  }
  if (const ChunkCounts& counts = header.counts; !possible(counts)) {
    throw InputError(fmt::format("{}: the header states {} molecules, {} atoms, {} bonds, {} rows and {} rejected rows",
                                 where, counts.molecules, counts.atoms, counts.bonds, counts.rows, counts.rejected));
  }

  ChunkLayout layout{header.counts, {}};
  ByteReader entries(table, where);
  std::uint64_t next_id = 0, next_offset = sizeof header + table.size();
  for (std::uint64_t i = 0; i < header.num_sections; ++i) {
    const auto entry = entries.take<SectionEntry>();
    if (entry.id >= kNumSections || entry.id < next_id) {
      throw InputError(fmt::format("{}: entry {} of the section table has the unexpected id {}", where, i, entry.id));
    }
    const SectionTraits& traits = kTraits[entry.id];
    if (entry.offset != next_offset || entry.bytes > bytes.size() - next_offset) {
      throw InputError(fmt::format("{}, section {}: {} bytes at offset {} do not fit the chunk of {} bytes", where,
                                   traits.name, entry.bytes, entry.offset, bytes.size()));
    }
    if (!traits.compressed && entry.raw_bytes != entry.bytes) {
      throw InputError(fmt::format("{}, section {}: a column states {} raw bytes for {} bytes", where, traits.name,
                                   entry.raw_bytes, entry.bytes));
    }
    next_id = entry.id + 1;
    next_offset = std::min<std::uint64_t>(round_up_to_8(entry.offset + entry.bytes), bytes.size());
    const std::uint64_t end = entry.offset + entry.bytes;
    check_zero(bytes.subspan(end, next_offset - end), where, traits.name);
    layout.sections[entry.id] = {section_at(entry.id), true, bytes.subspan(entry.offset, entry.bytes), entry.raw_bytes,
                                 entry.checksum};
  }
  if (next_offset != bytes.size() || bytes.size() % 8 != 0) {
    throw InputError(fmt::format("{}: the sections end at byte {} of {}", where, next_offset, bytes.size()));
  }
  check_presence(layout, where);
  return layout;
}

}  // namespace quarry
