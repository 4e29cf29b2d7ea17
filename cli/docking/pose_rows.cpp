#include "docking/pose_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "output/text.hpp"
#include "quarry/dock.hpp"

namespace quarry::cli {
namespace {

constexpr int kScoreDecimals = 4, kDistanceDecimals = 4, kTimeDecimals = 6;

std::string score_text(double score) { return Cell(score, kScoreDecimals).in_table('\t'); }

Index num_heavy_atoms(const Ligand& ligand) {
  return std::ranges::count_if(ligand.elements, [](int element) { return element > 1; });
}

}  // namespace

Cells cells_of(const ScoreRow& row, bool targets, bool explain) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const dock::Pose* const best = row.best;
  const auto number = [&](double value, int decimals) { return Cell(best != nullptr ? value : none, decimals); };
  const Cell unknown(none, 0);
  dock::Pose rejected;
  rejected.checks.valid = false;
  const dock::Pose& pose = best != nullptr ? *best : rejected;
  Cells cells;
  if (targets) cells.emplace_back("target", row.target);
  cells.insert(cells.end(),
               {{"id", row.id},
                {"status", row.status},
                {"score", number(pose.score.score, kScoreDecimals)},
                {"inter", number(pose.score.inter, kScoreDecimals)},
                {"intra", number(pose.score.intra, kScoreDecimals)},
                {"torsions", row.ligand != nullptr ? Cell(std::max(row.ligand->num_torsions(), 0)) : unknown},
                {"heavy_atoms", row.ligand != nullptr ? Cell(num_heavy_atoms(*row.ligand)) : unknown},
                {"poses", row.poses},
                {"bumps", pose.bumps},
                {"min_distance", number(pose.checks.min_distance, kDistanceDecimals)},
                {"overlap", number(pose.checks.overlap, kDistanceDecimals)},
                {"internal_clash", pose.checks.internal_clash},
                {"strained", pose.checks.strained},
                {"too_far", pose.checks.too_far},
                {"valid", pose.checks.valid},
                {"cpu_seconds", Cell(row.cpu_seconds, kTimeDecimals)}});
  if (explain) {
    const dock::Terms& terms = pose.score.terms;
    for (const auto& [name, sum] :
         {std::pair("gauss1", terms.gauss1), std::pair("gauss2", terms.gauss2), std::pair("repulsion", terms.repulsion),
          std::pair("hydrophobic", terms.hydrophobic), std::pair("hydrogen_bond", terms.hydrogen_bond),
          std::pair("n_tors", row.ligand != nullptr ? row.ligand->num_torsions_weighted : 0)})
      cells.emplace_back(name, number(sum, kScoreDecimals));
  }
  cells.emplace_back("stage", row.stage);
  cells.emplace_back("reason", row.reason);
  return cells;
}

PoseFormat::PoseFormat(const std::string& path, std::optional<std::uint64_t> seed) : seed_(seed) {
  const std::string extension = extension_of(path);
  pdbqt_ = extension == ".pdbqt";
  if (!pdbqt_ && extension != ".sdf" && extension != ".sd")
    throw InputError(
        fmt::format("'{}' names no format of poses: use .sdf or .pdbqt, each also with .gz, .zst, .bz2 or .xz", path));
}

std::string PoseFormat::text(const Ligand& ligand, std::span<const dock::Pose> poses, const std::string& target) const {
  std::string text;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const dock::Pose& pose = poses[i];
    if (pdbqt_) {
      text += fmt::format("MODEL {}\nREMARK SCORE {} INTER {} INTRA {}{}\n{}ENDMDL\n", i + 1,
                          score_text(pose.score.score), score_text(pose.score.inter), score_text(pose.score.intra),
                          target.empty() ? "" : "\nREMARK TARGET " + target, dock::to_pdbqt(ligand, pose.positions));
      continue;
    }
    std::vector<std::pair<std::string, std::string>> items = {{"score", score_text(pose.score.score)},
                                                              {"inter", score_text(pose.score.inter)},
                                                              {"intra", score_text(pose.score.intra)},
                                                              {"bumps", std::to_string(pose.bumps)}};
    if (seed_) {
      items.insert(items.begin() + 3, {{"rank", std::to_string(i + 1)}, {"cluster", std::to_string(pose.cluster + 1)}});
      items.insert(items.end(), {{"seed", std::to_string(*seed_)}, {"restart", std::to_string(pose.restart)}});
    }
    if (!target.empty()) items.emplace_back("target", target);
    text += dock::to_sdf(ligand, pose.positions, items);
  }
  return text;
}

}  // namespace quarry::cli
