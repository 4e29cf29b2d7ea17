/// The launches of `watch` on a device: rows change, and searches for updates count or list. A step decides nothing.
///
/// On a device a row is one piece of memory: entries sorted by key, then by neighbour, then by time. A key is the
/// neighbour's label and the edge's label; beside each entry stand the first and the last time at which it is visible, as
/// offsets from the time at which the row was written last.
#pragma once
#include <cstdint>

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

struct RowsOnDevice {
  View<const RowPlace> places;  ///< [vertices]
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
  Index num_elements = 0;
};

/// Writes rows to their new places. @param to  where they are written: elsewhere in `from`, or in other memory
extern const Step<void(Queue&, const RowUpdate& update, const EntryColumns& from, const EntryColumns& to,
                       View<RowPlace> places)>
    update_rows;

/// The plan of a search on a device.
struct DevicePlan : SearchSetup {
  std::uint8_t order[kMaxPatternVertices] = {};  ///< lists: the pattern's vertex at each position
  int width = 0;                                 ///< lists: vertices of the pattern
};
/// A part of the search for one update.
struct SearchItem {
  Index plan = 0;
  Index time = 0;
  std::uint32_t from = 0, to = 0;
  DescentPart part = {};
  Index first_tally = 0;                ///< when counting
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

/// Adds completions to the tallies of each item, which are 0 at first. An item with more leaves than `max_leaves` is marked
/// in `stopped`, and its tallies mean nothing. @param lanes  of a team, at most 64
extern const Step<void(Queue&, const RowsOnDevice& rows, const SearchItems& work, View<Tally> tallies,
                       View<std::uint8_t> stopped, Index max_leaves, Index teams, int lanes)>
    count_items;

/// Writes the first `num_rows` matches of each item, whose plan is of one pattern and counts one vertex at most.
extern const Step<void(Queue&, const RowsOnDevice& rows, const SearchItems& work, View<std::uint32_t> values,
                       Index teams, int lanes)>
    list_items;

}  // namespace quarry::watch
