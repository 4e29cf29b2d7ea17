/// Packing molecules one by one.
#include "library/packed_molecules.hpp"

#include <fmt/format.h>

#include "library/chunk_normalise.hpp"
#include "quarry/error.hpp"
#include "util/cast.hpp"

namespace quarry {

void MoleculePacker::add(const Molecule& molecule, const std::string& name) {
  if (molecule.atoms.empty()) throw InputError(name + " has no atoms");
  const std::vector<Bond>& bonds = normalised_bonds(molecule, name, bonds_);
  const auto chiral_atoms = normalised_chiral_atoms(molecule, name);
  const auto stereo_bonds = normalised_stereo_bonds(molecule, name);

  const std::size_t num_atoms = molecule.atoms.size();
  const std::size_t atoms_before = packed_.atoms.ids.size(), entries_before = packed_.bonds.ids.size();
  packed_.atoms.ids.resize(atoms_before + num_atoms);
  packed_.bonds.ids.resize(entries_before + num_atoms + bonds.size());  // at most one for each atom and bond
  std::uint32_t* const kinds = packed_.atoms.ids.data() + atoms_before;
  std::uint32_t* entry_end = packed_.bonds.ids.data() + entries_before;
  const Bond* bond = bonds.data();
  const Bond* const last_bond = bond + bonds.size();
  for (std::uint32_t atom = 0; atom < num_atoms; ++atom) {
    kinds[atom] = kind_ids_.id_of(molecule.atoms[atom], packed_.atoms.values);
    const auto bond_is_here = [&] { return bond != last_bond && bond->end == atom; };
    BondCode entry;
    do {
      entry = {};  // of distance 0 where the atom has no earlier neighbour
      if (bond_is_here()) {
        entry.distance = atom - bond->begin;
        entry.kind = bond->kind;
        ++bond;
      }
      entry.last = !bond_is_here();
      *entry_end++ = bond_ids_.id_of(entry, packed_.bonds.values);
    } while (entry.last == 0);
  }
  packed_.bonds.ids.resize(entry_end - packed_.bonds.ids.data());
  packed_.num_bonds += bonds.size();
  packed_.chiral_atoms.insert(packed_.chiral_atoms.end(), chiral_atoms.begin(), chiral_atoms.end());
  packed_.stereo_bonds.insert(packed_.stereo_bonds.end(), stereo_bonds.begin(), stereo_bonds.end());
  const auto count = [](std::size_t items) { return checked_cast<std::uint32_t>(items); };
  packed_.counts.push_back({count(molecule.atoms.size()), count(packed_.bonds.ids.size() - entries_before),
                            count(chiral_atoms.size()), count(stereo_bonds.size())});
}

PackedMolecules pack_molecules(std::span<const Molecule> molecules, std::span<const std::string_view> ids) {
  MoleculePacker packer;
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    packer.add(molecules[i], fmt::format("molecule {} ({})", i, ids[i]));
  }
  return packer.finish();
}

}  // namespace quarry
