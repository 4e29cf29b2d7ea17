/// A receptor file as read, before its atoms have types: residues and their atoms, hydrogens included.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "quarry/receptor.hpp"

namespace quarry {

struct SiteAtom {
  Point position;
  int element = 0;            ///< 0: not known
  std::string name = {};      ///< "CD1"
  std::string autodock = {};  ///< type of a PDBQT file
  Index line = 0;             ///< of the file, from 1; 0 where it is not known
  int serial = 0;             ///< as the file numbers it
  bool stated = true;         ///< Is the element what the file says? Else it was guessed from where the name begins.
};

struct SiteResidue {
  std::string chain = {}, name = {}, number = {};  ///< "A", "LEU", "83B"
  std::vector<SiteAtom> atoms = {};
};

/// "A:LEU 83", and "A:LEU 83:CD1" of an atom.
std::string name_of(const SiteResidue& residue);
std::string name_of(const SiteResidue& residue, const SiteAtom& atom);

/// Residues of the first model. Of an atom with alternate locations only the first is there.
using Structure = std::vector<SiteResidue>;

/// Readers of the text of a whole file. @param name  of the file, for messages
/// @throws InputError  the text cannot be read (names the line where it is known)
Structure read_pdb_structure(const std::string& text, const std::string& name);
Structure read_cif_structure(const std::string& text, const std::string& name);
Structure read_pdbqt_structure(const std::string& text, const std::string& name);
Structure read_mol2_structure(const std::string& text, const std::string& name);

/// Adds an atom of a file that lists them in order, to the last residue or to a new one.
void append_atom(Structure& structure, SiteResidue&& residue, SiteAtom&& atom);

/// @throws InputError  the text is not a finite number (names file and line)
double parse_coordinate(std::string_view text, const std::string& name, Index line);

/// Columns [begin, end) of a line, from 0, without blanks at either end; what the line lacks is empty.
std::string_view columns(std::string_view line, std::size_t begin, std::size_t end);

/// The position in a line of an atom in PDB or PDBQT. @throws InputError  as parse_coordinate
Point parse_position(std::string_view line, const std::string& name, Index number);

/// The next line of a text, without its line end; takes it off the text.
std::string_view take_line(std::string_view& text);

/// Line of the atom with this serial number and name in a PDB or mmCIF file; 0 where there is none.
Index line_of_atom(std::string_view text, const SiteAtom& atom);

}  // namespace quarry
