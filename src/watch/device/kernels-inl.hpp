/// The kernels of `watch` on a device: rows written anew, rows read at a time, and the searches for updates.
#include "exec/team.hpp"
#include "watch/device/steps.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::watch {
namespace QUARRY_TARGET {

/// One element of a row that changes: an entry that it had, or one that is new. Where an entry goes to is its index among
/// the old ones, shifted by the patches before it; so elements do not wait for each other. Behind the elements come the
/// places that are carried over.
struct UpdateRows {
  RowUpdate update;
  EntryColumns from, to;
  View<RowPlace> places;
  View<const RowPlace> before;

  QUARRY_HD Index size() const { return update.num_elements + update.carried.size(); }
  QUARRY_HD void operator()(Index element) const {
    if (element >= update.num_elements) {
      const Index vertex = update.carried[element - update.num_elements];
      places[vertex] = before[vertex];
      return;
    }
    const RowChange& change = change_of(element);
    const Index index = element - change.first_element;
    if (index == 0) places[change.vertex] = change.row;
    if (index < change.old_size)
      keep(change, index);
    else
      insert(change, change.first_entry + index - change.old_size);
  }

 private:
  QUARRY_HD const RowChange& change_of(Index element) const {
    Index low = 0, high = update.changes.size();  // the first that begins behind the element
    while (low < high) {
      const Index middle = (low + high) / 2;
      if (update.changes[middle].first_element <= element)
        low = middle + 1;
      else
        high = middle;
    }
    return update.changes[low - 1];
  }
  QUARRY_HD static bool is_before(std::uint64_t key, std::uint32_t neighbour, std::uint64_t other_key,
                                  std::uint32_t other_neighbour) {
    return key < other_key || (key == other_key && neighbour < other_neighbour);
  }
  QUARRY_HD void keep(const RowChange& change, Index index) const {
    const Index entry = change.old_begin + index;
    const std::uint64_t key = from.keys[entry];
    const std::uint32_t neighbour = from.neighbours[entry];
    Index low = change.first_patch, high = change.last_patch;
    while (low < high) {
      const Index middle = (low + high) / 2;
      if (is_before(update.patches[middle].key, update.patches[middle].neighbour, key, neighbour))
        low = middle + 1;
      else
        high = middle;
    }
    Index shift = Index{change.row.size} - change.old_size;
    if (low < change.last_patch) {
      const RowPatch& patch = update.patches[low];
      if (patch.key == key && patch.neighbour == neighbour) return;
      shift = patch.shift;
    }
    put(change.row.begin + index + shift, key, neighbour, 0, kNotDeleted);
  }
  QUARRY_HD void insert(const RowChange& change, Index index) const {
    const NewEntry& entry = update.entries[index];
    const RowPatch& patch = update.patches[entry.patch];
    Index low = change.old_begin, high = change.old_begin + change.old_size;
    while (low < high) {
      const Index middle = (low + high) / 2;
      if (is_before(from.keys[middle], from.neighbours[middle], patch.key, patch.neighbour))
        low = middle + 1;
      else
        high = middle;
    }
    const Index position = low - change.old_begin + patch.shift + index - patch.first_entry;
    put(change.row.begin + position, patch.key, patch.neighbour, entry.created, entry.deleted);
  }
  QUARRY_HD void put(Index at, std::uint64_t key, std::uint32_t neighbour, std::uint32_t created,
                     std::uint32_t deleted) const {
    to.keys[at] = key;
    to.neighbours[at] = neighbour;
    to.created[at] = created;
    to.deleted[at] = deleted;
  }
};

/// Sorts different numbers where they stand, ascending. Source: Batcher, Spring Joint Computer Conference 1968.
QUARRY_HD void sort_by_team(Team auto& team, std::uint32_t* values, Index size) {
  for (Index width = 1; width < size; width *= 2) {
    // The first comparison mirrors two sorted halves; so all go the same way, and what is missing at the end is largest.
    for (Index partner = 2 * width - 1; partner > 0; partner = partner >= width ? width / 2 : partner / 2) {
      team_for(team, size, [&](Index i) {
        const Index other = i ^ partner;
        if (other < i || other >= size || values[i] < values[other]) return;
        const std::uint32_t smaller = values[other];
        values[other] = values[i];
        values[i] = smaller;
      });
      team.barrier();
    }
  }
}

/// The rows at one time, read by a team together.
template <Team AnyTeam>
struct TeamRows {
  AnyTeam* team;
  View<const RowPlace> places;
  EntryColumns entries;
  Index time;

  QUARRY_HD VertexList row(std::uint32_t vertex, std::uint32_t vertex_label, std::uint32_t edge_label,
                           std::uint32_t* out) const {
    const RowPlace place = places[vertex];
    if (place.size == 0) return {};
    const Index since = time - place.base;
    const std::uint32_t offset = since < kNotDeleted ? since : kNotDeleted - 1;
    const std::uint64_t* const keys = entries.keys.data() + place.begin;
    const bool any_vertex = vertex_label == kAnyLabel, any_edge = edge_label == kAnyLabel;
    const std::uint64_t low = RowsOnDevice::key_of(any_vertex ? 0 : vertex_label, any_edge ? 0 : edge_label);
    const std::uint64_t high = RowsOnDevice::key_of(vertex_label, edge_label);
    const Index first = first_from(keys, place.size, low), last = last_to(keys, place.size, high);
    if (first >= last) return {};
    const Index begin = place.begin + first;
    const VertexList list(entries.neighbours.data() + begin, last - first);
    const bool one_key = keys[first] == keys[last - 1];
    if (one_key && (any_edge || RowsOnDevice::edge_label_of(keys[first]) == edge_label) && place.all_visible(offset))
      return list;
    const Index size = filter<true>(*team, list, out, [&](Index i) {
      return (any_edge || RowsOnDevice::edge_label_of(keys[first + i]) == edge_label) &&
             entries.created[begin + i] <= offset && offset <= entries.deleted[begin + i];
    });
    if (!one_key) sort_by_team(*team, out, size);
    return {out, size};
  }
  QUARRY_HD void prefetch_vertex(std::uint32_t) const {}  // other teams work meanwhile
  QUARRY_HD void prefetch_row(std::uint32_t) const {}

 private:
  /// The first index of a key that is at least `low`.
  QUARRY_HD static Index first_from(const std::uint64_t* keys, Index size, std::uint64_t low) {
    if (keys[0] >= low) return 0;
    Index begin = 0, end = size;
    while (begin < end) {
      const Index middle = (begin + end) / 2;
      if (keys[middle] < low)
        begin = middle + 1;
      else
        end = middle;
    }
    return begin;
  }
  /// One past the last index of a key that is at most `high`.
  QUARRY_HD static Index last_to(const std::uint64_t* keys, Index size, std::uint64_t high) {
    return keys[size - 1] <= high ? size : first_from(keys, size, high + 1);
  }
};

template <Team AnyTeam>
using TeamJob = MomentJob<TeamRows<AnyTeam>>;
template <Team AnyTeam>
using TeamSets = SearchSets<AnyTeam, TeamJob<AnyTeam>>;

/// One search, by a team. @param memory  of the team, as much as the plan says
template <Team AnyTeam>
class ItemSearch {
 public:
  QUARRY_HD ItemSearch(AnyTeam& team, const RowsOnDevice& rows, const DevicePlan& plan, const SearchItem& item,
                       std::byte* memory)
      : team_(team),
        plan_(plan),
        item_(item),
        job_{plan, {&team, rows.places[item.side], rows.entries, item.time}},
        memory_(memory) {}

  /// Adds completions to `tallies`. @return false where there are more leaves than the item may have
  QUARRY_HD bool count(Tally* tallies) {
    Index leaves_left = item_.max_leaves;
    return search_part<true>(team_, job_, item_, memory_, [&](const TeamSets<AnyTeam>& sets, const SearchLeaf& leaf) {
      const Tally completions = count_completions(job_, sets, leaf);
      if (team_.rank() == 0) tallies[leaf.pattern].add(completions);
      return --leaves_left >= 0;
    });
  }

  /// Writes the first rows, as many as the item wants.
  QUARRY_HD void list(std::uint32_t* values) {
    Index num_rows = 0;
    search_part<true>(team_, job_, item_, memory_, [&](const TeamSets<AnyTeam>& sets, const SearchLeaf& leaf) {
      const CountTerm& term = job_.terms[leaf.first_term];
      const bool has_all = term.num_sets == 0;  // the edge is all of it
      const VertexList last = has_all ? VertexList(sets.chosen() + 1, 1) : sets.members(term.sets[0].set);
      const Positions distinct_from = has_all ? Positions{0} : term.sets[0].distinct_from;
      for (Index begin = 0; begin < last.size() && num_rows < item_.num_rows; begin += team_.size()) {
        const Index i = begin + team_.rank();
        const std::uint32_t member = i < last.size() ? last[i] : 0;
        const bool wanted = i < last.size() && !sets.is_chosen(member, distinct_from);
        const std::uint64_t lanes = team_.ballot(wanted);
        const Index row = num_rows + count_bits(lanes & ((std::uint64_t{1} << team_.rank()) - 1));
        if (wanted && row < item_.num_rows) write(sets.chosen(), member, values + row * plan_.width);
        num_rows += count_bits(lanes);
      }
      return num_rows < item_.num_rows;
    });
  }

 private:
  QUARRY_HD void write(const std::uint32_t* chosen, std::uint32_t last, std::uint32_t* row) const {
    for (int i = 0; i + 1 < plan_.width; ++i) row[plan_.order[i]] = chosen[i];
    row[plan_.order[plan_.width - 1]] = last;
  }

  AnyTeam& team_;
  const DevicePlan& plan_;
  const SearchItem& item_;
  TeamJob<AnyTeam> job_;
  std::byte* memory_;
};

/// `search(item, its index, ItemSearch)` for items, one after the other, as long as there are any.
template <Team AnyTeam, class Search>
QUARRY_HD void take_items(AnyTeam& team, Index team_index, const RowsOnDevice& rows, const SearchItems& work,
                          const Search& search) {
  std::byte* const memory = work.memory.data() + team_index * work.team_bytes;
  for (;;) {
    Index index = 0;
    if (team.rank() == 0) index = fetch_add(work.next[0], 1);
    index = team.sum(index);
    if (index >= work.items.size()) return;
    const SearchItem& item = work.items[index];
    search(item, index, ItemSearch<AnyTeam>(team, rows, work.plans[item.plan], item, memory));
  }
}

struct CountItems {
  RowsOnDevice rows;
  SearchItems work;
  View<Tally> tallies;
  View<std::uint8_t> stopped;

  template <Team AnyTeam>
  QUARRY_HD void operator()(AnyTeam& team, Index team_index) const {
    take_items(team, team_index, rows, work, [&](const SearchItem& item, Index index, ItemSearch<AnyTeam> search) {
      const bool is_done = search.count(tallies.data() + item.first_tally);
      if (team.rank() == 0) stopped[index] = is_done ? 0 : 1;
    });
  }
};

struct ListItems {
  RowsOnDevice rows;
  SearchItems work;
  View<std::uint32_t> values;

  template <Team AnyTeam>
  QUARRY_HD void operator()(AnyTeam& team, Index team_index) const {
    take_items(team, team_index, rows, work, [&](const SearchItem& item, Index, ItemSearch<AnyTeam> search) {
      search.list(values.data() + item.first_value);
    });
  }
};

}  // namespace QUARRY_TARGET
}  // namespace quarry::watch
QUARRY_AFTER_TARGET();
