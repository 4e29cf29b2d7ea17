/// How many bits the rows of two bit matrices share: a product of bit matrices, which tensor cores compute.
///
/// A team counts a strip of 8 rows times 64. On an NVIDIA GPU of compute capability 8.0 or above each warp of it takes
/// tiles of 8 x 8, by the matrix instruction on single bits (AND, then population count). Elsewhere the lanes take
/// turns with the pairs.
#pragma once
#include "exec/simd/bits.hpp"
#include "exec/team.hpp"

namespace quarry {

/// Rows and columns of a strip.
inline constexpr Index kProductRows = 8, kProductColumns = 64;
/// The words of a row are a multiple of this.
inline constexpr Index kProductWords = 2;

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define QUARRY_BIT_TENSORS
#endif

namespace detail {
/// One warp: a tile of 8 x 8, 128 bits of each row at a time. Lane 4 r + c holds 32 of those bits of row r of either
/// side, and counts 2 c and 2 c + 1 of row r (PTX ISA, mma.m8n8k128).
/// @param multiply  the instruction: (bits of left, bits of right, counts), by all lanes together
template <class Instruction>
QUARRY_HD void multiply_tile(int lane, const std::uint64_t* left, const std::uint64_t* right, Index words,
                             std::int32_t* counts, Index stride, Instruction&& multiply) {
  std::int32_t own[2] = {};
  for (Index word = 0; word < words; word += 2) {
    const Index index = lane / 4 * words + word + lane % 4 / 2;
    const int shift = 32 * (lane % 2);
    const std::uint32_t left_bits = left[index] >> shift, right_bits = right[index] >> shift;
    multiply(left_bits, right_bits, own);
  }
  std::int32_t* const out = counts + lane / 4 * stride + lane % 4 * 2;
  out[0] = own[0];
  out[1] = own[1];
}
}  // namespace detail

/// Bits that row r of `left` and row c of `right` share, to `counts[r * stride + c]`, for a strip.
/// @param left, right  [kProductRows][words] and [kProductColumns][words]
QUARRY_HD void count_shared_bits(Team auto& team, const std::uint64_t* left, const std::uint64_t* right, Index words,
                                 std::int32_t* counts, Index stride) {
#ifdef QUARRY_BIT_TENSORS
  constexpr int kWarp = 32;
  if (team.size() % kWarp == 0) {
    for (Index tile = team.rank() / kWarp; tile < kProductColumns / 8; tile += team.size() / kWarp) {
      detail::multiply_tile(team.rank() % kWarp, left, right + 8 * tile * words, words, counts + 8 * tile, stride,
                            [](std::uint32_t a, std::uint32_t b, std::int32_t* own) {
                              asm("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc {%0, %1}, {%2}, {%3}, "
                                  "{%0, %1};"
                                  : "+r"(own[0]), "+r"(own[1])
                                  : "r"(a), "r"(b));
                            });
    }
    return;
  }
#endif
  team_for(team, kProductRows * kProductColumns, [&](Index pair) {
    const Index row = pair / kProductColumns, column = pair % kProductColumns;
    Index shared = 0;
    for (Index w = 0; w < words; ++w) shared += count_bits(left[row * words + w] & right[column * words + w]);
    counts[row * stride + column] = shared;
  });
}

/// Bit `plane` of 64 counts.
QUARRY_HD inline std::uint64_t plane_of(const std::int32_t* counts, Index plane) {
  std::uint64_t bits = 0;
  for (Index i = 0; i < 64; ++i) {
    const std::uint64_t bit = counts[i] >> plane & 1;
    bits |= bit << i;
  }
  return bits;
}

}  // namespace quarry
