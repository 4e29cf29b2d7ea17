/// Receptors: the atoms of a protein, its metals and cofactors, as docking sees them.
///
/// Lengths are in angstrom. Types are those of AutoDock Vina: an atom is its element, and whether it is hydrophobic, a
/// donor or an acceptor of hydrogen bonds. Source: Trott, Olson, J. Comput. Chem. 2010, 31, 455.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "quarry/error.hpp"
#include "quarry/index.hpp"

#pragma GCC visibility push(default)
namespace quarry {

/// A position, or a displacement; angstrom.
struct Point {
  double x = 0, y = 0, z = 0;
  bool operator==(const Point&) const = default;
};

/// What an atom is to a scoring function. Hydrogens decide the types of their neighbours and are not scored.
enum class AtomType : std::uint8_t {
  carbon_hydrophobic,  ///< bonded to carbon and hydrogen only
  carbon_polar,
  nitrogen,
  nitrogen_donor,
  nitrogen_acceptor,
  nitrogen_donor_acceptor,
  oxygen,
  oxygen_donor,
  oxygen_acceptor,
  oxygen_donor_acceptor,
  sulfur,
  phosphorus,
  fluorine,
  chlorine,
  bromine,
  iodine,
  silicon,
  astatine,
  metal,  ///< a donor
  hydrogen,
};
/// Types that are scored: all but hydrogen.
inline constexpr int kNumAtomTypes = 19;

constexpr bool is_hydrophobic(AtomType type) {
  return type == AtomType::carbon_hydrophobic || (type >= AtomType::fluorine && type <= AtomType::iodine);
}
constexpr bool is_donor(AtomType type) {
  return type == AtomType::nitrogen_donor || type == AtomType::nitrogen_donor_acceptor ||
         type == AtomType::oxygen_donor || type == AtomType::oxygen_donor_acceptor || type == AtomType::metal;
}
constexpr bool is_acceptor(AtomType type) {
  return type == AtomType::nitrogen_acceptor || type == AtomType::nitrogen_donor_acceptor ||
         type == AtomType::oxygen_acceptor || type == AtomType::oxygen_donor_acceptor;
}

/// A heavy atom of a receptor.
struct ReceptorAtom {
  Point position;
  AtomType type = AtomType::carbon_polar;
  std::uint8_t element = 6;  ///< atomic number
  std::string name = {};     ///< "A:LEU 83:CD1": chain, residue and its number, atom
};

/// A receptor as read, and what was left out or guessed on the way.
struct Receptor {
  std::string id;
  std::vector<ReceptorAtom> atoms;            ///< heavy atoms, in order of the file
  std::vector<std::string> missing_atoms;     ///< of known residues, named as atoms are
  std::vector<std::string> unknown_residues;  ///< typed from distances instead of templates: "A:HEM 201"
  Index num_waters = 0;                       ///< dropped
  Index num_doubled = 0;                      ///< atoms exactly where another one is
};

struct ReceptorOptions {
  bool keep_waters = false;
  std::string format = {};  ///< "pdb", "cif", "pdbqt", "mol2"; empty: by the file's extension
};

/// Reads `.pdb .ent .cif .mmcif .pdbqt .mol2`, each also .gz, .zst, .bz2 or .xz. The first alternate location of an
/// atom counts, and the first model. Donors and acceptors come from residue templates, so hydrogens need no
/// coordinates; a PDBQT names its types itself.
/// @throws InputError  the file cannot be read, has no protein atoms, or has an element without parameters (names
///                     file, line and atom)
[[nodiscard]] Receptor read_receptor(const std::string& path, const ReceptorOptions& options = {});

}  // namespace quarry
#pragma GCC visibility pop
