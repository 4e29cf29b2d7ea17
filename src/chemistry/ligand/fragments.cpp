/// Rigid fragments are what is left of a molecule when the bonds that turn are cut. They form a tree, because no bond of
/// a ring turns. Its root is a fragment in the middle, so that few torsions lie between an atom and the root.
#include <GraphMol/MolOps.h>
#include <GraphMol/ROMol.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "chemistry/elements.hpp"
#include "chemistry/ligand/neighbours.hpp"
#include "chemistry/ligand/torsions.hpp"
#include "util/cast.hpp"

namespace quarry {
namespace {

/// The fragments before they have an order: numbers of fragments, and the torsions between them.
struct Parts {
  struct Link {
    int to = 0;             ///< the other fragment
    int atom = 0, far = 0;  ///< ends of the bond here and there
  };
  std::vector<int> part_of;  ///< [num_atoms]
  std::vector<std::vector<Link>> links;
  std::vector<Index> heavy;  ///< heavy atoms of each
};

/// Puts a number on every atom that `atom` reaches over bonds that do not turn.
void flood(const RDKit::ROMol& molecule, const std::vector<int>& rotatable, int atom, int part,
           std::vector<int>& part_of) {
  std::vector<int> open{atom};
  part_of[atom] = part;
  while (!open.empty()) {
    const RDKit::Atom* from = molecule.getAtomWithIdx(open.back());
    open.pop_back();
    for (const RDKit::Bond* bond : bonds_of(*from)) {
      const int other = static_cast<int>(bond->getOtherAtomIdx(from->getIdx()));
      if (part_of[other] >= 0 || std::ranges::binary_search(rotatable, static_cast<int>(bond->getIdx()))) continue;
      part_of[other] = part;
      open.push_back(other);
    }
  }
}

/// The first atom of each component, because what no bond joins moves as one.
std::vector<int> component_starts(const RDKit::ROMol& molecule) {
  std::vector<std::vector<int>> components;
  RDKit::MolOps::getMolFrags(molecule, components);
  std::vector<int> starts;
  for (const auto& component : components) starts.push_back(*std::ranges::min_element(component));
  return starts;
}

Parts cut(const RDKit::ROMol& molecule, const std::vector<int>& rotatable) {
  Parts parts;
  parts.part_of.assign(molecule.getNumAtoms(), -1);
  int num_parts = 1;
  for (const int start : component_starts(molecule)) flood(molecule, rotatable, start, 0, parts.part_of);
  for (int atom = 0; atom < std::ssize(parts.part_of); ++atom) {
    if (parts.part_of[atom] < 0) flood(molecule, rotatable, atom, num_parts++, parts.part_of);
  }
  parts.links.resize(num_parts);
  for (const int index : rotatable) {
    const RDKit::Bond* bond = molecule.getBondWithIdx(index);
    const int begin = static_cast<int>(bond->getBeginAtomIdx()), end = static_cast<int>(bond->getEndAtomIdx());
    parts.links[parts.part_of[begin]].push_back({parts.part_of[end], begin, end});
    parts.links[parts.part_of[end]].push_back({parts.part_of[begin], end, begin});
  }
  parts.heavy.resize(num_parts);
  for (const RDKit::Atom* atom : molecule.atoms()) {
    parts.heavy[parts.part_of[atom->getIdx()]] += atom->getAtomicNum() != kHydrogen;
  }
  return parts;
}

/// Parts in order of their distance from `root`, each with the reversed link to its parent (`to` is the parent, `far` the
/// atom in it); the root's leads nowhere. @return  the most torsions between a part and the root
int breadth_first(const Parts& parts, int root, std::vector<std::pair<int, Parts::Link>>& order) {
  order = {{root, {-1, -1, -1}}};
  std::vector<int> depth(parts.links.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto [part, up] = order[i];
    for (const Parts::Link& link : parts.links[part]) {
      if (link.to == up.to) continue;
      depth[link.to] = depth[part] + 1;
      order.push_back({link.to, {part, link.far, link.atom}});
    }
  }
  return depth[order.back().first];
}

int best_root(const Parts& parts) {
  std::tuple<int, Index, int> best;  // depth, minus heavy atoms, part
  std::vector<std::pair<int, Parts::Link>> order;
  for (int part = 0; part < std::ssize(parts.links); ++part) {
    const std::tuple candidate(breadth_first(parts, part, order), -parts.heavy[part], part);
    if (part == 0 || candidate < best) best = candidate;
  }
  return std::get<2>(best);
}

/// Vina sees no bond where a third atom is nearer to both ends than they are to each other: of a ring of three, the
/// longest bond is none.
bool is_bridged(const std::vector<Point>& positions, const RDKit::Bond& bond) {
  const auto distance = [&](const RDKit::Atom& left, const RDKit::Atom& right) {
    const Point &a = positions[left.getIdx()], &b = positions[right.getIdx()];
    return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
  };
  const RDKit::Atom &begin = *bond.getBeginAtom(), &end = *bond.getEndAtom();
  const double length = distance(begin, end);
  const auto others = neighbours_of(begin);
  return std::ranges::any_of(others, [&](const RDKit::Atom* third) {
    return bond.getOwningMol().getBondBetweenAtoms(third->getIdx(), end.getIdx()) != nullptr &&
           distance(begin, *third) < length && distance(end, *third) < length;
  });
}

/// The atoms that Vina sees bonded to each.
std::vector<std::vector<int>> bonded_atoms(const RDKit::ROMol& molecule, const std::vector<Point>& positions) {
  std::vector<std::vector<int>> bonded(molecule.getNumAtoms());
  for (const RDKit::Bond* bond : molecule.bonds()) {
    if (is_bridged(positions, *bond)) continue;
    const int begin = static_cast<int>(bond->getBeginAtomIdx()), end = static_cast<int>(bond->getEndAtomIdx());
    bonded[begin].push_back(end);
    bonded[end].push_back(begin);
  }
  return bonded;
}

/// The atoms at most three bonds from one, with repetitions.
std::vector<int> near_atoms(const std::vector<std::vector<int>>& bonded, int atom) {
  std::vector<int> near{atom};
  std::size_t begin = 0;
  for (int num_bonds = 0; num_bonds < 3; ++num_bonds) {
    for (const std::size_t end = near.size(); begin < end; ++begin) {
      const auto& next = bonded[near[begin]];
      near.insert(near.end(), next.begin(), next.end());
    }
  }
  return near;
}

/// Pairs whose distance no torsion changes lie in one fragment, the far ends of its torsions included.
void assign_pairs(const RDKit::ROMol& molecule, Ligand& ligand) {
  const int num_atoms = ligand.num_atoms();
  std::vector<std::set<int>> rigid(num_atoms);  // the fragments that each atom does not move against
  for (int atom = 0; atom < num_atoms; ++atom) rigid[atom].insert(ligand.fragment_of[atom]);
  for (int child = 1; child < std::ssize(ligand.fragments); ++child) {
    const Fragment& fragment = ligand.fragments[child];
    rigid[fragment.atom].insert(fragment.parent);
    rigid[fragment.parent_atom].insert(child);
  }
  const auto fixed = [&](int left, int right) {
    return std::ranges::any_of(rigid[left], [&](int fragment) { return rigid[right].contains(fragment); });
  };
  const auto bonded = bonded_atoms(molecule, ligand.conformers.front());
  for (int left = 0; left < num_atoms; ++left) {
    const std::vector<int> near = near_atoms(bonded, left);
    for (int right = left + 1; right < num_atoms; ++right) {
      if (ligand.elements[left] == kHydrogen || ligand.elements[right] == kHydrogen) continue;
      if (fixed(left, right) || std::ranges::find(near, right) != near.end()) continue;
      ligand.flexible_pairs.emplace_back(left, right);
    }
  }
}

int num_heavy_neighbours(const RDKit::Atom& atom) {
  return static_cast<int>(std::ranges::count_if(
      neighbours_of(atom), [](const RDKit::Atom* neighbour) { return neighbour->getAtomicNum() != kHydrogen; }));
}

/// Half for each end of a bond that turns whose other end has more than one heavy neighbour.
double weighted_torsions(const RDKit::ROMol& molecule, const std::vector<int>& rotatable) {
  double sum = 0;
  for (const int index : rotatable) {
    const RDKit::Bond* bond = molecule.getBondWithIdx(index);
    for (const RDKit::Atom* end : {bond->getBeginAtom(), bond->getEndAtom()}) {
      sum += num_heavy_neighbours(*end) > 1 ? 0.5 : 0;
    }
  }
  return sum;
}

}  // namespace

void assign_fragments(const RDKit::ROMol& molecule, Ligand& ligand) {
  const auto rotatable = rotatable_bonds(molecule, ligand.autodock_types);
  const Parts parts = cut(molecule, rotatable);
  std::vector<std::pair<int, Parts::Link>> order;
  breadth_first(parts, best_root(parts), order);
  std::vector<int> position(order.size());
  for (int i = 0; i < std::ssize(order); ++i) position[order[i].first] = i;
  for (const auto& [part, up] : order) {
    ligand.fragments.push_back({up.to < 0 ? -1 : position[up.to], up.far, up.atom});
  }
  for (const int part : parts.part_of) ligand.fragment_of.push_back(checked_cast<std::uint8_t>(position[part]));
  ligand.num_torsions_weighted = weighted_torsions(molecule, rotatable);
  assign_pairs(molecule, ligand);
}

}  // namespace quarry
