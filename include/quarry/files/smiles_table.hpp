/// Molecules as SMILES text with ids, for work that needs no parsed molecule.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "quarry/library.hpp"

#pragma GCC visibility push(default)
namespace quarry {

/// What RDKit does with each SMILES.
enum class Normalize : std::uint8_t {
  as_is,      ///< the SMILES as written; RDKit does not look at it
  checked,    ///< as written, where RDKit accepts it; of an SDF record the canonical SMILES
  canonical,  ///< RDKit's canonical isomeric SMILES
};

/// Rows of a file, or molecules of a library, in order.
struct SmilesTable {
  /// One per molecule. With ReadOptions::distinct_ids, the names that it gives.
  std::vector<std::string> ids, smiles;
  std::vector<RejectedRow> rejected;
  Report report;
  ReadNotes notes;
};

/// Reads a whole file. A row is rejected, with the reason, where it is empty, not printable ASCII or too long
/// (kMaxSmiles), has too many atoms (ReadOptions::max_atoms), or where RDKit was asked and refuses it.
/// @throws InputError  missing file, unknown format, no SMILES column, or SDF that is to be read as it is
[[nodiscard]] SmilesTable read_smiles(const std::string& path, const ReadOptions& options, Normalize normalize);

/// The molecules of a library. Among the rejected rows those of the library come first. A molecule that is rejected now
/// has its number, from 1, in place of a line, and its reason says so.
/// @param distinct_ids  as ReadOptions::distinct_ids
/// @throws InputError  the library is damaged, or keeps SDF records and is to be read as it is
[[nodiscard]] SmilesTable smiles_of(const Library& library, Normalize normalize, int threads = 0,
                                    DistinctIds* distinct_ids = nullptr);

/// RDKit's canonical isomeric SMILES. @throws InputError  RDKit refuses the SMILES
[[nodiscard]] std::string canonical_smiles(std::string_view smiles);

/// Most characters of a SMILES in a table.
inline constexpr Index kMaxSmiles = 65534;

}  // namespace quarry
#pragma GCC visibility pop
