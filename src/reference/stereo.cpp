/// Stereo marks are looked up by scanning lists, and parity is found by counting inversions.
#include "reference/stereo.hpp"

#include <algorithm>

namespace quarry::reference {
namespace {

using Atoms = std::vector<std::uint32_t>;

template <class AnyBond>
Atoms neighbours_of(const std::vector<AnyBond>& bonds, std::uint32_t atom) {
  Atoms neighbours;
  for (const auto& bond : bonds) {
    if (bond.begin == atom) neighbours.push_back(bond.end);
    if (bond.end == atom) neighbours.push_back(bond.begin);
  }
  std::sort(neighbours.begin(), neighbours.end());
  return neighbours;
}

bool has_odd_parity(const Atoms& order) {
  std::size_t inversions = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) inversions += order[j] > order[i] ? 1U : 0U;
  }
  return inversions % 2 == 1;
}

/// Where the query atom has a chirality mark, the data atom must have one. If the query atom has three or more
/// neighbours, the marks must also be equal when both are stated for the same order of neighbours: first the images of
/// the query's neighbours, then the others.
bool chiral_atom_holds(const Molecule& molecule, const Pattern& pattern, const Atoms& embedding,
                       const ChiralAtom& wanted) {
  const auto image = embedding[wanted.atom];
  const auto mark = std::find_if(molecule.chiral_atoms.begin(), molecule.chiral_atoms.end(),
                                 [&](const ChiralAtom& chiral) { return chiral.atom == image; });
  if (mark == molecule.chiral_atoms.end()) return false;
  const Atoms query_neighbours = neighbours_of(pattern.bonds, wanted.atom);
  if (query_neighbours.size() < 3) return true;
  Atoms order;
  for (const auto neighbour : query_neighbours) order.push_back(embedding[neighbour]);
  for (const auto neighbour : neighbours_of(molecule.bonds, image)) {
    if (std::find(order.begin(), order.end(), neighbour) == order.end()) order.push_back(neighbour);
  }
  return (mark->clockwise == wanted.clockwise) != has_odd_parity(order);
}

bool is_double(const Molecule& molecule, std::uint32_t begin, std::uint32_t end) {
  constexpr int kDouble = 2;
  return std::any_of(molecule.bonds.begin(), molecule.bonds.end(), [&](const Bond& bond) {
    return bond_type(bond.kind) == kDouble &&
           ((bond.begin == begin && bond.end == end) || (bond.begin == end && bond.end == begin));
  });
}

/// Where the query bond has a mark and its image is a double bond, the image must have one with the same geometry. A
/// reference neighbour that is not the image of the query's is on the other side of the bond.
bool stereo_bond_holds(const Molecule& molecule, const Atoms& embedding, const StereoBond& wanted) {
  const auto begin = embedding[wanted.begin], end = embedding[wanted.end];
  if (!is_double(molecule, begin, end)) return true;
  const auto mark =
      std::find_if(molecule.stereo_bonds.begin(), molecule.stereo_bonds.end(), [&](const StereoBond& bond) {
        return (bond.begin == begin && bond.end == end) || (bond.begin == end && bond.end == begin);
      });
  if (mark == molecule.stereo_bonds.end()) return false;
  const bool forward = mark->begin == begin;
  const bool same_begin = embedding[wanted.begin_neighbour] == (forward ? mark->begin_neighbour : mark->end_neighbour);
  const bool same_end = embedding[wanted.end_neighbour] == (forward ? mark->end_neighbour : mark->begin_neighbour);
  const bool one_swapped = same_begin != same_end;
  return (mark->cis == wanted.cis) != one_swapped;
}

}  // namespace

bool stereo_holds(const Molecule& molecule, const Pattern& pattern, const std::vector<std::uint32_t>& embedding) {
  return std::all_of(
             pattern.chiral_atoms.begin(), pattern.chiral_atoms.end(),
             [&](const ChiralAtom& wanted) { return chiral_atom_holds(molecule, pattern, embedding, wanted); }) &&
         std::all_of(pattern.stereo_bonds.begin(), pattern.stereo_bonds.end(),
                     [&](const StereoBond& wanted) { return stereo_bond_holds(molecule, embedding, wanted); });
}

}  // namespace quarry::reference
