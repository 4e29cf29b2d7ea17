/// The bytes of a `.qgraph` file; in words: docs/graph-format.md.
///
/// A header, then the columns of the graph, each at the next multiple of kColumnAlignment. Where a column begins
/// follows from the counts in the header, so no table of offsets can be wrong; every byte is under a checksum or must
/// be zero.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>

#include "graph/graph_impl.hpp"

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
  std::uint64_t first_id = 0;  ///< of vertex 0, where there is no column of ids
  std::uint64_t columns = 0;   ///< bit c: the file has column c
  std::array<std::uint64_t, kNumGraphColumns> checksums{};
  std::array<std::uint64_t, 2> reserved{};  ///< 0
  std::uint64_t checksum = 0;               ///< of all above
};
static_assert(sizeof(GraphHeader) == 112);

/// Does this file begin as a `.qgraph`? False for anything but a regular file.
bool is_graph_file(const std::string& path);

/// Maps a file and checks every byte of it. @throws InputError  not a `.qgraph`, damaged, or of a newer version
Graph open_graph_file(const std::string& path);

/// The same for bytes that outlive the graph. Whatever it accepts is a graph that can be searched, even where checksums
/// are not verified.
/// @param file  aligned to 8 bytes
void read_graph_file(std::span<const std::byte> file, const std::string& name, bool verify_checksums,
                     GraphAccess::Impl& graph);

/// Checks that the columns are a graph: offsets rise, rows ascend, there are no loops, and every edge is the same in
/// the rows of both its ends.
/// @return what is wrong, or nothing
std::string check_rows(const GraphAccess::Impl& graph);

}  // namespace quarry
