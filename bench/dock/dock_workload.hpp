/// What docking is measured on: complexes of known places, and the ligands of the LiGen paper, made from a seed.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "quarry/dock.hpp"

namespace quarry::bench {

/// A ligand, and where it is to be docked.
struct Complex {
  std::string name;
  Receptor receptor;
  Ligand ligand;
  dock::Box box;
  std::string receptor_path;  ///< PDBQT, perhaps compressed
};

/// The first complexes of a folder of the shared data; none where it is absent.
std::vector<Complex> load_complexes(const std::string& folder, std::size_t count);

/// Known actives and decoys.
struct EnrichmentLibrary {
  Complex where;  ///< without a ligand
  std::vector<LigandRow> rows;
  std::vector<bool> is_active;  ///< [rows]
};
/// FABP4 of the shared data, its first rows at most; nothing where it is absent.
std::optional<EnrichmentLibrary> load_enrichment(std::size_t most_rows);

/// The receptor of the examples, for where there is no data.
Complex example_complex();

/// Ligands of `atoms` heavy atoms and `torsions` bonds that turn between them, no two alike, with conformers: the paper's set
/// d_atoms_torsions is not public, and no text of it says more of its molecules than these two numbers.
std::vector<Ligand> make_paper_set(int atoms, int torsions, int count, std::uint64_t seed, int threads);

}  // namespace quarry::bench
