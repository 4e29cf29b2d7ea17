/// Normalising bonds and stereo marks, and refusing what a chunk cannot hold.
#include "library/chunk_normalise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "library/chunk_codec.hpp"
#include "quarry/error.hpp"

namespace quarry {

namespace {

bool comes_before(const Bond& left, const Bond& right) {
  return std::pair(left.end, left.begin) < std::pair(right.end, right.begin);
}

/// Are they as a chunk keeps them, and too few for one atom to have too many? So are those of the readers.
bool are_normal(const Molecule& molecule) {
  const std::vector<Bond>& bonds = molecule.bonds;
  if (std::ssize(bonds) > kMaxAtomBonds) return false;
  std::uint64_t previous = 0;
  for (const Bond& bond : bonds) {
    const std::uint64_t order = std::uint64_t{bond.end} << 32 | bond.begin;
    if (order <= previous || bond.begin >= bond.end || bond.kind >= kNumBondKinds) return false;
    previous = order;
  }
  return bonds.empty() || bonds.back().end < molecule.atoms.size();
}

}  // namespace

const std::vector<Bond>& normalised_bonds(const Molecule& molecule, const std::string& name, std::vector<Bond>& room) {
  if (are_normal(molecule)) return molecule.bonds;
  std::vector<Bond>& bonds = room;
  bonds = molecule.bonds;
  std::vector<Index> degrees(molecule.atoms.size(), 0);
  for (Bond& bond : bonds) {
    const auto [earlier, later] = std::minmax(bond.begin, bond.end);
    if (later >= molecule.atoms.size()) {
      throw InputError(
          fmt::format("{}: a bond names atom {}, but there are {} atoms", name, later, molecule.atoms.size()));
    }
    if (earlier == later) throw InputError(fmt::format("{}: atom {} is bonded to itself", name, later));
    if (bond.kind >= kNumBondKinds) {
      throw InputError(fmt::format("{}: the bond {}-{} has the unknown kind {}", name, earlier, later, bond.kind));
    }
    for (const std::uint32_t atom : {earlier, later}) {
      if (++degrees[atom] > kMaxAtomBonds) {
        throw InputError(fmt::format("{}: atom {} has more than {} bonds", name, atom, kMaxAtomBonds));
      }
    }
    bond = {earlier, later, bond.begin == earlier ? bond.kind : reversed(bond.kind)};
  }
  std::sort(bonds.begin(), bonds.end(), comes_before);
  for (std::size_t i = 1; i < bonds.size(); ++i) {
    if (comes_before(bonds[i - 1], bonds[i])) continue;
    throw InputError(fmt::format("{}: the bond {}-{} is listed twice", name, bonds[i].begin, bonds[i].end));
  }
  return bonds;
}

std::vector<ChiralAtom> normalised_chiral_atoms(const Molecule& molecule, const std::string& name) {
  auto atoms = molecule.chiral_atoms;
  std::sort(atoms.begin(), atoms.end(), [](auto& a, auto& b) { return a.atom < b.atom; });
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    if (atoms[i].atom >= molecule.atoms.size() || (i > 0 && atoms[i].atom == atoms[i - 1].atom)) {
      throw InputError(fmt::format("{}: the chiral atom {} does not exist or is listed twice", name, atoms[i].atom));
    }
  }
  return atoms;
}

std::vector<StereoBond> normalised_stereo_bonds(const Molecule& molecule, const std::string& name) {
  auto bonds = molecule.stereo_bonds;
  for (StereoBond& bond : bonds) {
    if (bond.begin > bond.end) bond = {bond.end, bond.begin, bond.end_neighbour, bond.begin_neighbour, bond.cis};
  }
  const auto ends = [](const StereoBond& bond) { return std::pair(bond.begin, bond.end); };
  std::sort(bonds.begin(), bonds.end(), [&](auto& a, auto& b) { return ends(a) < ends(b); });
  for (std::size_t i = 0; i < bonds.size(); ++i) {
    const StereoBond& bond = bonds[i];
    if (!valid_stereo_bond(bond, molecule.atoms.size()) || (i > 0 && ends(bond) == ends(bonds[i - 1]))) {
      throw InputError(fmt::format("{}: the stereo bond {}-{} names missing or equal atoms, or is listed twice", name,
                                   bond.begin, bond.end));
    }
  }
  return bonds;
}

}  // namespace quarry
