/// From the bytes of a chunk to checked columns.
///
/// A file may come from anywhere, so every value is checked once, here; the loops over a chunk then need no test at
/// all. Order of checks: table of sections, checksums, sizes, offsets, dictionaries, then the entries of each molecule.
#include <fmt/format.h>

#include <algorithm>

#include "library/bond_checker.hpp"
#include "library/chunk_codec.hpp"
#include "util/check.hpp"

namespace quarry {
namespace {

template <class T>
std::span<const T> column_of(const ChunkLayout& layout, const CheckedSection& section) {
  const auto bytes = layout[section.id].bytes;
  if (bytes.size() % sizeof(T) != 0) section.fail("{} bytes are no multiple of {}", bytes.size(), sizeof(T));
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

/// Offsets start at 0, end at `last`, and rise by at least `step` each.
std::span<const std::uint32_t> offsets_of(const ChunkLayout& layout, const CheckedSection& section, std::uint64_t last,
                                          std::uint64_t step) {
  const auto offsets = column_of<std::uint32_t>(layout, section);
  if (offsets.size() != layout.counts.molecules + 1) {
    section.fail("{} offsets for {} molecules", offsets.size(), layout.counts.molecules);
  }
  if (offsets.front() != 0) section.fail("the first offset is {}", offsets.front());
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    if (offsets[i] < offsets[i - 1] + step) {
      section.fail("molecule {} spans {} to {}", i - 1, offsets[i - 1], offsets[i]);
    }
  }
  if (offsets.back() != last) section.fail("the last offset is {}, the column has {} entries", offsets.back(), last);
  return offsets;
}

void check_atom_kinds(const Chunk& chunk, const CheckedSection& section) {
  const std::size_t table_size = chunk.kind_table.size();
  const auto bad = std::find_if(chunk.atom_kinds.begin(), chunk.atom_kinds.end(),
                                [&](std::uint16_t kind) { return kind >= table_size; });
  if (bad != chunk.atom_kinds.end()) {
    section.fail("atom {} has kind {}, the table has {}", bad - chunk.atom_kinds.begin(), *bad, table_size);
  }
}

void check_bond_table(const Chunk& chunk, const CheckedSection& section) {
  if (chunk.bond_table.size() > kEscape) section.fail("{} entries", chunk.bond_table.size());
  for (std::size_t i = 0; i < chunk.bond_table.size(); ++i) {
    const BondCode& code = chunk.bond_table[i];
    if (!valid_code(code)) {
      section.fail("entry {} (distance {}, kind {}, last {}) makes no sense", i, code.distance, code.kind, code.last);
    }
  }
}

/// What `for_each_kind` will walk over.
struct CheckedAtoms {
  std::uint32_t num_atoms = 0;
  std::span<const std::uint8_t> bonds;
};

CheckedAtoms check_atoms(const Chunk& chunk, Index molecule, const CheckedSection& section) {
  const auto bytes = codes_of(chunk, molecule);
  const std::uint32_t table_size = chunk.kind_table.size();
  // PERF: most molecules of a large chunk; every byte but the escape is a kind then
  const auto [kinds, bonds] = short_codes_of(bytes);
  if (table_size >= kEscape && !kinds.empty() && !has_escape(kinds))
    return {static_cast<std::uint32_t>(kinds.size()), bonds};
  CodeReader codes(bytes);
  const std::uint32_t num_atoms = codes.num_atoms();
  if (num_atoms == 0) section.fail("molecule {} has no atoms, or their number is cut short", molecule);
  for (std::uint32_t atom = 0; atom < num_atoms; ++atom) {
    const std::uint32_t kind = codes.kind();
    if (codes.ended()) section.fail("molecule {} of {} atoms ends at atom {}", molecule, num_atoms, atom);
    if (kind >= table_size) {
      section.fail("atom {} of molecule {} has kind {}, the table has {}", atom, molecule, kind, table_size);
    }
  }
  return {num_atoms, codes.rest()};
}

void parse_molecules(const ChunkLayout& layout, const std::string& where, Chunk& chunk) {
  const CheckedSection section{where, SectionId::molecule_codes};
  chunk.molecule_codes = column_of<std::uint8_t>(layout, section);
  chunk.molecule_offsets = offsets_of(layout, {where, SectionId::molecule_offsets}, chunk.molecule_codes.size(), 1);
  BondChecker checker(chunk, section);
  std::uint64_t num_atoms = 0;
  for (Index molecule = 0; molecule < chunk.num_molecules; ++molecule) {
    const CheckedAtoms atoms = check_atoms(chunk, molecule, section);
    num_atoms += atoms.num_atoms;
    chunk.num_bonds += checker.check(molecule, atoms.num_atoms, atoms.bonds);
    chunk.max_atoms = std::max(chunk.max_atoms, Index{atoms.num_atoms});
  }
  if (num_atoms != layout.counts.atoms) section.fail("{} atoms, the header states {}", num_atoms, layout.counts.atoms);
}

/// Four columns in place of two.
void parse_molecules_of_format_1(const ChunkLayout& layout, const std::string& where, Chunk& chunk) {
  const CheckedSection kinds{where, SectionId::atom_kinds}, bonds{where, SectionId::bond_codes};
  chunk.atom_kinds = column_of<std::uint16_t>(layout, kinds);
  chunk.bond_codes = column_of<std::uint8_t>(layout, bonds);
  if (chunk.atom_kinds.size() != layout.counts.atoms) {
    kinds.fail("{} atoms, the header states {}", chunk.atom_kinds.size(), layout.counts.atoms);
  }
  chunk.atom_offsets = offsets_of(layout, {where, SectionId::atom_offsets}, chunk.atom_kinds.size(), 1);
  chunk.bond_offsets = offsets_of(layout, {where, SectionId::bond_offsets}, chunk.bond_codes.size(), 1);
  check_atom_kinds(chunk, kinds);
  BondChecker checker(chunk, bonds);
  for (Index molecule = 0; molecule < chunk.num_molecules; ++molecule) {
    const auto codes = part_of(chunk.bond_codes, chunk.bond_offsets[molecule], chunk.bond_offsets[molecule + 1]);
    chunk.num_bonds += checker.check(molecule, chunk.num_atoms(molecule), codes);
    chunk.max_atoms = std::max(chunk.max_atoms, chunk.num_atoms(molecule));
  }
}

/// The flag is a byte of 0 or 1 and the three bytes after it are zero: only then may it be read as a bool.
template <class Item>
void check_flags(std::span<const Item> items, const CheckedSection& section) {
  const auto bytes = std::as_bytes(items);
  for (std::size_t end = sizeof(Item); end <= bytes.size(); end += sizeof(Item)) {
    std::uint32_t flag = 0;
    std::memcpy(&flag, bytes.data() + end - sizeof flag, sizeof flag);
    if (flag > 1) section.fail("entry {} has the flag {}", end / sizeof(Item) - 1, flag);
  }
}
static_assert(sizeof(ChiralAtom) == 8 && offsetof(ChiralAtom, clockwise) == 4);
static_assert(sizeof(StereoBond) == 20 && offsetof(StereoBond, cis) == 16);

/// A chunk has both a sparse column and its offsets, or neither.
bool has_pair(const ChunkLayout& layout, SectionId offsets, const CheckedSection& items) {
  if (layout[offsets].present != layout[items.id].present) {
    items.fail("it and {} belong together", section_name(offsets));
  }
  return layout[offsets].present;
}

void parse_chiral_atoms(const ChunkLayout& layout, const std::string& where, Chunk& chunk) {
  const CheckedSection section{where, SectionId::chiral_atoms};
  if (!has_pair(layout, SectionId::chiral_offsets, section)) return;
  chunk.chiral_atoms = column_of<ChiralAtom>(layout, section);
  chunk.chiral_offsets = offsets_of(layout, {where, SectionId::chiral_offsets}, chunk.chiral_atoms.size(), 0);
  check_flags(chunk.chiral_atoms, section);
  for (Index molecule = 0; molecule < chunk.num_molecules; ++molecule) {
    for (std::uint32_t i = chunk.chiral_offsets[molecule]; i < chunk.chiral_offsets[molecule + 1]; ++i) {
      const std::uint32_t atom = chunk.chiral_atoms[i].atom;
      const bool ascends = i == chunk.chiral_offsets[molecule] || chunk.chiral_atoms[i - 1].atom < atom;
      if (atom >= chunk.num_atoms(molecule) || !ascends) {
        section.fail("atom {} of molecule {} is not there or out of order", atom, molecule);
      }
    }
  }
}

void parse_stereo_bonds(const ChunkLayout& layout, const std::string& where, Chunk& chunk) {
  const CheckedSection section{where, SectionId::stereo_bonds};
  if (!has_pair(layout, SectionId::stereo_offsets, section)) return;
  chunk.stereo_bonds = column_of<StereoBond>(layout, section);
  chunk.stereo_offsets = offsets_of(layout, {where, SectionId::stereo_offsets}, chunk.stereo_bonds.size(), 0);
  check_flags(chunk.stereo_bonds, section);
  for (Index molecule = 0; molecule < chunk.num_molecules; ++molecule) {
    for (std::uint32_t i = chunk.stereo_offsets[molecule]; i < chunk.stereo_offsets[molecule + 1]; ++i) {
      const StereoBond& bond = chunk.stereo_bonds[i];
      const bool first = i == chunk.stereo_offsets[molecule];
      if (!valid_stereo_bond(bond, chunk.num_atoms(molecule))) {
        section.fail("entry {} of molecule {} names wrong atoms", i, molecule);
      }
      if (!first && std::pair(chunk.stereo_bonds[i - 1].begin, chunk.stereo_bonds[i - 1].end) >=
                        std::pair(bond.begin, bond.end)) {
        section.fail("entry {} of molecule {} is out of order", i, molecule);
      }
    }
  }
}

void check_checksums(const ChunkLayout& layout, const std::string& where) {
  for (const StoredSection& section : layout.sections) {
    const bool used_here = is_matching(section.id) || section.id < SectionId::ids;
    if (section.present && used_here && checksum_of(section.bytes) != section.checksum) {
      CheckedSection{where, section.id}.fail("the data is damaged (checksum)");
    }
  }
}

}  // namespace

ParsedChunk parse_chunk(std::span<const std::byte> bytes, const std::string& where, Checksums checksums) {
  QUARRY_CHECK(reinterpret_cast<std::uintptr_t>(bytes.data()) % 8 == 0, "chunks are 8-byte aligned");
  const ChunkLayout layout = read_layout(bytes, where, checksums == Checksums::verify);
  if (checksums == Checksums::verify) check_checksums(layout, where);
  const auto section = [&](SectionId id) { return CheckedSection{where, id}; };

  ParsedChunk parsed{
      {}, layout.counts, layout[SectionId::ids], layout[SectionId::records], layout[SectionId::rejected]};
  if ((layout.counts.rejected != 0) != layout[SectionId::rejected].present) {
    section(SectionId::rejected).fail("the header states {} rejected rows", layout.counts.rejected);
  }
  Chunk& chunk = parsed.chunk;
  chunk.num_molecules = layout.counts.molecules;
  chunk.kind_table = column_of<AtomKind>(layout, section(SectionId::kind_table));
  chunk.bond_table = column_of<BondCode>(layout, section(SectionId::bond_table));
  if (std::ssize(chunk.kind_table) > kMaxChunkKinds) {
    section(SectionId::kind_table).fail("{} entries", chunk.kind_table.size());
  }
  check_bond_table(chunk, section(SectionId::bond_table));
  if (layout[SectionId::molecule_codes].present) {
    parse_molecules(layout, where, chunk);
  } else {
    parse_molecules_of_format_1(layout, where, chunk);
  }
  if (const Index stated = layout.counts.bonds; chunk.num_bonds != stated) {
    section(layout[SectionId::molecule_codes].present ? SectionId::molecule_codes : SectionId::bond_codes)
        .fail("{} bonds, the header states {}", chunk.num_bonds, stated);
  }
  parse_chiral_atoms(layout, where, chunk);
  parse_stereo_bonds(layout, where, chunk);
  return parsed;
}

Molecule decode_molecule(const Chunk& chunk, Index molecule) {
  Molecule result;
  const auto bonds = for_each_kind(chunk, molecule, [&](std::uint32_t kind) {
    result.atoms.push_back(kind < chunk.kind_table.size() ? chunk.kind_table[kind] : AtomKind{});
  });
  for_each_bond(chunk, bonds, result.atoms.size(), [&](std::uint32_t earlier, std::uint32_t later, BondKind kind) {
    result.bonds.push_back({earlier, later, kind});
  });
  const auto copy = [&](auto items, auto offsets, auto& out) {
    if (offsets.empty()) return;
    const auto part = part_of(items, offsets[molecule], offsets[molecule + 1]);
    out.assign(part.begin(), part.end());
  };
  copy(chunk.chiral_atoms, chunk.chiral_offsets, result.chiral_atoms);
  copy(chunk.stereo_bonds, chunk.stereo_offsets, result.stereo_bonds);
  return result;
}

}  // namespace quarry
