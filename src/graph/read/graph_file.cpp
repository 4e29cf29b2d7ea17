/// Writing and opening `.qgraph` files.
#include "graph/read/graph_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "graph/edge_batch.hpp"
#include "quarry/error.hpp"
#include "util/checksum.hpp"
#include "util/files/temporary/temporary_file.hpp"

namespace quarry {
namespace {

using Bytes = std::span<const std::byte>;

constexpr std::array kColumnNames = {"offsets", "neighbours", "vertex_labels", "edge_labels", "ids"};

Bytes head_of(const GraphHeader& header) {
  return std::as_bytes(std::span(&header, 1)).first(offsetof(GraphHeader, checksum));
}

constexpr std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + kColumnAlignment - 1) / kColumnAlignment * kColumnAlignment;
}

bool has(const GraphHeader& header, std::size_t column) { return ((header.columns >> column) & 1) != 0; }

/// Bytes of each column, from counts that have been checked.
std::array<std::uint64_t, kNumGraphColumns> sizes_of(const GraphHeader& header) {
  const std::uint64_t vertices = header.num_vertices, ends = 2 * header.num_edges;
  std::array<std::uint64_t, kNumGraphColumns> sizes = {8 * (vertices + 1), 4 * ends, 4 * vertices, 4 * ends,
                                                       8 * vertices};
  for (std::size_t column = 0; column < kNumGraphColumns; ++column) {
    if (!has(header, column)) sizes[column] = 0;
  }
  return sizes;
}

/// What is wrong with the header of a file of `file_bytes`, or nothing.
std::string complaint(const GraphHeader& header, std::uint64_t file_bytes, bool verify_checksums) {
  constexpr std::uint64_t kAlways = (1u << kOffsets) | (1u << kNeighbours);
  if (header.magic != kGraphMagic) return "it does not begin with QUARRYGR";
  if (header.endian_mark != kGraphEndianMark)
    return "the header is damaged, or written by a machine of another byte order";
  if (header.version > kGraphVersion) {
    return fmt::format("it is in format version {}; this program reads version {}: update Quarry", header.version,
                       kGraphVersion);
  }
  if (header.version == 0 || (verify_checksums && checksum_of(head_of(header)) != header.checksum)) {
    return "the header is damaged (checksum)";
  }
  // Within these bounds the products below do not overflow.
  if (header.num_vertices > kMaxVertices || header.num_edges > file_bytes || (header.columns & kAlways) != kAlways ||
      header.columns >> kNumGraphColumns != 0 || header.reserved != decltype(header.reserved){}) {
    return fmt::format("the header states {} vertices, {} edges and columns {:#x}", header.num_vertices,
                       header.num_edges, header.columns);
  }
  std::uint64_t end = aligned(sizeof header);
  for (const std::uint64_t size : sizes_of(header)) end = aligned(end + size);
  if (end == file_bytes) return "";
  return fmt::format("{} vertices and {} edges take {} bytes, and it has {}", header.num_vertices, header.num_edges,
                     end, file_bytes);
}

bool all_zero(Bytes bytes) {
  return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; });
}

template <class Value>
std::span<const Value> as(Bytes bytes) {
  return {reinterpret_cast<const Value*>(bytes.data()), bytes.size() / sizeof(Value)};
}

}  // namespace

bool is_graph_file(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::array<char, kGraphMagic.size()> first{};
  std::ifstream(path, std::ios::binary).read(first.data(), first.size());
  return first == kGraphMagic;
}

void read_graph_file(Bytes file, const std::string& name, bool verify_checksums, GraphAccess::Impl& graph) {
  const auto refuse = [&](const std::string& why) { throw InputError(fmt::format("{}: {}", name, why)); };
  GraphHeader header;
  if (file.size() < sizeof header) refuse(fmt::format("it is too short for a .qgraph file ({} bytes)", file.size()));
  std::memcpy(&header, file.data(), sizeof header);
  if (const std::string why = complaint(header, file.size(), verify_checksums); !why.empty()) refuse(why);

  std::array<Bytes, kNumGraphColumns> columns;
  const auto sizes = sizes_of(header);
  std::uint64_t end = sizeof header;
  for (std::size_t column = 0; column < kNumGraphColumns; ++column) {
    const std::uint64_t begin = aligned(end);
    if (!all_zero(file.subspan(end, begin - end))) refuse(fmt::format("the padding at byte {} is not zero", end));
    columns[column] = file.subspan(begin, sizes[column]);
    end = begin + sizes[column];
    const std::uint64_t checksum = has(header, column) ? checksum_of(columns[column]) : 0;
    if (verify_checksums && checksum != header.checksums[column]) {
      refuse(fmt::format("column {}: the data is damaged (checksum)", kColumnNames[column]));
    }
  }
  if (!all_zero(file.subspan(end))) refuse(fmt::format("the padding at byte {} is not zero", end));
  graph.offsets = as<std::uint64_t>(columns[kOffsets]);
  graph.neighbours = as<std::uint32_t>(columns[kNeighbours]);
  graph.vertex_labels = as<std::uint32_t>(columns[kVertexLabels]);
  graph.edge_labels = as<std::uint32_t>(columns[kEdgeLabels]);
  graph.ids = as<std::uint64_t>(columns[kIds]);
  graph.first_id = header.first_id;
  if (const std::string why = check_rows(graph); !why.empty()) refuse(why);
}

Graph open_graph_file(const std::string& path) {
  auto graph = std::make_unique<GraphAccess::Impl>(MappedFile(path));
  read_graph_file(graph->file->bytes(), path, true, *graph);
  return GraphAccess::make(std::move(graph));
}

void write_qgraph(const Graph& graph, const std::string& path) {
  if (graph.has_names()) {
    throw InputError(fmt::format("'{}': a .qgraph file keeps no ids that are text: write the graph as .tsv", path));
  }
  const GraphAccess::Impl& from = GraphAccess::impl(graph);
  const std::array<Bytes, kNumGraphColumns> columns = {std::as_bytes(from.offsets), std::as_bytes(from.neighbours),
                                                       std::as_bytes(from.vertex_labels),
                                                       std::as_bytes(from.edge_labels), std::as_bytes(from.ids)};
  GraphHeader header;
  header.num_vertices = graph.num_vertices();
  header.num_edges = graph.num_edges();
  header.first_id = from.first_id;
  for (std::size_t column = 0; column < kNumGraphColumns; ++column) {
    if (columns[column].empty() && column > kNeighbours) continue;
    header.columns |= std::uint64_t{1} << column;
    header.checksums[column] = checksum_of(columns[column]);
  }
  header.checksum = checksum_of(head_of(header));

  TemporaryFile file(path);
  const auto append = [&](Bytes bytes) {
    static constexpr std::array<char, kColumnAlignment> kZeros{};
    file.write(bytes.data(), bytes.size());
    const std::uint64_t written = file.position();
    file.write(kZeros.data(), aligned(written) - written);
  };
  append(std::as_bytes(std::span(&header, 1)));
  for (const Bytes column : columns) append(column);
  file.commit();
}

}  // namespace quarry
