/// The intersection of two ascending lists, a block of each at a time: every number of one block is compared with every
/// number of the other, and the block that ends first is done.
/// Source: Schlegel, Willhalm, Lehner, "Fast sorted-set intersection using SIMD instructions" (ADMS 2011).
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
    if (kWrite) StoreU(Compress(mine, found), tag, out + done.count);
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
