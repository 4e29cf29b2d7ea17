/// Packing molecules one by one.
#include "library/packed_molecules.hpp"

#include <fmt/format.h>

#include "library/chunk_normalise.hpp"
#include "quarry/error.hpp"
#include "util/cast.hpp"

namespace quarry {

void MoleculePacker::add(const Molecule& molecule, const std::string& name) {
  if (molecule.atoms.empty()) throw InputError(name + " has no atoms");
  normalise_bonds(molecule, name, bonds_);
  const auto chiral_atoms = normalised_chiral_atoms(molecule, name);
  const auto stereo_bonds = normalised_stereo_bonds(molecule, name);

  const std::size_t entries_before = packed_.bonds.ids.size();
  auto bond = bonds_.begin();
  for (std::uint32_t atom = 0; atom < molecule.atoms.size(); ++atom) {
    packed_.atoms.ids.push_back(kind_ids_.id_of(molecule.atoms[atom], packed_.atoms.values));
    const auto bond_is_here = [&] { return bond != bonds_.end() && bond->end == atom; };
    do {
      BondCode entry;  // of distance 0 where the atom has no earlier neighbour
      if (bond_is_here()) {
        entry.distance = atom - bond->begin;
        entry.kind = bond->kind;
        ++bond;
      }
      entry.last = !bond_is_here();
      packed_.bonds.ids.push_back(bond_ids_.id_of(entry, packed_.bonds.values));
    } while (bond_is_here());
  }
  packed_.num_bonds += bonds_.size();
  packed_.chiral_atoms.insert(packed_.chiral_atoms.end(), chiral_atoms.begin(), chiral_atoms.end());
  packed_.stereo_bonds.insert(packed_.stereo_bonds.end(), stereo_bonds.begin(), stereo_bonds.end());
  const auto count = [](std::size_t items) { return checked_cast<std::uint32_t>(items); };
  packed_.counts.push_back({count(molecule.atoms.size()), count(packed_.bonds.ids.size() - entries_before),
                            count(chiral_atoms.size()), count(stereo_bonds.size())});
}

PackedMolecules pack_molecules(std::span<const Molecule> molecules, std::span<const std::string> ids) {
  MoleculePacker packer;
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    packer.add(molecules[i], fmt::format("molecule {} ({})", i, ids[i]));
  }
  return packer.finish();
}

}  // namespace quarry
