/// Every message about a library names its file and the chunk, whoever found the fault, and memory running out too.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "library/chunk_codec.hpp"
#include "library/conformers.hpp"
#include "library/library_impl.hpp"
#include "quarry/convert.hpp"
#include "quarry/files/smiles_table.hpp"
#include "quarry/ligand.hpp"
#include "quarry/match.hpp"
#include "quarry/similar.hpp"
#include "similar/stored/stored_chunk.hpp"
#include "support/shapes.hpp"
#include "support/temporary_folder.hpp"

namespace quarry {
namespace {

using test::message_of;
using test::TemporaryFolder;

/// One molecule of three carbons whose record says something else.
ChunkInput one_molecule(std::string_view record) {
  ChunkInput input;
  input.ids = {"a"};
  input.molecules = {pack_molecules(std::vector<Molecule>(1, test::chain(3)), input.ids)};
  input.records = {record};
  input.rows = 1;
  return input;
}

/// A file of two chunks, of which the second is given.
std::string write_chunks(const TemporaryFolder& folder, const ChunkInput& second) {
  LibraryWriter writer(folder.file("lib.qlib"), {});
  writer.append(library_from_chunk(encode_chunk(one_molecule("CCC")), {}));
  writer.append(library_from_chunk(encode_chunk(second), {}));
  writer.finish();
  return folder.file("lib.qlib");
}

template <class Work>
std::string memory_message(Work&& work) {
  try {
    work();
  } catch (const std::bad_alloc& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(ChunkMessages, WorkOnAChunkIsNamed) {
  const TemporaryFolder folder;
  const std::string path = write_chunks(folder, one_molecule("CCC"));
  const Library library = Library::open(path);
  EXPECT_EQ(message_of<InputError>([&] { library.in_chunk(1, [] { throw InputError("bad", "max_atoms"); }); }),
            path + ": chunk 1: bad");
  EXPECT_EQ(message_of<InputError>([&] { library.in_chunk(1, [&] { throw InputError(path + ": changed"); }); }),
            path + ": changed");
  try {
    library.in_chunk(0, [] { throw CapacityError("atoms", 3, 4, "max_atoms"); });
  } catch (const CapacityError& error) {
    EXPECT_EQ(error.what(), path + ": chunk 0: atoms: the limit is 3, the job needs 4; raise max_atoms");
    EXPECT_EQ(std::tuple(error.limit(), error.found(), error.option()), std::tuple(3, 4, "max_atoms"));
  }
  const auto run_out = [] { throw std::bad_alloc(); };
  EXPECT_EQ(memory_message([&] { library.in_chunk(1, run_out); }), path + ": chunk 1: out of memory");
  EXPECT_EQ(memory_message([&] { library.in_chunk(0, [&] { library.in_chunk(1, run_out); }); }),
            path + ": chunk 1: out of memory");
}

TEST(ChunkMessages, LongNamesAreCutWhereMemoryRunsOut) {
  for (const std::size_t length : {495, 496, 497, 5000}) {
    const std::string said = OutOfMemory(std::string(length, 'x')).what();
    EXPECT_EQ(said, std::string(std::min<std::size_t>(length, 496), 'x') + ": out of memory");
  }
}

TEST(ChunkMessages, TextHasRowsInPlaceOfChunks) {
  const TemporaryFolder folder;
  std::string lines = "not( one\n";
  for (Index i = 0; i < kChunkMolecules; ++i) lines += "CC\n";
  const std::string path = folder.write("molecules.smi", lines);
  MoleculeReader reader(path);
  Index rows = 0;
  while (const auto chunk = reader.next()) {
    const Index last = rows + chunk->report().rows;
    EXPECT_EQ(message_of<InputError>([&] { chunk->in_chunk(0, [] { throw InputError("bad"); }); }),
              path + ", rows " + std::to_string(rows + 1) + " to " + std::to_string(last) + ": bad");
    rows = last;
  }
  EXPECT_EQ(rows, kChunkMolecules + 1);
}

TEST(ChunkMessages, RecordsThatCannotBeReadAgainAreNamed) {
  const TemporaryFolder folder;
  const std::string path = write_chunks(folder, one_molecule("C("));
  const Library library = Library::open(path);
  const std::string where = path + ": chunk 1: ";
  const QuerySet queries = compile_queries({"C"});
  match::Options options;
  const match::Result result = match::run(library, queries, options);
  const std::string said =
      message_of<InputError>([&] { std::ignore = match::verify(library, queries, options, result, 100, 1); });
  EXPECT_TRUE(said.starts_with(where + "molecule 'a' cannot be verified: ")) << said;
  const std::string converted = message_of<InputError>([&] {
    library.in_chunk(1, [&] { std::ignore = smiles_to_sdf(std::string(library.text(1, true).records[0]), "a"); });
  });
  EXPECT_TRUE(converted.starts_with(where + "the source record of molecule 'a' cannot be read again: ")) << converted;
  const SmilesTable table = smiles_of(library, Normalize::canonical);
  ASSERT_EQ(table.rejected.size(), 1u);
  EXPECT_TRUE(table.rejected[0].reason.starts_with("molecule 2 of " + path + ": ")) << table.rejected[0].reason;
}

TEST(ChunkMessages, StoredFingerprintsWithAWrongMagnitudeAreNamed) {
  ChunkInput input = one_molecule("CCCCCO");
  input.fingerprints = similar::pack_section(input.records);
  similar::StoredHeader header;
  std::memcpy(&header, input.fingerprints.data(), sizeof header);
  ++header.least_magnitude;
  std::memcpy(input.fingerprints.data(), &header, sizeof header);
  const TemporaryFolder folder;
  const std::string path = write_chunks(folder, input);
  const Library library = Library::open(path);
  const auto columns = similar::Fingerprints::of_library(library);
  const std::string expected =
      path + ": chunk 1, section fingerprints: molecule 0 has not as many features as its magnitude says";
  EXPECT_EQ(message_of<InputError>([&] { (void)similar::search(columns, columns, {{}, 1, 0}); }), expected);
  EXPECT_EQ(message_of<InputError>([&] { (void)similar::cluster(columns, 0.5); }), expected);
}

TEST(ChunkMessages, StoredConformersThatLieAreNamed) {
  ChunkInput input = one_molecule("CCC");
  input.conformers = pack_conformers(std::vector<std::vector<StoredIsomer>>{{{1, {0, 0, 0}}}});
  input.conformers.resize(input.conformers.size() - 4);
  const TemporaryFolder folder;
  const std::string path = write_chunks(folder, input);
  LigandReader reader(path);
  const std::string said = message_of<InputError>([&] {
    while (!reader.next().empty()) {
    }
  });
  EXPECT_TRUE(said.starts_with(path + ": chunk 1, section conformers: ")) << said;
}

TEST(ChunkMessages, LibrariesWithoutSmilesAreNamed) {
  const TemporaryFolder folder;
  Provenance provenance;
  provenance.format = RecordFormat::sdf;
  LibraryWriter writer(folder.file("sdf.qlib"), provenance);
  writer.append(library_from_chunk(encode_chunk(one_molecule("CCC")), {}));
  writer.finish();
  const Library library = Library::open(folder.file("sdf.qlib"));
  EXPECT_TRUE(message_of<InputError>([&] {
                std::ignore = smiles_of(library, Normalize::as_is);
              }).starts_with(folder.file("sdf.qlib") + " holds SDF records"));
  EXPECT_TRUE(message_of<InputError>([&] {
                std::ignore = similar::Fingerprints::of_library(library);
              }).starts_with(folder.file("sdf.qlib") + " keeps SDF records"));
}

/// A bond as libraries had it before they kept its direction.
TEST(ChunkMessages, ADirectionThatALibraryLacksIsAnError) {
  Molecule molecule = test::chain(2);
  molecule.bonds.front().kind = bond_kind(kDative, false);
  const TemporaryFolder folder;
  const std::string path = folder.file("old.qlib");
  LibraryWriter writer(path, {});
  writer.append(Library::from_molecules(std::vector<Molecule>(1, molecule)));
  writer.finish();
  const Library library = Library::open(path);
  const auto hits_of = [&](const std::string& smarts) {
    return match::run(library, compile_queries(std::vector<std::string>{smarts}, QueryHydrogens::literal), {})
        .hits.size();
  };
  EXPECT_EQ(hits_of("*~*"), 1U);
  EXPECT_EQ(hits_of("*-*"), 0U);
  EXPECT_EQ(hits_of("N<-C"), 0U) << "without a nitrogen the direction makes no difference";
  for (const char* smarts : {"*->*", "[$(*<-*)]", "C<-C"}) {
    EXPECT_EQ(message_of<InputError>([&] { hits_of(smarts); }),
              path +
                  ": chunk 0: an earlier version made this library, without the direction of dative bonds that a query "
                  "asks for: make it again with quarry index")
        << smarts;
  }
}

}  // namespace
}  // namespace quarry
