/// Libraries that contradict themselves below intact checksums: each change is sealed again, so that only the check that
/// compares one part with another can find it.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "library/chunk_codec.hpp"
#include "library/library_format.hpp"
#include "library/library_impl.hpp"
#include "quarry/similar.hpp"
#include "similar/pack.hpp"
#include "support/shapes.hpp"
#include "support/temporary_folder.hpp"

namespace quarry {
namespace {

using test::message_of;

const std::vector<std::string_view> kRecords = {"CCO", "CCN", "CCC"};

/// A chunk of three molecules.
/// @param fingerprints  its section of that name; empty: none
Library three_molecules(std::vector<std::byte> fingerprints = {}) {
  const std::vector<Molecule> molecules(3, test::chain(3));
  ChunkInput input;
  input.ids = {"a", "b", "c"};
  input.molecules = {pack_molecules(molecules, input.ids)};
  input.records = kRecords;
  input.fingerprints = std::move(fingerprints);
  input.rows = 3;
  return library_from_chunk(encode_chunk(input), {});
}

/// The bytes of a library of two chunks.
std::string two_chunks() {
  const test::TemporaryFolder folder;
  LibraryWriter writer(folder.file("two.qlib"), {});
  for (int i = 0; i < 2; ++i) writer.append(three_molecules());
  writer.finish();
  return test::read_whole_file(folder.file("two.qlib"));
}

/// Changes an entry of the directory, and makes all checksums right again.
std::string with_entry(std::string bytes, Index chunk, const std::function<void(DirectoryEntry&)>& change) {
  Footer footer;
  char* const at_footer = bytes.data() + bytes.size() - sizeof footer;
  std::memcpy(&footer, at_footer, sizeof footer);
  char* const directory = bytes.data() + footer.directory_offset;
  DirectoryEntry entry;
  std::memcpy(&entry, directory + chunk * sizeof entry, sizeof entry);
  change(entry);
  std::memcpy(directory + chunk * sizeof entry, &entry, sizeof entry);
  footer.directory_checksum = checksum_of(std::as_bytes(std::span(directory, at_footer)));
  footer.checksum = checksum_of(footer);
  std::memcpy(at_footer, &footer, sizeof footer);
  return bytes;
}

std::string complaint_about(const std::string& bytes) {
  const auto span = std::as_bytes(std::span(bytes));
  return message_of<InputError>([&] { library_from_bytes(span, "lib.qlib").verify(); });
}

TEST(ResealedLibrary, IsFineWhereNothingChanged) {
  EXPECT_EQ(complaint_about(with_entry(two_chunks(), 1, [](DirectoryEntry&) {})), "");
}

TEST(ResealedLibrary, ChunksFollowOneAnother) {
  for (const Index chunk : {0, 1}) {
    for (const Index shift : {-8, 8, 1 << 20}) {
      const std::string said =
          complaint_about(with_entry(two_chunks(), chunk, [&](auto& entry) { entry.offset += shift; }));
      EXPECT_NE(said.find("lib.qlib, directory: chunk " + std::to_string(chunk)), std::string::npos) << said;
      EXPECT_NE(said.find("does not fit the file"), std::string::npos) << said;
    }
  }
}

TEST(ResealedLibrary, ChunksHaveTheCountsOfTheDirectory) {
  for (const auto field : {&ChunkCounts::molecules, &ChunkCounts::atoms, &ChunkCounts::bonds}) {
    for (const int change : {-1, 1}) {
      const std::string said = complaint_about(with_entry(two_chunks(), 1, [&](auto& entry) {
        entry.counts.*field += change;
        if (field == &ChunkCounts::molecules) entry.counts.rows += change;
      }));
      EXPECT_EQ(said, "lib.qlib: chunk 1: its counts differ from the directory");
    }
  }
}

TEST(ResealedLibrary, StoredFingerprintsAreThoseOfTheChunk) {
  for (const std::size_t count : {1, 2, 3}) {
    const Library library = three_molecules(similar::pack_section(std::span(kRecords).first(count)));
    const auto columns = similar::Fingerprints::of_library(library);
    const std::string said = message_of<InputError>([&] { (void)similar::search(columns, columns, {{}, 1, 0}); });
    EXPECT_EQ(said.find("it has other molecules than the chunk") != std::string::npos, count < 3) << said;
  }
}

}  // namespace
}  // namespace quarry
