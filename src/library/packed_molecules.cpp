/// Packing molecules one by one.
#include "library/packed_molecules.hpp"

#include <fmt/format.h>

#include <tuple>

#include "library/chunk_normalise.hpp"
#include "quarry/error.hpp"
#include "util/cast.hpp"

namespace quarry {

template <class Value>
void MoleculePacker::append(const Value& value, Ids<Value>& ids, CodedColumn<Value>& column) {
  const auto [entry, is_new] = ids.try_emplace(value, checked_cast<std::uint32_t>(column.values.size()));
  if (is_new) column.values.push_back(value);
  column.ids.push_back(entry->second);
}

void MoleculePacker::add(const Molecule& molecule, const std::string& name) {
  if (molecule.atoms.empty()) throw InputError(name + " has no atoms");
  const BondList bonds = normalised_bonds(molecule, name);
  const auto chiral_atoms = normalised_chiral_atoms(molecule, name);
  const auto stereo_bonds = normalised_stereo_bonds(molecule, name);

  const std::size_t entries_before = packed_.bonds.ids.size();
  auto bond = bonds.begin();
  for (std::uint32_t atom = 0; atom < molecule.atoms.size(); ++atom) {
    append(molecule.atoms[atom], kind_ids_, packed_.atoms);
    const auto bond_is_here = [&] { return bond != bonds.end() && std::get<0>(*bond) == atom; };
    do {
      BondCode entry;  // of distance 0 where the atom has no earlier neighbour
      if (bond_is_here()) {
        entry.distance = atom - std::get<1>(*bond);
        entry.kind = std::get<2>(*bond);
        ++bond;
      }
      entry.last = !bond_is_here();
      append(entry, bond_ids_, packed_.bonds);
    } while (bond_is_here());
  }
  packed_.num_bonds += bonds.size();
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
