/// Chunks from molecules and back: encoder, validating parser, and fast walks over a parsed chunk.
///
/// The encoder makes one sequence of bytes (format: chunk_format.hpp, docs/library-format.md). The parser borrows these
/// bytes: it copies nothing, checks the checksum of every column and every value in it, and returns spans that need no
/// further tests. Text stays compressed until it is asked for.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "library/chunk.hpp"
#include "library/chunk_format.hpp"
#include "library/packed_molecules.hpp"
#include "quarry/files/distinct_ids.hpp"
#include "quarry/molecule.hpp"
#include "quarry/report.hpp"

namespace quarry {

/// What goes into one chunk. `rows` is the number of molecules and rejected rows.
struct ChunkInput {
  std::vector<PackedMolecules> molecules;
  std::vector<std::string_view> ids, records;  ///< one per molecule
  std::vector<NamedMolecule> named;            ///< not stored
  std::vector<RejectedRow> rejected;
  std::vector<std::byte> conformers, fingerprints;  ///< the sections of those names; empty: none
  Index rows = 0;
};

/// Joins packed molecules under one dictionary. The same molecules give the same bytes, however they were packed.
/// @throws CapacityError  more than kChunkMolecules molecules or 65,536 distinct atom kinds, or more than 2^32 - 1
///                        bytes in a column
std::vector<std::byte> encode_chunk(const ChunkInput& input);

/// Whether a parser verifies checksums; fuzzing changes bytes without them.
enum class Checksums : std::uint8_t { verify, ignore };

/// A checked chunk. Borrows the bytes it was parsed from.
struct ParsedChunk {
  Chunk chunk;
  ChunkCounts counts;
  StoredSection ids, records, rejected;  ///< texts, not yet checked
};

/// Checks the table, the checksums of all sections but the texts, and every value in them.
/// @param bytes  the whole chunk, 8-byte aligned
/// @param where  begins every message, for example "library.qlib: chunk 3"
/// @throws InputError  names `where`, the section and the offending value
ParsedChunk parse_chunk(std::span<const std::byte> bytes, const std::string& where,
                        Checksums checksums = Checksums::verify);

/// Calls `visit(earlier atom, later atom, BondKind)` for every bond of a molecule, in ascending order of
/// (later, earlier). Atoms are counted from the molecule's first. Ends where the columns are no longer what was checked.
/// @param codes  the entries of its bonds, from `for_each_kind`
/// @param num_atoms  of the molecule
template <class Visit>
inline void for_each_bond(const Chunk& chunk, std::span<const std::uint8_t> codes, std::uint32_t num_atoms,
                          Visit&& visit) {
  const std::uint8_t* code = codes.data();
  const std::uint8_t* const end = code + codes.size();
  const std::span<const BondCode> table = chunk.bond_table;
  std::uint32_t atom = 0;
  while (code != end) {
    BondCode entry;
    const std::uint8_t number = *code++;
    if (number < table.size()) {
      entry = table[number];
    } else {
      if (end - code < Index{sizeof entry}) return;
      std::memcpy(&entry, code, sizeof entry);
      code += sizeof entry;
    }
    if (atom >= num_atoms || entry.distance > atom) return;
    if (entry.distance != 0) visit(atom - entry.distance, atom, entry.kind);
    atom += entry.last;
  }
}

/// Is this a stereo bond of a molecule of `num_atoms` atoms? Then begin < end, and the neighbours are neither.
constexpr bool valid_stereo_bond(const StereoBond& bond, std::uint64_t num_atoms) {
  const auto other_atom = [&](std::uint32_t atom) {
    return atom < num_atoms && atom != bond.begin && atom != bond.end;
  };
  return bond.begin < bond.end && bond.end < num_atoms && other_atom(bond.begin_neighbour) &&
         other_atom(bond.end_neighbour);
}

/// One molecule as plain data.
Molecule decode_molecule(const Chunk& chunk, Index molecule);

}  // namespace quarry
