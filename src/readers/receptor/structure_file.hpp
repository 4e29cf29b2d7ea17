/// The file of a receptor: its text in one of four formats, and the residues that it holds.
#pragma once
#include <string>

#include "readers/receptor/structure.hpp"

namespace quarry {

enum class StructureFormat { pdb, cif, pdbqt, mol2 };

struct StructureFile {
  StructureFormat format = StructureFormat::pdb;
  std::string name, text;
  Structure structure;

  /// "receptor.pdb, line 7, atom A:LEU 83:CD1".
  std::string place(const SiteResidue& residue, const SiteAtom& atom) const;
};

/// Is this the extension of a format that lists residues? mol2 lists molecules.
bool is_structure_format(const std::string& extension);

/// Reads a file; every atom has an element and coordinates of a molecule.
/// @param format  "pdb", "cif", "pdbqt", "mol2"; empty: by the extension
/// @throws InputError  the file cannot be read or is no such structure (names file, line and atom)
StructureFile read_structure(const std::string& path, const std::string& format);

}  // namespace quarry
