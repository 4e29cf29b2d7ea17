/// Products of bit matrices: any team, and the registers of the matrix instruction.
#include "exec/simd/bit_product.hpp"

#include <gtest/gtest.h>

#include <barrier>
#include <random>
#include <thread>
#include <vector>

namespace quarry::test {
namespace {

std::vector<std::uint64_t> random_words(std::mt19937_64& random, Index count) {
  std::vector<std::uint64_t> words;
  for (Index i = 0; i < count; ++i) words.push_back(random() & random());
  return words;
}

std::int32_t shared_bits(const std::uint64_t* one, const std::uint64_t* other, Index words) {
  std::int32_t shared = 0;
  for (Index bit = 0; bit < 64 * words; ++bit) shared += one[bit / 64] >> bit % 64 & other[bit / 64] >> bit % 64 & 1;
  return shared;
}

/// The counts of a tile of 8 rows, and beside its columns nothing written.
void expect_shared_bits(const std::vector<std::uint64_t>& left, const std::vector<std::uint64_t>& right, Index words,
                        const std::vector<std::int32_t>& counts, Index columns) {
  const Index stride = std::ssize(counts) / 8;
  for (Index row = 0; row < 8; ++row) {
    for (Index column = 0; column < stride; ++column) {
      const auto* const one = left.data() + row * words;
      const std::int32_t expected = column < columns ? shared_bits(one, right.data() + column * words, words) : -1;
      ASSERT_EQ(counts[row * stride + column], expected) << row << " " << column;
    }
  }
}

TEST(BitProduct, OfOneLane) {
  std::mt19937_64 random(0xB1);
  for (const Index words : {2, 4, 14}) {
    const auto left = random_words(random, kProductRows * words), right = random_words(random, kProductColumns * words);
    std::vector<std::int32_t> counts(8 * 100, -1);
    HostTeam team;
    count_shared_bits(team, left.data(), right.data(), words, counts.data(), 100);
    expect_shared_bits(left, right, words, counts, kProductColumns);
  }
}

/// mma.m8n8k128 as the PTX ISA describes it: registers of 32 lanes make up an 8 x 128 matrix A, a 128 x 8 matrix B and
/// an 8 x 8 matrix C; every lane waits for all.
class MatrixInstruction {
 public:
  void operator()(int lane, std::uint32_t a, std::uint32_t b, std::int32_t* c) {
    const int group = lane >> 2, member = lane % 4;
    for (int i = 0; i < 32; ++i) {
      a_[group][member * 32 + i] = a >> i & 1;
      b_[member * 32 + i][group] = b >> i & 1;
    }
    all_.arrive_and_wait();
    for (int i = 0; i < 2; ++i) {
      for (int k = 0; k < 128; ++k) c[i] += a_[group][k] && b_[k][member * 2 + i];
    }
    all_.arrive_and_wait();
  }

 private:
  bool a_[8][128] = {}, b_[128][8] = {};
  std::barrier<> all_{32};
};

TEST(BitProduct, OfAWarpWithTheMatrixInstruction) {
  std::mt19937_64 random(0xB2);
  for (const Index words : {2, 8}) {
    const auto left = random_words(random, 8 * words), right = random_words(random, 8 * words);
    std::vector<std::int32_t> counts(8 * 11, -1);
    MatrixInstruction instruction;
    {
      std::vector<std::jthread> lanes;
      for (int lane = 0; lane < 32; ++lane) {
        lanes.emplace_back([&, lane] {
          detail::multiply_tile(
              lane, left.data(), right.data(), words, counts.data(), 11,
              [&](std::uint32_t a, std::uint32_t b, std::int32_t* own) { instruction(lane, a, b, own); });
        });
      }
    }
    expect_shared_bits(left, right, words, counts, 8);
  }
}

}  // namespace
}  // namespace quarry::test
