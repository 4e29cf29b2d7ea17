/// What is left of the alerts of a batch of updates when what one update created and another destroyed is taken out.
#pragma once
#include <functional>
#include <map>
#include <vector>

#include "quarry/watch.hpp"

namespace quarry::cli {

class NetAlerts {
 public:
  /// @param batch  updates of a batch: positions k x batch to below (k + 1) x batch
  /// @param list   alerts carry matches; else numbers alone
  /// @param sink   takes the alerts that are left, as of the last update of their batch
  NetAlerts(std::vector<GraphPattern> patterns, Index batch, bool list, watch::AlertSink sink)
      : patterns_(std::move(patterns)), batch_(batch), list_(list), sink_(std::move(sink)), sums_(patterns_.size()) {}

  void take(const watch::Alert& alert);
  /// Ends the last batch. @param num_updates  of the stream
  void finish(Index num_updates);

 private:
  using Vertices = std::vector<std::uint64_t>;
  /// Of one pattern in this batch.
  struct Sum {
    std::int64_t subgraphs = 0, embeddings = 0;
    std::map<Vertices, std::pair<std::int64_t, Vertices>> matches;  ///< by edges: how often created, and the last match
  };
  Vertices edges_of(const GraphPattern& pattern, std::span<const std::uint64_t> match) const;
  void flush(Index update);
  void flush_list(watch::Alert alert, const Sum& sum, bool created);

  std::vector<GraphPattern> patterns_;
  Index batch_;
  bool list_;
  watch::AlertSink sink_;
  Index current_ = 0;  ///< number of the batch
  std::vector<Sum> sums_;
};

}  // namespace quarry::cli
