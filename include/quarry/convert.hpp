/// One molecule record in another format, through RDKit.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "quarry/error.hpp"
#include "quarry/library.hpp"

#pragma GCC visibility push(default)
namespace quarry {

/// An SDF record, without its closing `$$$$`, with RDKit's 2D coordinates and `id` as its title. Of more than 500
/// atoms all coordinates are 0, for a layout takes RDKit too long.
/// @param smiles  any SMILES that RDKit reads
/// @throws InputError  RDKit does not read it (names the id)
[[nodiscard]] std::string smiles_to_sdf(const std::string& smiles, const std::string& id);

/// The canonical SMILES of an SDF record.
/// @param sdf  the record, with or without its closing `$$$$`
/// @throws InputError  RDKit does not read it (names the id)
[[nodiscard]] std::string sdf_to_smiles(const std::string& sdf, const std::string& id);

/// A SMILES, and where in it each atom of the molecule that it was written from stands, from 0.
struct WrittenSmiles {
  std::string smiles;
  std::vector<Index> positions;
};

/// As sdf_to_smiles, with the places of the atoms.
[[nodiscard]] WrittenSmiles write_smiles(const std::string& sdf, const std::string& id);

/// For each atom that a molecule read from an SDF record has, its number in the record, from 0: RDKit removes most
/// hydrogens of the record. Behind them the same for the hydrogens that the molecule has where each is an atom; -1 stands for
/// those that the record does not have.
/// @throws InputError  RDKit does not read it (names the id)
[[nodiscard]] std::vector<Index> atoms_of_record(const std::string& sdf, const std::string& id);

/// The SMILES of some atoms of a molecule and the bonds between them, in RDKit's canonical form.
/// @param explicit_hydrogens  whether the hydrogens of the molecule are atoms, as in ReadOptions
/// @param atoms  numbers from 0, as in a match
/// @throws InputError  RDKit does not read the record (names the id)
[[nodiscard]] std::string fragment_smiles(const std::string& record, RecordFormat format, bool explicit_hydrogens,
                                          std::span<const std::uint32_t> atoms, const std::string& id);

}  // namespace quarry
#pragma GCC visibility pop
