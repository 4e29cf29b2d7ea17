/// Docking in its plainest form: the truth that the engine `dock` is compared with.
///
/// Every energy is a sum over all pairs of atoms in double precision; a gradient is a difference of two energies. No
/// grids, no cells, no vectors. Lengths are in angstrom, energies in kcal/mol, angles in radians.
/// Sources: Trott, Olson, J. Comput. Chem. 2010, 31, 455 (Vina); Quiroga, Villarreal, PLoS ONE 2016, 11, e0155183
/// (Vinardo); Truchon, Bayly, J. Chem. Inf. Model. 2007, 47, 488 (BEDROC).
#pragma once
#include <span>
#include <utility>
#include <vector>

#include "quarry/dock.hpp"

namespace quarry::reference {

/// The terms of two atoms, before weights.
dock::Terms pair_terms(dock::Scoring scoring, AtomType one, AtomType other, double distance);
/// Their weighted sum.
double energy(dock::Scoring scoring, const dock::Terms& terms);

/// Sums over all pairs of receptor and ligand.
dock::Terms inter_terms(const Receptor& receptor, const Ligand& ligand, std::span<const Point> positions,
                        dock::Scoring scoring);
/// Over `Ligand::flexible_pairs`.
double intra(const Ligand& ligand, std::span<const Point> positions, dock::Scoring scoring);
/// @param torsion_weight  w of 1 + w N_tors
dock::Score score(const Receptor& receptor, const Ligand& ligand, std::span<const Point> positions,
                  dock::Scoring scoring, double torsion_weight);

/// How a pose moves: first its torsions turn, then it turns about the mean of its atoms, then it shifts.
struct Motion {
  Point shift;
  Point rotation;                ///< about this axis, by its length
  std::vector<double> torsions;  ///< [num_torsions]; torsion i turns fragment i + 1 and all fragments that hang on it
};
std::vector<Point> moved(const Ligand& ligand, std::span<const Point> positions, const Motion& motion);
/// Point turned about the axis `from` to `to`.
Point turned(const Point& point, const Point& from, const Point& to, double angle);

/// What inter + intra gains for each unit of shift, rotation and torsion.
std::vector<double> gradient(const Receptor& receptor, const Ligand& ligand, std::span<const Point> positions,
                             dock::Scoring scoring);

/// Root mean square distance of heavy atoms, least over all ways to lay the molecule on itself by elements and bonds.
/// For small molecules: tries them all.
double rmsd(const Ligand& ligand, std::span<const Point> one, std::span<const Point> other);

bool contains(const dock::Box& box, const Point& point);

/// Share of the receptor's scaled spheres in those of the ligand, by a fine grid over both.
double overlap(std::span<const std::pair<Point, double>> ligand, std::span<const std::pair<Point, double>> receptor,
               double spacing);

/// By comparing every active with every decoy.
double auc(std::span<const double> scores, const std::vector<bool>& active);
/// Of a list without ties: the share of actives in the first `length`, over that in the list.
double enrichment_factor(std::span<const double> scores, const std::vector<bool>& active, Index length);
/// Of a list without ties: where the robust initial enhancement lies between the worst and the best.
double bedroc(std::span<const double> scores, const std::vector<bool>& active, double alpha);

}  // namespace quarry::reference
