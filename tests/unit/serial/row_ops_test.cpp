/// The row operations against plain loops, on every vector instruction set that this machine has.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "support/random.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "unit/serial/row_ops_test.cpp"
#include "exec/simd/each_target.hpp"
#include "exec/simd/row_ops-inl.hpp"

#ifndef QUARRY_TEST_ROW_OPERATIONS
#define QUARRY_TEST_ROW_OPERATIONS
namespace quarry::test {
/// The operations of one instruction set.
struct RowOperations {
  std::int64_t target;
  void (*or_row)(std::uint64_t*, const std::uint64_t*, Index);
  bool (*any_bit)(const std::uint64_t*, Index);
  bool (*shares_bits)(const std::uint64_t*, const std::uint64_t*, Index);
  std::uint64_t (*at_least)(const std::uint8_t*, std::uint8_t);
  void (*transpose_bits)(std::uint64_t*);
  void (*transpose_64)(std::uint64_t*);
  void (*transpose_32)(std::uint64_t*);
  Index side_by_side;
};
}  // namespace quarry::test
#endif

QUARRY_BEFORE_TARGET();
namespace quarry {
namespace QUARRY_TARGET {
test::RowOperations row_operations() {
  const auto transpose_64 = [](std::uint64_t* rows) { transpose_side_by_side<64>(rows); };
  const auto transpose_32 = [](std::uint64_t* rows) { transpose_side_by_side<32>(rows); };
  return {HWY_TARGET, or_row, any_bit, shares_bits, at_least, transpose_bits, transpose_64, transpose_32, kSideBySide};
}
}  // namespace QUARRY_TARGET
}  // namespace quarry
QUARRY_AFTER_TARGET();

#if QUARRY_ONCE
namespace quarry {

HWY_EXPORT(row_operations);

namespace {

using Row = std::vector<std::uint64_t>;
constexpr Index kMaxWords = 40;

std::uint64_t random_word(test::Random& random) {
  std::uint64_t word = 0;
  for (int part = 0; part < 4; ++part) word = word << 16 | static_cast<std::uint64_t>(random.below(1 << 16));
  return word;
}

/// Dense, sparse and empty rows.
Row random_row(test::Random& random, Index words) {
  Row row(static_cast<std::size_t>(words), 0);
  const Index sort = random.below(3);
  for (std::uint64_t& word : row) {
    if (sort == 0) word = random_word(random);
    if (sort == 1 && random.chance(5)) word = std::uint64_t{1} << random.below(64);
  }
  return row;
}

/// Runs `check` once per instruction set.
class RowOps : public testing::Test {
 protected:
  template <class Check>
  void on_every_target(Check check) {
    std::int64_t checked = 0;
    for (std::int64_t left = hwy::SupportedTargets() & HWY_TARGETS; left != 0; left &= left - 1) {
      const std::int64_t target = left & -left;
      hwy::SetSupportedTargetsForTest(target);
      const test::RowOperations operations = HWY_DYNAMIC_DISPATCH(row_operations)();
      hwy::SetSupportedTargetsForTest(0);
      ASSERT_EQ(operations.target, target);
      SCOPED_TRACE(hwy::TargetName(target));
      test::Random random(20251116);
      check(operations, random);
      ++checked;
    }
    EXPECT_GE(checked, 1);
  }
  /// `check(length, left, right)` for every length, several times.
  template <class Check>
  void on_random_rows(test::Random& random, Check check) {
    for (Index words = 0; words <= kMaxWords; ++words) {
      for (int turn = 0; turn < 20; ++turn) check(words, random_row(random, words), random_row(random, words));
    }
  }
};

TEST_F(RowOps, OrRow) {
  on_every_target([&](const test::RowOperations& operations, test::Random& random) {
    on_random_rows(random, [&](Index words, const Row& left, const Row& right) {
      // One word more than is asked for, which must stay as it is.
      Row found = left, expected = left, row = right;
      found.push_back(5);
      row.push_back(~std::uint64_t{0});
      for (std::size_t w = 0; w < expected.size(); ++w) expected[w] |= right[w];
      expected.push_back(5);
      operations.or_row(found.data(), row.data(), words);
      ASSERT_EQ(found, expected) << words;
    });
  });
}

TEST_F(RowOps, AnyBit) {
  on_every_target([&](const test::RowOperations& operations, test::Random& random) {
    on_random_rows(random, [&](Index words, Row row, const Row&) {
      bool expected = false;
      for (const std::uint64_t word : row) expected = expected || word != 0;
      row.push_back(1);
      ASSERT_EQ(operations.any_bit(row.data(), words), expected) << words;
    });
    for (Index bit = 0; bit < 64 * kMaxWords; ++bit) {
      Row row(kMaxWords, 0);
      row[bit / 64] = std::uint64_t{1} << (bit % 64);
      ASSERT_TRUE(operations.any_bit(row.data(), kMaxWords)) << bit;
      ASSERT_FALSE(operations.any_bit(row.data(), bit / 64)) << bit;
    }
  });
}

TEST_F(RowOps, SharesBits) {
  on_every_target([&](const test::RowOperations& operations, test::Random& random) {
    on_random_rows(random, [&](Index words, Row left, Row right) {
      Index expected = 0;
      for (Index bit = 0; bit < 64 * words; ++bit) {
        const auto word = static_cast<std::size_t>(bit / 64);
        expected += static_cast<Index>(left[word] >> (bit % 64) & right[word] >> (bit % 64) & 1);
      }
      left.push_back(1);
      right.push_back(1);
      ASSERT_EQ(operations.shares_bits(left.data(), right.data(), words), expected > 0) << words;
    });
  });
}

TEST_F(RowOps, AtLeast) {
  on_every_target([&](const test::RowOperations& operations, test::Random& random) {
    for (int turn = 0; turn < 300; ++turn) {
      const auto threshold = static_cast<std::uint8_t>(turn < 256 ? turn : random.below(256));
      std::vector<std::uint8_t> counts(64);
      for (std::uint8_t& count : counts) {
        // Near the threshold, or anywhere: 127, 128 and 255 are where signed comparisons go wrong.
        count = static_cast<std::uint8_t>(random.chance(50) ? threshold + random.between(-1, 1) : random.below(256));
      }
      std::uint64_t expected = 0;
      for (std::size_t i = 0; i < 64; ++i) expected |= std::uint64_t{counts[i] >= threshold} << i;
      ASSERT_EQ(operations.at_least(counts.data(), threshold), expected) << int{threshold};
    }
  });
}

TEST_F(RowOps, TransposeBits) {
  on_every_target([&](const test::RowOperations& operations, test::Random& random) {
    for (int turn = 0; turn < 100; ++turn) {
      Row rows(64);
      for (std::uint64_t& row : rows) row = random.chance(80) ? random_word(random) : 0;
      Row expected(64, 0);
      for (std::size_t r = 0; r < 64; ++r) {
        for (std::size_t c = 0; c < 64; ++c) expected[c] |= (rows[r] >> c & 1) << r;
      }
      Row found = rows;
      operations.transpose_bits(found.data());
      ASSERT_EQ(found, expected);
      operations.transpose_bits(found.data());
      ASSERT_EQ(found, rows);
    }
  });
}

/// Each word of a row is part of a square of its own, or has a part of two squares.
TEST_F(RowOps, TransposeSideBySide) {
  on_every_target([&](const test::RowOperations& operations, test::Random& random) {
    for (const Index size : {64, 32}) {
      Row rows(size * operations.side_by_side);
      for (std::uint64_t& row : rows) row = random_word(random);
      Row found = rows, expected(rows.size(), 0);
      for (Index r = 0; r < size; ++r) {
        for (Index i = 0; i < operations.side_by_side; ++i) {
          for (Index bit = 0; bit < 64; ++bit) {
            const std::uint64_t value = rows[r * operations.side_by_side + i] >> bit & 1;
            expected[bit % size * operations.side_by_side + i] |= value << (bit / size * size + r);
          }
        }
      }
      (size == 64 ? operations.transpose_64 : operations.transpose_32)(found.data());
      ASSERT_EQ(found, expected) << size;
    }
  });
}

}  // namespace
}  // namespace quarry
#endif
