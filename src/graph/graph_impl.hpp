/// What a Graph holds: columns of its own, or columns of a mapped file.
#pragma once
#include <optional>
#include <vector>

#include "quarry/graph.hpp"
#include "util/mapped_file.hpp"

namespace quarry {

/// The columns of a graph where it owns them; see the spans of Graph for their shapes.
struct GraphColumns {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> neighbours, vertex_labels, edge_labels;
  std::vector<std::uint64_t> ids;  ///< ascending; empty where vertex v is `first_id + v`
  std::uint64_t first_id = 0;
};

struct Graph::Impl {
  explicit Impl(GraphColumns owned);
  /// The spans are set by who maps the file.
  explicit Impl(MappedFile mapped) : file(std::move(mapped)) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  GraphColumns columns;  // one of these two
  std::optional<MappedFile> file;

  std::span<const std::uint64_t> offsets;
  std::span<const std::uint32_t> neighbours, vertex_labels, edge_labels;
  std::span<const std::uint64_t> ids;
  std::uint64_t first_id = 0;
};

}  // namespace quarry
