/// The bytes of a `.qgraph` file; in words: docs/graph-format.md.
///
/// A header, then the columns of the graph, each at the next multiple of kColumnAlignment. Where a column lies follows
/// from the counts in the header, so there is no table that could lie; every byte is under a checksum or must be zero.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>

#include "quarry/graph.hpp"

namespace quarry {

static_assert(std::endian::native == std::endian::little, "graph files are read in place and are little-endian");

inline constexpr std::array<char, 8> kGraphMagic{'Q', 'U', 'A', 'R', 'R', 'Y', 'G', 'R'};
inline constexpr std::uint32_t kGraphEndianMark = 0x01020304, kGraphVersion = 1;
inline constexpr std::uint64_t kColumnAlignment = 64;

enum GraphColumn : std::size_t { kOffsets, kNeighbours, kVertexLabels, kEdgeLabels, kIds, kNumGraphColumns };

struct GraphHeader {
  std::array<char, 8> magic = kGraphMagic;
  std::uint32_t endian_mark = kGraphEndianMark;
  std::uint32_t version = kGraphVersion;
  std::uint64_t num_vertices = 0, num_edges = 0;
  std::uint64_t first_id = 0;  ///< of vertex 0, where there are no ids
  std::uint64_t columns = 0;   ///< bit c: column c is there
  std::array<std::uint64_t, kNumGraphColumns> checksums{};
  std::array<std::uint64_t, 2> reserved{};  ///< 0
  std::uint64_t checksum = 0;               ///< of all above
};
static_assert(sizeof(GraphHeader) == 112);

/// Does this file begin as a `.qgraph`? False for what is no regular file.
bool is_graph_file(const std::string& path);

/// Maps a file and checks every byte of it. @throws InputError  no `.qgraph`, damaged, or of a newer version
Graph open_graph_file(const std::string& path);

/// The same for bytes that outlive the graph. Without checksums, whatever passes is still a graph that can be searched.
/// @param file  aligned to 8 bytes
void read_graph_file(std::span<const std::byte> file, const std::string& name, bool verify_checksums,
                     Graph::Impl& graph);

/// Checks that the columns are a graph: rows in place and ascending, without loops, the same from both ends.
/// @return what is wrong, or nothing
std::string check_rows(const Graph::Impl& graph);

}  // namespace quarry
