/// `watch` on devices: every device has the rows of the graph, follows each batch of updates, and takes its share of the
/// searches for them. One thread applies a batch while another one searches for the batch before.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "exec/workers.hpp"
#include "watch/device/plan.hpp"
#include "watch/device/resident_search.hpp"
#include "watch/executor.hpp"

namespace quarry::watch {

/// What a device does at a time. Tests set less.
struct DeviceLimits {
  Index max_teams = 4096;  ///< that are at work together
  /// A search with more leaves is begun again in parts, and a part of it once more.
  Index item_leaves = Index{1} << 13;
  /// Values that one part of a search keeps, at least kMaxPatternVertices. What there is beyond is found again on the host
  /// when it is delivered.
  Index item_values = Index{1} << 22;
  Index counted_updates = Index{1} << 16, listed_updates = 64;  ///< of a group
  Index spare_entries = 1024;  ///< for rows to grow into, beside as many as the graph has
  /// Where the device can, one kernel stays and is fed; else each step is a launch.
  bool stays = true;
  // PERF: with 1 << 20 words, which batches of 16,384 updates fit, an H100 was 0.86 times as fast as in an older run
  // with so many.
  ResidentSizes resident = {.items = 1 << 14, .tallies = 1 << 18, .values = 1 << 22, .update_words = 1 << 18};
};
inline DeviceLimits device_limits;

/// The graph on one device, and what it searches with.
///
/// `load`, `forget_plans`, `apply`, `make_ready_for` and `rest` must not run beside `count` and `list`.
class DeviceWorker {
 public:
  explicit DeviceWorker(const DeviceId& device);

  /// Sends the edges of some kinds that are there now. @throws CapacityError, DeviceError  there is no room
  void load(const DynamicGraph& graph, const EdgeKinds& kinds, Index limit_bytes);
  void forget_plans();
  /// Decides what a batch changes that the graph of the host has. @param base  the time before it
  void plan(std::span<const AppliedUpdate> updates, const DynamicGraph& graph, const EdgeKinds& kinds, Time base) {
    plan_.plan(updates, graph, kinds, base);
  }
  /// Applies it. @return false where no kernel stays, or it has too little memory: then `apply` must @throws DeviceError
  bool apply_beside_searches();
  /// @throws as load
  void apply();
  /// The side of places that the last batch was written to.
  Index side() const { return plan_.side(); }
  bool is_ready_for(const UpdateGroup& group) const;
  /// Takes the plans of searches that it does not have, and starts the kernel that stays. @param length  no row is longer
  void make_ready_for(const UpdateGroup& group, Index length);
  Index plan_of(const UpdateSearch& search) const { return numbers_.at(search.setup); }

  /// What one call may ask for, at least 1. @param num_tallies  of an item
  Index max_items(Index num_tallies) const;
  Index max_values() const;
  /// How often all rows were moved to larger memory.
  Index num_moves() const { return num_moves_; }
  // After `make_ready_for` the group of the items.
  /// @param tallies  out, of the items end to end
  /// @param stopped  out, [items] not 0: it has more leaves than it may have, and its tallies mean nothing
  void count(std::span<const SearchItem> items, std::span<Tally> tallies, std::span<std::uint8_t> stopped);
  /// @param values  out, rows of the items end to end
  void list(std::span<const SearchItem> items, std::span<std::uint32_t> values);
  /// Ends the kernel that stays, if one is there, until `make_ready_for`.
  void rest();

  Queue queue;

 private:
  /// Memory for entries, in use or not.
  struct Entries {
    Buffer<std::uint64_t> keys;
    Buffer<std::uint32_t> neighbours, created, deleted;

    Index size() const { return keys.size(); }
    void resize(Queue& of_device, Index num_entries);
    EntryColumns columns() { return {keys.view(), neighbours.view(), created.view(), deleted.view()}; }
  };
  /// Room for all of them, on both sides; where it grows, they are lost.
  void reserve_places();
  /// To both sides, all of them.
  void send_places();
  Entries larger_memory();
  Index graph_bytes() const;
  Index room_bytes() const { return limit_bytes_ - graph_bytes(); }
  void require(Index more_bytes, const char* what) const;
  RowsOnDevice rows() { return {{places_[0].view(), places_[1].view()}, entries_.columns()}; }
  Index num_places() const { return places_[0].size(); }
  void add_plans(const UpdateGroup& group, Index length);
  void start_kernel();
  /// Sends items, and takes memory for teams. @return  what they work on; its teams are `num_teams_`
  SearchItems prepare(std::span<const SearchItem> items);

  int lanes_;
  Index limit_bytes_ = 0;
  RowPlan plan_;
  Entries entries_;
  Index num_moves_ = 0;
  Buffer<RowPlace> places_[kSides];
  Parcel update_;
  std::unordered_map<const SearchSetup*, Index> numbers_;  ///< of plans
  std::vector<DevicePlan> plans_;
  std::vector<Parcel> parts_of_plans_;
  Buffer<DevicePlan> sent_plans_;
  Index team_bytes_ = 0, team_tallies_ = 1;  ///< of the largest plan
  Index num_teams_ = 0;
  Buffer<std::byte> memory_;
  Buffer<SearchItem> items_;
  Buffer<std::uint64_t> next_;
  Buffer<Tally> tallies_;
  Buffer<std::uint8_t> stopped_;
  Buffer<std::uint32_t> values_;
  std::unique_ptr<ResidentSearch> resident_;  ///< null where no kernel can stay; after what it works on
};

/// What the executor is on the host. While one thread searches for a group, another one may apply the next batch and make
/// ready for a later group.
class DeviceExecutor {
 public:
  DeviceExecutor(const DynamicGraph& graph, const Options& options);

  /// Before a run: sends the graph as it is `now`, unless the devices have it.
  void prepare(const WatchPlan& plan, bool patterns_changed, Time now);
  /// Applies a batch that the graph has. All groups but those of the batch before must be searched.
  /// @param base, now  the times before and after it
  void apply(std::span<const AppliedUpdate> updates, Time base, Time now);
  /// Before the search for a group, all of whose updates are of the last batch.
  void make_ready_for(UpdateGroup& group);
  /// Finds what the updates of a group do.
  void search(UpdateGroup& group);
  /// After a run.
  void rest();
  /// Updates of a group, at most: the host keeps what is found for them.
  Index group_size() const;

 private:
  /// A part of a search.
  struct Part {
    Index search = 0;  ///< of the group
    DescentPart part = {};
    Index num_rows = 0;  ///< when listing
  };
  /// Adds up the tallies of a group. @return  all parts of all searches, in order
  std::vector<Part> count(UpdateGroup& group);
  void count(UpdateGroup& group, std::span<const Part> parts, Index max_leaves, std::vector<Part>& done,
             std::vector<Part>& stopped);
  void list(UpdateGroup& group, std::span<const Part> parts);
  /// Lists parts from `first` on, as many as there is room for. @return one past the last of them
  static Index list(DeviceWorker& worker, UpdateGroup& group, std::span<const Part> wanted, Index first, Index last);
  static SearchItem item_of(const DeviceWorker& worker, const UpdateGroup& group, Index search, DescentPart part);
  /// `action(worker, first, last)` on every device, each for its share of [0, n).
  template <class Action>
  void share(Index n, const Action& action);
  /// For what must not run beside them.
  void wait_for_searches() const;

  const DynamicGraph& graph_;
  bool list_;
  Index max_rows_;  ///< of one search that are wanted
  Workers<DeviceWorker> workers_;
  EdgeKinds kinds_;
  std::atomic<Index> num_unsearched_{0};  ///< groups that are made ready for
  std::mutex searching_;                  ///< one group at a time
  Time time_ = -1;                        ///< of the last change that all devices have; -1: they do not have the graph
};

}  // namespace quarry::watch
