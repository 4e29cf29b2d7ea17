/// Molecules as SMILES text with ids, for work that needs no parsed molecule.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "quarry/library.hpp"

#pragma GCC visibility push(default)
namespace quarry {

enum class Normalize : std::uint8_t {
  as_is,      ///< the SMILES as written; RDKit does not look at it
  checked,    ///< as written, where RDKit accepts it; of an SDF record the canonical SMILES
  canonical,  ///< RDKit's canonical isomeric SMILES
};

/// Rows of a file, or molecules of a library, in order.
struct SmilesTable {
  std::vector<std::string> ids, smiles;  ///< one per molecule
  std::vector<RejectedRow> rejected;
  Report report;
};

/// Reads a whole file. Rows that are empty, not printable ASCII, too long (kMaxSmiles) or, where they are checked or
/// made canonical, refused by RDKit are rejected by name.
/// @throws InputError  missing or empty file, unknown format, no SMILES column; an SDF file read as it is
SmilesTable read_smiles(const std::string& path, const ReadOptions& options, Normalize normalize);

/// The molecules of a library. Its rejected rows come first; those that are rejected now have the number of the
/// molecule, from 1, as their line, and say so.
/// @throws InputError  the library is damaged, or keeps SDF records and is read as it is
SmilesTable smiles_of(const Library& library, Normalize normalize, int threads = 0);

/// @throws InputError  RDKit refuses the SMILES
std::string canonical_smiles(std::string_view smiles);

/// Longest SMILES that is read without RDKit.
inline constexpr Index kMaxSmiles = 65534;

}  // namespace quarry
#pragma GCC visibility pop
