/// A collection and several libraries as one library.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "library/library_impl.hpp"
#include "quarry/error.hpp"
#include "support/mapped_files.hpp"
#include "support/molecules/collections.hpp"
#include "support/molecules/strings_of.hpp"
#include "support/shapes.hpp"

namespace quarry::test {
namespace {

Index num_descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
}

std::string make_collection(const TemporaryFolder& folder, Index num_parts) {
  const std::string path = folder.file("c.qlibs");
  CollectionWriter writer(path, "", 1);
  add_source(writer, "a.smi", "file a", numbered("a", num_parts), 1);
  writer.finish();
  return path;
}

TEST(CollectionLibrary, FewPartsAreOpenAtATime) {
  const TemporaryFolder folder;
  const Library library = Library::open(make_collection(folder, 30));
  EXPECT_EQ(num_mapped(folder.path()), 0);
  const Index before = num_descriptors();
  for (int turn = 0; turn < 2; ++turn) {
    for (Index i = 0; i < library.num_chunks(); ++i) {
      EXPECT_EQ(strings_of(library.text(i, true).records), std::vector<std::string>{"a" + std::to_string(i)});
      EXPECT_EQ(std::ssize(library.molecule(i).atoms), 2);
      EXPECT_LE(num_mapped(folder.path()), Index{PartTable::kMostOpen});
      EXPECT_LE(num_descriptors(), before + Index{PartTable::kMostOpen});
    }
  }
  EXPECT_EQ(num_mapped(folder.path()), Index{PartTable::kMostOpen});
}

TEST(CollectionLibrary, APartStaysOpenWhileItIsUsed) {
  const TemporaryFolder folder;
  const Library library = Library::open(make_collection(folder, 20));
  library.in_chunk(0, [&] {
    const Chunk& chunk = chunk_of(library, 0);
    for (Index i = 1; i < 20; ++i) (void)library.text(i, true);
    EXPECT_EQ(chunk.num_atoms(0), 2);  // the address sanitizer sees an unmapped page
    EXPECT_EQ(num_mapped(folder.path()), Index{PartTable::kMostOpen} + 1);
  });
}

TEST(CollectionLibrary, SeveralLibrariesAreOne) {
  const TemporaryFolder folder;
  const std::string collection = make_collection(folder, 3), file = folder.file("one.qlib");
  Provenance made;
  made.source = "b.smi";
  LibraryWriter writer(file, made);
  writer.append(Library::from_molecules(std::vector<Molecule>(2, chain(3)), std::vector<std::string>{"x", "y"}));
  writer.finish();
  const Library library = Library::open(std::vector{file, collection, file});
  EXPECT_EQ(library.num_molecules(), 7);
  EXPECT_EQ(library.num_chunks(), 5);
  EXPECT_EQ(library.num_atoms(), 2 * 3 + 3 * 2 + 2 * 3);
  EXPECT_EQ(library.first_molecule(1), 2);
  EXPECT_EQ(library.chunk_with(1), 0);
  EXPECT_EQ(library.chunk_with(2), 1);
  EXPECT_EQ(library.chunk_with(6), 4);
  EXPECT_EQ(library.source(0), "b.smi");
  EXPECT_EQ(library.source(1), "a.smi");
  EXPECT_EQ(library.num_sources(), 3);
  EXPECT_EQ(strings_of(library.text(4, false).ids), (std::vector<std::string>{"x", "y"}));
  library.verify();
  EXPECT_EQ(message_of<InputError>([] { (void)Library::open(std::vector<std::string>{}); }),
            "there is no library to open");
}

TEST(CollectionLibrary, LibrariesThatDifferAreRefused) {
  const TemporaryFolder folder;
  const auto write = [&](const std::string& name, const Provenance& made) {
    LibraryWriter writer(folder.file(name), made);
    writer.append(Library::from_molecules(std::vector<Molecule>(1, chain(3))));
    writer.finish();
    return folder.file(name);
  };
  Provenance explicit_h, sdf, flat;
  explicit_h.explicit_hydrogens = true;
  sdf.format = RecordFormat::sdf;
  flat.stereo = false;
  const std::string plain = write("plain.qlib", {});
  const auto refusal = [&](const std::string& name, const Provenance& made) {
    const std::string other = write(name, made);
    return message_of<InputError>([&] { (void)Library::open(std::vector{plain, other}); });
  };
  EXPECT_NE(refusal("h.qlib", explicit_h).find("h.qlib' has explicit hydrogens"), std::string::npos);
  EXPECT_NE(refusal("sdf.qlib", sdf).find("sdf.qlib' has SDF records"), std::string::npos);
  EXPECT_NE(refusal("flat.qlib", flat).find("flat.qlib' has raw ones"), std::string::npos);
}

TEST(CollectionLibrary, AnotherFileInPlaceOfAPartIsNamed) {
  const TemporaryFolder folder;
  const std::string path = make_collection(folder, 3);
  const std::string part = path + "/part-000001.qlib";
  // As long and with as many molecules, so only its checksum is another one.
  std::filesystem::copy_file(path + "/part-000002.qlib", part, std::filesystem::copy_options::overwrite_existing);
  const Library library = Library::open(path);
  EXPECT_NE(message_of<InputError>([&] { library.verify(); }).find(part), std::string::npos);
  // Another number of molecules is seen at once.
  LibraryWriter writer(part, {});
  writer.append(Library::from_molecules(std::vector<Molecule>(2, chain(3))));
  writer.finish();
  const Library again = Library::open(path);
  EXPECT_NE(message_of<InputError>([&] { (void)again.text(1, true); }).find("was the file replaced?"),
            std::string::npos);
  std::filesystem::remove(part);
  EXPECT_NE(message_of<InputError>([&] { (void)Library::open(path).text(1, true); }).find("cannot open " + part),
            std::string::npos);
}

TEST(CollectionLibrary, APartThatChangesBetweenTwoUsesIsNamed) {
  const TemporaryFolder folder;
  const std::string path = make_collection(folder, 20), part = path + "/part-000000.qlib";
  const Library library = Library::open(path);
  (void)library.text(0, true);
  for (Index i = 1; i < 20; ++i) (void)library.text(i, true);  // closes it
  std::filesystem::last_write_time(part, std::filesystem::file_time_type::clock::now() + std::chrono::seconds(5));
  EXPECT_NE(message_of<InputError>([&] { (void)library.text(0, true); }).find("it has changed since it was opened"),
            std::string::npos);
}

}  // namespace
}  // namespace quarry::test
