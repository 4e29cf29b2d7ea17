/// Finds the neighbours of a label in a row as it was at some time.
#pragma once
#include "exec/view.hpp"
#include "graph/dynamic/row_version.hpp"
#include "quarry/graph_pattern.hpp"

namespace quarry::dynamic {

/// The same as `read_row`, wherever the neighbours stand.
View<const std::uint32_t> gather_row(const RowVersion& row, Time time, std::uint32_t vertex_label,
                                     std::uint32_t edge_label, std::uint32_t* room);

/// Neighbours with this label over edges with this label, ascending; kAnyLabel is any.
/// @param newest  of the vertex, or none
/// @param room    where they are put if they do not stand in one piece
inline View<const std::uint32_t> read_row(const RowVersion* newest, Time time, std::uint32_t vertex_label,
                                          std::uint32_t edge_label, std::uint32_t* room) {
  const RowVersion* row = RowVersion::at(newest, time);
  if (row == nullptr) return {};
  if (!row->is_long() && vertex_label != kAnyLabel && edge_label != kAnyLabel) {
    const NeighbourBlock& block = *row->own_block();
    const std::uint64_t key = key_of(vertex_label, edge_label);
    const Index group = block.first_group(key);
    if (group == block.num_groups || block.keys()[group] != key) return {};
    const Index begin = block.group_begin(group);
    if (block.all_visible(block.offset(time))) return {block.neighbours() + begin, block.group_end(group) - begin};
  }
  return gather_row(*row, time, vertex_label, edge_label, room);
}

/// The label of the edge to a neighbour that is not deleted, or -1.
std::int64_t find_edge_label(const RowVersion* row, std::uint32_t vertex_label, std::uint32_t neighbour);

}  // namespace quarry::dynamic
