/// From a file to a receptor: read the text, parse its residues, drop waters, give each atom its type.
#include "quarry/receptor.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "chemistry/elements.hpp"
#include "quarry/error.hpp"
#include "readers/receptor/bonded.hpp"
#include "readers/receptor/residue_templates.hpp"
#include "readers/receptor/site_types.hpp"
#include "readers/receptor/structure_file.hpp"
#include "util/files/file_name.hpp"

namespace quarry {
namespace {

Index drop_waters(Structure& structure) {
  return std::erase_if(structure, [](const SiteResidue& residue) { return is_water(residue.name); });
}

bool is_ion(const SiteResidue& residue) { return residue.atoms.size() == 1; }

/// Fills what is missing and what is unknown.
void compare_with_templates(const Structure& structure, Receptor& receptor) {
  for (const SiteResidue& residue : structure) {
    const ResidueTemplate* known = find_template(residue.name);
    if (!known) {
      if (!is_ion(residue) && !is_water(residue.name)) receptor.unknown_residues.push_back(name_of(residue));
      continue;
    }
    for (const TemplateAtom& expected : known->atoms) {
      const bool found = std::ranges::find(residue.atoms, expected.name, &SiteAtom::name) != residue.atoms.end();
      if (!found && !expected.optional) receptor.missing_atoms.push_back(name_of(residue) + ":" + expected.name);
    }
  }
}

void require_protein(const StructureFile& file, const Receptor& receptor) {
  const bool known = std::ranges::any_of(
      file.structure, [](const SiteResidue& residue) { return find_template(residue.name) != nullptr; });
  if (!receptor.atoms.empty() && (known || file.format == StructureFormat::pdbqt)) return;
  throw InputError(file.name +
                   " has no protein atoms: none of its residues is an amino acid or a nucleotide; give the file "
                   "of the protein");
}

void add_atoms(const StructureFile& file, Receptor& receptor) {
  const BondedAtoms atoms(file.structure);
  for (int i = 0; i < std::ssize(atoms.atoms()); ++i) {
    const auto& [residue, atom] = atoms.atoms()[i];
    if (atom->element == kHydrogen) continue;
    const Bonding bonding = file.format == StructureFormat::pdbqt ? bonding_from_autodock(atoms, i)
                                                                  : bonding_of(atoms, i, find_template(residue->name));
    const auto type = atom_type(atom->element, bonding);
    if (!type) {
      throw InputError(file.place(*residue, *atom) + ": there are no parameters for the element " +
                       std::string(element_symbol(atom->element)) + "; remove the atom or its residue");
    }
    receptor.atoms.push_back(
        {atom->position, *type, static_cast<std::uint8_t>(atom->element), name_of(*residue, *atom)});
  }
}

Index num_doubled(const Receptor& receptor) {
  std::vector<std::array<double, 3>> positions;
  for (const ReceptorAtom& atom : receptor.atoms)
    positions.push_back({atom.position.x, atom.position.y, atom.position.z});
  std::ranges::sort(positions);
  return positions.end() - std::unique(positions.begin(), positions.end());
}

}  // namespace

Receptor read_receptor(const std::string& path, const ReceptorOptions& options) {
  StructureFile file = read_structure(path, options.format);
  Receptor receptor;
  receptor.id = without_compression(without_folder(path));
  receptor.id.resize(std::min(receptor.id.rfind('.'), receptor.id.size()));
  if (!options.keep_waters) receptor.num_waters = drop_waters(file.structure);
  if (file.format != StructureFormat::pdbqt) compare_with_templates(file.structure, receptor);
  add_atoms(file, receptor);
  require_protein(file, receptor);
  receptor.num_doubled = num_doubled(receptor);
  return receptor;
}

}  // namespace quarry
