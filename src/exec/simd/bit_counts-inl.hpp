/// Counts for each bit position how many bitmaps have it. Bit p of all counts is kept side by side in plane p, so that
/// adding a bitmap, or comparing with a number, takes a few instructions for all columns of a vector.
///
/// Vectors by Highway on the host. A device goes word by word, so that the lanes of a team read side by side and each
/// keeps its planes in registers.
#include <cstdint>

#include "exec/simd/bits.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry {
namespace QUARRY_TARGET {

#ifdef QUARRY_SCALAR

using Bits = std::uint64_t;
inline constexpr Index kBitsWords = 1;
/// Words of a piece: its columns are counted together.
inline constexpr Index kCountWords = 1;

QUARRY_INLINE Bits load_bits(const std::uint64_t* words) { return *words; }
QUARRY_INLINE void store_bits(Bits bits, std::uint64_t* words) { *words = bits; }
QUARRY_INLINE Bits same_bits(bool set) { return set ? ~std::uint64_t{0} : 0; }
QUARRY_INLINE Bits both(Bits a, Bits b) { return a & b; }
QUARRY_INLINE Bits differ(Bits a, Bits b) { return a ^ b; }
QUARRY_INLINE Bits majority(Bits a, Bits b, Bits c) { return (a & b) | (a & c) | (b & c); }

#else

using BitsTag = hwy::HWY_NAMESPACE::CappedTag<std::uint64_t, 8>;
using Bits = hwy::HWY_NAMESPACE::Vec<BitsTag>;
inline constexpr Index kBitsWords = hwy::HWY_NAMESPACE::MaxLanes(BitsTag());
inline constexpr Index kCountWords = 8;

HWY_INLINE Bits load_bits(const std::uint64_t* words) { return hwy::HWY_NAMESPACE::LoadU(BitsTag(), words); }
HWY_INLINE void store_bits(Bits bits, std::uint64_t* words) { hwy::HWY_NAMESPACE::StoreU(bits, BitsTag(), words); }
HWY_INLINE Bits same_bits(bool set) { return hwy::HWY_NAMESPACE::Set(BitsTag(), set ? ~std::uint64_t{0} : 0); }
HWY_INLINE Bits both(Bits a, Bits b) { return hwy::HWY_NAMESPACE::And(a, b); }
HWY_INLINE Bits differ(Bits a, Bits b) { return hwy::HWY_NAMESPACE::Xor(a, b); }
HWY_INLINE Bits majority(Bits a, Bits b, Bits c) {
#if HWY_TARGET <= HWY_AVX3  // one instruction; elsewhere IfVecThenElse asks for whole lanes, not for each bit
  return hwy::HWY_NAMESPACE::IfVecThenElse(differ(a, b), c, a);
#else
  return differ(a, both(differ(a, b), differ(a, c)));
#endif
}

#endif

/// Counts are at most 65,535.
inline constexpr int kMaxPlanes = 16;

/// Counts of the columns of one piece.
struct BitCounts {
  int num_planes = 0;  ///< those above mean nothing
  alignas(64) std::uint64_t planes[kMaxPlanes][kCountWords];

  /// Of the column `bit` of word `word`.
  QUARRY_HD Index at(Index word, Index bit) const {
    std::uint64_t count = 0;
    QUARRY_UNROLL
    for (int p = 0; p < kMaxPlanes; ++p) {
      if (p < num_planes) count |= (planes[p][word] >> bit & 1) << p;
    }
    return count;
  }
};

/// Counts to begin with: those of column c of word w have bit p in `planes[p * stride + w]`.
struct FirstCounts {
  const std::uint64_t* planes = nullptr;
  Index stride = 0;
  int num_planes = 0;
};

/// `sum = a + b + sum`, bit by bit. @return the carry
QUARRY_INLINE Bits add_bits(Bits a, Bits b, Bits& sum) {
  const Bits carry = majority(a, b, sum);
  sum = differ(differ(a, b), sum);
  return carry;
}

/// Adds eight rows to planes: seven full adders (Harley and Seal; Warren, Hacker's Delight, 2nd edition, section 5-1),
/// then the carry goes up.
QUARRY_INLINE void add_eight_rows(const std::uint64_t* const* rows, Index word, int num_planes, Bits* planes) {
  Bits twos_a = add_bits(load_bits(rows[0] + word), load_bits(rows[1] + word), planes[0]);
  Bits twos_b = add_bits(load_bits(rows[2] + word), load_bits(rows[3] + word), planes[0]);
  const Bits fours_a = add_bits(twos_a, twos_b, planes[1]);
  twos_a = add_bits(load_bits(rows[4] + word), load_bits(rows[5] + word), planes[0]);
  twos_b = add_bits(load_bits(rows[6] + word), load_bits(rows[7] + word), planes[0]);
  const Bits fours_b = add_bits(twos_a, twos_b, planes[1]);
  Bits carry = add_bits(fours_a, fours_b, planes[2]);
  QUARRY_UNROLL
  for (int p = 3; p < kMaxPlanes; ++p) {
    if (p >= num_planes) break;
    const Bits up = both(planes[p], carry);
    planes[p] = differ(planes[p], carry);
    carry = up;
  }
}

/// Planes that hold every count up to `most`, and what add_eight_rows needs.
QUARRY_HD inline int planes_for(Index most) {
  int num_planes = 4;
  while (num_planes < kMaxPlanes && most >> num_planes != 0) ++num_planes;
  return num_planes;
}

/// How many of the rows have each bit of the piece whose first word is `word`, added to `first` of word `first_word`.
/// @param num_rows    a multiple of 8
/// @param num_planes  planes_for the most that any column can count
QUARRY_INLINE void sum_bits(const std::uint64_t* const* rows, Index num_rows, Index word, const FirstCounts& first,
                            Index first_word, int num_planes, BitCounts& counts) {
  counts.num_planes = num_planes;
  for (Index w = 0; w < kCountWords; w += kBitsWords) {
    Bits planes[kMaxPlanes];
    QUARRY_UNROLL
    for (int p = 0; p < kMaxPlanes; ++p) {
      planes[p] = same_bits(false);
      if (p < first.num_planes) planes[p] = load_bits(first.planes + p * first.stride + first_word + w);
    }
    for (Index r = 0; r < num_rows; r += 8) add_eight_rows(rows + r, word + w, num_planes, planes);
    QUARRY_UNROLL
    for (int p = 0; p < kMaxPlanes; ++p) {
      if (p < num_planes || kCountWords == 1) store_bits(planes[p], counts.planes[p] + w);
    }
  }
}

/// Sets the bits of `mask`, one per column, whose count is `least` or more.
QUARRY_INLINE void at_least(const BitCounts& counts, Index least, std::uint64_t* mask) {
  for (Index w = 0; w < kCountWords; w += kBitsWords) {
    Bits enough = same_bits(true);
    QUARRY_UNROLL
    for (int p = 0; p < kMaxPlanes; ++p) {
      if (p >= counts.num_planes) break;
      // From the lowest bit up: a higher one decides, where it differs.
      enough = majority(load_bits(counts.planes[p] + w), enough, same_bits((least >> p & 1) == 0));
    }
    store_bits(both(enough, same_bits(least >> counts.num_planes == 0)), mask + w);
  }
}

/// Transposes the 8 x 8 bit matrix whose rows are bytes (Warren, section 7-3).
QUARRY_HD inline std::uint64_t transpose_bytes(std::uint64_t rows) {
  std::uint64_t moved = (rows ^ rows >> 7) & 0x00AA00AA00AA00AAULL;
  rows ^= moved ^ moved << 7;
  moved = (rows ^ rows >> 14) & 0x0000CCCC0000CCCCULL;
  rows ^= moved ^ moved << 14;
  moved = (rows ^ rows >> 28) & 0x00000000F0F0F0F0ULL;
  return rows ^ moved ^ moved << 28;
}

/// The counts side by side, [64 kCountWords].
QUARRY_INLINE void write_counts(const BitCounts& counts, std::uint16_t* out) {
#ifdef QUARRY_SCALAR
  for (int byte = 0; byte < 8; ++byte) {
    std::uint64_t low = 0, high = 0;
    QUARRY_UNROLL
    for (int p = 0; p < kMaxPlanes; ++p) {
      if (p >= counts.num_planes) break;
      (p < 8 ? low : high) |= (counts.planes[p][0] >> 8 * byte & 0xFF) << p % 8 * 8;
    }
    low = transpose_bytes(low);
    high = transpose_bytes(high);
    for (int i = 0; i < 8; ++i) out[8 * byte + i] = (low >> 8 * i & 0xFF) | (high >> 8 * i & 0xFF) << 8;
  }
#else
  using namespace hwy::HWY_NAMESPACE;
  const CappedTag<std::uint16_t, 64> tag;
  if constexpr (MaxLanes(tag) < 8) {  // less than a byte of a mask
    for (Index i = 0; i < 64 * kCountWords; ++i) out[i] = counts.at(i / 64, i % 64);
    return;
  }
  for (std::size_t i = 0; i < 64 * kCountWords; i += Lanes(tag)) {
    auto count = Zero(tag);
    for (int p = 0; p < counts.num_planes; ++p) {
      const auto set = LoadMaskBits(tag, reinterpret_cast<const std::uint8_t*>(counts.planes[p]) + i / 8);
      count = Or(count, IfThenElseZero(set, Set(tag, 1U << p)));
    }
    StoreU(count, tag, out + i);
  }
#endif
}

}  // namespace QUARRY_TARGET
}  // namespace quarry
QUARRY_AFTER_TARGET();
