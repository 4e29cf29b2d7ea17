#include "graph/pattern/search/search_job.hpp"

#include <algorithm>

#include "exec/simd/bits.hpp"

namespace quarry {
namespace {

/// Vertices that may be written beyond the last of a set: a vector of them.
constexpr Index kSpare = 8;

/// A set that is a part of a row needs no memory of its own. A part of another set needs some only where it is loaded:
/// when its bitmap is emptied, its members must still be there, though the other set has changed.
bool has_members(const SetDefinition& set) {
  if (set.source < 0) return set.edge_label >= 0 || set.subtract != 0;
  return set.intersect || set.subtract != 0 || set.load;
}

Index take(Index& end, Index bytes) {
  const Index begin = end;
  end += (bytes + room_alignment - 1) / room_alignment * room_alignment;
  return begin;
}

}  // namespace

RowSizes row_sizes(const OrderedRows& rows, bool with_bitmaps) {
  RowSizes sizes;
  for (Index v = 0; v < rows.num_vertices(); ++v) {
    sizes.whole = std::max(sizes.whole, rows.degree(v));
    sizes.after = std::max(sizes.after, rows.after(v).size());
  }
  if (with_bitmaps) sizes.bitmap_vertices = rows.num_vertices();
  return sizes;
}

std::vector<SetRoom> lay_out_memory(SearchSetup& setup, int lanes, const RowSizes& sizes) {
  std::vector<SetRoom> rooms(setup.sets.size());
  std::vector<Index> max_sizes(rooms.size());
  Index end = 0;
  take(end, lanes * setup.sets.size() * Index{sizeof(LiveSet)});
  const auto add_sets = [&](const auto& node) {
    for (int i = node.first_set; i < node.last_set; ++i) {
      const SetDefinition& set = setup.sets[i];
      Index& size = max_sizes[i];
      const bool after = set.source < 0 ? (set.greater_than >> node.position & 1) != 0 : set.after_chosen;
      size = set.source < 0 ? sizes.whole : max_sizes[set.source];
      if (set.source < 0 || set.intersect) size = std::min(size, after ? sizes.after : sizes.whole);
      SetRoom& room = rooms[i];
      if (sizes.copied || has_members(set)) room.members = take(end, 4 * (size + kSpare));
      if (set.load && sizes.bitmap_vertices > 0) room.bitmap = take(end, 8 * words_for(sizes.bitmap_vertices));
    }
  };
  for (const SearchNode& node : setup.nodes) add_sets(node);
  for (const CountedSum& sum : setup.sums) add_sets(sum);
  setup.row_room = take(end, 4 * (sizes.whole + kSpare));
  setup.memory_bytes = end;
  return rooms;
}

}  // namespace quarry
