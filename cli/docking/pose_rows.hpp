/// What `dock` writes of a ligand: its poses, and its row of the table.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "docking/table_text.hpp"
#include "quarry/dock.hpp"

namespace quarry::cli {

/// A row of the table.
struct ScoreRow {
  std::string target = {};  ///< its name; empty where there is only one
  std::string id = {}, status = {}, stage = {}, reason = {};
  const Ligand* ligand = nullptr;
  const dock::Pose* best = nullptr;  ///< nullptr: rejected
  Index poses = 0;
  double cpu_seconds = 0;
};

/// @param targets  whether there are several, and a first column that names them
/// @param explain  whether the sums of the terms follow
Cells cells_of(const ScoreRow& row, bool targets, bool explain);

/// How poses are written, by the name of the file.
class PoseFormat {
 public:
  /// @param path  .sdf or .pdbqt, each also .gz, .zst, .bz2 or .xz. @throws InputError  anything else
  /// @param seed  of the search that poses come from; none: they were given, and keep the data items that a search adds
  explicit PoseFormat(const std::string& path, std::optional<std::uint64_t> seed = {});
  /// The poses of a ligand, best first.
  std::string text(const Ligand& ligand, std::span<const dock::Pose> poses, const std::string& target) const;

 private:
  bool pdbqt_;
  std::optional<std::uint64_t> seed_;
};

}  // namespace quarry::cli
