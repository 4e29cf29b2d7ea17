#include "dock/batch/plan.hpp"

#include <algorithm>
#include <cmath>

#include "dock/point.hpp"

namespace quarry::dock {
namespace {

bool is_heavy(const Ligand& ligand, int atom) { return ligand.types[atom] != AtomType::hydrogen; }

void assign(float* to, const Point& from, double scale = 1) {
  to[0] = static_cast<float>(from.x * scale);
  to[1] = static_cast<float>(from.y * scale);
  to[2] = static_cast<float>(from.z * scale);
}

/// The fragments that the search turns, in depth-first order.
struct Tree {
  std::vector<int> order;      ///< [packed fragments] fragment of the record
  std::vector<int> packed_of;  ///< [fragments of the record]
  std::vector<int> parents;    ///< [packed fragments] packed
};

/// Does a torsion move a heavy atom? [fragments]
std::vector<bool> moves_heavy_atoms(const Ligand& ligand) {
  std::vector<bool> moves(ligand.fragments.size(), false);
  for (int a = 0; a < ligand.num_atoms(); ++a) {
    const int fragment = ligand.fragment_of[a];
    if (is_heavy(ligand, a) && a != ligand.fragments[fragment].atom) moves[fragment] = true;
  }
  // A torsion moves the next one's bond: of C-C-O-H the second moves the oxygen, though the third moves no heavy atom.
  for (std::size_t f = 1; f < ligand.fragments.size(); ++f) {
    if (is_heavy(ligand, ligand.fragments[f].atom)) moves[ligand.fragments[f].parent] = true;
  }
  return moves;
}

Tree make_tree(const Ligand& ligand) {
  const std::size_t count = ligand.fragments.size();
  const std::vector<bool> moves = moves_heavy_atoms(ligand);
  std::vector<int> joined(count);  // the fragment that a fragment is part of
  std::vector<std::vector<int>> children(count);
  for (std::size_t f = 0; f < count; ++f) {
    joined[f] = f == 0 || moves[f] ? static_cast<int>(f) : joined[ligand.fragments[f].parent];
    if (f > 0 && moves[f]) children[joined[ligand.fragments[f].parent]].push_back(static_cast<int>(f));
  }
  Tree tree{{}, std::vector<int>(count), {}};
  std::vector<std::pair<int, int>> stack{{0, -1}};
  while (!stack.empty()) {
    const auto [fragment, parent] = stack.back();
    stack.pop_back();
    const int packed = static_cast<int>(tree.order.size());
    tree.order.push_back(fragment);
    tree.parents.push_back(parent);
    tree.packed_of[fragment] = packed;
    for (auto child = children[fragment].rbegin(); child != children[fragment].rend(); ++child)
      stack.push_back({*child, packed});
  }
  for (std::size_t f = 0; f < count; ++f) tree.packed_of[f] = tree.packed_of[joined[f]];
  return tree;
}

Point mean_of(const std::vector<Point>& points) {
  Point mean;
  for (const Point& point : points) {
    mean.x += point.x / static_cast<double>(points.size());
    mean.y += point.y / static_cast<double>(points.size());
    mean.z += point.z / static_cast<double>(points.size());
  }
  return mean;
}

float radius_of_gyration(const std::vector<Point>& points) {
  const Point center = mean_of(points);
  double sum = 0;
  for (const Point& point : points) {
    const double distance = norm(point - center);
    sum += distance * distance;
  }
  return static_cast<float>(std::max(1.0, std::sqrt(sum / static_cast<double>(points.size()))));
}

/// Origins of the packed fragments.
std::vector<Point> origins_of(const Ligand& ligand, const std::vector<Point>& positions, const Tree& tree,
                              const std::vector<std::vector<int>>& atoms) {
  std::vector<Point> origins;
  std::vector<Point> root;
  for (const int a : atoms[0]) root.push_back(positions[a]);
  for (const int fragment : tree.order)
    origins.push_back(fragment == tree.order[0] ? mean_of(root) : positions[ligand.fragments[fragment].atom]);
  return origins;
}

void add_pairs(const Ligand& ligand, const LigandMap& map, PackedLigands& packed) {
  std::vector<int> packed_atom(ligand.num_atoms(), -1);
  const int num_atoms = static_cast<int>(map.heavy_atoms.size()), num_words = words_of(num_atoms);
  for (int a = 0; a < num_atoms; ++a) packed_atom[map.heavy_atoms[a]] = a;
  const std::size_t first = packed.partners.size();
  packed.partners.resize(first + std::size_t{1} * num_atoms * num_words);
  const auto add = [&](int atom, int partner) {
    packed.partners[first + atom * num_words + partner / kWordAtoms] |= std::uint32_t{1} << partner % kWordAtoms;
  };
  for (const auto& [a, b] : ligand.flexible_pairs) {
    add(packed_atom[a], packed_atom[b]);
    add(packed_atom[b], packed_atom[a]);
  }
}

/// Sets where the subtrees of fragments end.
void find_subtrees(PlanFragment* fragments, int num_fragments) {
  for (int f = num_fragments - 1; f >= 0; --f) {
    PlanFragment& own = fragments[f];
    own.last_subtree_atom = std::max(own.last_subtree_atom, own.last_atom);
    own.last_subtree_fragment = std::max(own.last_subtree_fragment, f + 1);
    if (f == 0) break;
    PlanFragment& parent = fragments[own.parent];
    parent.last_subtree_atom = std::max(parent.last_subtree_atom, own.last_subtree_atom);
    parent.last_subtree_fragment = std::max(parent.last_subtree_fragment, own.last_subtree_fragment);
  }
}

}  // namespace

LigandMap pack(const Ligand& ligand, const std::vector<Point>& positions, PackedLigands& packed) {
  const Tree tree = make_tree(ligand);
  const int num_fragments = static_cast<int>(tree.order.size());
  LigandMap map;
  std::vector<std::vector<int>> atoms(num_fragments);  // heavy ones
  for (int a = 0; a < ligand.num_atoms(); ++a) {
    map.fragment_of.push_back(tree.packed_of[ligand.fragment_of[a]]);
    if (is_heavy(ligand, a)) atoms[map.fragment_of[a]].push_back(a);
  }
  const std::vector<Point> origins = origins_of(ligand, positions, tree, atoms);
  for (int a = 0; a < ligand.num_atoms(); ++a) map.local.push_back(positions[a] - origins[map.fragment_of[a]]);

  LigandHeader header;
  header.num_fragments = num_fragments;
  header.first_atom = std::ssize(packed.atoms);
  header.first_fragment = std::ssize(packed.fragments);
  header.first_partners = std::ssize(packed.partners);
  std::vector<Point> heavy;
  for (int f = 0; f < num_fragments; ++f) {
    const Fragment& own = ligand.fragments[tree.order[f]];
    PlanFragment fragment{};
    fragment.parent = tree.parents[f];
    fragment.first_atom = static_cast<std::int32_t>(map.heavy_atoms.size());
    fragment.last_atom = fragment.first_atom + static_cast<std::int32_t>(atoms[f].size());
    if (f > 0) {
      const Point bond = positions[own.atom] - positions[own.parent_atom];
      const double length = norm(bond);
      if (length > 1e-6) {
        assign(fragment.axis, bond, 1 / length);
      } else {
        fragment.axis[2] = 1;
      }
      assign(fragment.offset, origins[f] - origins[fragment.parent]);
    }
    for (const int a : atoms[f]) {
      PlanAtom atom{};
      assign(atom.position, map.local[a]);
      atom.type = static_cast<std::int16_t>(ligand.types[a]);
      atom.fragment = static_cast<std::int16_t>(f);
      packed.atoms.push_back(atom);
      map.heavy_atoms.push_back(a);
      heavy.push_back(positions[a]);
    }
    packed.fragments.push_back(fragment);
  }
  find_subtrees(packed.fragments.data() + header.first_fragment, num_fragments);
  header.num_atoms = static_cast<std::int32_t>(map.heavy_atoms.size());
  header.radius = radius_of_gyration(heavy);
  add_pairs(ligand, map, packed);
  packed.headers.push_back(header);
  return map;
}

LigandsView PackedLigands::view() const {
  return {view_of(headers), view_of(atoms), view_of(fragments), view_of(partners)};
}

}  // namespace quarry::dock
