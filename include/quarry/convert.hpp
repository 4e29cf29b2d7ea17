/// One molecule record in another format, through RDKit.
#pragma once
#include <string>

#include "quarry/error.hpp"

#pragma GCC visibility push(default)
namespace quarry {

/// An SDF record, without its closing `$$$$`, with RDKit's 2D coordinates and `id` as its title.
/// @param smiles  any SMILES that RDKit reads
/// @throws InputError  RDKit does not read it (names the id)
[[nodiscard]] std::string smiles_to_sdf(const std::string& smiles, const std::string& id);

/// The canonical SMILES of an SDF record.
/// @param sdf  the record, with or without its closing `$$$$`
/// @throws InputError  RDKit does not read it (names the id)
[[nodiscard]] std::string sdf_to_smiles(const std::string& sdf, const std::string& id);

}  // namespace quarry
#pragma GCC visibility pop
