/// Butina's algorithm: which molecules become centroids, and which join them.
#pragma once
#include <utility>
#include <vector>

#include "quarry/similar.hpp"

namespace quarry::similar {

/// A clustering while it is made. It asks for the neighbours of many molecules at a time:
///
///   while (!clustering.done()) {
///     const std::vector<Index> rows = clustering.next_rows();
///     clustering.add(rows, neighbours of these rows);
///   }
class Clustering {
 public:
  /// @param num_neighbours  [molecules], each itself included
  explicit Clustering(std::vector<Index> num_neighbours);

  bool done() const { return num_visited_ == std::ssize(order_); }
  /// Molecules whose neighbours are needed next, ascending; perhaps none. Every one may become a centroid.
  std::vector<Index> next_rows();
  /// Makes centroids of those that are still free when it is their turn.
  void add(const std::vector<Index>& rows, const Neighbours& found);

  Index num_visited() const { return num_visited_; }
  /// Once it is done.
  Clusters take() { return std::move(clusters_); }

 private:
  static constexpr Index kFree = -1;
  bool is_free(Index molecule) const { return clusters_.cluster_of[molecule] == kFree; }

  std::vector<Index> num_neighbours_;
  std::vector<Index> order_;       ///< all molecules, those with most neighbours first
  Index num_visited_ = 0;          ///< of them
  std::vector<Index> candidates_;  ///< visited last, those that were free, in this order
  Clusters clusters_;
};

}  // namespace quarry::similar
