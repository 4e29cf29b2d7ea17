/// From a source record to plain data: RDKit parses and sanitises, `perceive` collects what SMARTS can ask about.
///
/// Source of every atom property: RDKit 2022.09, GraphMol/QueryOps.h.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "quarry/library.hpp"
#include "quarry/molecule.hpp"

namespace RDKit {
class ROMol;
class RWMol;
}  // namespace RDKit

namespace quarry {

/// Parses one SMILES (with nothing after it) or one SDF record as RDKit does by default: sanitised, hydrogens implicit.
/// Silent and thread-safe; never throws on bad data. Callers include <GraphMol/RWMol.h>.
/// @param explicit_hydrogens  every hydrogen becomes an atom
/// @param reason              out: why the record was refused, one phrase; untouched where it was not
/// @return                    the molecule, or nullptr where it was refused; a molecule without atoms is refused
std::unique_ptr<RDKit::RWMol> parse_record(std::string_view record, RecordFormat format, bool explicit_hydrogens,
                                           std::string& reason);

/// The properties, bonds and stereo marks of a sanitised molecule.
/// Bonds have begin < end and are in order of (end, begin); a chiral tag is restated for neighbours in ascending order.
/// @throws InputError  a property does not fit 16 bits, or an atom has more than 255 neighbours (names atom and value)
Molecule perceive(const RDKit::ROMol& molecule);

}  // namespace quarry
