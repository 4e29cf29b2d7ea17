/// Complexes of a protein and a ligand whose place is known, a folder for each.
#pragma once
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "quarry/dock.hpp"

namespace quarry::test {

struct Complex {
  std::string id;  ///< the folder's name
  Receptor receptor;
  Ligand ligand;  ///< in its start conformer
  dock::Box box;
  std::vector<std::vector<Point>> references;  ///< as reference_positions, of the crystal
};

/// The folders of complexes in a folder, by name.
inline std::vector<std::string> complex_folders(const std::string& folder) {
  std::vector<std::string> folders;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (std::filesystem::exists(entry.path() / "box.json")) folders.push_back(entry.path().string());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

/// The first ligand of a file. @throws InputError  it was rejected
inline Ligand read_ligand(const std::string& path, const LigandOptions& options = {}) {
  std::vector<LigandRow> rows = LigandReader(path, options).next();
  if (rows.empty() || !rows[0].ok()) throw InputError(path + ": " + (rows.empty() ? "no ligand" : rows[0].reason));
  return std::move(rows[0].ligand);
}

/// @param receptor  the file in the folder
inline Complex read_complex(const std::string& folder, const std::string& receptor = "receptor.pdbqt.gz") {
  Complex complex;
  complex.id = std::filesystem::path(folder).filename().string();
  complex.receptor = read_receptor(folder + "/" + receptor);
  complex.ligand = read_ligand(folder + "/ligand_start.sdf");
  complex.box = dock::read_box(folder + "/box.json");
  complex.references = reference_positions(complex.ligand, folder + "/ligand.sdf");
  return complex;
}

/// A pose with these heavy atoms. Hydrogens, which are not scored, lie on the atoms that they are bonded to.
inline std::vector<Point> pose_of(const Ligand& ligand, const std::vector<Point>& heavy_positions) {
  std::vector<Point> positions(ligand.num_atoms());
  for (int atom = 0, next = 0; atom < ligand.num_atoms(); ++atom) {
    if (ligand.elements[atom] > 1) positions[atom] = heavy_positions[next++];
  }
  for (const auto& [begin, end, order] : ligand.bonds) {
    if (ligand.elements[begin] == 1) positions[begin] = positions[end];
    if (ligand.elements[end] == 1) positions[end] = positions[begin];
  }
  return positions;
}

}  // namespace quarry::test
