/// Rows read natively: what is audited, what a difference does, and stereo marks that stay in the records.
#include "readers/record_reader.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "quarry/match.hpp"
#include "support/changed.hpp"
#include "support/temporary_folder.hpp"

namespace quarry {
namespace {

using test::Changed;
using test::TemporaryFolder;

constexpr const char* kRows =
    "CCO ethanol\n"
    "N[C@@H](C)C(=O)O alanine\n"
    "F/C=C/F difluoroethene\n"
    "c1ccccc1 benzene\n"
    "[2H]C deuteromethane\n";

/// All molecules of a text, and what was audited.
struct Loaded {
  std::vector<Molecule> molecules;
  std::vector<Provenance> provenances;
  Audit audit;
};

Loaded load(const std::string& rows, const ReadOptions& options) {
  const TemporaryFolder folder;
  MoleculeReader reader(folder.write("molecules.smi", rows), options);
  Loaded loaded;
  while (const auto library = reader.next()) {
    for (Index i = 0; i < library->num_molecules(); ++i) loaded.molecules.push_back(library->molecule(i));
    loaded.provenances.push_back(library->provenance());
  }
  loaded.audit = reader.audit();
  return loaded;
}

ReadOptions audited(double share, bool stereo = true) {
  ReadOptions options;
  options.audit = share;
  options.stereo = stereo;
  return options;
}

TEST(RecordReader, AuditsWhatIsReadNatively) {
  EXPECT_EQ(load(kRows, audited(0)).audit.rows, 0);
  const Loaded with_stereo = load(kRows, audited(1)), without = load(kRows, audited(1, false));
  EXPECT_EQ(with_stereo.audit.rows, 3) << "RDKit reads those with stereo marks alone";
  EXPECT_EQ(without.audit.rows, 5);
  EXPECT_EQ(with_stereo.audit.differences + without.audit.differences, 0);
  EXPECT_EQ(with_stereo.audit.first_difference, "");
}

TEST(RecordReader, AuditsTheSameShareOnAnyNumberOfThreads) {
  std::string rows;
  for (int i = 0; i < 3000; ++i) rows += "CCO " + std::to_string(i) + "\n";
  ReadOptions options = audited(0.1);
  options.threads = 1;
  const Index one = load(rows, options).audit.rows;
  EXPECT_GT(one, 240);
  EXPECT_LT(one, 360);
  options.threads = 2;
  EXPECT_EQ(load(rows, options).audit.rows, one);
}

TEST(RecordReader, NamesADifferenceAndTakesWhatRdkitReads) {
  const Loaded right = load(kRows, audited(0));
  const Changed spoilt(spoil_native_reading, true);
  const Loaded checked = load(kRows, audited(1));
  EXPECT_EQ(checked.audit.rows, 3);
  EXPECT_EQ(checked.audit.differences, 3);
  EXPECT_EQ(checked.audit.first_difference, "line 1 (ethanol): CCO");
  EXPECT_EQ(checked.molecules, right.molecules);
  EXPECT_NE(load(kRows, audited(0)).molecules, right.molecules);
}

TEST(RecordReader, LeavesStereoOut) {
  const Loaded with = load(kRows, {}), without = load(kRows, audited(0, false));
  ASSERT_EQ(with.molecules.size(), 5U);
  ASSERT_EQ(without.molecules.size(), 5U);
  EXPECT_EQ(with.molecules[1].chiral_atoms.size(), 1U);
  EXPECT_EQ(with.molecules[2].stereo_bonds.size(), 1U);
  for (std::size_t i = 0; i < with.molecules.size(); ++i) {
    Molecule expected = with.molecules[i];
    expected.chiral_atoms.clear();
    expected.stereo_bonds.clear();
    EXPECT_EQ(without.molecules[i], expected) << i;
  }
  EXPECT_TRUE(with.provenances[0].stereo);
  EXPECT_FALSE(without.provenances[0].stereo);
}

/// RDKit reads them all, and they keep what it resolved.
TEST(RecordReader, ExplicitHydrogensHaveTheirStereo) {
  ReadOptions options = audited(1, false);
  options.explicit_hydrogens = true;
  const Loaded loaded = load(kRows, options);
  EXPECT_EQ(loaded.audit.rows, 0);
  EXPECT_TRUE(loaded.provenances[0].stereo);
  EXPECT_EQ(loaded.molecules[1].chiral_atoms.size(), 1U);
  EXPECT_EQ(loaded.molecules[2].stereo_bonds.size(), 1U);
}

TEST(RecordReader, ALibraryWithRawStereoSaysSo) {
  const TemporaryFolder folder;
  MoleculeReader reader(folder.write("molecules.smi", kRows), audited(0, false));
  const Library read = std::move(*reader.next());
  const std::string path = folder.file("molecules.qlib");
  LibraryWriter writer(path, read.provenance());
  writer.append(read);
  writer.finish();
  const Library library = Library::open(path);
  EXPECT_FALSE(library.provenance().stereo);
  for (const Library::Section& section : library.sections())
    EXPECT_EQ(section.name.find("chiral") + section.name.find("stereo"), 2 * std::string::npos) << section.name;
  EXPECT_EQ(match::run(library, compile_queries({"[C@@](N)(C)C"}), {}).hits.size(), 1U);
}

TEST(RecordReader, RefusesAShareThatIsNone) {
  for (const double share : {-0.1, 1.1, std::nan("")})
    EXPECT_THROW((void)load(kRows, audited(share)), InputError) << share;
}

}  // namespace
}  // namespace quarry
