/// Types, torsions and pairs against AutoDock Vina: term sums of crystal poses, and receptors with and without hydrogens.
///
/// Data: the redocking sets of the shared data, whose READMEs name their origin (PoseBusters, Zenodo 8278563). Figures:
/// AutoDock Vina 1.2.3.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <map>
#include <sstream>
#include <vector>

#include "quarry/ligand.hpp"
#include "quarry/receptor.hpp"
#include "support/shared_data.hpp"
#include "support/temporary_folder.hpp"
#include "util/files/line_reader.hpp"

namespace quarry::test {
namespace {

double radius(AtomType type) {
  constexpr double kRadii[kNumAtomTypes] = {1.9, 1.9, 1.8, 1.8, 1.8, 1.8, 1.7, 1.7, 1.7, 1.7,
                                            2.0, 2.1, 1.5, 1.8, 2.0, 2.2, 2.2, 2.3, 1.2};
  return kRadii[static_cast<int>(type)];
}

double distance(const Point& left, const Point& right) {
  return std::hypot(left.x - right.x, left.y - right.y, left.z - right.z);
}

/// 1 below `low`, 0 above `high`.
double slope(double value, double low, double high) { return std::clamp((high - value) / (high - low), 0.0, 1.0); }

using Terms = std::array<double, 5>;  // gauss1, gauss2, repulsion, hydrophobic, hydrogen bond
constexpr Terms kWeights{-0.035579, -0.005156, 0.840245, -0.035069, -0.587439};

void add_pair(AtomType left, AtomType right, double distance, Terms& sums) {
  if (distance >= 8) return;
  const double gap = distance - radius(left) - radius(right);
  const bool bond = (is_donor(left) && is_acceptor(right)) || (is_acceptor(left) && is_donor(right));
  sums[0] += std::exp(-std::pow(gap / 0.5, 2));
  sums[1] += std::exp(-std::pow((gap - 3) / 2, 2));
  sums[2] += gap < 0 ? gap * gap : 0;
  sums[3] += is_hydrophobic(left) && is_hydrophobic(right) ? slope(gap, 0.5, 1.5) : 0;
  sums[4] += bond ? slope(gap, -0.7, 0) : 0;
}

double energy(const Terms& sums) {
  double sum = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) sum += kWeights[i] * sums[i];
  return sum;
}

Ligand only_ligand(const std::string& path, const LigandOptions& options = {}) {
  auto rows = LigandReader(path, options).next();
  EXPECT_EQ(rows.size(), 1u);
  EXPECT_TRUE(rows.front().ok()) << path << ": " << rows.front().reason;
  return std::move(rows.front().ligand);
}

/// The start ligand with its heavy atoms where the crystal has them, read as a pose. Where its hydrogens are changes nothing.
Ligand pose_of(const Ligand& start, const std::vector<Point>& heavy) {
  std::istringstream lines(start.mol_block);
  std::string text, line;
  std::size_t next = 0;
  for (int number = 0; std::getline(lines, line); ++number) {
    const int atom = number - 4;
    if (atom >= 0 && atom < start.num_atoms() && start.elements[atom] > 1) {
      const Point& place = heavy.at(next++);
      line.replace(0, 30, fmt::format("{:10.4f}{:10.4f}{:10.4f}", place.x, place.y, place.z));
    }
    text += line + "\n";
  }
  const TemporaryFolder folder;
  return only_ligand(folder.write("pose.sdf", text), {.as_given = true});
}

Terms sums_with(const Receptor& receptor, const Ligand& pose) {
  Terms sums{};
  for (int i = 0; i < pose.num_atoms(); ++i) {
    if (pose.elements[i] == 1) continue;
    for (const ReceptorAtom& atom : receptor.atoms) {
      add_pair(pose.types[i], atom.type, distance(pose.conformers[0][i], atom.position), sums);
    }
  }
  return sums;
}

double intra(const Ligand& pose) {
  Terms sums{};
  for (const auto& [i, j] : pose.flexible_pairs) {
    add_pair(pose.types[i], pose.types[j], distance(pose.conformers[0][i], pose.conformers[0][j]), sums);
  }
  return energy(sums);
}

/// Rows of a table by the names of its columns.
std::vector<std::map<std::string, std::string>> table_rows(const std::string& path) {
  std::vector<std::map<std::string, std::string>> rows;
  std::vector<std::string> names;
  LineReader lines(path);
  for (std::string line; lines.next(line);) {
    std::istringstream fields(line);
    std::vector<std::string> values;
    for (std::string value; std::getline(fields, value, '\t');) values.push_back(value);
    if (names.empty()) {
      names = values;
      continue;
    }
    auto& row = rows.emplace_back();
    for (std::size_t i = 0; i < names.size(); ++i) row[names[i]] = values.at(i);
  }
  return rows;
}

TEST(DockingInput, TermSumsOfCrystalPosesAreThoseOfVina) {
  const std::string table = shared_data("reference/docking_crystal_scores.tsv");
  if (table.empty()) GTEST_SKIP() << "the optional test data is not there";
  Index num_complexes = 0;
  for (auto& row : table_rows(table)) {
    SCOPED_TRACE(row["pdb"]);
    const std::string folder = shared_data("docking/" + row["pdb"]);
    const Receptor receptor = read_receptor(folder + "/receptor.pdbqt.gz");
    const Ligand start = only_ligand(folder + "/ligand_start.sdf");
    EXPECT_EQ(start.num_torsions_weighted, std::stod(row["N_tors"]));
    const Terms expected{std::stod(row["sum_gauss1"]), std::stod(row["sum_gauss2"]), std::stod(row["sum_rep"]),
                         std::stod(row["sum_hyd"]), std::stod(row["sum_hb"])};
    // Maps ignore bond orders, which say where the hydrogens are: one of them fits.
    double least = INFINITY, least_intra = INFINITY;
    for (const auto& heavy : reference_positions(start, folder + "/ligand.sdf")) {
      const Ligand pose = pose_of(start, heavy);
      const Terms sums = sums_with(receptor, pose);
      double worst = 0;
      for (std::size_t i = 0; i < sums.size(); ++i) worst = std::max(worst, std::abs(sums[i] - expected[i]));
      if (worst >= least) continue;
      least = worst;
      least_intra = intra(pose);
    }
    EXPECT_LT(least, 0.005);
    EXPECT_NEAR(least_intra, std::stod(row["vina_intra"]), 0.01);
    ++num_complexes;
  }
  EXPECT_EQ(num_complexes, 28);
}

std::vector<std::string> complexes() {
  std::vector<std::string> folders;
  for (const char* set : {"docking", "docking_extra"}) {
    const std::string path = shared_data(set);
    if (path.empty()) return {};
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      if (entry.is_directory()) folders.push_back(entry.path().string());
    }
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

using Place = std::array<long, 3>;  // in thousandths of an angstrom
Place place_of(const Point& point) {
  return {std::lround(point.x * 1000), std::lround(point.y * 1000), std::lround(point.z * 1000)};
}

/// "LEU:CD1" of "A:LEU 83:CD1".
std::string kind_of(const std::string& name) {
  const auto begin = name.find(':') + 1;
  return name.substr(begin, name.find(' ', begin) - begin) + name.substr(name.rfind(':'));
}

TEST(DockingInput, TypesWithoutHydrogensAgreeWithThoseOfAPdbqt) {
  const auto folders = complexes();
  if (folders.empty()) GTEST_SKIP() << "the optional test data is not there";
  Index num_atoms = 0, num_equal = 0;
  std::map<std::string, Index> differences;
  for (const std::string& folder : folders) {
    std::map<Place, AtomType> expected;
    for (const ReceptorAtom& atom : read_receptor(folder + "/receptor.pdbqt.gz").atoms) {
      expected[place_of(atom.position)] = atom.type;
    }
    for (const ReceptorAtom& atom : read_receptor(folder + "/receptor.pdb.gz").atoms) {
      ASSERT_TRUE(expected.contains(place_of(atom.position))) << folder << " " << atom.name;
      const AtomType other = expected[place_of(atom.position)];
      ++num_atoms;
      num_equal += atom.type == other;
      if (atom.type == other) continue;
      ++differences[fmt::format("{:<8} {:>2} here, {:>2} there", kind_of(atom.name), static_cast<int>(atom.type),
                                static_cast<int>(other))];
    }
  }
  for (const auto& [what, count] : differences) std::cout << fmt::format("  {:>5} {}\n", count, what);
  std::cout << fmt::format("  {} of {} types agree\n", num_equal, num_atoms);
  EXPECT_EQ(folders.size(), 71u);
  EXPECT_GE(num_equal, 0.99 * num_atoms);
}

}  // namespace
}  // namespace quarry::test
