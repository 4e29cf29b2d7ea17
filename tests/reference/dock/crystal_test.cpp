/// Crystal poses of complexes: terms and minima beside AutoDock Vina 1.2.3, pockets beside where ligands lie.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <map>
#include <sstream>

#include "reference/dock.hpp"
#include "support/dock/complexes.hpp"
#include "support/shared_data.hpp"
#include "util/files/line_reader.hpp"

namespace quarry::test {
namespace {

using dock::Score;
using dock::Scoring;

constexpr double kVinaWeight = 0.05846;

/// Values by complex and column.
using Table = std::map<std::string, std::map<std::string, double>>;

Table read_table(const std::string& path) {
  LineReader lines(path);
  std::vector<std::string> columns;
  Table table;
  for (std::string line, cell; lines.next(line);) {
    std::vector<std::string> cells;
    for (std::istringstream stream(line); std::getline(stream, cell, '\t');) cells.push_back(cell);
    if (columns.empty()) {
      columns = cells;
      continue;
    }
    for (std::size_t i = 1; i < cells.size(); ++i) table[cells[0]][columns[i]] = std::stod(cells[i]);
  }
  return table;
}

/// How far off the table a pose is, over what is allowed: at most 1 is right.
struct Deviation {
  double terms = 0, totals = 0, intra = 0;
};

Deviation deviation(const Score& vina, const Score& vinardo, std::map<std::string, double> row) {
  const auto most = [&](std::initializer_list<std::pair<const char*, double>> values, double allowed) {
    double largest = 0;
    for (const auto& [column, value] : values) largest = std::max(largest, std::abs(value - row.at(column)) / allowed);
    return largest;
  };
  Deviation result;
  result.terms = most({{"sum_gauss1", vina.terms.gauss1},
                       {"sum_gauss2", vina.terms.gauss2},
                       {"sum_rep", vina.terms.repulsion},
                       {"sum_hyd", vina.terms.hydrophobic},
                       {"sum_hb", vina.terms.hydrogen_bond},
                       {"py_inter", vina.inter},
                       {"py_vinardo_inter", vinardo.inter}},
                      0.005);
  result.totals = most({{"vina_total", vina.score}, {"vinardo_total", vinardo.score}}, 0.03);
  result.intra = most({{"vina_intra", vina.intra}}, 0.04);
  return result;
}

/// The table does not say which of like atoms is which: the way to lay the ligand on the crystal that agrees best counts.
Deviation least_deviation(const Complex& complex, const std::map<std::string, double>& row) {
  Deviation best{99, 99, 99};
  for (const std::vector<Point>& reference : complex.references) {
    const auto pose = pose_of(complex.ligand, reference);
    const auto score = [&](Scoring scoring) {
      const Score found = dock::score_pose(complex.receptor, complex.ligand, pose, scoring, kVinaWeight);
      const Score plain = reference::score(complex.receptor, complex.ligand, pose, scoring, kVinaWeight);
      EXPECT_NEAR(found.inter, plain.inter, 1e-4) << complex.id;
      EXPECT_NEAR(found.intra, plain.intra, 1e-4) << complex.id;
      return found;
    };
    const Deviation found = deviation(score(Scoring::vina), score(Scoring::vinardo), row);
    if (found.terms + found.intra < best.terms + best.intra) best = found;
    if (best.terms < 1 && best.intra < 1) break;
  }
  return best;
}

class DockCrystal : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = shared_data("docking");
    if (folder_.empty()) GTEST_SKIP() << "the optional test data is not there";
  }
  std::string folder_;
};

TEST_F(DockCrystal, TermsAndTotals) {
  const Table table = read_table(shared_data("reference/docking_crystal_scores.tsv"));
  ASSERT_EQ(table.size(), 28u);
  for (const auto& [id, row] : table) {
    const Complex complex = read_complex(folder_ + "/" + id);
    EXPECT_EQ(complex.ligand.num_torsions_weighted, row.at("N_tors")) << id;
    const Deviation off = least_deviation(complex, row);
    EXPECT_LE(off.terms, 1) << id;
    EXPECT_LE(off.totals, 1) << id;
    EXPECT_LE(off.intra, 1) << id;
  }
}

TEST_F(DockCrystal, LocalMinima) {
  const Table table = read_table(shared_data("reference/docking_limits.tsv"));
  ASSERT_EQ(table.size(), 28u);
  int num_reached = 0;
  for (const auto& [id, row] : table) {
    const Complex complex = read_complex(folder_ + "/" + id);
    const auto pose = pose_of(complex.ligand, complex.references[0]);
    const double found = dock::minimize_pose(complex.receptor, complex.ligand, pose, Scoring::vina).score.score;
    const bool reached = found <= row.at("vina_crystal_local_opt") + 0.05;
    num_reached += reached;
    if (!reached) std::cout << "  " << id << ": " << found << ", Vina " << row.at("vina_crystal_local_opt") << "\n";
  }
  EXPECT_GE(num_reached, 27);
}

TEST_F(DockCrystal, PocketsAndChecks) {
  int num_complexes = 0, num_first = 0, num_found = 0, num_valid = 0;
  for (const char* name : {"docking", "docking_extra"}) {
    for (const std::string& path : complex_folders(shared_data(name))) {
      const Complex complex = read_complex(path);
      Point center;
      for (const Point& point : complex.references[0]) {
        const double share = 1. / static_cast<double>(complex.references[0].size());
        center = {center.x + share * point.x, center.y + share * point.y, center.z + share * point.z};
      }
      double least = 99;
      const auto pockets = dock::find_pockets(complex.receptor, 3);
      for (const dock::Pocket& pocket : pockets) {
        const Point& at = pocket.center;
        least = std::min(least, std::hypot(at.x - center.x, at.y - center.y, at.z - center.z));
        if (&pocket == &pockets.front()) num_first += least < 4;
      }
      num_found += least < 4;
      ++num_complexes;
      const auto pose = pose_of(complex.ligand, complex.references[0]);
      const auto checks = dock::check_pose(complex.receptor, complex.ligand, pose);
      num_valid += checks.valid;
      if (!checks.valid) {
        std::cout << "  " << complex.id << ": distance " << checks.min_distance << ", overlap " << checks.overlap
                  << (checks.internal_clash ? ", clash" : "") << (checks.strained ? ", strained" : "") << "\n";
      }
    }
  }
  std::cout << "  of " << num_complexes << " ligands " << num_found << " lie in the first three pockets, " << num_first
            << " in the first; " << num_valid << " crystal poses pass the checks\n";
  EXPECT_EQ(num_complexes, 71);
  EXPECT_GE(num_found, 57);
  EXPECT_GE(num_valid, 64);
}

}  // namespace
}  // namespace quarry::test
