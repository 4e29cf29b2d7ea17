/// The executor: searches for what a few consecutive updates create or destroy. Workers take one such group each;
/// a count that turns out to be long is cut into parts, for idle workers to share.
#pragma once
#include <array>
#include <atomic>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "exec/workers.hpp"
#include "graph/pattern/search/match_rows.hpp"
#include "watch/plan.hpp"
#include "watch/steps.hpp"
#include "watch/updater.hpp"

namespace quarry::watch {

/// A queue, and the memory for sets that goes with it.
struct SearchWorker {
  explicit SearchWorker(const DeviceId& device) : queue(device) {}
  View<std::byte> room(Index bytes);

  Queue queue;

 private:
  std::unique_ptr<std::byte[]> memory_;
  Index num_bytes_ = 0;
};

/// Where a search comes from.
struct SearchSource {
  JoinedSearch* joined = nullptr;
  Index update = 0;  ///< of the group
  Index first_tally = 0;
};

/// Matches of a part of a search, in the order in which they are found.
struct ListedPart {
  Index search = 0;  ///< of the group
  DescentPart part;
  MatchRows rows;
  bool is_complete = true;  ///< false: there are more than `rows` holds
};

/// What one update did to one pattern.
struct PatternChange {
  Index position = 0;
  int pattern = 0;
  bool created = false;
  std::uint64_t subgraphs = 0;
};

/// What is delivered of a group: little, because another core may have found it.
struct GroupSum {
  std::vector<PatternChange> changes;  ///< when counting: by position, then pattern
  Index updates = 0, insertions = 0, deletions = 0;
  std::array<Index, kNumFaults> faults{};
  Time last_time = 0;  ///< of the changes of edges; 0: none
  Clock::time_point started = {};
  /// When its updates arrived, and how many at a time.
  std::vector<std::pair<Clock::time_point, Index>> arrivals;

  void clear();
};

struct Replica;

/// Consecutive updates on their way through the executor.
struct UpdateGroup {
  std::vector<AppliedUpdate> updates;
  std::vector<UpdateSearch> searches;  ///< of one update after the other
  std::vector<SearchSource> sources;   ///< [searches]
  std::vector<Tally> tallies;          ///< when counting: one for each leaf of each search
  std::vector<ListedPart> parts;       ///< when listing: of one search after the other
  GroupSum sum;
  double apply_seconds = 0;  ///< that applying its updates took
  Index side = 0;            ///< on devices: of the places of rows
  /// Where threads have graphs of their own: which applies and searches, what it applies, and the position of that.
  Replica* replica = nullptr;
  std::span<const GraphUpdate> arrived;
  Index position = 0;

  /// Adds the searches for the updates from `first` on, which have been added.
  void add_searches(std::size_t first, const DynamicGraph& graph, EdgeSearches& all);
  /// Sums up what was found. @throws CapacityError  more than 2^63 subgraphs
  void sum_up();
};

/// What is much for one search. Tests set less.
struct SearchLimits {
  /// A search that counts more leaves is begun again in parts, which idle threads share. PERF: to wake them takes as long
  /// as to count many thousands.
  Index many_leaves = Index{1} << 16;
  /// Listed values that are kept of a search. What there is beyond is found again when it is delivered. PERF: a row is found
  /// in the time in which it is written to the cache. Kept rows of long lists go through memory, which takes three to six
  /// times as long; rows that other threads had kept came over from their cores, 15 times as long.
  Index kept_values = Index{1} << 16;
  /// The same where threads make text of the rows, which takes ten times as long as to find them: what there is beyond
  /// is found and made into text in pieces by all threads. PERF: a piece has a sixteenth of what came before it, so
  /// that no thread is idle for long at the end.
  Index kept_of_text = Index{1} << 14, shortest_piece = Index{1} << 13, longest_piece = Index{1} << 15;
  /// Of the line of leaves, that may end a piece: matches may stand closer together. A piece that is so many times longer than
  /// the longest is found by the thread that delivers.
  int piece_bits = std::numeric_limits<double>::digits;
  Index much_longer = 16;
};
inline SearchLimits search_limits;

/// Of leaves, values or rows.
inline constexpr Index kNoLimit = std::numeric_limits<Index>::max();

class Executor {
 public:
  Executor(const DynamicGraph& graph, const Options& options, int threads);

  /// Finds what the updates of a group do, where that is not known yet.
  void search(UpdateGroup& group);
  /// Finds what the updates do that `take` adds to a group, each before the next one is applied: until it returns false, or
  /// a list is longer than what is kept, so that the rest must be found before the graph changes.
  void search_one_by_one(UpdateGroup& group, const std::function<bool()>& take);
  /// Empties a group that was delivered; the memory of its rows is used again.
  void clear(UpdateGroup& group);
  /// As visit_search.
  double visit(const UpdateSearch& search, const MatchVisitor& visitor);
  /// How many values of a search are kept from now on.
  void keep(Index values) { kept_values_ = values; }
  /// Lists the matches of a part of a search, up to so many values and a few more.
  void list(const UpdateGroup& group, Index max_values, ListedPart& part);
  /// The piece that stands first in a part of a search and has about so many rows, or more where it cannot be shorter.
  DescentPart first_piece(const UpdateSearch& search, DescentPart part, Index most_rows);
  int threads() const { return threads_; }
  /// How many updates a group should have.
  Index group_size() const;

 private:
  /// @param first  search of the group
  /// @return whether the graph may change before this is delivered
  bool find(UpdateGroup& group, std::size_t first);
  void count(UpdateGroup& group, std::size_t first);
  bool list(UpdateGroup& group, std::size_t first);
  void note_seconds(double seconds, Index num_updates);
  /// @return how many searches were counted, before one that has more leaves than `max_leaves`
  Index count(std::span<const UpdateSearch> searches, std::span<Tally> tallies, Index max_leaves);
  /// On all threads that have nothing else to do.
  void count_in_parts(const UpdateSearch& search, std::span<Tally> tallies);
  ListedPart spare_part();
  /// That are kept of a search.
  Index max_values(const UpdateGroup& group, Index search) const;

  const DynamicGraph& graph_;
  int threads_;
  bool list_;
  Index max_rows_;  ///< of one search that are wanted
  Index kept_values_ = search_limits.kept_values;
  Workers<SearchWorker> workers_;
  std::atomic<double> seconds_per_update_{0};
  std::mutex mutex_;
  std::vector<ListedPart> spare_parts_;  ///< whose memory is used again; guarded by mutex_
};

}  // namespace quarry::watch
