/// Butina clustering without a matrix: neighbours are counted once for all, and found again for the few that may become
/// centroids, many at a time.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "exec/parallel.hpp"
#include "similar/fingerprints.hpp"
#include "similar/group.hpp"

namespace quarry::similar {
namespace {

constexpr Index kFree = -1;
/// Neighbours in memory at a time, but for those of the last molecule that was taken in.
constexpr Index kMostNeighbours = Index{1} << 22;

/// Fingerprints whose blocks are all in memory, or mapped.
Fingerprints resident(const Fingerprints& molecules, int threads) {
  auto impl = std::make_unique<Fingerprints::Impl>();
  impl->definition = molecules.impl().definition;
  impl->first = molecules.impl().first;
  impl->blocks = load_blocks(molecules, Order::magnitude, threads);
  return Fingerprints(std::move(impl));
}

/// The fingerprints of some molecules, which are given in ascending order.
Fingerprints subset(const Fingerprints& molecules, const std::vector<Index>& wanted) {
  const auto& from = molecules.impl();
  auto impl = std::make_unique<Fingerprints::Impl>();
  impl->definition = from.definition;
  Multisets chosen;
  const auto finish_block = [&] {
    impl->blocks.push_back(make_block(chosen, impl->definition, Order::magnitude));
    impl->first.push_back(impl->first.back() + chosen.size());
    chosen = {};
  };
  auto next = wanted.begin();
  for (std::size_t block = 0; block + 1 < from.first.size() && next != wanted.end(); ++block) {
    if (*next >= from.first[block + 1]) continue;
    const Multisets all = multisets_of(from.blocks[block]->view);
    for (; next != wanted.end() && *next < from.first[block + 1]; ++next) {
      const auto molecule = static_cast<std::size_t>(*next - from.first[block]);
      chosen.keys.insert(chosen.keys.end(), all.keys.begin() + all.offsets[molecule],
                         all.keys.begin() + all.offsets[molecule + 1]);
      chosen.offsets.push_back(std::ssize(chosen.keys));
      if (chosen.size() == kChunkMolecules) finish_block();
    }
  }
  if (chosen.size() > 0) finish_block();
  return Fingerprints(std::move(impl));
}

/// The clustering while it is made.
class Clustering {
 public:
  Clustering(const Fingerprints& molecules, const SearchOptions& options)
      : molecules_(molecules), options_(options), size_(molecules.size()) {
    clusters_.cluster_of.assign(static_cast<std::size_t>(size_), kFree);
  }

  Clusters run() {
    std::vector<Index> order = by_neighbours();
    // Enough at a time that finding their features again costs little beside comparing them.
    const Index batch = std::clamp<Index>(size_ / 64, 1024, 65536);
    for (auto next = order.begin(); next != order.end();) {
      std::vector<Index> candidates;
      Index neighbours = 0;
      for (; next != order.end() && std::ssize(candidates) < batch && neighbours < kMostNeighbours; ++next) {
        if (!is_free(*next)) continue;
        candidates.push_back(*next);
        neighbours += counts_[static_cast<std::size_t>(*next)];
      }
      take(candidates);
      if (options_.run.progress) options_.run.progress(size_ + (next - order.begin()), 2 * size_);
    }
    return std::move(clusters_);
  }

 private:
  bool is_free(Index molecule) const { return clusters_.cluster_of[static_cast<std::size_t>(molecule)] == kFree; }

  /// All molecules, those with most neighbours first.
  std::vector<Index> by_neighbours() {
    SearchOptions options = options_;
    if (options_.run.progress) {
      options.run.progress = [this](Index done, Index total) {
        options_.run.progress(done / (total / size_), 2 * size_);
      };
    }
    counts_ = count_neighbours(molecules_, options);
    std::vector<Index> order(counts_.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Index left, Index right) {
      return counts_[static_cast<std::size_t>(left)] > counts_[static_cast<std::size_t>(right)];
    });
    return order;
  }

  /// Makes centroids of those candidates, in their order, that are still free when it is their turn.
  void take(const std::vector<Index>& candidates) {
    std::vector<Index> rows;  // one that is its only neighbour need not be compared
    for (const Index molecule : candidates) {
      if (counts_[static_cast<std::size_t>(molecule)] > 1) rows.push_back(molecule);
    }
    std::sort(rows.begin(), rows.end());
    SearchOptions options = options_;
    options.run.progress = {};
    Neighbours found;
    if (!rows.empty()) found = search(subset(molecules_, rows), molecules_, options);
    for (const Index molecule : candidates) {
      if (!is_free(molecule)) continue;
      const Index cluster = std::ssize(clusters_.centroids);
      clusters_.centroids.push_back(molecule);
      clusters_.cluster_of[static_cast<std::size_t>(molecule)] = cluster;
      const auto row = std::lower_bound(rows.begin(), rows.end(), molecule);
      if (row == rows.end() || *row != molecule) continue;
      const auto i = static_cast<std::size_t>(row - rows.begin());
      for (Index item = found.offsets[i]; item < found.offsets[i + 1]; ++item) {
        const Index neighbour = found.items[static_cast<std::size_t>(item)].molecule;
        if (is_free(neighbour)) clusters_.cluster_of[static_cast<std::size_t>(neighbour)] = cluster;
      }
    }
  }

  const Fingerprints& molecules_;
  SearchOptions options_;
  Index size_;
  std::vector<Index> counts_;  ///< neighbours, oneself included
  Clusters clusters_;
};

}  // namespace

Clusters cluster(const Fingerprints& molecules, double threshold, const RunOptions& options) {
  if (!(threshold > 0 && threshold <= 1)) {
    throw InputError(fmt::format("the threshold of a clustering must be above 0 and at most 1, not {}", threshold));
  }
  return Clustering(resident(molecules, resolve_threads(options.threads)), {0, threshold, options}).run();
}

}  // namespace quarry::similar
