/// The intersection of two ascending lists, a block of each at a time: every number of one block is compared with every
/// number of the other, and the block that ends first is done.
/// Source: Schlegel, Willhalm, Lehner, "Fast sorted-set intersection using SIMD instructions" (ADMS 2011).
#include <array>
#include <cstdint>

#include "exec/macros.hpp"
#include "quarry/index.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry {
namespace QUARRY_TARGET {

/// Numbers that may be written to `out` beyond the last of an intersection.
inline constexpr Index kIntersectSpare = 8;

/// How far both lists have been intersected, and how many numbers were found in both.
struct IntersectedBlocks {
  Index one = 0, other = 0, count = 0;
};

#if !defined(QUARRY_SCALAR) && HWY_TARGET == HWY_AVX2
/// For each mask of eight lanes, the numbers of those that are set, of 4 bits each, the first lowest.
inline constexpr auto kLanesOfMask = [] {
  std::array<std::uint32_t, 256> packed{};
  for (std::uint32_t mask = 0; mask < packed.size(); ++mask) {
    int shift = 0;
    for (std::uint32_t lane = 0; lane < 8; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      packed[mask] |= lane << shift;
      shift += 4;
    }
  }
  return packed;
}();
#endif

#if !defined(QUARRY_SCALAR) && HWY_TARGET != HWY_SCALAR
/// The lanes whose bit is set stand first; what the others hold is anything.
/// PERF: AVX2 has no instruction for it, and g++ 12 copies Highway's table to the stack each time, 1 KiB. With a table that
/// stays where it is, watch takes a third of the time on human/mix dense_5_1.
template <class Tag>
QUARRY_INLINE hwy::HWY_NAMESPACE::Vec<Tag> compress([[maybe_unused]] Tag tag, hwy::HWY_NAMESPACE::Vec<Tag> lanes,
                                                    hwy::HWY_NAMESPACE::Mask<Tag> mask) {
  using namespace hwy::HWY_NAMESPACE;
#if HWY_TARGET == HWY_AVX2
  static_assert(MaxLanes(tag) == 8);
  std::uint8_t bits[8];
  StoreMaskBits(tag, mask, bits);
  alignas(32) static constexpr std::uint32_t kShifts[8] = {0, 4, 8, 12, 16, 20, 24, 28};
  const auto numbers = And(Shr(Set(tag, kLanesOfMask[bits[0]]), Load(tag, kShifts)), Set(tag, 7));
  return TableLookupLanes(lanes, IndicesFromVec(tag, numbers));
#else
  return Compress(lanes, mask);
#endif
}
#endif

/// Intersects whole blocks, as long as both lists have one. What is left of the lists is the caller's.
/// @param out  where `kWrite`: the numbers found; not the memory of a list
template <bool kWrite>
QUARRY_INLINE IntersectedBlocks intersect_blocks([[maybe_unused]] const std::uint32_t* one,
                                                 [[maybe_unused]] Index one_size,
                                                 [[maybe_unused]] const std::uint32_t* other,
                                                 [[maybe_unused]] Index other_size,
                                                 [[maybe_unused]] std::uint32_t* out) {
  IntersectedBlocks done;
#if !defined(QUARRY_SCALAR) && HWY_TARGET != HWY_SCALAR
  using namespace hwy::HWY_NAMESPACE;
  const CappedTag<std::uint32_t, kIntersectSpare> tag;
  const Index lanes = Lanes(tag);
  while (done.one + lanes <= one_size && done.other + lanes <= other_size) {
    const auto mine = LoadU(tag, one + done.one), theirs = LoadU(tag, other + done.other);
    auto found = Or(Or(Eq(mine, theirs), Eq(mine, Shuffle0321(theirs))),
                    Or(Eq(mine, Shuffle1032(theirs)), Eq(mine, Shuffle2103(theirs))));
    if constexpr (MaxLanes(tag) > 4) {
      const auto swapped = ConcatLowerUpper(tag, theirs, theirs);
      found = Or(found, Or(Or(Eq(mine, swapped), Eq(mine, Shuffle0321(swapped))),
                           Or(Eq(mine, Shuffle1032(swapped)), Eq(mine, Shuffle2103(swapped)))));
    }
    if (kWrite) StoreU(compress(tag, mine, found), tag, out + done.count);
    done.count += CountTrue(tag, found);
    const std::uint32_t my_last = one[done.one + lanes - 1], their_last = other[done.other + lanes - 1];
    done.one += my_last <= their_last ? lanes : 0;
    done.other += their_last <= my_last ? lanes : 0;
  }
#endif
  return done;
}

}  // namespace QUARRY_TARGET
}  // namespace quarry
QUARRY_AFTER_TARGET();
