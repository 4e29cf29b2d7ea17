/// The host's side of the kernel that stays on a device: posts updates and searches, and waits for what becomes of them.
///
/// No memory of the device is taken or given back while the kernel is there, for that would wait until it ends.
#pragma once
#include <span>

#include "exec/buffer.hpp"
#include "exec/resident.hpp"
#include "exec/shared_array.hpp"
#include "watch/device/steps.hpp"

namespace quarry::watch {

/// Teams, and room for what is posted at a time.
struct ResidentSizes {
  Index items = 0, tallies = 0, values = 0, update_words = 0;
  Index teams_per_updater = 64;  ///< one of this number of teams updates; at least one does, at most four
};

class ResidentSearch {
 public:
  explicit ResidentSearch(const DeviceId& device) : queue_(device) {}
  ResidentSearch(const ResidentSearch&) = delete;
  ResidentSearch& operator=(const ResidentSearch&) = delete;
  ~ResidentSearch() { end(); }

  bool is_there() const { return is_there_; }
  /// @param work  says where entries, places and plans are, which must stay there, and what a team needs
  /// @param num_teams  that search, at most
  /// @throws DeviceError  there is no room
  void start(ResidentWork work, Index num_teams, int lanes, const ResidentSizes& sizes);
  void end() noexcept;

  bool has_room_for(const RowUpdate& update) const;
  /// Applies an update for which there is room. @param side  of places, to which it goes
  /// @throws DeviceError  the device is lost
  void update(const RowUpdate& update, Index side);
  /// As DeviceWorker::count and list, of at most as many as there is room for.
  void count(std::span<const SearchItem> items, std::span<Tally> tallies, std::span<std::uint8_t> stopped);
  void list(std::span<const SearchItem> items, std::span<std::uint32_t> values);

 private:
  /// Until a word that the device writes is no longer `known`.
  void wait(std::uint64_t& word, std::uint64_t known);
  /// Until all of them are done.
  void search(std::span<const SearchItem> items);
  /// Of an item of the last search.
  std::uint64_t& state_of(std::size_t item) { return states_.host()[(first_ + item) % states_.size()]; }

  Queue queue_;
  Resident kernel_;
  bool is_there_ = false;
  std::uint64_t first_ = 0;  ///< items posted before the last search
  SharedArray<Mailbox> mailbox_;
  SharedArray<RowUpdate> update_;
  SharedArray<std::uint64_t> posted_arrays_;
  SharedArray<SearchItem> items_;
  SharedArray<std::uint64_t> states_;
  SharedArray<Tally> tallies_;
  SharedArray<std::uint32_t> values_;
  Buffer<TeamWords> words_;
  Buffer<std::uint64_t> arrays_;
  Buffer<std::byte> memory_;
  Buffer<Tally> sums_;
};

}  // namespace quarry::watch
