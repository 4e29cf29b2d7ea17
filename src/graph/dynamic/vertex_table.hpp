/// The vertices of a graph that changes, in pieces that never move: others read while vertices are added.
#pragma once
#include <array>
#include <atomic>
#include <bit>
#include <memory>
#include <vector>

#include "graph/dynamic/row_version.hpp"
#include "util/memory/huge_pages.hpp"

namespace quarry::dynamic {

/// Readers look at `newest` alone; the rest is the updater's.
struct VertexHead {
  std::atomic<RowVersion*> newest = nullptr;  ///< none: there are no neighbours
  RowVersion* latest = nullptr;               ///< what the next change goes into: the newest, or not yet published
  std::uint32_t label = 0;
  std::uint32_t degree = 0;       ///< neighbours in the row
  std::uint32_t other_edges = 0;  ///< edges that are not in the row
};

class VertexTable {
 public:
  explicit VertexTable(Index num_vertices) : first_(num_vertices), first_size_(num_vertices), size_(num_vertices) {}

  Index size() const { return size_; }
  VertexHead& operator[](Index vertex) const {
    if (vertex < first_size_) return const_cast<VertexHead&>(first_[vertex]);
    const Index position = vertex - first_size_ + kPiece;
    const int piece = std::bit_width(static_cast<std::uint64_t>(position / kPiece)) - 1;
    return pieces_[piece][position - (kPiece << piece)];
  }
  /// @return bytes that this took
  Index add() {
    const Index position = size_++ - first_size_ + kPiece;
    if (!std::has_single_bit(static_cast<std::uint64_t>(position))) return 0;
    pieces_[std::countr_zero(static_cast<std::uint64_t>(position / kPiece))] = std::make_unique<VertexHead[]>(position);
    return position * Index{sizeof(VertexHead)};
  }

 private:
  /// Vertices of the first piece that is added; each later one is twice as large.
  static constexpr Index kPiece = 1024;
  LargeVector<VertexHead> first_;
  Index first_size_, size_;
  std::array<std::unique_ptr<VertexHead[]>, 23> pieces_;
};

}  // namespace quarry::dynamic
