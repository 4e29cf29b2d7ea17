/// Sums over pairs, turned atoms and differences.
#include "reference/dock.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace quarry::reference {
namespace {

using dock::Scoring;
using dock::Terms;

constexpr double kCutoff = 8;

Point operator+(const Point& a, const Point& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Point operator-(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Point operator*(double factor, const Point& a) { return {factor * a.x, factor * a.y, factor * a.z}; }
double dot(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
double length(const Point& a) { return std::sqrt(dot(a, a)); }
Point cross(const Point& a, const Point& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

double radius(Scoring scoring, AtomType type) {
  const bool vina = scoring == Scoring::vina;
  switch (type) {
    case AtomType::carbon_hydrophobic:
    case AtomType::carbon_polar:
      return vina ? 1.9 : 2.0;
    case AtomType::nitrogen:
    case AtomType::nitrogen_donor:
    case AtomType::nitrogen_acceptor:
    case AtomType::nitrogen_donor_acceptor:
      return vina ? 1.8 : 1.7;
    case AtomType::oxygen:
    case AtomType::oxygen_donor:
    case AtomType::oxygen_acceptor:
    case AtomType::oxygen_donor_acceptor:
      return vina ? 1.7 : 1.6;
    case AtomType::sulfur:
      return 2.0;
    case AtomType::phosphorus:
      return 2.1;
    case AtomType::fluorine:
      return 1.5;
    case AtomType::chlorine:
      return 1.8;
    case AtomType::bromine:
      return 2.0;
    case AtomType::iodine:
    case AtomType::silicon:
      return 2.2;
    case AtomType::astatine:
      return 2.3;
    case AtomType::metal:
      return 1.2;
    case AtomType::hydrogen:
      break;
  }
  return 0;
}

/// 1 up to `full`, 0 from `none` on, a line between them.
double ramp(double x, double full, double none) { return std::clamp((none - x) / (none - full), 0., 1.); }

double squared(double x) { return x * x; }

bool binds_hydrogen(AtomType one, AtomType other) {
  return (is_donor(one) && is_acceptor(other)) || (is_donor(other) && is_acceptor(one));
}

void add(Terms& sum, const Terms& terms) {
  sum.gauss1 += terms.gauss1;
  sum.gauss2 += terms.gauss2;
  sum.repulsion += terms.repulsion;
  sum.hydrophobic += terms.hydrophobic;
  sum.hydrogen_bond += terms.hydrogen_bond;
}

}  // namespace

Terms pair_terms(Scoring scoring, AtomType one, AtomType other, double distance) {
  if (one == AtomType::hydrogen || other == AtomType::hydrogen || distance >= kCutoff) return {};
  const double d = distance - radius(scoring, one) - radius(scoring, other);
  const bool hydrophobic = is_hydrophobic(one) && is_hydrophobic(other);
  const bool bond = binds_hydrogen(one, other);
  const double repulsion = d < 0 ? d * d : 0;
  if (scoring == Scoring::vina) {
    return {std::exp(-squared(d / 0.5)), std::exp(-squared((d - 3) / 2)), repulsion,
            hydrophobic ? ramp(d, 0.5, 1.5) : 0, bond ? ramp(d, -0.7, 0) : 0};
  }
  return {std::exp(-squared(d / 0.8)), 0, repulsion, hydrophobic ? ramp(d, 0, 2.5) : 0, bond ? ramp(d, -0.6, 0) : 0};
}

double energy(Scoring scoring, const Terms& terms) {
  if (scoring == Scoring::vina) {
    return -0.035579 * terms.gauss1 - 0.005156 * terms.gauss2 + 0.840245 * terms.repulsion -
           0.035069 * terms.hydrophobic - 0.587439 * terms.hydrogen_bond;
  }
  return -0.045 * terms.gauss1 + 0.8 * terms.repulsion - 0.035 * terms.hydrophobic - 0.6 * terms.hydrogen_bond;
}

Terms inter_terms(const Receptor& receptor, const Ligand& ligand, std::span<const Point> positions, Scoring scoring) {
  Terms sum;
  for (int atom = 0; atom < ligand.num_atoms(); ++atom) {
    for (const ReceptorAtom& other : receptor.atoms) {
      add(sum, pair_terms(scoring, ligand.types[atom], other.type, length(positions[atom] - other.position)));
    }
  }
  return sum;
}

double intra(const Ligand& ligand, std::span<const Point> positions, Scoring scoring) {
  Terms sum;
  for (const auto& [i, j] : ligand.flexible_pairs) {
    add(sum, pair_terms(scoring, ligand.types[i], ligand.types[j], length(positions[i] - positions[j])));
  }
  return energy(scoring, sum);
}

dock::Score score(const Receptor& receptor, const Ligand& ligand, std::span<const Point> positions, Scoring scoring,
                  double torsion_weight) {
  dock::Score result;
  result.terms = inter_terms(receptor, ligand, positions, scoring);
  result.inter = energy(scoring, result.terms);
  result.intra = intra(ligand, positions, scoring);
  result.score = result.inter / (1 + torsion_weight * ligand.num_torsions_weighted);
  return result;
}

Point turned(const Point& point, const Point& from, const Point& to, double angle) {
  const Point axis = 1 / length(to - from) * (to - from), arm = point - from;
  const Point across = cross(axis, arm);
  return point + std::sin(angle) * across + (1 - std::cos(angle)) * cross(axis, across);
}

std::vector<Point> moved(const Ligand& ligand, std::span<const Point> positions, const Motion& motion) {
  std::vector<Point> points(positions.begin(), positions.end());
  const int num_fragments = static_cast<int>(ligand.fragments.size());
  for (int turning = 1; turning < num_fragments; ++turning) {
    std::vector<bool> turns(num_fragments, false);
    turns[turning] = true;
    for (int child = turning + 1; child < num_fragments; ++child) turns[child] = turns[ligand.fragments[child].parent];
    const Point from = points[ligand.fragments[turning].parent_atom], to = points[ligand.fragments[turning].atom];
    for (int atom = 0; atom < ligand.num_atoms(); ++atom) {
      if (turns[ligand.fragment_of[atom]]) points[atom] = turned(points[atom], from, to, motion.torsions[turning - 1]);
    }
  }
  Point mean;
  for (const Point& point : points) mean = mean + 1. / static_cast<double>(points.size()) * point;
  const double angle = length(motion.rotation);
  for (Point& point : points) {
    if (angle > 0) point = turned(point, mean, mean + motion.rotation, angle);
    point = point + motion.shift;
  }
  return points;
}

std::vector<double> gradient(const Receptor& receptor, const Ligand& ligand, std::span<const Point> positions,
                             Scoring scoring) {
  constexpr double kStep = 1e-5;
  const auto energy_at = [&](const Motion& motion) {
    const std::vector<Point> points = moved(ligand, positions, motion);
    return energy(scoring, inter_terms(receptor, ligand, points, scoring)) + intra(ligand, points, scoring);
  };
  std::vector<double> result;
  const auto add_slope = [&](auto&& component) {
    Motion forth{{}, {}, std::vector<double>(ligand.num_torsions(), 0)}, back = forth;
    component(forth) = kStep;
    component(back) = -kStep;
    result.push_back((energy_at(forth) - energy_at(back)) / (2 * kStep));
  };
  for (double Point::*axis : {&Point::x, &Point::y, &Point::z}) {
    add_slope([&](Motion& motion) -> double& { return motion.shift.*axis; });
  }
  for (double Point::*axis : {&Point::x, &Point::y, &Point::z}) {
    add_slope([&](Motion& motion) -> double& { return motion.rotation.*axis; });
  }
  for (int torsion = 0; torsion < ligand.num_torsions(); ++torsion) {
    add_slope([&](Motion& motion) -> double& { return motion.torsions[torsion]; });
  }
  return result;
}

}  // namespace quarry::reference
