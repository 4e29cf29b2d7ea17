/// Neighbours are counted once for all molecules, and found again only for those that may become centroids. Thus memory
/// grows with the molecules, not with their pairs.
#include "similar/clustering.hpp"

#include <algorithm>
#include <numeric>

namespace quarry::similar {
namespace {

/// Neighbours in memory at a time, apart from those of the last molecule that was added.
constexpr Index kMaxNeighbours = Index{1} << 22;

}  // namespace

Clustering::Clustering(std::vector<Index> num_neighbours)
    : num_neighbours_(std::move(num_neighbours)), order_(num_neighbours_.size()) {
  std::iota(order_.begin(), order_.end(), Index{0});
  std::stable_sort(order_.begin(), order_.end(),
                   [&](Index left, Index right) { return num_neighbours_[left] > num_neighbours_[right]; });
  clusters_.cluster_of.assign(order_.size(), kFree);
}

std::vector<Index> Clustering::next_rows() {
  // Enough at a time that unpacking their features costs little beside comparing them.
  const Index batch = std::clamp<Index>(std::ssize(order_) / 64, 1024, 65536);
  candidates_.clear();
  std::vector<Index> rows;
  for (Index sum = 0; !done() && std::ssize(candidates_) < batch && sum < kMaxNeighbours; ++num_visited_) {
    const Index molecule = order_[num_visited_];
    if (!is_free(molecule)) continue;
    candidates_.push_back(molecule);
    sum += num_neighbours_[molecule];
    if (num_neighbours_[molecule] > 1) rows.push_back(molecule);  // else it is its only neighbour
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

void Clustering::add(const std::vector<Index>& rows, const Neighbours& found) {
  for (const Index molecule : candidates_) {
    if (!is_free(molecule)) continue;
    const Index cluster = std::ssize(clusters_.centroids);
    clusters_.centroids.push_back(molecule);
    clusters_.cluster_of[molecule] = cluster;
    const auto row = std::lower_bound(rows.begin(), rows.end(), molecule);
    if (row == rows.end() || *row != molecule) continue;
    const Index i = row - rows.begin();
    for (Index item = found.offsets[i]; item < found.offsets[i + 1]; ++item) {
      const Index neighbour = found.items[item].molecule;
      if (is_free(neighbour)) clusters_.cluster_of[neighbour] = cluster;
    }
  }
}

}  // namespace quarry::similar
