/// Packing molecules one by one.
#include "library/packed_molecules.hpp"

#include <fmt/format.h>

#include "library/chunk_normalise.hpp"
#include "quarry/error.hpp"
#include "util/cast.hpp"

namespace quarry {
namespace {

/// For each atom its bonds to earlier atoms, or one entry of distance 0.
/// PERF: one pass over the bonds, for a loop over the bonds of each atom ends where no processor foresees it.
/// @param bonds  in ascending order of (end, begin)
void find_bond_codes(const std::vector<Bond>& bonds, std::uint32_t num_atoms, std::vector<BondCode>& codes) {
  codes.resize(num_atoms + bonds.size());  // at most one for each atom and bond
  BondCode* code = codes.data();
  std::uint32_t num_coded = 0;  // atoms
  const auto add_atoms_before = [&](std::uint32_t atom) {
    for (; num_coded < atom; ++num_coded) *code++ = {.last = 1};
  };
  for (std::size_t i = 0; i < bonds.size(); ++i) {
    const Bond& bond = bonds[i];
    add_atoms_before(bond.end);
    const bool last = i + 1 == bonds.size() || bonds[i + 1].end != bond.end;
    *code++ = {bond.end - bond.begin, bond.kind, last};
    num_coded += last ? 1 : 0;
  }
  add_atoms_before(num_atoms);
  codes.resize(code - codes.data());
}

}  // namespace

void MoleculePacker::add(const Molecule& molecule, const std::string& name) {
  if (molecule.atoms.empty()) throw InputError(name + " has no atoms");
  const std::vector<Bond>& bonds = normalised_bonds(molecule, name, bonds_);
  const auto chiral_atoms = normalised_chiral_atoms(molecule, name);
  const auto stereo_bonds = normalised_stereo_bonds(molecule, name);

  kind_ids_.append(molecule.atoms, packed_.atoms);
  find_bond_codes(bonds, checked_cast<std::uint32_t>(molecule.atoms.size()), bond_codes_);
  bond_ids_.append(bond_codes_, packed_.bonds);
  packed_.num_bonds += bonds.size();
  packed_.chiral_atoms.insert(packed_.chiral_atoms.end(), chiral_atoms.begin(), chiral_atoms.end());
  packed_.stereo_bonds.insert(packed_.stereo_bonds.end(), stereo_bonds.begin(), stereo_bonds.end());
  const auto count = [](std::size_t items) { return checked_cast<std::uint32_t>(items); };
  packed_.counts.push_back({count(molecule.atoms.size()), count(bond_codes_.size()), count(chiral_atoms.size()),
                            count(stereo_bonds.size())});
}

PackedMolecules pack_molecules(std::span<const Molecule> molecules, std::span<const std::string_view> ids) {
  MoleculePacker packer;
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    packer.add(molecules[i], fmt::format("molecule {} ({})", i, ids[i]));
  }
  return packer.finish();
}

}  // namespace quarry
