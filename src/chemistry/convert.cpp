/// Converts the records of hits: RDKit parses them again and writes them in another format.
#include "quarry/convert.hpp"

#include <GraphMol/Depictor/RDDepictor.h>
#include <GraphMol/FileParsers/FileParsers.h>
#include <GraphMol/RWMol.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include <algorithm>
#include <memory>
#include <string>

#include "chemistry/perceive.hpp"
#include "quarry/error.hpp"
#include "quarry/library.hpp"

namespace quarry {
namespace {

std::unique_ptr<RDKit::RWMol> parse(const std::string& record, RecordFormat format, const std::string& id) {
  std::string reason;
  auto molecule = parse_record(record, format, /*explicit_hydrogens=*/false, reason);
  if (!molecule) throw InputError("the source record of molecule '" + id + "' cannot be read again: " + reason);
  return molecule;
}

}  // namespace

std::string smiles_to_sdf(const std::string& smiles, const std::string& id) {
  const auto molecule = parse(smiles, RecordFormat::smiles, id);
  RDDepict::compute2DCoords(*molecule);
  std::string title = id;  // one line: a line break would shift the counts line
  std::replace_if(
      title.begin(), title.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  molecule->setProp("_Name", title);
  return RDKit::MolToMolBlock(*molecule);
}

std::string sdf_to_smiles(const std::string& sdf, const std::string& id) {
  return RDKit::MolToSmiles(*parse(sdf, RecordFormat::sdf, id));
}

}  // namespace quarry
