/// Fuzzes records on their whole way into a library: rows, the native reader, RDKit, perception, packing. A SMILES or MDL
/// text is either rejected with a reason, or the library holds the molecule that RDKit reads; what the library says of it
/// can be read and written again. Every SMILES that is read without RDKit is read by RDKit too.
///
/// The first byte chooses the format, whether hydrogens become atoms, and whether stereo marks are left out. Inputs are
/// short, for RDKit itself is not what is tested, and its parser recurses.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "chemistry/oracle.hpp"
#include "memory_file.hpp"
#include "quarry/convert.hpp"
#include "quarry/library.hpp"
#include "quarry/similar.hpp"
#include "require.hpp"
#include "seeded_mutator.hpp"

namespace {

using namespace quarry;
using test::require;

constexpr std::size_t kLongestSmiles = 200, kLongestSdf = 2000;
constexpr const char* kSmiles[] = {"CC(=O)Oc1ccccc1C(=O)O aspirin\nbad smiles\nC[C@H](N)C(=O)O\n",
                                   "[Na+].[O-]C(=O)/C=C\\C |&1:2| salt\n[2H]C([H])([H])Cl\n",
                                   "c1cc2cccc3c2c(c1)C=C3\tx\nC1CC[C@]2(CC1)OC[P@](=O)(O)O2\n",
                                   "smiles,id\n\"CC#N\",a\n*C->[Fe],b\n"};

ReadOptions options_of(std::uint8_t choice) {
  ReadOptions options;
  options.format = choice % 4 == 0 ? "smi" : choice % 4 == 1 ? "csv" : "sdf";
  options.explicit_hydrogens = (choice & 4) != 0;
  options.stereo = (choice & 8) == 0;
  options.audit = 1;
  options.max_atoms = 100;
  options.threads = 1;
  return options;
}

/// Everything that is said of a molecule of an MDL record is about this molecule.
void check_mdl(const std::string& record, const Molecule& molecule, bool explicit_hydrogens) {
  const std::size_t num_atoms = molecule.atoms.size();
  const std::vector<Index> atoms = atoms_of_record(record, "fuzz");
  require(explicit_hydrogens ? atoms.size() == num_atoms : atoms.size() >= num_atoms);
  require(explicit_hydrogens || std::is_sorted(atoms.begin(), atoms.begin() + num_atoms));
  const WrittenSmiles written = write_smiles(record, "fuzz");
  require(explicit_hydrogens || written.positions.size() == num_atoms);
  for (const Index position : written.positions) require(position < std::ssize(written.smiles));
}

void check(const Library& library) {
  library.verify();
  const ChunkText text = library.text(0, /*with_records=*/true);
  const Provenance& from = library.provenance();
  for (Index i = 0; i < library.num_molecules(); ++i) {
    const Molecule molecule = library.molecule(i);
    const std::string record(text.records[i]);
    require(OracleMolecule(record, from.format, from.explicit_hydrogens).is(molecule, from.stereo));
    if (from.format == RecordFormat::sdf) check_mdl(record, molecule, from.explicit_hydrogens);
  }
  for (const RejectedRow& row : library.rejected(0)) require(!row.reason.empty());
}

}  // namespace

test::Seed test::make_seed(unsigned number) {
  const unsigned kind = number % 6;
  const std::uint8_t hydrogens = number / 6 % 2 * 4;
  if (kind < 4) return {static_cast<std::uint8_t>((kind == 3 ? 1 : 0) + hydrogens), kSmiles[kind]};
  const char* const smiles = kind == 4 ? "C[C@H](N)C(=O)[O-]" : "[2H]/C=C/[13CH2]O";
  return {static_cast<std::uint8_t>(2 + hydrogens), smiles_to_sdf(smiles, "seed") + "$$$$\n"};
}

/// RDKit's parser of MDL text leaks queries of bonds where it gives up.
extern "C" const char* __lsan_default_suppressions() { return "leak:libRDKit"; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const ReadOptions options = options_of(data[0]);
  if (size > (options.format == "sdf" ? kLongestSdf : kLongestSmiles)) return 0;
  const test::MemoryFile file(data + 1, size - 1);
  try {
    MoleculeReader reader(file.path(), options);
    while (const auto library = reader.next()) check(*library);
    const Report& report = reader.report();
    require(report.rows == report.ok + report.rejected);
    require(reader.audit().differences == 0);
  } catch (const InputError&) {
  }
  return 0;
}
