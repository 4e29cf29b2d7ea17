/// What a Graph holds: columns of its own, or columns of a mapped file.
#pragma once
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "quarry/graph.hpp"
#include "util/files/mapped_file.hpp"
#include "util/memory/scratch_memory.hpp"

namespace quarry {

/// The columns of a graph that owns them; see the spans of Graph for their lengths.
struct GraphColumns {
  std::vector<std::uint64_t> offsets{0};
  BigVector<std::uint32_t> neighbours, edge_labels;
  std::vector<std::uint32_t> vertex_labels;
  std::vector<std::uint64_t> ids;  ///< ascending; empty where vertex v is `first_id + v`
  std::uint64_t first_id = 0;
  std::vector<std::uint64_t> name_offsets;  ///< [vertices + 1] into `name_text`, ascending by name; or empty: no names
  std::string name_text;
};

struct Graph::Impl {
  explicit Impl(GraphColumns owned);
  /// The caller sets the spans.
  explicit Impl(MappedFile mapped) : file(std::move(mapped)) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  GraphColumns columns;  // one of these two
  std::optional<MappedFile> file;

  std::span<const std::uint64_t> offsets;
  std::span<const std::uint32_t> neighbours, vertex_labels, edge_labels;
  std::span<const std::uint64_t> ids;
  std::uint64_t first_id = 0;
  std::span<const std::uint64_t> name_offsets;
  std::string_view name_text;
};

/// The inside of a Graph, for the code that makes and writes graphs, and for tests.
struct GraphAccess {
  using Impl = Graph::Impl;
  static const Impl& impl(const Graph& graph) { return *graph.impl_; }
  static Graph make(std::unique_ptr<Impl> impl) { return Graph(std::move(impl)); }
  static Graph make(GraphColumns columns) { return Graph(std::make_unique<Impl>(std::move(columns))); }
};

}  // namespace quarry
