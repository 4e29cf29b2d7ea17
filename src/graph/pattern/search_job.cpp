#include "graph/pattern/search_job.hpp"

#include <algorithm>

#include "exec/simd/bits.hpp"

namespace quarry {
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

/// A set that is a part of a row needs no memory of its own. A part of another set needs some only where it is loaded:
/// when its bitmap is emptied, its members must still be there, though the other set has changed.
bool has_members(const SetDefinition& set) {
  if (set.source < 0) return set.edge_label >= 0 || set.subtract != 0;
  return set.intersect || set.subtract != 0 || set.load;
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
  std::vector<SetRoom> rooms(job.sets.size());
  std::vector<Index> max_sizes(rooms.size());
  Index end = 0;
  take(end, lanes * job.sets.size() * Index{sizeof(LiveSet)});
  for (const SearchNode& node : job.nodes) {
    for (int i = node.first_set; i < node.last_set; ++i) {
      const SetDefinition& set = job.sets[i];
      Index& size = max_sizes[i];
      const bool after = set.source < 0 ? (set.greater_than >> node.position & 1) != 0 : set.after_chosen;
      size = set.source < 0 ? largest.whole : max_sizes[set.source];
      if (set.source < 0 || set.intersect) size = std::min(size, after ? largest.after : largest.whole);
      SetRoom& room = rooms[i];
      if (has_members(set)) room.members = take(end, 4 * (size + 1));  // one may be written beyond the last
      if (set.load && with_bitmaps) room.bitmap = take(end, 8 * words_for(job.rows.num_vertices()));
    }
  }
  job.unchosen_room = take(end, 4 * largest.whole);
  job.memory_bytes = end;
  return rooms;
}

}  // namespace quarry
