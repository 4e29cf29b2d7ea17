/// Tripos mol2 files: the atoms of the first molecule, with their residues.
///
/// Format: Tripos Mol2 File Format, SYBYL 7.1, 2005.
#include <utility>
#include <vector>

#include "chemistry/elements.hpp"
#include "quarry/error.hpp"
#include "readers/receptor/residue_templates.hpp"
#include "readers/receptor/structure.hpp"
#include "util/ascii.hpp"

namespace quarry {
namespace {

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (!(line = trimmed(line, " \t\r")).empty()) {
    words.push_back(line.substr(0, line.find_first_of(" \t")));
    line.remove_prefix(words.back().size());
  }
  return words;
}

/// Of an amino acid a letter may follow the number.
std::size_t size_without_insertion_code(std::string_view substructure) {
  const std::size_t size = substructure.size();
  if (size < 2 || !is_letter(substructure[size - 1]) || !is_digit(substructure[size - 2])) return size;
  const ResidueTemplate* const known = find_template(substructure.substr(0, substructure.find_first_of("-0123456789")));
  return known != nullptr && known->amino_acid ? size - 1 : size;
}

/// "LEU83" is residue LEU 83, and "ZN" residue ZN with the number of its substructure.
SiteResidue residue_of(std::string_view substructure_number, std::string_view substructure) {
  const std::size_t end = size_without_insertion_code(substructure);
  std::size_t size = end;
  while (size > 0 && (is_digit(substructure[size - 1]) || substructure[size - 1] == '-')) --size;
  if (size == 0 || size == end) {
    return {"", std::string(substructure), std::string(substructure_number)};
  }
  return {"", std::string(substructure.substr(0, size)), std::string(substructure.substr(size))};
}

}  // namespace

Structure read_mol2_structure(const std::string& text, const std::string& name) {
  Structure structure;
  bool in_atoms = false;
  Index number = 0, num_molecules = 0;
  for (std::string_view rest = text; !rest.empty();) {
    ++number;
    const std::string_view line = take_line(rest);
    if (line.starts_with("@<TRIPOS>")) {
      in_atoms = line.starts_with("@<TRIPOS>ATOM");
      num_molecules += line.starts_with("@<TRIPOS>MOLECULE");
      if (num_molecules > 1) break;
      continue;
    }
    const auto words = words_of(line);
    if (!in_atoms || words.empty() || line.starts_with('#')) continue;
    if (words.size() < 6) {
      throw InputError(name + ", line " + std::to_string(number) + ": an atom has six fields or more, this line has " +
                       std::to_string(words.size()));
    }
    SiteAtom atom;
    atom.name = words[1];
    atom.position = {parse_coordinate(words[2], name, number), parse_coordinate(words[3], name, number),
                     parse_coordinate(words[4], name, number)};
    atom.element = atomic_number(words[5].substr(0, words[5].find('.')));
    atom.line = number;
    if (words[5] == "LP" || words[5] == "Du") continue;
    append_atom(structure, residue_of(words.size() > 6 ? words[6] : "1", words.size() > 7 ? words[7] : "UNK"),
                std::move(atom));
  }
  return structure;
}

}  // namespace quarry
