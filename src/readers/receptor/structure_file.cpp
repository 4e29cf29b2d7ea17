#include "readers/receptor/structure_file.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "quarry/error.hpp"
#include "readers/row_reader.hpp"
#include "util/files/byte_source.hpp"

namespace quarry {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 30;
constexpr Index kMaxAtoms = 10'000'000;
/// Coordinates of PDB files have four digits before the point.
constexpr double kMaxCoordinate = 1e5;

std::string read_text(const std::string& path) {
  const auto source = open_byte_source(path);
  std::vector<char> buffer(std::size_t{1} << 16);
  std::string text;
  try {
    while (const std::size_t size = source->read(buffer.data(), buffer.size())) {
      text.append(buffer.data(), size);
      if (text.size() > kMaxBytes) throw InputError(input_name(path) + " is larger than 1 GiB, which no receptor is");
    }
  } catch (const DamagedBytes& error) {
    throw InputError(input_name(path) + ": " + error.what());
  }
  if (text.empty()) throw InputError(input_name(path) + " is empty");
  return text;
}

StructureFormat format_of(const std::string& path, const std::string& asked) {
  const std::string format = asked.empty() ? extension_of(path) : asked;
  if (format == "pdb" || format == "ent") return StructureFormat::pdb;
  if (format == "cif" || format == "mmcif") return StructureFormat::cif;
  if (format == "pdbqt") return StructureFormat::pdbqt;
  if (format == "mol2") return StructureFormat::mol2;
  const std::string known = "known are pdb, ent, cif, mmcif, pdbqt and mol2, each also .gz, .zst, .bz2 or .xz";
  if (!asked.empty()) throw InputError("unknown format " + asked + " of a receptor; " + known);
  throw InputError("cannot recognise the format of the receptor " + path + " by its extension \"" + format + "\"; " +
                   known);
}

Structure parse(StructureFormat format, const std::string& text, const std::string& name) {
  switch (format) {
    case StructureFormat::pdb:
      return read_pdb_structure(text, name);
    case StructureFormat::cif:
      return read_cif_structure(text, name);
    case StructureFormat::pdbqt:
      return read_pdbqt_structure(text, name);
    case StructureFormat::mol2:
      break;
  }
  return read_mol2_structure(text, name);
}

void check(const StructureFile& file) {
  Index num_atoms = 0;
  for (const SiteResidue& residue : file.structure) {
    num_atoms += std::ssize(residue.atoms);
    for (const SiteAtom& atom : residue.atoms) {
      const auto possible = [](double value) { return std::abs(value) <= kMaxCoordinate; };  // false for NaN
      if (!possible(atom.position.x) || !possible(atom.position.y) || !possible(atom.position.z)) {
        throw InputError(file.place(residue, atom) + ": the coordinates are not those of a molecule");
      }
      if (atom.element == 0) throw InputError(file.place(residue, atom) + ": the element is not known");
    }
  }
  if (num_atoms > kMaxAtoms) throw CapacityError("atoms of the receptor " + file.name, kMaxAtoms, num_atoms);
}

}  // namespace

bool is_structure_format(const std::string& extension) {
  constexpr std::string_view kKnown[] = {"pdb", "ent", "cif", "mmcif", "pdbqt"};
  return std::ranges::find(kKnown, extension) != std::end(kKnown);
}

std::string StructureFile::place(const SiteResidue& residue, const SiteAtom& atom) const {
  const Index line = atom.line > 0 ? atom.line : line_of_atom(text, atom);
  return name + (line > 0 ? ", line " + std::to_string(line) : "") + ", atom " + name_of(residue, atom);
}

StructureFile read_structure(const std::string& path, const std::string& format) {
  StructureFile file{format_of(path, format), input_name(path), read_text(path), {}};
  file.structure = parse(file.format, file.text, file.name);
  check(file);
  return file;
}

}  // namespace quarry
