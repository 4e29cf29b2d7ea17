/// From the ids of vertices, which may be any numbers, to the vertices of the graph and back.
#pragma once
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "graph/dynamic/dynamic_graph.hpp"
#include "util/memory/huge_pages.hpp"
#include "util/memory/prefetch.hpp"
#include "util/segmented_vector.hpp"

namespace quarry::watch {

class VertexIds {
 public:
  explicit VertexIds(const Graph& graph);

  /// @return the vertex, or -1 where there is none
  std::int64_t find(std::uint64_t id) const {
    if (id < dense_.size()) return dense_[id] == kNone ? -1 : std::int64_t{dense_[id]};
    const auto found = sparse_.find(id);
    return found == sparse_.end() ? -1 : std::int64_t{found->second};
  }
  void prefetch(std::uint64_t id) const {
    if (id < dense_.size()) quarry::prefetch(&dense_[id]);
  }
  /// Adds a vertex to the graph. @param update  position of the update that does it
  std::uint32_t add(std::uint64_t id, std::uint32_t label, Index update, DynamicGraph& graph);
  /// Removes a vertex, which has no edges. It becomes another one kReuseDistance updates later, when no search is left
  /// that may read it; so the numbers of vertices do not depend on threads.
  void remove(std::uint64_t id, Index update);

  static constexpr Index kReuseDistance = Index{1} << 22;

  /// May be called from other threads, for vertices of searches that they make.
  std::uint64_t id(std::uint32_t vertex) const { return ids_[vertex]; }
  bool is_present(std::uint32_t vertex) const { return find(ids_[vertex]) == vertex; }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  struct Removed {
    Index update;
    std::uint32_t vertex;
  };
  void set(std::uint64_t id, std::uint32_t vertex);

  LargeVector<std::uint32_t> dense_;  ///< by id, for small ids
  std::unordered_map<std::uint64_t, std::uint32_t> sparse_;
  SegmentedVector<std::uint64_t> ids_;
  std::deque<Removed> removed_;
};

}  // namespace quarry::watch
