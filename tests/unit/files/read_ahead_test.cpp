/// Large compressed files, which a thread decompresses ahead: the bytes, the errors, and an end before the end.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "support/temporary_folder.hpp"
#include "util/files/byte_source.hpp"
#include "util/files/output_file.hpp"

namespace quarry {
namespace {

using test::read_whole_file;
using test::TemporaryFolder;

/// Bytes that do not compress away; more than are read without a thread.
std::string many_bytes() {
  std::string text;
  std::uint64_t state = 7;
  while (text.size() < std::size_t{3} << 20) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    text += std::to_string(state) + "\n";
  }
  return text;
}

/// Compressed once for all tests, for xz takes seconds.
const std::string& packed(const std::string& ending) {
  static std::map<std::string, std::string> all;
  std::string& bytes = all[ending];
  if (!bytes.empty()) return bytes;
  const TemporaryFolder folder;
  OutputFile file(folder.file("packed" + ending));
  file.write(many_bytes());
  file.finish();
  return bytes = read_whole_file(folder.file("packed" + ending));
}

std::string bytes_of_source(const std::string& path, std::size_t piece) {
  const auto source = open_byte_source(path);
  std::string all, bytes(piece, '\0');
  while (const std::size_t got = source->read(bytes.data(), bytes.size())) all.append(bytes, 0, got);
  EXPECT_EQ(source->read(bytes.data(), bytes.size()), 0u) << "the end stays the end";
  EXPECT_EQ(source->bytes_read(), source->bytes_total());
  return all;
}

class ReadAhead : public testing::TestWithParam<const char*> {};

TEST_P(ReadAhead, GivesAllBytesInAnyPieces) {
  const TemporaryFolder folder;
  const std::string text = many_bytes(), path = folder.write("once", packed(GetParam()));
  for (const std::size_t piece : {std::size_t{1000}, std::size_t{1} << 18, std::size_t{1} << 24})
    EXPECT_TRUE(bytes_of_source(path, piece) == text) << piece;
  const std::string twice = packed(GetParam()) + packed(GetParam());
  EXPECT_TRUE(bytes_of_source(folder.write("twice", twice), 5000) == text + text);
}

TEST_P(ReadAhead, SaysAgainThatTheDataIsCutShort) {
  const TemporaryFolder folder;
  const std::string& whole = packed(GetParam());
  const auto source = open_byte_source(folder.write("cut", whole.substr(0, whole.size() - 3)));
  std::string bytes(1 << 20, '\0');
  const auto read_all = [&] {
    while (source->read(bytes.data(), bytes.size()) > 0) {
    }
  };
  for (int i = 0; i < 2; ++i) EXPECT_THROW(read_all(), DamagedBytes);
}

TEST_P(ReadAhead, MayEndBeforeTheEnd) {
  const TemporaryFolder folder;
  const std::string path = folder.write("once", packed(GetParam()));
  for (const std::size_t pieces : {std::size_t{0}, std::size_t{8}, std::size_t{10}}) {
    const auto source = open_byte_source(path);
    std::string bytes(1 << 18, '\0');
    for (std::size_t i = 0; i < pieces; ++i) EXPECT_GT(source->read(bytes.data(), bytes.size()), 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, ReadAhead, testing::Values(".gz", ".zst", ".bz2", ".xz"),
                         [](const auto& format) { return std::string(format.param).substr(1); });

}  // namespace
}  // namespace quarry
