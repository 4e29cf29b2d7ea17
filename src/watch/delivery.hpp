/// What searches found, as alerts in the order of the updates, and summed up.
#pragma once
#include <functional>
#include <vector>

#include "watch/executor.hpp"
#include "watch/response_times.hpp"

namespace quarry::watch {

class Delivery {
 public:
  Delivery(const WatchPlan& plan, const VertexIds& ids, Executor& executor, const Options& options);

  void add_pattern();
  /// From now on; not while updates are passed over without a search.
  void measure_times(bool measures) { measures_times_ = measures; }
  /// Groups come in the order of their updates, summed up.
  void deliver(const UpdateGroup& group, const AlertSink& sink);

  const std::vector<PatternTotals>& totals() const { return totals_; }
  /// Enters what was delivered since the last call.
  void report(Statistics& statistics);

 private:
  void count_updates(const GroupSum& sum);
  void deliver_lists(const UpdateGroup& group, const AlertSink& sink);
  /// Delivers the matches of some parts, all of one update and pattern. @return how many were delivered, with
  /// Options::digest how many there are; and whether there are more than were delivered
  std::pair<Index, bool> deliver_rows(const UpdateGroup& group, std::span<const Index> parts, Alert alert,
                                      const AlertSink& sink);
  /// The matches of a part that it did not keep, searched for again. @return what `take` returned: false to stop
  bool take_rest(const UpdateGroup& group, const ListedPart& part,
                 const std::function<bool(std::span<const std::uint32_t>)>& take);
  /// Delivers rows, and those that automorphisms make of them, `limit` at most.
  void take_rows(std::span<const std::uint32_t> rows, Index limit, Alert& alert, const AlertSink& sink);
  /// Delivers rows as they are.
  void take_plain_rows(std::span<const std::uint32_t> rows, Alert& alert, const AlertSink& sink);
  Index num_variants(int pattern) const;  ///< rows that are listed for one subgraph
  void add_to_totals(const Alert& alert);

  const WatchPlan& plan_;
  const VertexIds& ids_;
  Executor& executor_;
  Options options_;
  std::vector<std::vector<std::uint8_t>> automorphisms_;  ///< [patterns] where every embedding is wanted
  std::vector<PatternTotals> totals_;
  std::vector<std::uint64_t> id_rows_;  ///< room for the ids of an alert
  Statistics statistics_;
  bool measures_times_ = true;
  ResponseTimeHistogram start_, done_;
};

}  // namespace quarry::watch
