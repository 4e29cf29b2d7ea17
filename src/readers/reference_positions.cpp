/// Coordinates of files that are compared with or that say where a pocket is.
#include <GraphMol/RWMol.h>

#include <memory>
#include <string>

#include "chemistry/elements.hpp"
#include "chemistry/ligand/isomorphism.hpp"
#include "chemistry/ligand/ligand.hpp"
#include "quarry/error.hpp"
#include "quarry/ligand.hpp"
#include "readers/receptor/structure_file.hpp"
#include "readers/row_formats.hpp"
#include "readers/row_reader.hpp"
#include "util/files/byte_source.hpp"

namespace quarry {
namespace {

std::unique_ptr<RowReader> open_records(const std::string& path, const std::string& known) {
  const std::string extension = extension_of(path);
  if (extension == "mol2") return mol2_rows(path);
  if (extension == "sdf" || extension == "sd" || extension == "mol") return sdf_rows(path, {});
  throw InputError("cannot read coordinates from " + path + ": known are " + known +
                   ", each also .gz, .zst, .bz2 or .xz");
}

/// The next molecule of a file; null at its end.
std::unique_ptr<RDKit::RWMol> next_molecule(const std::string& path, RowReader& rows) {
  Row row;
  if (!rows.next(row)) return nullptr;
  const std::string place = input_name(path) + ", line " + std::to_string(row.line) + ": ";
  if (!row.reason.empty()) throw InputError(place + row.reason);
  const bool mol2 = extension_of(path) == "mol2";
  try {
    auto molecule = parse_ligand(row.record, mol2 ? LigandFormat::mol2 : LigandFormat::sdf, /*sanitize=*/false);
    if (!has_positions(*molecule)) throw InputError(place + "the molecule has no 3D coordinates");
    return molecule;
  } catch (const Rejection& rejection) {
    throw InputError(place + rejection.what());
  }
}

Point position_of(const RDKit::RWMol& molecule, int atom) {
  const auto& position = molecule.getConformer().getAtomPos(atom);
  return {position.x, position.y, position.z};
}

std::vector<Point> positions_of(const Structure& structure) {
  std::vector<Point> positions;
  for (const SiteResidue& residue : structure) {
    for (const SiteAtom& atom : residue.atoms) {
      if (atom.element != kHydrogen) positions.push_back(atom.position);
    }
  }
  return positions;
}

std::vector<Point> positions_of_records(const std::string& path) {
  std::vector<Point> positions;
  const auto rows = open_records(path, "sdf, sd, mol, mol2, pdb, ent, cif, mmcif and pdbqt");
  while (const auto molecule = next_molecule(path, *rows)) {
    for (const RDKit::Atom* atom : molecule->atoms()) {
      if (atom->getAtomicNum() != kHydrogen) positions.push_back(position_of(*molecule, atom->getIdx()));
    }
  }
  return positions;
}

}  // namespace

std::vector<std::vector<Point>> reference_positions(const Ligand& ligand, const std::string& path) {
  const auto molecule = next_molecule(path, *open_records(path, "sdf, sd, mol and mol2"));
  if (!molecule) throw InputError(input_name(path) + " holds no molecules");
  const auto maps = isomorphisms(ligand, *molecule);
  if (maps.empty()) throw InputError("the ligand " + ligand.id + " is not the molecule of " + input_name(path));
  std::vector<std::vector<Point>> references;
  for (const auto& map : maps) {
    auto& positions = references.emplace_back();
    for (const int atom : map) positions.push_back(position_of(*molecule, atom));
  }
  return references;
}

std::vector<Point> read_positions(const std::string& path) {
  const std::string extension = extension_of(path);
  const auto positions =
      is_structure_format(extension) ? positions_of(read_structure(path, "").structure) : positions_of_records(path);
  if (positions.empty()) throw InputError(input_name(path) + " has no coordinates of heavy atoms");
  return positions;
}

}  // namespace quarry
