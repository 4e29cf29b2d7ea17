/// Converts the records of hits: RDKit parses them again and writes them in another format.
#include "quarry/convert.hpp"

#include <GraphMol/Conformer.h>
#include <GraphMol/Depictor/RDDepictor.h>
#include <GraphMol/FileParsers/FileParsers.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/RWMol.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include <exception>
#include <memory>
#include <string>

#include "chemistry/mol_block.hpp"
#include "chemistry/parser_log.hpp"
#include "chemistry/perceive.hpp"
#include "chemistry/rdkit_memory.hpp"
#include "quarry/error.hpp"
#include "quarry/library.hpp"

namespace quarry {
namespace {

std::unique_ptr<RDKit::RWMol> parse(const std::string& record, RecordFormat format, const std::string& id,
                                    bool explicit_hydrogens = false) {
  std::string reason;
  auto molecule = parse_record(record, format, explicit_hydrogens, reason);
  if (!molecule) throw InputError("the source record of molecule '" + id + "' cannot be read again: " + reason);
  return molecule;
}

}  // namespace

std::string smiles_to_sdf(const std::string& smiles, const std::string& id) {
  const auto molecule = parse(smiles, RecordFormat::smiles, id);
  // A drawing takes the cube of the number of atoms in a ring: 1.5 s for 1,000, 15 for 2,000.
  constexpr unsigned kMostDrawn = 500;
  const unsigned num_atoms = molecule->getNumAtoms();
  in_rdkit([&] {
    if (num_atoms <= kMostDrawn) return RDDepict::compute2DCoords(*molecule);
    auto zeros = std::make_unique<RDKit::Conformer>(num_atoms);  // without one the writer of the block draws
    zeros->set3D(false);
    return molecule->addConformer(zeros.release());
  });
  return mol_block(*molecule, id);
}

std::vector<Index> atoms_of_record(const std::string& sdf, const std::string& id) {
  const char* const kNumber = "_quarryNumber";
  std::unique_ptr<RDKit::RWMol> molecule;
  std::vector<std::vector<Index>> removed;  // hydrogens of each atom, but for those that stay
  try {
    const ParserGuard guard;
    molecule.reset(RDKit::MolBlockToMol(sdf, /*sanitize=*/true, /*removeHs=*/false));
    if (molecule) {
      removed.resize(molecule->getNumAtoms());
      for (RDKit::Atom* atom : molecule->atoms()) {
        atom->setProp(kNumber, static_cast<int>(atom->getIdx()));
        if (atom->getAtomicNum() != 1) continue;
        for (const RDKit::Atom* neighbour : molecule->atomNeighbors(atom))
          removed[neighbour->getIdx()].push_back(atom->getIdx());
      }
      RDKit::MolOps::RemoveHsParameters hydrogens;
      // As MolBlockToMol, which removes hydrogens before it looks at double bonds.
      hydrogens.removeDefiningBondStereo = true;
      RDKit::MolOps::removeHs(*molecule, hydrogens);
      for (const RDKit::Atom* atom : molecule->atoms()) {
        if (atom->getAtomicNum() != 1) continue;
        for (const RDKit::Atom* neighbour : molecule->atomNeighbors(atom))
          std::erase(removed[neighbour->getProp<int>(kNumber)], atom->getProp<int>(kNumber));
      }
    }
  } catch (const std::exception& error) {
    throw_if_out_of_memory(error);
    throw InputError("the source record of molecule '" + id + "' cannot be read again: " + one_line(error.what()));
  }
  if (!molecule) throw InputError("the source record of molecule '" + id + "' cannot be read again");
  std::vector<Index> numbers;
  for (const RDKit::Atom* atom : molecule->atoms()) numbers.push_back(atom->getProp<int>(kNumber));
  // Hydrogens that are added stand behind the others, for one atom after the other; those of an atom are alike.
  const std::size_t num_kept = numbers.size();
  for (std::size_t kept = 0; kept < num_kept; ++kept) {
    const std::vector<Index>& of_record = removed[numbers[kept]];
    const int num_added = molecule->getAtomWithIdx(kept)->getTotalNumHs();
    for (int i = 0; i < num_added; ++i) numbers.push_back(i < std::ssize(of_record) ? of_record[i] : -1);
  }
  return numbers;
}

std::string fragment_smiles(const std::string& record, RecordFormat format, bool explicit_hydrogens,
                            std::span<const std::uint32_t> atoms, const std::string& id) {
  const auto molecule = parse(record, format, id, explicit_hydrogens);
  const std::vector<int> chosen(atoms.begin(), atoms.end());
  return in_rdkit([&] { return RDKit::MolFragmentToSmiles(*molecule, chosen); });
}

std::string sdf_to_smiles(const std::string& sdf, const std::string& id) { return write_smiles(sdf, id).smiles; }

WrittenSmiles write_smiles(const std::string& sdf, const std::string& id) {
  const auto molecule = parse(sdf, RecordFormat::sdf, id);
  WrittenSmiles written{in_rdkit([&] { return RDKit::MolToSmiles(*molecule); }),
                        std::vector<Index>(molecule->getNumAtoms())};
  const auto order = molecule->getProp<std::vector<unsigned int>>(RDKit::common_properties::_smilesAtomOutputOrder);
  for (std::size_t i = 0; i < order.size(); ++i) written.positions[order[i]] = static_cast<Index>(i);
  return written;
}

}  // namespace quarry
