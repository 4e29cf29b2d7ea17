/// RDKit's parsers with its default settings; every refusal becomes one phrase.
#include <GraphMol/FileParsers/FileParsers.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/RWMol.h>
#include <GraphMol/RingInfo.h>
#include <GraphMol/SmilesParse/SmilesParse.h>

#include <exception>

#include "chemistry/parser_log.hpp"
#include "chemistry/perceive.hpp"
#include "chemistry/rdkit_memory.hpp"
#include "chemistry/smiles_text.hpp"

namespace quarry {
namespace {

using Parsed = std::unique_ptr<RDKit::RWMol>;

/// Null where RDKit only logs the reason; throws where it returns it.
Parsed parse(const std::string& record, RecordFormat format) {
  if (format == RecordFormat::sdf) return Parsed(RDKit::MolBlockToMol(record));
  return Parsed(RDKit::SmilesToMol(record, RDKit::SmilesParserParams{}));
}

/// Makes every hydrogen an atom, and keeps the ring information valid.
void add_hydrogens(RDKit::RWMol& molecule) {
  RDKit::MolOps::addHs(molecule);
  if (!molecule.getRingInfo()->isInitialized()) RDKit::MolOps::symmetrizeSSSR(molecule);
}

/// Parses under the guard. @return null, with or without `reason`, where the record is refused
Parsed parse_guarded(const std::string& record, RecordFormat format, bool explicit_hydrogens, std::string& reason) {
  const ParserGuard guard;
  try {
    Parsed molecule = parse(record, format);
    if (molecule && explicit_hydrogens) add_hydrogens(*molecule);
    return molecule;
  } catch (const std::exception& error) {
    throw_if_out_of_memory(error);
    reason = one_line(error.what());
  }
  return nullptr;
}

std::string complaint_of(const std::string& record, RecordFormat format) {
  return one_line(parser_complaint([&] {
    try {
      parse(record, format);
    } catch (const std::exception& error) {  // cannot happen: the first parse would have thrown too
      throw_if_out_of_memory(error);
    }
  }));
}

}  // namespace

std::unique_ptr<RDKit::RWMol> parse_record(std::string_view record, RecordFormat format, bool explicit_hydrogens,
                                           std::string& reason) {
  // RDKit stops at such a byte and takes what stands before it for the molecule.
  if (format == RecordFormat::smiles) reason = unprintable(record);
  if (!reason.empty()) return nullptr;
  const std::string text(record);
  std::string thrown;
  Parsed molecule = parse_guarded(text, format, explicit_hydrogens, thrown);
  if (molecule && molecule->getNumAtoms() > 0) return molecule;
  if (molecule) {
    reason = "the molecule has no atoms";
  } else {
    reason = thrown.empty() ? complaint_of(text, format) : thrown;
  }
  return nullptr;
}

}  // namespace quarry
