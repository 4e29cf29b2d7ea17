/// Files whose parts are decompressed at the same time: the same bytes, and the same errors, as with one thread.
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/random.hpp"
#include "support/temporary_folder.hpp"
#include "util/files/byte_source.hpp"
#include "util/files/compression/zstd_frame.hpp"

namespace quarry {
namespace {

using test::TemporaryFolder;

std::string many_bytes(std::size_t size) {
  std::string text;
  std::uint64_t state = 7;
  while (text.size() < size) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    text += std::to_string(state) + "\n";
  }
  return text;
}

/// A member of gzip as bgzip writes it, with its size in the header. @param size_error  added to that size
std::string bgzip_member(const std::string& text, int size_error = 0) {
  std::vector<Bytef> data(compressBound(text.size()) + 64);
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = text.size();
  stream.next_out = data.data();
  stream.avail_out = data.size();
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  data.resize(data.size() - stream.avail_out);
  deflateEnd(&stream);
  std::string member("\x1f\x8b\x08\x04\0\0\0\0\0\xff\x06\0BC\x02\0", 16);
  const auto put = [&](std::uint32_t number, int bytes) {
    for (; bytes > 0; --bytes, number >>= 8) member.push_back(static_cast<char>(number & 0xff));
  };
  put(18 + data.size() + 8 - 1 + size_error, 2);
  member.append(data.begin(), data.end());
  put(crc32(0, reinterpret_cast<const Bytef*>(text.data()), text.size()), 4);
  put(text.size(), 4);
  return member;
}

std::string bgzip(const std::string& text) {
  std::string file;
  for (std::size_t at = 0; at < text.size(); at += 60'000) file += bgzip_member(text.substr(at, 60'000));
  return file + bgzip_member("");
}

std::string frames(const std::string& text, std::size_t size) {
  std::string file;
  for (std::size_t at = 0; at < text.size(); at += size) {
    const auto frame = zstd_frame(std::as_bytes(std::span(text).subspan(at, std::min(size, text.size() - at))));
    file.append(reinterpret_cast<const char*>(frame.data()), frame.size());
    file.append("\x50\x2a\x4d\x18\x04\0\0\0skip", 12);
  }
  return file;
}

std::string bytes_of_source(const std::string& path, int threads) {
  const auto source = open_byte_source(path, threads);
  std::string all, bytes(100'000, '\0');
  while (const std::size_t got = source->read(bytes.data(), bytes.size())) all.append(bytes, 0, got);
  EXPECT_EQ(source->read(bytes.data(), bytes.size()), 0u);
  EXPECT_EQ(source->bytes_read(), source->bytes_total());
  return all;
}

TEST(ParallelBytes, GivesTheSameBytes) {
  const TemporaryFolder folder;
  const std::string text = many_bytes(std::size_t{6} << 20);
  for (const std::string& packed :
       {bgzip(text), frames(text, 50'000), frames(text, 1'000'000), frames(text, 5'000'000)})
    for (const int threads : test::settings({1, 2, 7}))
      EXPECT_TRUE(bytes_of_source(folder.write("a", packed), threads) == text);
}

/// Members without a size among others, frames that are larger than a part may be, and parts that become too much.
TEST(ParallelBytes, TakesWhatItCannotCut) {
  const TemporaryFolder folder;
  const std::string text = many_bytes(std::size_t{3} << 20), large = many_bytes(std::size_t{20} << 20);
  std::string plain = bgzip_member("between");
  plain[12] = 'X';  // a subfield of another program
  EXPECT_TRUE(bytes_of_source(folder.write("a", bgzip(text) + plain + bgzip(text)), 3) == text + "between" + text);
  EXPECT_TRUE(bytes_of_source(
                  folder.write("b", frames(text, 1'000'000) + frames(large, large.size()) + frames(text, 1'000'000)),
                  3) == text + large + text);
  const std::string zeros(std::size_t{40} << 20, '0');
  EXPECT_TRUE(bytes_of_source(
                  folder.write("c", frames(text, 1'000'000) + frames(zeros, zeros.size()) + frames(text, 1'000'000)),
                  3) == text + zeros + text);
}

TEST(ParallelBytes, SaysWhatIsDamagedAndStaysThere) {
  const TemporaryFolder folder;
  const std::string text = many_bytes(std::size_t{3} << 20);
  std::string flipped = bgzip(text);  // these frames of zstd have no checksum
  flipped[flipped.size() / 2] = static_cast<char>(flipped[flipped.size() / 2] ^ 4);
  for (const std::string& packed : {bgzip(text), frames(text, 1'000'000)}) {
    for (const std::string& bytes : {packed.substr(0, packed.size() / 2), flipped, packed + "garbage"}) {
      const auto source = open_byte_source(folder.write("a", bytes), 3);
      std::string room(100'000, '\0');
      const auto read_all = [&] {
        while (source->read(room.data(), room.size()) > 0) {
        }
      };
      EXPECT_THROW(read_all(), DamagedBytes);
      EXPECT_THROW(read_all(), DamagedBytes);
    }
  }
}

/// One thread reads on behind each member, and does not look at the size.
TEST(ParallelBytes, ASizeThatIsNotTrueChangesNothing) {
  const TemporaryFolder folder;
  const std::string text = many_bytes(std::size_t{3} << 20), some = text.substr(0, 60'000);
  for (const int error : test::settings({-60, -4, 4, 100})) {
    const std::string path = folder.write("a", bgzip(text) + bgzip_member(some, error) + bgzip(text));
    for (const int threads : test::settings({1, 3}))
      EXPECT_TRUE(bytes_of_source(path, threads) == text + some + text) << error;
  }
  const std::string frame("\x28\xb5\x2f\xfd\x40\x13\x17\x58\x01\0\0", 11);  // says 22,807 bytes, has none
  for (const int threads : test::settings({1, 3}))
    EXPECT_TRUE(bytes_of_source(folder.write("c", frames(text, 1'000'000) + frame), threads) == text);
  const std::string many(std::size_t{40} << 20, '0'), path = folder.write("b", bgzip_member(many, -7) + bgzip(text));
  for (const int threads : test::settings({1, 3})) EXPECT_TRUE(bytes_of_source(path, threads) == many + text);
  // Pieces that are already at work stand behind one that is too large.
  EXPECT_TRUE(bytes_of_source(folder.write("d", bgzip_member(many) + bgzip(text)), 3) == many + text);
}

}  // namespace
}  // namespace quarry
