/// Upright counters against plain ones, on every vector instruction set that this machine has. The form for devices is
/// tested where it runs, by property/similar_device_test.cpp.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "support/random.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "unit/serial/bit_counts_test.cpp"
#include "exec/simd/each_target.hpp"
// After it.
#include "exec/simd/bit_counts-inl.hpp"

#ifndef QUARRY_TEST_BIT_COUNTS
#define QUARRY_TEST_BIT_COUNTS
namespace quarry::test {
/// What the operations of one instruction set say of one piece.
struct CountedPiece {
  std::vector<std::uint16_t> counts;
  std::vector<Index> one_by_one;
  std::vector<std::vector<std::uint64_t>> masks;  ///< of each limit
};
struct PieceInput {
  std::vector<const std::uint64_t*> rows;
  std::vector<std::uint64_t> first;  ///< [planes][words]
  Index words = 0;                   ///< of the first counts
  int first_planes = 0;
  Index word = 0, most = 0;
  std::vector<Index> limits;
};
using CountPiece = CountedPiece (*)(const PieceInput&);
}  // namespace quarry::test
#endif

QUARRY_BEFORE_TARGET();
namespace quarry {
namespace QUARRY_TARGET {

test::CountedPiece count_piece(const test::PieceInput& input) {
  BitCounts counts;
  sum_bits(input.rows.data(), std::ssize(input.rows), input.word, {input.first.data(), input.words, input.first_planes},
           input.word, planes_for(input.most), counts);
  test::CountedPiece found;
  found.counts.resize(64 * kCountWords);
  write_counts(counts, found.counts.data());
  for (Index column = 0; column < 64 * kCountWords; ++column) {
    found.one_by_one.push_back(counts.at(column / 64, column % 64));
  }
  for (const Index limit : input.limits) {
    found.masks.emplace_back(kCountWords);
    at_least(counts, limit, found.masks.back().data());
  }
  return found;
}
test::CountPiece piece_counter() { return count_piece; }

}  // namespace QUARRY_TARGET
}  // namespace quarry
QUARRY_AFTER_TARGET();

#if QUARRY_ONCE
namespace quarry {

HWY_EXPORT(piece_counter);

namespace {

constexpr Index kWords = 24;

/// Rows of random bits, some empty or full, and counts to begin with.
struct Case {
  std::vector<std::vector<std::uint64_t>> rows;
  test::PieceInput input;
  std::vector<Index> expected;  ///< of all columns
};

Case random_case(test::Random& random, Index num_rows, int first_planes) {
  Case made;
  made.expected.assign(64 * kWords, 0);
  for (Index r = 0; r < num_rows; ++r) {
    auto& row = made.rows.emplace_back(kWords, 0);
    const Index share = random.below(3) * 50;  // none, half or all
    for (Index c = 0; c < 64 * kWords; ++c) {
      if (!random.chance(static_cast<int>(share))) continue;
      row[c / 64] |= std::uint64_t{1} << c % 64;
      ++made.expected[c];
    }
  }
  for (const auto& row : made.rows) made.input.rows.push_back(row.data());
  made.input.words = kWords;
  made.input.first_planes = first_planes;
  made.input.first.assign(first_planes * kWords, 0);
  for (Index c = 0; c < 64 * kWords && first_planes > 0; ++c) {
    const Index first = random.below(Index{1} << first_planes);
    made.expected[c] += first;
    for (int p = 0; p < first_planes; ++p) {
      made.input.first[p * kWords + c / 64] |= static_cast<std::uint64_t>(first >> p & 1) << c % 64;
    }
  }
  made.input.most = num_rows + (Index{1} << first_planes) - 1;
  return made;
}

void expect_counted(const Case& made, const test::CountedPiece& found, Index word) {
  const auto size = std::ssize(found.counts);
  for (Index c = 0; c < size; ++c) {
    const auto at = static_cast<std::size_t>(c);
    const Index expected = made.expected[64 * word + c];
    ASSERT_EQ(found.counts[at], expected) << c;
    ASSERT_EQ(found.one_by_one[at], expected) << c;
    for (std::size_t i = 0; i < made.input.limits.size(); ++i) {
      ASSERT_EQ(found.masks[i][at / 64] >> at % 64 & 1, expected >= made.input.limits[i] ? 1U : 0U)
          << c << " counts " << expected << ", limit " << made.input.limits[i];
    }
  }
}

TEST(BitCounts, AreThoseOfAPlainLoop) {
  for (std::int64_t left = hwy::SupportedTargets() & HWY_TARGETS; left != 0; left &= left - 1) {
    hwy::SetSupportedTargetsForTest(left & -left);
    const test::CountPiece count_piece = HWY_DYNAMIC_DISPATCH(piece_counter)();
    hwy::SetSupportedTargetsForTest(0);
    SCOPED_TRACE(hwy::TargetName(left & -left));
    test::Random random(0xB17);
    for (const Index num_rows : {0, 8, 16, 48, 64, 256, 1032}) {
      for (const int first_planes : {0, 1, 3, 11}) {
        Case made = random_case(random, num_rows, first_planes);
        const Index most = made.input.most;
        made.input.limits = {0, 1, 2, 7, 8, most / 2, most, most + 1, 2 * most, 65535};
        for (Index word = 0; word < kWords; word += 8) {
          made.input.word = word;
          expect_counted(made, count_piece(made.input), word);
        }
      }
    }
  }
}

TEST(BitCounts, ReachTheLargest) {
  // A column counts its 65,528 rows, and what it began with.
  const std::vector<std::uint64_t> row(8, 1);
  test::PieceInput input;
  input.rows.assign(65528, row.data());
  input.words = 8;
  input.first_planes = 3;
  input.first.assign(24, 1);
  input.most = 65535;
  input.limits = {65534, 65535};
  const auto found = HWY_DYNAMIC_DISPATCH(piece_counter)()(input);
  EXPECT_EQ(found.counts[0], 65535);
  EXPECT_EQ(found.one_by_one[0], 65535);
  EXPECT_EQ(found.counts[1], 0);
  EXPECT_EQ(found.masks[0][0], 1U);
  EXPECT_EQ(found.masks[1][0], 1U);
}

}  // namespace
}  // namespace quarry
#endif
