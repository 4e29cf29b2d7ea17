#include "support/molecules/format_1.hpp"

#include <cstdint>

#include "library/chunk_assembler.hpp"
#include "library/chunk_codec.hpp"

namespace quarry::test {

std::vector<std::byte> in_format_1(std::span<const std::byte> chunk) {
  const ChunkLayout layout = read_layout(chunk, "test");
  const ParsedChunk parsed = parse_chunk(chunk, "test");
  std::vector<std::uint32_t> atom_offsets{0}, bond_offsets{0};
  std::vector<std::uint16_t> atom_kinds;
  std::vector<std::uint8_t> bond_codes;
  for (Index molecule = 0; molecule < parsed.chunk.num_molecules; ++molecule) {
    const auto bonds = for_each_kind(
        parsed.chunk, molecule, [&](std::uint32_t kind) { atom_kinds.push_back(static_cast<std::uint16_t>(kind)); });
    bond_codes.insert(bond_codes.end(), bonds.begin(), bonds.end());
    atom_offsets.push_back(static_cast<std::uint32_t>(atom_kinds.size()));
    bond_offsets.push_back(static_cast<std::uint32_t>(bond_codes.size()));
  }

  ChunkAssembler assembler;
  assembler.add(SectionId::atom_offsets, atom_offsets);
  assembler.add(SectionId::bond_offsets, bond_offsets);
  assembler.add(SectionId::atom_kinds, atom_kinds);
  assembler.add(SectionId::bond_codes, bond_codes);
  for (const StoredSection& section : layout.sections) {
    if (section.present && section.id < SectionId::molecule_offsets) {
      assembler.add(section.id, section.bytes, section.raw_bytes);
    }
  }
  return assembler.finish(layout.counts);
}

}  // namespace quarry::test
