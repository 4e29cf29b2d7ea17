/// The launches of `watch` on a device: rows change, and searches for updates count or list. A step decides nothing.
///
/// On a device a row is one piece of memory: entries sorted by key, then by neighbour, then by time. A key is the
/// neighbour's label and the edge's label; beside each entry stand the first and the last time at which it is visible, as
/// offsets from the time at which the row was written last.
#pragma once
#include <cstdint>

#include "exec/resident.hpp"
#include "exec/step.hpp"
#include "graph/pattern/search/search_job.hpp"
#include "quarry/graph_pattern.hpp"

namespace quarry::watch {

/// In place of an offset: not deleted.
inline constexpr std::uint32_t kNotDeleted = 0xFFFFFFFF;

/// Where a row stands. It has room for more entries than it has.
struct RowPlace {
  Index begin = 0;                 ///< its first entry
  Index base = 0;                  ///< offset 0 is this time, and all before it
  std::uint32_t size = 0;          ///< entries
  std::uint32_t last_created = 0;  ///< largest offset of a creation
  std::uint32_t first_deleted = kNotDeleted;

  QUARRY_INLINE bool all_visible(std::uint32_t offset) const {
    return last_created <= offset && first_deleted >= offset;
  }
};

/// The entries of all rows, and free places between them.
struct EntryColumns {
  View<std::uint64_t> keys;
  View<std::uint32_t> neighbours, created, deleted;
};
/// Bytes of an entry.
inline constexpr Index kEntryBytes = 8 + 4 + 4 + 4;

/// Where rows stand is known twice: while a batch is searched for by one side, the next one writes the other.
inline constexpr int kSides = 2;

struct RowsOnDevice {
  View<const RowPlace> places[kSides];  ///< [vertices]
  EntryColumns entries;

  QUARRY_INLINE static std::uint64_t key_of(std::uint32_t vertex_label, std::uint32_t edge_label) {
    return std::uint64_t{vertex_label} << 32 | edge_label;
  }
  QUARRY_INLINE static std::uint32_t edge_label_of(std::uint64_t key) { return key; }
};

/// A row that is written anew at another place. Its elements are the entries that it had, then those that are new.
struct RowChange {
  Index vertex = 0;
  RowPlace row;                           ///< from now on
  Index old_begin = 0, old_size = 0;      ///< until now
  Index first_element = 0;                ///< elements of all rows before
  Index first_patch = 0, last_patch = 0;  ///< half open
  Index first_entry = 0;                  ///< its first new one
};
/// The entries of one neighbour and key, all of which are replaced. Those of a row are in order.
struct RowPatch {
  std::uint64_t key = 0;
  std::uint32_t neighbour = 0;
  Index first_entry = 0;  ///< of the new ones
  Index shift = 0;        ///< entries that the patches of the row before this one add, less those that they take out
};
struct NewEntry {
  Index patch = 0;
  std::uint32_t created = 0, deleted = kNotDeleted;
};
/// What a batch of updates does to rows.
struct RowUpdate {
  View<const RowChange> changes;
  View<const RowPatch> patches;
  View<const NewEntry> entries;
  /// Vertices whose rows the batch before has changed and this one does not: their places come from the other side.
  View<const Index> carried;
  Index num_elements = 0;  ///< of rows that change
};

/// Writes rows to their new places. @param to      where they are written: elsewhere in `from`, or in other memory
///                                  @param places  of this batch
///                                  @param before  places of the batch before
extern const Step<void(Queue&, const RowUpdate& update, const EntryColumns& from, const EntryColumns& to,
                       View<RowPlace> places, View<const RowPlace> before)>
    update_rows;

/// The plan of a search on a device.
struct DevicePlan : SearchSetup {
  std::uint8_t order[kMaxPatternVertices] = {};  ///< lists: the pattern's vertex at each position
  int width = 0;                                 ///< lists: vertices of the pattern
  int num_tallies = 1;                           ///< of an item that counts
};
/// A part of the search for one update.
struct SearchItem {
  Index plan = 0;
  Index side = 0;  ///< of the places that its batch has written
  Index time = 0;
  std::uint32_t from = 0, to = 0;
  DescentPart part = {};
  Index first_tally = 0;                ///< when counting
  Index max_leaves = INT64_MAX;         ///< when counting: of more leaves, its tallies mean nothing
  Index first_value = 0, num_rows = 0;  ///< when listing: where its rows begin, and how many are wanted
};
/// Searches, taken by teams that each have memory of their own. All of it is on the queue's device.
struct SearchItems {
  View<const SearchItem> items;
  View<const DevicePlan> plans;
  View<std::uint64_t> next;  ///< [1] 0
  View<std::byte> memory;    ///< [teams x team_bytes]
  Index team_bytes = 0;      ///< as much as the largest plan says
};

/// Adds completions to the tallies of each item, which are 0 at first. An item with more leaves than it may have is marked
/// in `stopped`. @param lanes  of a team, at most 64
extern const Step<void(Queue&, const RowsOnDevice& rows, const SearchItems& work, View<Tally> tallies,
                       View<std::uint8_t> stopped, Index teams, int lanes)>
    count_items;

/// Writes the first `num_rows` matches of each item, whose plan is of one pattern and counts one vertex at most.
extern const Step<void(Queue&, const RowsOnDevice& rows, const SearchItems& work, View<std::uint32_t> values,
                       Index teams, int lanes)>
    list_items;

/// How a search has ended.
enum class ItemState : std::uint64_t { open, done, stopped };

/// Words by which the host and a kernel that stays tell each other how far they are. They share them. Each has one writer,
/// but for `news`, which both threads of the host add to.
struct Mailbox {
  std::uint64_t items_posted = 0, updates_posted = 0;  ///< by the host; kEnd: there will be no more
  std::uint64_t update_words = 0, update_side = 0;     ///< by the host: size of the last update, and where it goes
  std::uint64_t news = 0;                              ///< by the host: how often it has posted something
  std::uint64_t updates_done = 0;                      ///< by the device
};
inline constexpr std::uint64_t kEnd = ~std::uint64_t{0};

/// Words of the teams among themselves, on the device, 0 at first.
struct TeamWords {
  std::uint64_t items_posted = 0, updates_posted = 0;  ///< what the first team has heard
  std::uint64_t items_taken = 0;                       ///< by teams that wait for them, or have begun
  std::uint64_t updates_applied = 0;                   ///< each once by every team that updates
};

/// What a kernel that stays works on. Items stand in a ring: the host posts them in order, teams take them in order.
struct ResidentWork {
  // Shared with the host.
  View<Mailbox> mailbox;                    ///< [1]
  View<const RowUpdate> update;             ///< [1] the last that was posted
  View<const std::uint64_t> posted_arrays;  ///< of that update, all in one; its views refer to `arrays`
  View<const SearchItem> items;
  View<std::uint64_t> states;  ///< [items] ItemState
  View<Tally> tallies;         ///< of items that count
  View<std::uint32_t> values;  ///< of items that list
  // On the device.
  View<TeamWords> words;  ///< [1]
  View<std::uint64_t> arrays;
  View<RowPlace> places[kSides];
  EntryColumns entries;
  View<const DevicePlan> plans;
  View<std::byte> memory;  ///< [teams that search x team_bytes]
  View<Tally> sums;        ///< [teams that search x team_tallies]
  Index team_bytes = 0, team_tallies = 0;
  Index num_updaters = 1;  ///< the first teams; all others search
};

/// Teams of `serve` that are at work at once.
extern const Step<Index(Queue&, int lanes)> num_serving_teams;

/// Applies updates and searches as they are posted, until it must end. @param teams  more than update
extern const Step<Resident(Queue&, const ResidentWork& work, Index teams, int lanes)> serve;

}  // namespace quarry::watch
