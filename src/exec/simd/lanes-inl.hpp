/// Floats that are computed side by side: sixteen on the host, by Highway, and one in each lane of a team on a device or
/// where the host has no AVX2.
/// Kernels are written once over Real, Whole and Mask. Every operation is rounded as IEEE 754 says, and a sum and a
/// product are joined only by `fused`, so every vector width gives the same bits; the folder's sources are compiled
/// with -ffp-contract=off.
#include <cmath>
#include <cstdint>

#include "exec/macros.hpp"
#include "quarry/index.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry {
namespace QUARRY_TARGET {

#if defined(QUARRY_SCALAR) || HWY_TARGET > HWY_AVX2

inline constexpr int kLanes = 1;
using Real = float;
using Whole = std::int32_t;
using Mask = bool;

QUARRY_INLINE Real same(float value) { return value; }
QUARRY_INLINE Whole same_whole(std::int32_t value) { return value; }
QUARRY_INLINE Real load(const float* from) { return *from; }
QUARRY_INLINE void store(Real value, float* to) { *to = value; }
QUARRY_INLINE void store(Whole value, std::int32_t* to) { *to = value; }
QUARRY_INLINE Real fused(Real a, Real b, Real c) { return __builtin_fmaf(a, b, c); }
QUARRY_INLINE Real smaller(Real a, Real b) { return a < b ? a : b; }
QUARRY_INLINE Real larger(Real a, Real b) { return a > b ? a : b; }
QUARRY_INLINE Real square_root(Real a) { return __builtin_sqrtf(a); }
QUARRY_INLINE Real rounded(Real a) { return __builtin_rintf(a); }
QUARRY_INLINE Mask less(Real a, Real b) { return a < b; }
QUARRY_INLINE Mask both(Mask a, Mask b) { return a && b; }
QUARRY_INLINE Mask either(Mask a, Mask b) { return a || b; }
QUARRY_INLINE Mask not_set(Mask a) { return !a; }
QUARRY_INLINE Real select(Mask mask, Real yes, Real no) { return mask ? yes : no; }
QUARRY_INLINE bool any(Mask mask) { return mask; }
QUARRY_INLINE Whole truncated(Real a) { return static_cast<Whole>(a); }
QUARRY_INLINE Real real_of(Whole a) { return static_cast<Real>(a); }
QUARRY_INLINE Whole bits_of(Real a) { return __builtin_bit_cast(Whole, a); }
QUARRY_INLINE Real from_bits(Whole a) { return __builtin_bit_cast(Real, a); }
QUARRY_INLINE Whole masked(Whole a, std::int32_t bits) { return a & bits; }
template <int kBits>
QUARRY_INLINE Whole shifted_left(Whole a) {
  return a << kBits;
}
template <int kBits>
QUARRY_INLINE Whole shifted_right(Whole a) {
  return a >> kBits;
}
/// Column `index % 16` of a table of four rows. @param rows  [4][16] @param columns  [16][4] the same, aligned to 16 bytes
QUARRY_INLINE void lookup_column(const float*, const float* columns, Whole index, Real* column) {
  __builtin_memcpy(column, __builtin_assume_aligned(columns + (index & 15) * 4, 16), 4 * sizeof(Real));
}

/// The eight numbers of cell `index` of each lane. Cells are aligned to 16 bytes, and are one load of a GPU.
QUARRY_INLINE void load_corners(const std::uint16_t* cells, Whole index, Real* corners) {
  std::uint16_t cell[8];
  __builtin_memcpy(cell, __builtin_assume_aligned(cells + Index{8} * index, 16), sizeof cell);
  for (int i = 0; i < 8; ++i) corners[i] = static_cast<float>(cell[i]);
}

#else

namespace hn = hwy::HWY_NAMESPACE;
inline constexpr int kLanes = 16;
using RealTag = hn::CappedTag<float, kLanes>;
using WholeTag = hn::RebindToSigned<RealTag>;
inline constexpr int kPartLanes = hn::MaxLanes(RealTag());
inline constexpr int kParts = kLanes / kPartLanes;
struct Real {
  hn::Vec<RealTag> part[kParts];
};
struct Whole {
  hn::Vec<WholeTag> part[kParts];
};
struct Mask {
  hn::Mask<RealTag> part[kParts];
};

/// `Type result` with every part by `expression`, in which `p` is the number of the part.
#define QUARRY_PARTS(Type, expression)                                        \
  Type result;                                                                \
  QUARRY_UNROLL for (int p = 0; p < kParts; ++p) result.part[p] = expression; \
  return result

HWY_INLINE Real same(float value) { QUARRY_PARTS(Real, hn::Set(RealTag(), value)); }
HWY_INLINE Whole same_whole(std::int32_t value) { QUARRY_PARTS(Whole, hn::Set(WholeTag(), value)); }
HWY_INLINE Real load(const float* from) { QUARRY_PARTS(Real, hn::LoadU(RealTag(), from + p * kPartLanes)); }
HWY_INLINE void store(Real value, float* to) {
  QUARRY_UNROLL
  for (int p = 0; p < kParts; ++p) hn::StoreU(value.part[p], RealTag(), to + p * kPartLanes);
}
HWY_INLINE void store(Whole value, std::int32_t* to) {
  QUARRY_UNROLL
  for (int p = 0; p < kParts; ++p) hn::StoreU(value.part[p], WholeTag(), to + p * kPartLanes);
}
HWY_INLINE Real operator+(Real a, Real b) { QUARRY_PARTS(Real, hn::Add(a.part[p], b.part[p])); }
HWY_INLINE Real operator-(Real a, Real b) { QUARRY_PARTS(Real, hn::Sub(a.part[p], b.part[p])); }
HWY_INLINE Real operator*(Real a, Real b) { QUARRY_PARTS(Real, hn::Mul(a.part[p], b.part[p])); }
HWY_INLINE Real operator/(Real a, Real b) { QUARRY_PARTS(Real, hn::Div(a.part[p], b.part[p])); }
HWY_INLINE Real operator-(Real a) { QUARRY_PARTS(Real, hn::Neg(a.part[p])); }
HWY_INLINE Real fused(Real a, Real b, Real c) { QUARRY_PARTS(Real, hn::MulAdd(a.part[p], b.part[p], c.part[p])); }
HWY_INLINE Real smaller(Real a, Real b) { QUARRY_PARTS(Real, hn::Min(a.part[p], b.part[p])); }
HWY_INLINE Real larger(Real a, Real b) { QUARRY_PARTS(Real, hn::Max(a.part[p], b.part[p])); }
HWY_INLINE Real square_root(Real a) { QUARRY_PARTS(Real, hn::Sqrt(a.part[p])); }
HWY_INLINE Real rounded(Real a) { QUARRY_PARTS(Real, hn::Round(a.part[p])); }
HWY_INLINE Mask less(Real a, Real b) { QUARRY_PARTS(Mask, hn::Lt(a.part[p], b.part[p])); }
HWY_INLINE Mask both(Mask a, Mask b) { QUARRY_PARTS(Mask, hn::And(a.part[p], b.part[p])); }
HWY_INLINE Mask either(Mask a, Mask b) { QUARRY_PARTS(Mask, hn::Or(a.part[p], b.part[p])); }
HWY_INLINE Mask not_set(Mask a) { QUARRY_PARTS(Mask, hn::Not(a.part[p])); }
HWY_INLINE Real select(Mask mask, Real yes, Real no) {
  QUARRY_PARTS(Real, hn::IfThenElse(mask.part[p], yes.part[p], no.part[p]));
}
HWY_INLINE bool any(Mask mask) {
  bool found = false;
  QUARRY_UNROLL
  for (int p = 0; p < kParts; ++p) found |= !hn::AllFalse(RealTag(), mask.part[p]);
  return found;
}
HWY_INLINE Whole truncated(Real a) { QUARRY_PARTS(Whole, hn::ConvertTo(WholeTag(), a.part[p])); }
HWY_INLINE Real real_of(Whole a) { QUARRY_PARTS(Real, hn::ConvertTo(RealTag(), a.part[p])); }
HWY_INLINE Whole bits_of(Real a) { QUARRY_PARTS(Whole, hn::BitCast(WholeTag(), a.part[p])); }
HWY_INLINE Real from_bits(Whole a) { QUARRY_PARTS(Real, hn::BitCast(RealTag(), a.part[p])); }
HWY_INLINE Whole operator+(Whole a, Whole b) { QUARRY_PARTS(Whole, hn::Add(a.part[p], b.part[p])); }
HWY_INLINE Whole operator*(Whole a, Whole b) { QUARRY_PARTS(Whole, hn::Mul(a.part[p], b.part[p])); }
HWY_INLINE Whole masked(Whole a, std::int32_t bits) {
  QUARRY_PARTS(Whole, hn::And(a.part[p], hn::Set(WholeTag(), bits)));
}
template <int kBits>
HWY_INLINE Whole shifted_left(Whole a) {
  QUARRY_PARTS(Whole, hn::ShiftLeft<kBits>(a.part[p]));
}
template <int kBits>
HWY_INLINE Whole shifted_right(Whole a) {
  QUARRY_PARTS(Whole, hn::ShiftRight<kBits>(a.part[p]));
}

/// `table[index % 16]`; the table is aligned to 64 bytes.
HWY_INLINE Real lookup(const float* table, Whole index) {
  const auto lanes_of = [](hn::Vec<WholeTag> part) {
    return hn::IndicesFromVec(RealTag(), hn::And(part, hn::Set(WholeTag(), kPartLanes - 1)));
  };
#if HWY_TARGET <= HWY_AVX3
  QUARRY_PARTS(Real, hn::TableLookupLanes(hn::Load(RealTag(), table), lanes_of(index.part[p])));
#else
  const auto low = hn::Load(RealTag(), table), high = hn::Load(RealTag(), table + 8);
  Real result;
  QUARRY_UNROLL
  for (int p = 0; p < kParts; ++p) {
    const auto lanes = lanes_of(index.part[p]);
    const auto upper = hn::MaskFromVec(hn::BitCast(RealTag(), hn::ShiftLeft<28>(index.part[p])));
    result.part[p] = hn::IfThenElse(upper, hn::TableLookupLanes(high, lanes), hn::TableLookupLanes(low, lanes));
  }
  return result;
#endif
}

/// Column `index % 16` of a table of four rows. @param rows  [4][16]
HWY_INLINE void lookup_column(const float* rows, const float*, Whole index, Real* column) {
  QUARRY_UNROLL
  for (int i = 0; i < 4; ++i) column[i] = lookup(rows + 16 * i, index);
}

/// Vectors of 128 bits: those of lanes `first`, `first` + 4 and so on of a part.
HWY_INLINE hn::Vec<WholeTag> load_blocks(const std::uint16_t* cells, const std::int32_t* index) {
  const hn::CappedTag<std::int32_t, 4> block;
  const auto cell = [&](int lane) {
    return hn::LoadU(block, reinterpret_cast<const std::int32_t*>(cells + Index{8} * index[lane]));
  };
#if HWY_TARGET <= HWY_AVX3
  const hn::CappedTag<std::int32_t, 8> half;
  return hn::Combine(WholeTag(), hn::Combine(half, cell(12), cell(8)), hn::Combine(half, cell(4), cell(0)));
#else
  return hn::Combine(WholeTag(), cell(4), cell(0));
#endif
}

/// The eight numbers of cell `index` of each lane: a load for each lane, then a transposition.
HWY_INLINE void load_corners(const std::uint16_t* cells, Whole index, Real* corners) {
  alignas(64) std::int32_t indices[kLanes];
  store(index, indices);
  const hn::RepartitionToWide<WholeTag> wide;
  const WholeTag narrow;
  QUARRY_UNROLL
  for (int p = 0; p < kParts; ++p) {
    const std::int32_t* own = indices + p * kPartLanes;
    const auto a = load_blocks(cells, own), b = load_blocks(cells, own + 1), c = load_blocks(cells, own + 2),
               d = load_blocks(cells, own + 3);
    const auto ab_low = hn::BitCast(wide, hn::InterleaveLower(narrow, a, b));
    const auto ab_high = hn::BitCast(wide, hn::InterleaveUpper(narrow, a, b));
    const auto cd_low = hn::BitCast(wide, hn::InterleaveLower(narrow, c, d));
    const auto cd_high = hn::BitCast(wide, hn::InterleaveUpper(narrow, c, d));
    const hn::Vec<WholeTag> pairs[4] = {hn::BitCast(narrow, hn::InterleaveLower(wide, ab_low, cd_low)),
                                        hn::BitCast(narrow, hn::InterleaveUpper(wide, ab_low, cd_low)),
                                        hn::BitCast(narrow, hn::InterleaveLower(wide, ab_high, cd_high)),
                                        hn::BitCast(narrow, hn::InterleaveUpper(wide, ab_high, cd_high))};
    QUARRY_UNROLL
    for (int i = 0; i < 4; ++i) {
      const hn::RebindToUnsigned<WholeTag> bits;
      const auto second = hn::BitCast(narrow, hn::ShiftRight<16>(hn::BitCast(bits, pairs[i])));
      corners[2 * i].part[p] = hn::ConvertTo(RealTag(), hn::And(pairs[i], hn::Set(narrow, 0xFFFF)));
      corners[2 * i + 1].part[p] = hn::ConvertTo(RealTag(), second);
    }
  }
}
#undef QUARRY_PARTS

#endif

QUARRY_INLINE Real clamped(Real a, float low, float high) { return smaller(larger(a, same(low)), same(high)); }

/// exp(x) for x <= 0, to 2e-7 of it; 0 below -87.
QUARRY_INLINE Real exponential(Real x) {
  const Real power = rounded(x * same(1.44269504f));
  Real rest = fused(power, same(-0.693359375f), x);
  rest = fused(power, same(2.12194440e-4f), rest);
  Real series = same(1.9875691500e-4f);
  series = fused(series, rest, same(1.3981999507e-3f));
  series = fused(series, rest, same(8.3334519073e-3f));
  series = fused(series, rest, same(4.1665795894e-2f));
  series = fused(series, rest, same(1.6666665459e-1f));
  series = fused(series, rest, same(5.0000001201e-1f));
  series = fused(series, rest * rest, rest + same(1));
  const Whole scale = shifted_left<23>(truncated(larger(power, same(-126))) + same_whole(127));
  return select(less(x, same(-87)), same(0), series * from_bits(scale));
}

struct SineCosine {
  Real sine, cosine;
};
/// Of an angle in radians, up to some thousands, to 3e-7: series of the half angle, which is within a quarter turn.
QUARRY_INLINE SineCosine sine_cosine(Real angle) {
  const Real turns = angle * same(0.159154943f);
  const Real x = (turns - rounded(turns)) * same(3.14159265f), square = x * x;
  Real sine = same(-2.5052108e-8f);
  sine = fused(sine, square, same(2.7557319e-6f));
  sine = fused(sine, square, same(-1.9841270e-4f));
  sine = fused(sine, square, same(8.3333333e-3f));
  sine = fused(sine, square, same(-1.6666667e-1f));
  sine = fused(sine * square, x, x);
  Real cosine = same(2.0876757e-9f);
  cosine = fused(cosine, square, same(-2.7557319e-7f));
  cosine = fused(cosine, square, same(2.4801587e-5f));
  cosine = fused(cosine, square, same(-1.3888889e-3f));
  cosine = fused(cosine, square, same(4.1666667e-2f));
  cosine = fused(cosine, square, same(-0.5f));
  cosine = fused(cosine, square, same(1));
  return {(sine + sine) * cosine, fused(sine * same(-2), sine, same(1))};
}

}  // namespace QUARRY_TARGET
}  // namespace quarry
QUARRY_AFTER_TARGET();
