/// What searches found, as alerts in the order of the updates, and summed up.
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "exec/workers.hpp"
#include "watch/executor.hpp"
#include "watch/response_times.hpp"

namespace quarry::watch {

class Delivery {
 public:
  Delivery(const WatchPlan& plan, const VertexIds& ids, Executor& executor, const Options& options);

  void add_pattern();
  /// From now on; not while updates are passed over without a search.
  void measure_times(bool measures) { measures_times_ = measures; }
  /// From now on: how alerts become text, or none.
  void set_text(const AlertText* text) { text_ = text; }
  /// Is text wanted of lists that are not cut short, and are there threads to make it?
  bool makes_text() const {
    const bool lists = options_.list || options_.digest;
    return text_ != nullptr && lists && options_.max_results == 0 && executor_.threads() > 1;
  }
  /// Groups come in the order of their updates, summed up.
  void deliver(const UpdateGroup& group, const AlertSink& sink);

  const std::vector<PatternTotals>& totals() const { return totals_; }
  /// Enters what was delivered since the last call.
  void report(Statistics& statistics);

 private:
  /// Where the ids of rows are put.
  struct IdRoom {
    Index most_values = 0;  ///< of an alert
    std::vector<std::uint64_t> ids = {};
    std::uint64_t hash = 0;  ///< with Options::digest: the sum of those of the rows
  };
  /// Where a thread puts the rows of a piece, their ids and text.
  struct PieceRoom {
    explicit PieceRoom(const DeviceId& host);
    ListedPart listed = {};
    IdRoom ids = {};
    std::string text = {};
  };
  /// A piece of a long list, with its room from when it is found until it is delivered.
  struct Piece {
    DescentPart part = {};
    std::optional<Workers<PieceRoom>::Lease> room = {};
  };
  void count_updates(const GroupSum& sum);
  void deliver_lists(const UpdateGroup& group, const AlertSink& sink);
  /// Delivers the matches of some parts, all of one update and pattern. @return how many were delivered, with
  /// Options::digest how many there are; and whether there are more than were delivered
  std::pair<Index, bool> deliver_rows(const UpdateGroup& group, std::span<const Index> parts, Alert alert,
                                      const AlertSink& sink);
  /// The matches of a part after the first `num_known`, searched for again. @return what `take` returned: false to stop
  bool take_rest(const UpdateGroup& group, const ListedPart& part, Index num_known,
                 const std::function<bool(std::span<const std::uint32_t>)>& take);
  /// The text of a part that has too many rows to keep: threads find it piece by piece. @return the number of matches
  Index take_in_pieces(const UpdateGroup& group, const ListedPart& listed, const Alert& alert, const AlertSink& sink);
  /// Makes alerts of rows, and of those that automorphisms make of them, `limit` at most.
  void take_rows(std::span<const std::uint32_t> rows, Index limit, Alert alert, IdRoom& room,
                 const AlertSink& sink) const;
  /// The same of rows as they are.
  void take_plain_rows(std::span<const std::uint32_t> rows, Alert alert, IdRoom& room, const AlertSink& sink) const;
  void add_hash(const Alert& alert, IdRoom& room);
  Index num_variants(int pattern) const;  ///< rows that are listed for one subgraph
  void add_to_totals(const Alert& alert);

  const WatchPlan& plan_;
  const VertexIds& ids_;
  Executor& executor_;
  Options options_;
  std::vector<std::vector<std::uint8_t>> automorphisms_;  ///< [patterns] where every embedding is wanted
  std::vector<PatternTotals> totals_;
  const AlertText* text_ = nullptr;
  IdRoom room_;
  Workers<PieceRoom> piece_rooms_;
  Statistics statistics_;
  bool measures_times_ = true;
  ResponseTimeHistogram start_, done_;
};

}  // namespace quarry::watch
