#include "graph/pattern/search_job.hpp"

#include <algorithm>

#include "exec/simd/bits.hpp"

namespace quarry::mine {
namespace {

/// The largest rows, whole and of the neighbours after the vertex.
struct LargestRows {
  Index whole = 0, after = 0;
  explicit LargestRows(const OrderedRows& rows) {
    for (Index v = 0; v < rows.num_vertices(); ++v) {
      whole = std::max(whole, rows.degree(v));
      after = std::max(after, rows.after(v).size());
    }
  }
};

/// A bare part of a row needs no memory of its own, and of another set only where it is loaded: what is to be unloaded
/// must still be there when that other set is another.
bool has_members(const SetStep& step) {
  if (step.source < 0) return step.edge_label >= 0 || step.subtract != 0;
  return step.intersect || step.subtract != 0 || step.load;
}

Index take(Index& end, Index bytes) {
  constexpr Index kAlignment = 64;
  const Index begin = end;
  end += (bytes + kAlignment - 1) / kAlignment * kAlignment;
  return begin;
}

}  // namespace

std::vector<SetRoom> lay_out_memory(SearchJob& job, int lanes, bool with_bitmaps) {
  const LargestRows largest(job.rows);
  std::vector<SetRoom> rooms(static_cast<std::size_t>(job.sets.size()));
  std::vector<Index> sizes(rooms.size());  // that no set exceeds
  Index end = 0;
  take(end, lanes * job.sets.size() * Index{sizeof(LiveSet)});
  for (const SearchNode& node : job.nodes) {
    for (int set = node.first_set; set < node.last_set; ++set) {
      const SetStep& step = job.sets[set];
      Index& size = sizes[static_cast<std::size_t>(set)];
      const bool after = step.source < 0 ? (step.later_than >> node.position & 1) != 0 : step.after_chosen;
      size = step.source < 0 ? largest.whole : sizes[static_cast<std::size_t>(step.source)];
      if (step.source < 0 || step.intersect) size = std::min(size, after ? largest.after : largest.whole);
      SetRoom& room = rooms[static_cast<std::size_t>(set)];
      if (has_members(step)) room.members = take(end, 4 * (size + 1));  // one may be written beyond the last
      if (step.load && with_bitmaps) room.bitmap = take(end, 8 * words_for(job.rows.num_vertices()));
    }
  }
  job.filtered_room = take(end, 4 * largest.whole);
  job.memory_bytes = end;
  return rooms;
}

}  // namespace quarry::mine
