/// Intersections and differences of ascending lists of vertices: by merging, by looking up, by a bitmap.
///
/// Compiled once per vector target, hence the guard that toggles.
#if defined(QUARRY_GRAPH_SET_OPERATIONS) == defined(HWY_TARGET_TOGGLE)
#ifdef QUARRY_GRAPH_SET_OPERATIONS
#undef QUARRY_GRAPH_SET_OPERATIONS
#else
#define QUARRY_GRAPH_SET_OPERATIONS
#endif

#include "exec/simd/row_ops.hpp"
#include "exec/view.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry {
namespace QUARRY_TARGET {

using VertexList = View<const std::uint32_t>;

/// First place in [begin, size) whose vertex is at least `vertex`.
QUARRY_INLINE Index lower_place(VertexList list, Index begin, std::uint32_t vertex) {
  Index size = list.size() - begin;
  const std::uint32_t* base = list.data() + begin;
  while (size > 1) {
    const Index half = size / 2;
    base += base[half - 1] < vertex ? half : 0;  // no branch: which half is anybody's guess
    size -= half;
  }
  return base - list.data() + (size == 1 && *base < vertex ? 1 : 0);
}

QUARRY_INLINE bool contains(VertexList list, std::uint32_t vertex) {
  const Index place = lower_place(list, 0, vertex);
  return place < list.size() && list[place] == vertex;
}

/// The part of a list that lies in [begin, end); empty where that range is.
QUARRY_INLINE VertexList part_within(VertexList list, std::uint32_t begin, std::uint32_t end) {
  if (list.size() == 0) return list;
  const Index first = list[0] >= begin ? 0 : lower_place(list, 0, begin);
  const Index last = list[list.size() - 1] < end ? list.size() : lower_place(list, first, end);
  return list.part(first, last - first);
}

/// Writes what both lists hold; where `kWrite` is false only counts. `out` may be where `one` lies.
template <bool kWrite>
QUARRY_INLINE Index intersect_by_merging(VertexList one, VertexList other, std::uint32_t* out) {
  Index i = 0, j = 0, count = 0;
  while (i < one.size() && j < other.size()) {
    const std::uint32_t a = one[i], b = other[j];
    if (kWrite) out[count] = a;
    count += a == b;
    i += a <= b;
    j += b <= a;
  }
  return count;
}

/// Looks each vertex of the shorter list up in the longer one, beyond the last place found.
template <bool kWrite>
QUARRY_INLINE Index intersect_by_search(VertexList shorter, VertexList longer, std::uint32_t* out) {
  Index place = 0, count = 0;
  for (const std::uint32_t vertex : shorter) {
    Index step = 1;
    while (place + step < longer.size() && longer[place + step] < vertex) step *= 2;
    const Index end = place + step + 1 < longer.size() ? place + step + 1 : longer.size();
    place = lower_place(longer.part(0, end), place, vertex);
    if (place == longer.size()) break;
    if (longer[place] != vertex) continue;
    if (kWrite) out[count] = vertex;
    ++count;
  }
  return count;
}

/// The vertices of a list whose bit is set.
template <bool kWrite>
QUARRY_INLINE Index intersect_by_bitmap(const std::uint64_t* bitmap, VertexList list, std::uint32_t* out) {
  Index count = 0;
  for (const std::uint32_t vertex : list) {
    if (kWrite) out[count] = vertex;
    count += static_cast<Index>(bitmap[vertex / 64] >> (vertex % 64) & 1);
  }
  return count;
}

/// Writes what `one` holds and `other` does not; `out` may be where `one` lies.
template <bool kWrite>
QUARRY_INLINE Index subtract(VertexList one, VertexList other, std::uint32_t* out) {
  Index j = 0, count = 0;
  const bool long_other = other.size() > 16 * one.size();
  for (const std::uint32_t vertex : one) {
    if (long_other) {
      j = lower_place(other, j, vertex);
    } else {
      while (j < other.size() && other[j] < vertex) ++j;
    }
    if (kWrite) out[count] = vertex;
    count += j == other.size() || other[j] != vertex;
  }
  return count;
}

}  // namespace QUARRY_TARGET
}  // namespace quarry
QUARRY_AFTER_TARGET();

#endif
