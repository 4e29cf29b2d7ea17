/// Lines of plain and compressed files, and what a damaged file says.
#include "util/files/line_reader.hpp"

#include <gtest/gtest.h>
#include <zstd.h>

#include <vector>

#include "support/temporary_folder.hpp"
#include "util/files/byte_source.hpp"
#include "util/files/mapped_file.hpp"
#include "util/files/output_file.hpp"

namespace quarry {
namespace {

using test::message_of;
using test::read_whole_file;
using test::TemporaryFolder;

std::vector<std::string> lines_of(const std::string& path) {
  LineReader reader(path);
  std::vector<std::string> lines;
  for (std::string line; reader.next(line);) lines.push_back(line);
  EXPECT_EQ(reader.line_number(), std::ssize(lines));
  return lines;
}

std::string compressed(const TemporaryFolder& folder, const std::string& extension, std::string_view text) {
  const std::string path = folder.file("packed" + extension);
  OutputFile file(path);
  file.write(text);
  file.finish();
  return read_whole_file(path);
}

/// Lines whose text does not compress away.
std::string many_lines(int count) {
  std::string text;
  std::uint64_t state = 7;
  for (int i = 0; i < count; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    text += std::to_string(state) + "\n";
  }
  return text;
}

using Lines = std::vector<std::string>;

TEST(LineReader, ReadsLinesThatEndWithCarriageReturns) {
  const TemporaryFolder folder;
  EXPECT_EQ(lines_of(folder.write("a", "one\rtwo\r\rthree")), (Lines{"one", "two", "", "three"}));
  EXPECT_EQ(lines_of(folder.write("b", "one\r")), (Lines{"one"}));
  EXPECT_EQ(lines_of(folder.write("c", "one\rtwo\n")), (Lines{"one\rtwo"}));
  EXPECT_EQ(lines_of(folder.write("d", "")), Lines{});
  const std::string large(300000, 'x');  // the first line end is not in the first buffer
  EXPECT_EQ(lines_of(folder.write("e", large + "\rtwo\rthree\r")), (Lines{large, "two", "three"}));
}

TEST(LineReader, RefusesAFileThatSomethingWritesTo) {
  const TemporaryFolder folder;
  for (const std::string name : {"cut", "longer"}) {
    const std::string path = folder.write(name, many_lines(100'000));
    LineReader reader(path);
    std::string line;
    ASSERT_TRUE(reader.next(line));
    std::filesystem::resize_file(path, name == "cut" ? 4096 : 4'000'000);
    const std::string message = message_of<InputError>([&] {
      while (reader.next(line)) {
      }
    });
    EXPECT_NE(message.find("changed since it was opened"), std::string::npos) << message;
  }
}

TEST(LineReader, RefusesWhatIsNoText) {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& bytes) {
    return message_of<InputError>([&] { lines_of(folder.write("a", bytes)); });
  };
  EXPECT_NE(refusal(std::string("\xFF\xFE\x43\0", 4)).find("a is text in UTF-16 (little-endian)"), std::string::npos);
  EXPECT_NE(refusal(std::string("\xFE\xFF\0\x43", 4)).find("a is text in UTF-16 (big-endian)"), std::string::npos);
  EXPECT_NE(refusal(std::string("C\0C\0", 4)).find("a seems to be text in UTF-16 (little-endian, "), std::string::npos);
  EXPECT_NE(refusal(std::string("\0C\0C", 4)).find("a seems to be text in UTF-16 (big-endian, "), std::string::npos);
  for (const std::string& text : {std::string("C\0C", 3), std::string("C\0CC", 4), std::string("\0\0\0\0", 4)})
    EXPECT_EQ(lines_of(folder.write("c", text)), Lines{text});
  EXPECT_NE(refusal("QUARRYLB1234").find("a is a library and no text"), std::string::npos);
  EXPECT_NE(refusal("QUARRYHT1234").find("a is a file of hits and no text"), std::string::npos);
  EXPECT_EQ(lines_of(folder.write("b", "QUARRY")), Lines{"QUARRY"});
}

TEST(LineReader, CutsAtEveryKindOfLineEnd) {
  const TemporaryFolder folder;
  EXPECT_EQ(lines_of(folder.write("a", "one\r\n\ntwo \nthree")), (Lines{"one", "", "two ", "three"}));
  EXPECT_EQ(lines_of(folder.write("b", "one\n")), (Lines{"one"}));
  EXPECT_EQ(lines_of(folder.write("c", "")), (Lines{}));
  EXPECT_EQ(lines_of(folder.write("d", "\n")), (Lines{""}));
  EXPECT_EQ(lines_of(folder.write("e", "\xEF\xBB\xBFsmiles\r\n\r\n")), (Lines{"smiles", ""}));
}

TEST(LineReader, GivesWholeLinesInBlocks) {
  const TemporaryFolder folder;
  const std::string text = many_lines(50000);
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{21}, std::size_t{1000}, std::size_t{1} << 18, text.size()}) {
    LineReader reader(folder.write("a", text.substr(0, text.size() - 1)));
    std::string all;
    for (std::string lines; reader.next_lines(lines, size);) {
      EXPECT_EQ(lines.back(), '\n');
      EXPECT_LE(lines.size(), size + 21) << "the longest line has 21 bytes";
      all += lines;
    }
    EXPECT_EQ(reader.line_number(), 50000);
    EXPECT_TRUE(all == text) << size;
  }
  std::string lines;
  EXPECT_FALSE(LineReader(folder.write("b", "")).next_lines(lines, 10));
  EXPECT_TRUE(LineReader(folder.write("c", "\xEF\xBB\xBFid\r\n\n1\r\n")).next_lines(lines, 100));
  EXPECT_EQ(lines, "id\n\n1\r\n");
}

TEST(LineReader, ReadsCompressedFilesWhateverTheirName) {
  const TemporaryFolder folder;
  const std::string text = many_lines(50000);
  const Lines expected = lines_of(folder.write("plain", text));
  ASSERT_EQ(expected.size(), 50000u);
  for (const std::string extension : {".gz", ".zst", ".bz2", ".xz"}) {
    const std::string packed = compressed(folder, extension, text);
    EXPECT_EQ(lines_of(folder.write("renamed.smi", packed)), expected) << extension;
    Lines twice = expected;
    twice.insert(twice.end(), expected.begin(), expected.end());
    EXPECT_EQ(lines_of(folder.write("joined.smi", packed + packed)), twice) << extension << ", two members";
  }
}

TEST(LineReader, ReadsEmptyAndPaddedCompressedFiles) {
  const TemporaryFolder folder;
  EXPECT_EQ(lines_of(folder.write("empty.gz", compressed(folder, ".gz", ""))), (Lines{}));
  EXPECT_EQ(lines_of(folder.write("empty.zst", compressed(folder, ".zst", ""))), (Lines{}));
  EXPECT_EQ(lines_of(folder.write("empty.bz2", compressed(folder, ".bz2", ""))), (Lines{}));
  EXPECT_EQ(lines_of(folder.write("empty.xz", compressed(folder, ".xz", ""))), (Lines{}));
  EXPECT_EQ(lines_of(folder.write("padded.xz", compressed(folder, ".xz", "a\n") + std::string(1000, '\0'))),
            (Lines{"a"}));
  EXPECT_EQ(lines_of(folder.write("padded.gz", compressed(folder, ".gz", "a\n") + std::string(1000, '\0'))),
            (Lines{"a"}));
}

TEST(ByteSource, EndsWhereARoomIsFullExactly) {
  const TemporaryFolder folder;
  for (const std::string extension : {".gz", ".zst", ".bz2", ".xz"}) {
    const auto source = open_byte_source(folder.write("a", compressed(folder, extension, "four")));
    char bytes[4];
    for (std::size_t size = 0; size < 4;) size += source->read(bytes + size, 4 - size);
    EXPECT_EQ(std::string_view(bytes, 4), "four") << extension;
    EXPECT_EQ(source->read(bytes, 4), 0u) << extension;
  }
}

TEST(LineReader, TakesTextThatBeginsLikeACompressedFile) {
  const TemporaryFolder folder;
  for (const std::string text : {"BZh9", "BZh91AY&SX", "BZ", "PQ*M", "P"})
    EXPECT_EQ(lines_of(folder.write("a", text)), Lines{text});
}

TEST(LineReader, NamesFileAndLineOfDamagedData) {
  const TemporaryFolder folder;
  const std::string text = many_lines(90000);  // less than what a thread would decompress ahead
  for (const std::string extension : {".gz", ".zst", ".bz2", ".xz"}) {
    const std::string packed = compressed(folder, extension, text);
    const std::string cut = folder.write("cut" + extension, packed.substr(0, packed.size() / 2));
    const std::string said = message_of<InputError>([&] { lines_of(cut); });
    EXPECT_NE(said.find(cut + " beyond line "), std::string::npos) << said;
    EXPECT_NE(said.find("cut short"), std::string::npos) << said;
    EXPECT_EQ(said.find("line 0"), std::string::npos) << said;

    std::string flipped = packed;
    for (std::size_t i = flipped.size() / 2; i < flipped.size() / 2 + 64; ++i) flipped[i] = ~flipped[i];
    EXPECT_THROW(lines_of(folder.write("flipped" + extension, flipped)), InputError) << extension;
    EXPECT_THROW(lines_of(folder.write("trailing" + extension, packed + "garbage")), InputError) << extension;
    for (std::size_t size = 5; size < 20; ++size) {
      EXPECT_THROW(lines_of(folder.write("short" + extension, packed.substr(0, size))), InputError) << size;
    }
  }
}

TEST(LineReader, RefusesMissingFilesAndFolders) {
  const TemporaryFolder folder;
  const std::string missing = folder.file("missing.smi");
  EXPECT_NE(message_of<InputError>([&] { LineReader reader(missing); }).find(missing), std::string::npos);
  const std::string said = message_of<InputError>([&] { LineReader reader(folder.path().string()); });
  EXPECT_NE(said.find("it is a folder"), std::string::npos) << said;
}

TEST(LineReader, TakesLinesUpToTheLimit) {
  const TemporaryFolder folder;
  const std::string longest(kMaxLineBytes, 'C');
  EXPECT_EQ(lines_of(folder.write("longest", longest + "\nnext")), (Lines{longest, "next"}));
  const std::string said = message_of<InputError>([&] { lines_of(folder.write("longer", "a\n" + longest + "C")); });
  EXPECT_NE(said.find("line 2 of"), std::string::npos) << said;
}

TEST(LineReader, CountsBytesAsStored) {
  const TemporaryFolder folder;
  const std::string packed = compressed(folder, ".gz", many_lines(1000));
  LineReader reader(folder.write("lines.gz", packed));
  EXPECT_EQ(reader.bytes_total(), std::ssize(packed));
  for (std::string line; reader.next(line);) {
  }
  EXPECT_EQ(reader.bytes_read(), std::ssize(packed));
}

TEST(MappedFile, HoldsTheBytesAndMoves) {
  const TemporaryFolder folder;
  MappedFile first(folder.write("file", "abc"));
  const MappedFile second(std::move(first));
  ASSERT_EQ(second.bytes().size(), 3u);
  EXPECT_EQ(second.bytes()[2], std::byte{'c'});
  EXPECT_TRUE(first.bytes().empty());
}

TEST(MappedFile, RefusesWhatIsNotAFile) {
  const TemporaryFolder folder;
  const auto said = [](const std::string& path) {
    return message_of<InputError>([&] { const MappedFile file(path); });
  };
  EXPECT_NE(said(folder.file("missing")).find("missing: No such file"), std::string::npos);
  EXPECT_NE(said(folder.write("empty", "")).find("it is empty"), std::string::npos);
  EXPECT_NE(said(folder.path().string()).find("it is a folder"), std::string::npos);
  EXPECT_NE(said("/dev/null").find("not a regular file"), std::string::npos);
}

}  // namespace
}  // namespace quarry
