/// Values as bytes and back, and what is said where bytes are missing or left over; and characters of ASCII.
#include "util/bytes.hpp"

#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"
#include "util/ascii.hpp"

namespace quarry {
namespace {

TEST(Bytes, AreReadBackAsTheyWereWritten) {
  ByteWriter writer;
  writer.put<std::uint8_t>(255);
  writer.align(4);
  writer.put<std::uint32_t>(Index{0xffffffff});
  writer.put<std::int64_t>(-7);
  writer.append_text("text\n");
  EXPECT_EQ(writer.size(), 4u + 4 + 8 + 5);
  const auto bytes = writer.take();
  ByteReader reader(bytes, "here: ");
  EXPECT_EQ(reader.take<std::uint32_t>(), 255u);  // the padding is zero
  EXPECT_EQ(reader.take<std::uint32_t>(), 0xffffffffu);
  EXPECT_EQ(reader.take<std::int64_t>(), -7);
  EXPECT_FALSE(reader.empty());
  EXPECT_EQ(reader.take_text(5), "text\n");
  EXPECT_EQ(reader.take_text(0), "");
  EXPECT_TRUE(reader.empty());
  reader.finish();
}

TEST(Bytes, AlignAddsNothingAtAMultiple) {
  ByteWriter writer;
  writer.align(8);
  EXPECT_TRUE(writer.empty());
  for (const std::size_t size : {1, 7, 8}) {
    ByteWriter padded;
    padded.append_text(std::string(size, 'x'));
    padded.align(8);
    EXPECT_EQ(padded.size(), 8u) << size;
  }
}

TEST(Bytes, ANumberThatDoesNotFitIsABug) {
  ByteWriter writer;
  EXPECT_THROW(writer.put<std::uint8_t>(256), std::logic_error);
  EXPECT_THROW(writer.put<std::uint32_t>(-1), std::logic_error);
  EXPECT_TRUE(writer.empty());
}

TEST(Bytes, SaysHowManyAreMissingOrLeft) {
  const std::vector<std::byte> bytes(5);
  ByteReader reader(bytes, "here: ");
  EXPECT_EQ(test::message_of<InputError>([&] { reader.take_bytes(6); }), "here: it ends early, bytes missing: 1");
  EXPECT_EQ(test::message_of<InputError>([&] { reader.take<std::uint64_t>(); }),
            "here: it ends early, bytes missing: 3");
  reader.take<std::uint32_t>();
  EXPECT_EQ(test::message_of<InputError>([&] { reader.finish(); }), "here: bytes left over at the end: 1");
}

TEST(Ascii, KnowsItsCharacters) {
  for (const char c : {'a', 'z', 'A', 'Z'}) EXPECT_TRUE(is_letter(c)) << c;
  for (const char c : {'`', '{', '@', '[', '0', '\xe4'}) EXPECT_FALSE(is_letter(c)) << c;
  for (const char c : {'0', '9'}) EXPECT_TRUE(is_digit(c)) << c;
  for (const char c : {'/', ':', 'a'}) EXPECT_FALSE(is_digit(c)) << c;
  EXPECT_EQ(lower_case("AZaz09 \xc4["), "azaz09 \xc4[");
  EXPECT_EQ(trimmed(" \ta b\t "), "a b");
  EXPECT_EQ(trimmed(" \t"), "");
  EXPECT_EQ(shown("ab\x1b", 3), "ab?");
  EXPECT_EQ(shown("abcd", 3), "abc...");
}

}  // namespace
}  // namespace quarry
