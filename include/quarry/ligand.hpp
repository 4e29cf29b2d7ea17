/// Ligands: molecules with hydrogens and coordinates, cut into rigid fragments that torsions join.
///
/// Lengths are in angstrom. Types and rotatable bonds are those of AutoDock Vina and Meeko; docs/engines/dock.md has them.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "quarry/error.hpp"
#include "quarry/library.hpp"
#include "quarry/receptor.hpp"
#include "quarry/report.hpp"

#pragma GCC visibility push(default)
namespace quarry {

/// Most heavy atoms and torsions of a ligand that is docked.
inline constexpr Index kMaxLigandAtoms = 255;
inline constexpr Index kMaxTorsions = 32;

/// Atoms that move as one. All but the first turn about a bond to a fragment before them.
struct Fragment {
  int parent = -1;       ///< fragment that the bond leads to; -1: none, this is the root
  int parent_atom = -1;  ///< end of the bond in the parent
  int atom = -1;         ///< end of the bond in this fragment
};

struct LigandBond {
  int begin = 0, end = 0;
  int order = 1;  ///< of the Kekule form
};

/// Most maps of a molecule onto itself that are looked at.
inline constexpr int kMaxSymmetries = 300;

/// A ligand: its atoms are those of its record, hydrogens included, in the same order.
struct Ligand {
  std::string id;
  std::vector<std::uint8_t> elements;       ///< [num_atoms] atomic numbers
  std::vector<AtomType> types;              ///< [num_atoms]
  std::vector<std::string> autodock_types;  ///< [num_atoms] as in PDBQT files: "A", "C", "OA", "HD"
  std::vector<LigandBond> bonds;
  std::vector<Fragment> fragments;        ///< parents first; the root is the largest in the middle of the tree
  std::vector<std::uint8_t> fragment_of;  ///< [num_atoms]; the ends of a torsion's bond belong to its two fragments
  /// Heavy atoms at least four bonds apart whose distance some torsion changes: what the internal energy sums over.
  /// As in Vina, the longest bond of a ring of three (in the first conformer) does not count as one.
  std::vector<std::pair<int, int>> flexible_pairs;
  double num_torsions_weighted = 0;            ///< Vina's N_tors: half for each end with a further bonded heavy atom
  std::vector<std::vector<Point>> conformers;  ///< [num_conformers][num_atoms]; one where the record has coordinates
  /// Limits on distances of heavy atoms by RDKit's bounds matrix, for the checks of poses.
  struct Bound {
    int begin = 0, end = 0;
    int num_bonds = 1;  ///< between them: 1 is a bond, 2 the ends of an angle, 3 and more the rest
    float lower = 0, upper = 0;
  };
  std::vector<Bound> bounds;
  std::vector<std::vector<int>> flat_rings;  ///< aromatic rings of five and six atoms
  /// Maps of the molecule onto itself, [maps][num_atoms], by elements, bonds and numbers of hydrogens; hydrogens stay.
  /// Without the identity; where there are more than kMaxSymmetries, some of them.
  std::vector<std::vector<std::uint16_t>> symmetries;
  std::string mol_block;   ///< V2000, with the coordinates of the first conformer: what poses are written with
  std::string properties;  ///< data items of the SDF record, as written

  int num_atoms() const { return static_cast<int>(elements.size()); }
  int num_torsions() const { return static_cast<int>(fragments.size()) - 1; }
};

/// A row of the input: a ligand, or the stage at which it was rejected and why.
struct LigandRow {
  Index row = 0;   ///< from 0, of the ligands that the input gives
  Index line = 0;  ///< of the file, from 1; 0 where there are no lines
  std::string id;
  Ligand ligand;
  /// SMILES of the first smaller component with carbon or a transition metal; empty: there is none.
  std::string left_out;
  /// The row leaves stereo centres or double bonds open, and this is the only form made of it.
  bool is_one_of_several = false;
  std::string stage;   ///< "read", "perceive", "embed", "type"; empty where the ligand is there
  std::string reason;  ///< one phrase, with advice where there is one
  bool ok() const { return stage.empty(); }
};

struct LigandOptions {
  int conformers = 1;              ///< embedded for each ligand without coordinates (ETKDGv3, then MMFF94)
  int stereoisomers = 1;           ///< of a SMILES with unspecified centres; each is a ligand, id with "_2", "_3", ...
  bool as_given = false;           ///< the coordinates are a pose to score: no fragment is dropped, no hydrogen added
  std::string format = {};         ///< "smi", "csv", "tsv", "sdf", "mol2", "qlib"; empty: by the file's extension
  std::string smiles_column = {};  ///< CSV, as ReadOptions
  std::string id_column = {};      ///< CSV, SDF, as ReadOptions
  bool whole_ids = false;          ///< SMILES, as ReadOptions
  Index max_atoms = kDefaultMaxAtoms;  ///< as ReadOptions
  int threads = 0;                     ///< 0: all cores
};

/// Reads ligands from `.smi .csv .tsv .sdf .sd .mol2` (each also `.gz`, `.zst`, `.bz2`, `.xz`), `.qlib` or `.qlibs`, in
/// parallel, in order.
/// A record with 3D coordinates keeps them; others, and rows of SMILES, are embedded, or take the stored conformers of
/// the library. The largest component is taken; charges are as given; missing hydrogens are added.
class LigandReader {
 public:
  /// @throws InputError  missing file, unknown format, no SMILES column
  explicit LigandReader(const std::string& path, const LigandOptions& options = {});
  /// The same of several libraries, one after the other. @param paths  one of anything, or libraries and collections
  explicit LigandReader(const std::vector<std::string>& paths, const LigandOptions& options = {});
  ~LigandReader();

  /// The next rows, some hundreds at a time; empty at the end. Memory does not grow with the file.
  [[nodiscard]] std::vector<LigandRow> next();
  /// The next rows are those from `row` on: rows before it are passed over without embedding.
  void skip_to(Index row);
  /// Rows of the whole input, counted without any chemistry. The reader is at its end then.
  [[nodiscard]] Index count_rows();
  const Report& report() const;  ///< rows so far
  ReadNotes notes() const;       ///< of the rows so far
  Index bytes_read() const;
  Index bytes_total() const;  ///< 0 where unknown

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Maps of the heavy atoms of `ligand` to those of the first molecule of a reference file (SDF, mol2), for the RMSD of
/// poses: every isomorphism by elements and bonds, orders ignored.
/// @return [num_maps][heavy atoms of the ligand in order] positions in the reference
/// @throws InputError  the two are not the same molecule
[[nodiscard]] std::vector<std::vector<Point>> reference_positions(const Ligand& ligand, const std::string& path);

/// Positions of the heavy atoms of every molecule of a file: SDF, mol2, PDB (HETATM too).
/// @throws InputError  the file cannot be read or has no coordinates
[[nodiscard]] std::vector<Point> read_positions(const std::string& path);

}  // namespace quarry
#pragma GCC visibility pop
