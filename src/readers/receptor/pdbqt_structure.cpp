/// PDBQT files: the columns of PDB, with AutoDock's type of each atom at the end.
///
/// Format: AutoDock 4.2 user guide, appendix on PDBQT.
#include <set>
#include <utility>

#include "chemistry/elements.hpp"
#include "quarry/error.hpp"
#include "readers/receptor/structure.hpp"
#include "util/ascii.hpp"

namespace quarry {
namespace {

[[noreturn]] void refuse(const std::string& name, Index line, const std::string& what) {
  throw InputError(name + ", line " + std::to_string(line) + ": " + what);
}

/// The element of AutoDock's type: most are symbols.
int element_of(std::string_view type) {
  constexpr std::pair<std::string_view, int> kTypes[] = {{"A", 6},   {"NA", 7}, {"NS", 7}, {"OA", 8}, {"OS", 8},
                                                         {"SA", 16}, {"HD", 1}, {"HS", 1}, {"W", 8}};
  for (const auto& [known, element] : kTypes) {
    if (type == known) return element;
  }
  return atomic_number(type);
}

}  // namespace

Structure read_pdbqt_structure(const std::string& text, const std::string& name) {
  Structure structure;
  std::set<std::string> locations;  // of the last residue: names of its atoms
  std::string residue_key;
  Index number = 0;
  for (std::string_view rest = text; !rest.empty();) {
    ++number;
    const std::string_view line = take_line(rest);
    if (line.starts_with("ENDMDL")) break;
    if (!line.starts_with("ATOM  ") && !line.starts_with("HETATM")) continue;
    SiteResidue residue{std::string(columns(line, 21, 22)), std::string(columns(line, 17, 21)),
                        std::string(columns(line, 22, 27))};
    SiteAtom atom;
    atom.name = columns(line, 12, 16);
    atom.line = number;
    atom.autodock = columns(line, 77, 80);
    atom.element = element_of(atom.autodock);
    if (atom.autodock.empty()) refuse(name, number, "there is no atom type in columns 78 and 79");
    atom.position = parse_position(line, name, number);
    const bool alternate = line[16] != ' ';
    if (const std::string key = name_of(residue); key != residue_key) {
      residue_key = key;
      locations.clear();
    }
    if (!locations.insert(atom.name).second && alternate) continue;
    append_atom(structure, std::move(residue), std::move(atom));
  }
  return structure;
}

}  // namespace quarry
