/// Trees of atoms, shells of atoms.
#include "support/dock/random_ligands.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "reference/dock.hpp"

namespace quarry::test {
namespace {

Point operator+(const Point& a, const Point& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Point operator*(double factor, const Point& a) { return {factor * a.x, factor * a.y, factor * a.z}; }

std::uint8_t element_of(AtomType type) {
  if (type == AtomType::hydrogen) return 1;
  if (type <= AtomType::carbon_polar) return 6;
  if (type <= AtomType::nitrogen_donor_acceptor) return 7;
  if (type <= AtomType::oxygen_donor_acceptor) return 8;
  constexpr std::uint8_t kOthers[] = {16, 15, 9, 17, 35, 53, 14, 85, 30};
  return kOthers[static_cast<int>(type) - static_cast<int>(AtomType::sulfur)];
}

/// Half of them carbon, the others of any type.
AtomType random_type(Random& random) {
  return static_cast<AtomType>(random.chance(50) ? random.below(2) : random.below(kNumAtomTypes));
}

/// Where an atom bonded to `parent` lies best: of some places at 1.5, the one that is farthest from all other atoms.
Point place_beside(Random& random, const std::vector<Point>& atoms, int parent) {
  Point best;
  double best_room = -1;
  for (int attempt = 0; attempt < 30 && best_room < 2.4; ++attempt) {
    const Point place = atoms[parent] + 1.5 * random_direction(random);
    double room = 9;
    for (int other = 0; other < std::ssize(atoms); ++other) {
      if (other != parent) room = std::min(room, distance(place, atoms[other]));
    }
    if (room > best_room) std::tie(best_room, best) = std::pair(room, place);
  }
  return best;
}

/// Steps along bonds from one atom to all.
std::vector<int> bonds_from(const Ligand& ligand, int start) {
  std::vector<int> steps(ligand.num_atoms(), -1), queue = {start};
  steps[start] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const LigandBond& bond : ligand.bonds) {
      const int next = bond.begin == queue[i] ? bond.end : bond.end == queue[i] ? bond.begin : -1;
      if (next < 0 || steps[next] >= 0) continue;
      steps[next] = steps[queue[i]] + 1;
      queue.push_back(next);
    }
  }
  return steps;
}

void add_atom(Random& random, Ligand& ligand, AtomType type, int parent, int fragment) {
  std::vector<Point>& points = ligand.conformers[0];
  points.push_back(parent < 0 ? Point{} : place_beside(random, points, parent));
  if (parent >= 0) ligand.bonds.push_back({parent, ligand.num_atoms(), 1});
  ligand.types.push_back(type);
  ligand.elements.push_back(element_of(type));
  ligand.autodock_types.push_back(type == AtomType::hydrogen ? "HD" : "C");
  ligand.fragment_of.push_back(static_cast<std::uint8_t>(fragment));
}

/// Pairs and bounds, from the conformer and from what torsions change.
void add_pairs(Random& random, Ligand& ligand) {
  reference::Motion motion{{}, {}, std::vector<double>(ligand.num_torsions())};
  for (double& angle : motion.torsions) angle = random_between(random, 0.5, 2.5);
  const std::vector<Point>& points = ligand.conformers[0];
  const std::vector<Point> moved = reference::moved(ligand, points, motion);
  for (int i = 0; i < ligand.num_atoms(); ++i) {
    const std::vector<int> steps = bonds_from(ligand, i);
    for (int j = i + 1; j < ligand.num_atoms(); ++j) {
      if (ligand.elements[i] == 1 || ligand.elements[j] == 1) continue;
      const double before = distance(points[i], points[j]);
      const float length = static_cast<float>(before);
      ligand.bounds.push_back(
          {i, j, steps[j], steps[j] < 3 ? 0.95f * length : 1.5f, steps[j] < 3 ? 1.05f * length : 99});
      const bool changes = std::abs(distance(moved[i], moved[j]) - before) > 1e-6;
      if (steps[j] >= 4 && changes) ligand.flexible_pairs.emplace_back(i, j);
    }
  }
}

}  // namespace

double distance(const Point& a, const Point& b) { return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z); }

double random_between(Random& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random.below(Index{1} << 40)) / static_cast<double>(Index{1} << 40);
}

Point random_direction(Random& random) {
  const double z = random_between(random, -1, 1), angle = random_between(random, 0, 2 * std::numbers::pi);
  const double across = std::sqrt(1 - z * z);
  return {across * std::cos(angle), across * std::sin(angle), z};
}

Ligand random_ligand(Random& random, const LigandShape& shape) {
  Ligand ligand;
  ligand.id = "ligand";
  ligand.conformers.resize(1);
  ligand.fragments.resize(1);
  // Which heavy atoms begin a fragment.
  std::vector<int> later(shape.heavy_atoms - 1);
  std::iota(later.begin(), later.end(), 1);
  random.shuffle(later);
  const std::vector<int> begins(later.begin(), later.begin() + shape.torsions);
  for (int atom = 0; atom < shape.heavy_atoms; ++atom) {
    const int parent = atom == 0 ? -1 : random.chance(40) ? atom - 1 : static_cast<int>(random.below(atom));
    int fragment = parent < 0 ? 0 : ligand.fragment_of[parent];
    if (std::find(begins.begin(), begins.end(), atom) != begins.end()) {
      ligand.fragments.push_back({fragment, parent, atom});
      fragment = ligand.num_torsions();
    }
    add_atom(random, ligand, random_type(random), parent, fragment);
  }
  for (int i = 0; i < shape.hydrogens; ++i) {
    const int parent = static_cast<int>(random.below(shape.heavy_atoms));
    add_atom(random, ligand, AtomType::hydrogen, parent, ligand.fragment_of[parent]);
  }
  ligand.num_torsions_weighted = 0.5 * static_cast<double>(random.below(2 * shape.torsions + 1));
  add_pairs(random, ligand);
  return ligand;
}

Receptor random_receptor(Random& random, int num_atoms, double hollow_radius) {
  Receptor receptor;
  receptor.id = "receptor";
  double outer = hollow_radius + 1;
  while (std::ssize(receptor.atoms) < num_atoms) {
    outer += 0.01;  // grows until all atoms have room
    const Point place = random_between(random, hollow_radius, outer) * random_direction(random);
    const bool has_room = std::all_of(receptor.atoms.begin(), receptor.atoms.end(),
                                      [&](const ReceptorAtom& atom) { return distance(atom.position, place) >= 3; });
    if (!has_room) continue;
    const AtomType type = random_type(random);
    receptor.atoms.push_back({place, type, element_of(type), "A:ALA 1:X" + std::to_string(receptor.atoms.size())});
  }
  return receptor;
}

dock::Box cube(double size) { return {{0, 0, 0}, {size, size, size}}; }

Point Placement::operator()(const Point& point) const {
  return reference::turned(point, {0, 0, 0}, axis, angle) + shift;
}

std::vector<Point> Placement::operator()(std::span<const Point> points) const {
  std::vector<Point> placed;
  for (const Point& point : points) placed.push_back((*this)(point));
  return placed;
}

Receptor Placement::operator()(const Receptor& receptor) const {
  Receptor placed = receptor;
  for (ReceptorAtom& atom : placed.atoms) atom.position = (*this)(atom.position);
  return placed;
}

Placement random_placement(Random& random, double most_shift) {
  return {random_direction(random), random_between(random, 0, std::numbers::pi),
          random_between(random, 0, most_shift) * random_direction(random)};
}

std::vector<Point> random_pose(Random& random, const Ligand& ligand, double most_shift) {
  reference::Motion motion{{}, {}, std::vector<double>(ligand.num_torsions())};
  for (double& angle : motion.torsions) angle = random_between(random, -std::numbers::pi, std::numbers::pi);
  std::vector<Point> points = reference::moved(ligand, ligand.conformers[0], motion);
  Point mean;
  for (const Point& point : points) mean = mean + 1. / ligand.num_atoms() * point;
  for (Point& point : points) point = point + -1 * mean;
  return random_placement(random, most_shift)(points);
}

Ligand renumbered(const Ligand& ligand, const std::vector<int>& order) {
  Ligand result = ligand;
  std::vector<int> number(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) number[order[i]] = static_cast<int>(i);
  for (std::size_t i = 0; i < order.size(); ++i) {
    result.elements[i] = ligand.elements[order[i]];
    result.types[i] = ligand.types[order[i]];
    result.autodock_types[i] = ligand.autodock_types[order[i]];
    result.fragment_of[i] = ligand.fragment_of[order[i]];
  }
  for (LigandBond& bond : result.bonds) bond = {number[bond.begin], number[bond.end], bond.order};
  for (std::size_t i = 1; i < result.fragments.size(); ++i) {
    Fragment& fragment = result.fragments[i];
    fragment = {fragment.parent, number[fragment.parent_atom], number[fragment.atom]};
  }
  for (auto& [i, j] : result.flexible_pairs) std::tie(i, j) = std::minmax({number[i], number[j]});
  for (Ligand::Bound& bound : result.bounds) {
    std::tie(bound.begin, bound.end) = std::minmax({number[bound.begin], number[bound.end]});
  }
  for (std::vector<int>& ring : result.flat_rings) {
    for (int& atom : ring) atom = number[atom];
  }
  for (std::vector<Point>& conformer : result.conformers) conformer = renumbered(conformer, order);
  return result;
}

std::vector<Point> renumbered(std::span<const Point> positions, const std::vector<int>& order) {
  std::vector<Point> result;
  for (const int atom : order) result.push_back(positions[atom]);
  return result;
}

std::vector<int> random_order(Random& random, int size) {
  std::vector<int> order(size);
  std::iota(order.begin(), order.end(), 0);
  random.shuffle(order);
  return order;
}

LigandRow row_of(Index number, Ligand ligand) {
  LigandRow row;
  row.row = number;
  row.id = ligand.id;
  row.ligand = std::move(ligand);
  return row;
}

}  // namespace quarry::test
