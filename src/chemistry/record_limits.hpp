/// What is refused before RDKit reads it in full: a record of too many atoms, one that would take RDKit too long, and one
/// with a mass number that RDKit would cut.
///
/// RDKit ranks the atoms of every molecule for its stereo marks. It does so in rounds, and each round compares lists that
/// have grown by the round before, so that a chain, which takes a round for every second atom, takes the cube of its length:
/// 1 second for 1,000 atoms, 48 for 4,097. The rounds can be counted cheaply, by refining classes of atoms as RDKit does.
/// Source: RDKit 2022.09, GraphMol/Chirality.cpp, iterateCIPRanks.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "quarry/library.hpp"

namespace RDKit {
class RWMol;
}

namespace quarry {

/// Most work that RDKit may spend on ranking the atoms of a molecule: atoms times rounds squared. About 4 seconds.
inline constexpr Index kMaxRankingWork = 1'000'000'000;

/// Atoms of a record, as far as its text says: hydrogens that are written count, those that are implied do not.
Index atoms_written(std::string_view record, RecordFormat format);

/// Why RDKit is not to read a record, one phrase; empty where it may.
/// @param max_atoms  0 is no limit
std::string beyond_limits(std::string_view record, RecordFormat format, Index max_atoms);
/// The same of a record in another format.
/// @param atoms  of the record, as far as its text says
/// @param parse  makes the molecule without the steps that take time; null where RDKit refuses the record
std::string beyond_limits(Index atoms, Index max_atoms, const std::function<std::unique_ptr<RDKit::RWMol>()>& parse);

}  // namespace quarry
