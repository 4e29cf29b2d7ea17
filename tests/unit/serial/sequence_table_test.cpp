/// Numbers of sequences, against a map.
#include "util/sequence_table.hpp"

#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "support/random.hpp"

namespace quarry {
namespace {

TEST(SequenceTable, NumbersGoByFirstUse) {
  test::Random random(0x5E9);
  SequenceTable table;
  for (int turn = 0; turn < 2; ++turn) {
    std::map<std::vector<std::uint64_t>, std::uint32_t> expected;
    for (int i = 0; i < 20000; ++i) {
      std::vector<std::uint64_t> sequence(random.below(10));
      for (std::uint64_t& word : sequence) word = random.below(3);
      const auto found = expected.find(sequence);
      ASSERT_EQ(table.find(sequence), found == expected.end() ? std::nullopt : std::optional(found->second)) << i;
      const auto [known, is_new] = expected.try_emplace(sequence, expected.size());
      ASSERT_EQ(table.add(sequence), std::pair(known->second, is_new)) << i;
    }
    EXPECT_EQ(table.size(), std::ssize(expected));
    EXPECT_GT(table.size(), 4000);
    table.clear();
    EXPECT_EQ(table.size(), 0);
  }
}

TEST(SequenceTable, AnEndOfZerosIsPartOfASequence) {
  SequenceTable table;
  for (std::size_t size = 0; size < 12; ++size) {
    EXPECT_EQ(table.add(std::vector<std::uint64_t>(size, 0)), std::pair(static_cast<std::uint32_t>(size), true));
  }
  EXPECT_EQ(table.add(std::vector<std::uint64_t>(7, 0)), std::pair(7U, false));
  EXPECT_EQ(table.add(std::vector<std::uint64_t>(8, 0)), std::pair(8U, false));
}

}  // namespace
}  // namespace quarry
