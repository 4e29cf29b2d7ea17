/// The few operations on rows of words that are worth a vector unit, with Highway bodies on the host and plain loops
/// for a device compiler. Rows of words may have any length.
#include <cstdint>

#include "exec/simd/bits.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry {
namespace QUARRY_TARGET {

/// `accumulator |= row`.
QUARRY_HD inline void or_row(std::uint64_t* accumulator, const std::uint64_t* row, Index words) {
  Index i = 0;
#ifndef QUARRY_SCALAR
  const hwy::HWY_NAMESPACE::ScalableTag<std::uint64_t> tag;
  const Index lanes = hwy::HWY_NAMESPACE::Lanes(tag);
  for (; i + lanes <= words; i += lanes) {
    using namespace hwy::HWY_NAMESPACE;
    StoreU(Or(LoadU(tag, accumulator + i), LoadU(tag, row + i)), tag, accumulator + i);
  }
#endif
  for (; i < words; ++i) accumulator[i] |= row[i];
}

QUARRY_HD inline bool any_bit(const std::uint64_t* row, Index words) {
  for (Index w = 0; w < words; ++w) {
    if (row[w] != 0) return true;
  }
  return false;
}

/// Do both rows share a bit?
QUARRY_HD inline bool shares_bits(const std::uint64_t* left, const std::uint64_t* right, Index words) {
  for (Index w = 0; w < words; ++w) {
    if ((left[w] & right[w]) != 0) return true;
  }
  return false;
}

/// Bit i of the result: `counts[i] >= threshold`, for 64 counts.
QUARRY_HD inline std::uint64_t at_least(const std::uint8_t* counts, std::uint8_t threshold) {
  std::uint64_t mask = 0;
#ifdef QUARRY_SCALAR
  for (int i = 0; i < 64; ++i) mask |= std::uint64_t{counts[i] >= threshold} << i;
#else
  using namespace hwy::HWY_NAMESPACE;
  const CappedTag<std::uint8_t, 64> tag;
  const auto limit = Set(tag, threshold);
  for (std::size_t i = 0; i < 64; i += Lanes(tag)) {
    std::uint64_t bits = 0;
    StoreMaskBits(tag, Eq(Max(LoadU(tag, counts + i), limit), LoadU(tag, counts + i)),
                  reinterpret_cast<std::uint8_t*>(&bits));
    mask |= bits << i;
  }
#endif
  return mask;
}

/// Transposes a 64 x 64 bit matrix in place: bit c of row r becomes bit r of row c. Swaps ever smaller squares (Warren,
/// Hacker's Delight, 2nd edition, section 7-3).
QUARRY_HD inline void transpose_bits(std::uint64_t* rows) {
  std::uint64_t low = 0x00000000FFFFFFFFULL;
  for (Index step = 32; step != 0; step /= 2, low ^= low << step) {
    for (Index first = 0; first < 64; first += 2 * step) {
      Index r = first;
#ifndef QUARRY_SCALAR
      const hwy::HWY_NAMESPACE::ScalableTag<std::uint64_t> tag;
      const Index lanes = hwy::HWY_NAMESPACE::Lanes(tag);
      for (; r + lanes <= first + step; r += lanes) {
        using namespace hwy::HWY_NAMESPACE;
        const auto mask = Set(tag, low);
        const auto upper = LoadU(tag, rows + r), lower = LoadU(tag, rows + r + step);
        const auto moved = And(Xor(ShiftRightSame(upper, step), lower), mask);
        StoreU(Xor(upper, ShiftLeftSame(moved, step)), tag, rows + r);
        StoreU(Xor(lower, moved), tag, rows + r + step);
      }
#endif
      for (; r < first + step; ++r) {
        const std::uint64_t moved = ((rows[r] >> step) ^ rows[r + step]) & low;
        rows[r] ^= moved << step;
        rows[r + step] ^= moved;
      }
    }
  }
}

/// Squares of bits that are transposed side by side: a vector has the same row of each.
#ifdef QUARRY_SCALAR
inline constexpr Index kSideBySide = 1;
#else
inline constexpr Index kSideBySide = 8;
#endif

/// Transposes squares of kSize x kSize bits as `transpose_bits` does, 64 / kSize in each word.
/// @param rows  [kSize, kSideBySide]
template <Index kSize, Index kStep = kSize / 2>
QUARRY_HD void transpose_side_by_side(std::uint64_t* rows,
                                      std::uint64_t low = kSize == 64 ? 0x00000000FFFFFFFFULL : 0x0000FFFF0000FFFFULL) {
#ifdef QUARRY_SCALAR
  QUARRY_UNROLL
  for (Index r = 0; r < kSize / 2; ++r) {
    const Index upper = r / kStep * 2 * kStep + r % kStep, lower = upper + kStep;
    const std::uint64_t moved = ((rows[upper] >> kStep) ^ rows[lower]) & low;
    rows[upper] ^= moved << kStep;
    rows[lower] ^= moved;
  }
#else
  using namespace hwy::HWY_NAMESPACE;
  const CappedTag<std::uint64_t, kSideBySide> tag;
  const auto mask = Set(tag, low);
  for (Index first = 0; first < kSize; first += 2 * kStep) {
    for (Index r = first; r < first + kStep; ++r) {
      std::uint64_t* upper = rows + r * kSideBySide;
      std::uint64_t* lower = upper + kStep * kSideBySide;
      for (Index i = 0; i < kSideBySide; i += Index(Lanes(tag))) {
        const auto above = LoadU(tag, upper + i), below = LoadU(tag, lower + i);
        const auto moved = And(Xor(ShiftRight<kStep>(above), below), mask);
        StoreU(Xor(above, ShiftLeft<kStep>(moved)), tag, upper + i);
        StoreU(Xor(below, moved), tag, lower + i);
      }
    }
  }
#endif
  if constexpr (kStep > 1) transpose_side_by_side<kSize, kStep / 2>(rows, low ^ low << kStep / 2);
}

/// `out[i] = shared[i] / (size + sizes[i] - shared[i])`, rounded once.
QUARRY_HD inline void tanimoto(const std::uint16_t* shared, const std::uint16_t* sizes, std::uint16_t size, Index n,
                               float* out) {
  Index i = 0;
#ifndef QUARRY_SCALAR
  using namespace hwy::HWY_NAMESPACE;
  const ScalableTag<float> tag;
  const Rebind<std::int32_t, decltype(tag)> wide;
  const Rebind<std::uint16_t, decltype(tag)> narrow;
  const auto own = Set(wide, size);
  for (const Index lanes = Lanes(tag); i + lanes <= n; i += lanes) {
    const auto both = PromoteTo(wide, LoadU(narrow, shared + i));
    const auto either = Sub(Add(PromoteTo(wide, LoadU(narrow, sizes + i)), own), both);
    StoreU(Div(ConvertTo(tag, both), ConvertTo(tag, either)), tag, out + i);
  }
#endif
  for (; i < n; ++i) {
    const float both = shared[i], either = size + sizes[i] - shared[i];
    out[i] = both / either;
  }
}

}  // namespace QUARRY_TARGET
}  // namespace quarry
QUARRY_AFTER_TARGET();
