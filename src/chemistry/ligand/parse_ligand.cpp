/// RDKit's parsers with hydrogens kept, and the completion of molecules.
#include <GraphMol/Atom.h>
#include <GraphMol/Bond.h>
#include <GraphMol/FileParsers/FileParsers.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/RWMol.h>
#include <GraphMol/RingInfo.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <string>
#include <utility>

#include "chemistry/elements.hpp"
#include "chemistry/ligand/ligand.hpp"
#include "chemistry/parser_log.hpp"
#include "chemistry/rdkit_memory.hpp"
#include "chemistry/record_limits.hpp"

namespace quarry {
namespace {

using Parsed = std::unique_ptr<RDKit::RWMol>;

Parsed parse(const std::string& record, LigandFormat format, bool sanitize) {
  constexpr bool kRemoveHydrogens = false;
  switch (format) {
    case LigandFormat::sdf:
      return Parsed(RDKit::MolBlockToMol(record, sanitize, kRemoveHydrogens));
    case LigandFormat::mol2:
      return Parsed(RDKit::Mol2BlockToMol(record, sanitize, kRemoveHydrogens));
    case LigandFormat::smiles:
      break;
  }
  return Parsed(RDKit::SmilesToMol(record, RDKit::SmilesParserParams{}));
}

bool has_tetrahedral_atom(const RDKit::RWMol& molecule) {
  constexpr unsigned kTetrahedral = 4;
  for (const RDKit::Atom* atom : molecule.atoms())
    if (atom->getHybridization() == RDKit::Atom::SP3 && atom->getTotalDegree() == kTetrahedral) return true;
  return false;
}

/// Is it a drawing that calls itself 3D: all atoms at the height 0, where they cannot be?
bool is_drawing(const RDKit::RWMol& molecule) {
  if (molecule.getNumConformers() == 0 || !molecule.getConformer().is3D()) return false;
  const auto& positions = molecule.getConformer().getPositions();
  return std::ranges::all_of(positions, [](const auto& position) { return position.z == 0; }) &&
         has_tetrahedral_atom(molecule);
}

/// The record with "2D" where it says "3D", so that its wedges count.
std::string as_drawing(std::string record) {
  constexpr std::size_t kDimension = 20;  // column of the second line
  const std::size_t at = record.find('\n') + 1 + kDimension;
  if (record.compare(std::min(at, record.size()), 2, "3D") == 0) record[at] = '2';
  return record;
}

/// What a record asks for in place of one molecule: lists of elements, bonds of several types. Empty: nothing.
std::string query_in(const RDKit::RWMol& molecule) {
  for (const RDKit::Atom* atom : molecule.atoms())
    if (atom->hasQuery() && atom->getAtomicNum() > 0)
      return "atom " + std::to_string(atom->getIdx() + 1) + " is a query, such as a list of elements";
  for (const RDKit::Bond* bond : molecule.bonds())
    if (bond->hasQuery())
      return "the bond of atoms " + std::to_string(bond->getBeginAtomIdx() + 1) + " and " +
             std::to_string(bond->getEndAtomIdx() + 1) + " is a query";
  return "";
}

/// Lines of the section ATOM.
Index atoms_of_mol2(std::string_view record) {
  constexpr std::string_view kAtoms = "@<TRIPOS>ATOM";
  const auto begin = record.find(kAtoms);
  if (begin == record.npos) return 0;
  record.remove_prefix(begin + kAtoms.size());
  const std::string_view atoms = record.substr(0, record.find("\n@"));
  return std::ranges::count(atoms, '\n');
}

}  // namespace

std::unique_ptr<RDKit::RWMol> parse_ligand(std::string_view record, LigandFormat format, bool sanitize) {
  const std::string text(record);
  std::string thrown;
  {
    const ParserGuard guard;
    try {
      if (Parsed molecule = parse(text, format, sanitize)) {
        if (format == LigandFormat::sdf && is_drawing(*molecule)) molecule = parse(as_drawing(text), format, sanitize);
        thrown = molecule->getNumAtoms() > 0 ? query_in(*molecule) : "the molecule has no atoms";
        if (thrown.empty()) return molecule;
      }
    } catch (const std::exception& error) {
      throw_if_out_of_memory(error);
      thrown = one_line(error.what());
    }
  }
  if (!thrown.empty()) throw Rejection("read", thrown);
  throw Rejection("read", one_line(parser_complaint([&] {
                    try {
                      parse(text, format, sanitize);
                    } catch (const std::exception& error) {  // the first parse would have thrown too
                      throw_if_out_of_memory(error);
                    }
                  })));
}

std::string beyond_limits(std::string_view record, LigandFormat format, Index max_atoms) {
  if (format == LigandFormat::smiles) return beyond_limits(record, RecordFormat::smiles, max_atoms);
  if (format == LigandFormat::sdf) return beyond_limits(record, RecordFormat::sdf, max_atoms);
  return beyond_limits(atoms_of_mol2(record), max_atoms, [&]() -> Parsed {
    try {
      return parse_ligand(record, format, /*sanitize=*/false);
    } catch (const Rejection&) {
      return nullptr;
    }
  });
}

bool has_positions(const RDKit::RWMol& molecule) {
  if (molecule.getNumConformers() == 0 || !molecule.getConformer().is3D()) return false;
  const auto& positions = molecule.getConformer().getPositions();
  return positions.size() == 1 || std::ranges::any_of(positions, [&](const auto& position) {
           return (position - positions.front()).lengthSq() > 0;
         });
}

namespace {

int num_carbons(const RDKit::ROMol& component) {
  int count = 0;
  for (const RDKit::Atom* atom : component.atoms()) count += atom->getAtomicNum() == kCarbon ? 1 : 0;
  return count;
}

/// Is it more than a common inorganic ion, a solvent such as water, or an acid such as HCl?
bool is_notable(const RDKit::ROMol& component) {
  constexpr int kCommon[] = {1, 3, 5, 7, 8, 9, 11, 12, 14, 15, 16, 17, 19, 20, 35, 53};
  for (const RDKit::Atom* atom : component.atoms())
    if (std::ranges::find(kCommon, atom->getAtomicNum()) == std::end(kCommon)) return true;
  return false;
}

}  // namespace

std::unique_ptr<RDKit::RWMol> complete_molecule(const RDKit::RWMol& molecule, std::string* left_out) {
  const auto components = RDKit::MolOps::getMolFrags(molecule, /*sanitizeFrags=*/true);
  const auto size_of = [](const auto& component) {
    return std::pair(component->getNumHeavyAtoms(), num_carbons(*component));
  };
  const auto& largest = *std::ranges::max_element(components, {}, size_of);
  auto complete = std::make_unique<RDKit::RWMol>(*largest);
  const ParserGuard guard;
  const auto other =
      std::ranges::find_if(components, [&](const auto& one) { return one != largest && is_notable(*one); });
  if (left_out != nullptr && other != components.end()) *left_out = RDKit::MolToSmiles(**other);
  RDKit::MolOps::addHs(*complete, /*explicitOnly=*/false, /*addCoords=*/has_positions(*complete));
  return complete;
}

}  // namespace quarry
