/// RDKit's parsers with hydrogens kept, and the completion of molecules.
#include <GraphMol/FileParsers/FileParsers.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/RWMol.h>
#include <GraphMol/RingInfo.h>
#include <GraphMol/SmilesParse/SmilesParse.h>

#include <algorithm>
#include <exception>
#include <new>
#include <string>

#include "chemistry/elements.hpp"
#include "chemistry/ligand/ligand.hpp"
#include "chemistry/parser_log.hpp"

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

}  // namespace

std::unique_ptr<RDKit::RWMol> parse_ligand(std::string_view record, LigandFormat format, bool sanitize) {
  const std::string text(record);
  std::string thrown;
  {
    const ParserGuard guard;
    try {
      if (Parsed molecule = parse(text, format, sanitize)) {
        if (molecule->getNumAtoms() > 0) return molecule;
        thrown = "the molecule has no atoms";
      }
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      thrown = one_line(error.what());
    }
  }
  if (!thrown.empty()) throw Rejection("read", thrown);
  throw Rejection("read", one_line(parser_complaint([&] {
                    try {
                      parse(text, format, sanitize);
                    } catch (const std::bad_alloc&) {
                      throw;
                    } catch (const std::exception&) {  // the first parse would have thrown too
                    }
                  })));
}

bool has_positions(const RDKit::RWMol& molecule) {
  if (molecule.getNumConformers() == 0 || !molecule.getConformer().is3D()) return false;
  const auto& positions = molecule.getConformer().getPositions();
  return positions.size() == 1 || std::ranges::any_of(positions, [&](const auto& position) {
           return (position - positions.front()).lengthSq() > 0;
         });
}

std::unique_ptr<RDKit::RWMol> complete_molecule(const RDKit::RWMol& molecule) {
  const auto components = RDKit::MolOps::getMolFrags(molecule, /*sanitizeFrags=*/true);
  const auto& largest =
      *std::ranges::max_element(components, {}, [](const auto& component) { return component->getNumHeavyAtoms(); });
  auto complete = std::make_unique<RDKit::RWMol>(*largest);
  const ParserGuard guard;
  RDKit::MolOps::addHs(*complete, /*explicitOnly=*/false, /*addCoords=*/has_positions(*complete));
  return complete;
}

}  // namespace quarry
