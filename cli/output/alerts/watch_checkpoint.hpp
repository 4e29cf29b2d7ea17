/// Where a run of `watch` stands, in a file that is replaced as a whole: what it had read, written and counted.
///
/// The graph is not in it: the updates before the position make it again from the first graph, without any search.
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "quarry/watch.hpp"
#include "stopwatch.hpp"

namespace quarry::cli {

struct WatchCheckpoint {
  std::string job;            ///< what was asked for; a run can only go on with the same
  std::string graph;          ///< size and checksum of the file of the first graph
  Index position = 0;         ///< updates that are done
  std::uint64_t updates = 0;  ///< a hash of these
  Index output_length = 0;    ///< bytes
  bool finished = false;
  std::vector<watch::PatternTotals> totals;
};

/// @throws SystemError  the folder cannot be made or written
void save_checkpoint(const std::string& folder, const WatchCheckpoint& checkpoint);

/// @return nothing where the folder is missing or has no checkpoint. @throws InputError  it is damaged
std::optional<WatchCheckpoint> load_checkpoint(const std::string& folder);

/// Adds what a run counted to what was counted before.
void add_totals(std::vector<watch::PatternTotals>& totals, const std::vector<watch::PatternTotals>& before);

/// How many updates a run takes so that there is a checkpoint whenever one is due, however long the matches of an update are:
/// few at first, more while they are quick. A checkpoint stands between two runs.
class CheckpointPace {
 public:
  /// @param seconds  between checkpoints @param least  updates of a run
  CheckpointPace(double seconds, Index least) : seconds_(seconds), least_(std::max<Index>(1, least)) {}
  /// Where the run that begins now ends. @param stop  the latest; negative: none
  Index end_of_run(Index begin, Index stop);
  /// Notes the run that has ended. @return  is a checkpoint due? The time to the next one begins then
  bool is_due(Index updates);

 private:
  double seconds_;
  Index least_, most_ = least_;
  Stopwatch run_, last_;
};

}  // namespace quarry::cli
