/// From a record to ligands: RDKit parses, completes and embeds a molecule; what docking needs of it becomes plain data.
#pragma once
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "quarry/ligand.hpp"

namespace RDKit {
class RWMol;
}  // namespace RDKit

namespace quarry {

enum class LigandFormat { smiles, sdf, mol2 };

/// Why a molecule cannot be docked.
class Rejection : public std::runtime_error {
 public:
  /// @param stage  "read", "perceive", "type" or "embed"
  Rejection(std::string stage, const std::string& reason) : std::runtime_error(reason), stage_(std::move(stage)) {}
  const std::string& stage() const { return stage_; }

 private:
  std::string stage_;
};

/// The molecule of a record with the hydrogens that the record has. Callers include <GraphMol/RWMol.h>.
/// @param sanitize  else only its atoms, bonds and coordinates count, and any valence is right
/// @throws Rejection  RDKit refuses the record, or it has no atoms
std::unique_ptr<RDKit::RWMol> parse_ligand(std::string_view record, LigandFormat format, bool sanitize = true);

/// Why RDKit is not to read a record, one phrase; empty where it may. @param max_atoms  0 is no limit
std::string beyond_limits(std::string_view record, LigandFormat format, Index max_atoms);

/// Is there a conformer with three dimensions?
bool has_positions(const RDKit::RWMol& molecule);

/// Its largest component (by heavy atoms, of equals by carbons, then the first), with all hydrogens as atoms.
/// @param left_out  out, where it is not nullptr: LigandRow::left_out
std::unique_ptr<RDKit::RWMol> complete_molecule(const RDKit::RWMol& molecule, std::string* left_out = nullptr);

/// @throws Rejection  there is no heavy atom, there are too many of them or of torsions, or there are no parameters for
///                    an element
void require_dockable(const RDKit::RWMol& molecule);

/// @param molecule  dockable, with conformers, which become those of the ligand; its stereo centres become those of the
///                  first
Ligand make_ligand(RDKit::RWMol& molecule, const std::string& id);

}  // namespace quarry
