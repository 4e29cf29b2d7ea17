/// Number the keys and count who has which feature, molecule by molecule; then order the molecules, and write the bitmaps and
/// the lists.
#include "similar/pack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "exec/simd/bits.hpp"
#include "util/cast.hpp"
#include "util/prefetch.hpp"

namespace quarry::similar {
namespace {

/// One feature for each key and each number of times that a molecule has it.
struct CountedFeature {
  std::uint32_t holders = 0;  ///< molecules that have the key at least so often
  std::uint32_t next = 0;     ///< the feature for once more; 0 where no molecule has it so often
};

/// The keys of a chunk. PERF: what is asked of a key lies in one place, for there are more of them than the caches hold.
class KeyTable {
 public:
  struct Entry {
    std::uint64_t key = 0;
    std::uint32_t first = 0;     ///< the feature for once
    std::uint32_t feature = 0;   ///< of the last molecule that has the key, for the times that it has it so far
    std::uint32_t molecule = 0;  ///< 1 + the last that has the key; 0 where the entry is free
  };

  /// The entry of a key, or a free one for it, which must be filled before the next call.
  Entry& entry_of(std::uint64_t key) {
    if (2 * num_taken_ > mask_) grow();
    Entry& entry = slot_of(key);
    num_taken_ += entry.molecule == 0 ? 1 : 0;
    return entry;
  }
  void prefetch(std::uint64_t key) const { quarry::prefetch(&entries_[hash(key)]); }
  /// Keys in ascending order, and their features for once.
  std::vector<std::pair<std::uint64_t, std::uint32_t>> in_order() const {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> keys;
    for (const Entry& entry : entries_) {
      if (entry.molecule != 0) keys.emplace_back(entry.key, entry.first);
    }
    std::sort(keys.begin(), keys.end());
    return keys;
  }

 private:
  std::size_t hash(std::uint64_t key) const { return key * 0x9E3779B97F4A7C15 >> shift_; }
  Entry& slot_of(std::uint64_t key) {
    std::size_t slot = hash(key);
    while (entries_[slot].molecule != 0 && entries_[slot].key != key) slot = (slot + 1) & mask_;
    return entries_[slot];
  }
  void grow() {
    shift_ -= 2;
    mask_ = 4 * mask_ + 3;
    const std::vector<Entry> before = std::exchange(entries_, std::vector<Entry>(mask_ + 1));
    for (const Entry& entry : before) {
      if (entry.molecule != 0) slot_of(entry.key) = entry;
    }
  }

  std::size_t mask_ = 1023;  ///< the number of entries, a power of two, less one
  int shift_ = 54;           ///< 64 less the bits of the mask
  std::vector<Entry> entries_ = std::vector<Entry>(mask_ + 1);
  std::size_t num_taken_ = 0;
};

}  // namespace

/// The features of a chunk, numbered in order of first use.
struct Packer::Census {
  KeyTable table;
  std::vector<CountedFeature> features;
  std::vector<std::uint32_t> occurrences;  ///< of all molecules: the feature of each key
  std::vector<std::uint32_t> offsets{0};   ///< [molecules + 1] into `occurrences`
  Index size() const { return std::ssize(offsets) - 1; }

  std::uint32_t new_feature() {
    features.emplace_back();
    return static_cast<std::uint32_t>(features.size() - 1);
  }
  /// The feature of a key that the last molecule has once more.
  std::uint32_t feature_for_once_more(std::uint32_t feature) {
    if (features[feature].next == 0) {
      const std::uint32_t next = new_feature();
      features[feature].next = next;
    }
    return features[feature].next;
  }
};

Packer::Packer() : census_(std::make_unique<Census>()) {}
Packer::~Packer() = default;

void Packer::add(std::span<const std::uint64_t> keys) {
  Census& census = *census_;
  if (census.size() == kChunkMolecules) {
    throw CapacityError("molecules in one chunk", kChunkMolecules, kChunkMolecules + 1);
  }
  for (const std::uint64_t key : keys) census.table.prefetch(key);
  const std::size_t before = census.occurrences.size();
  census.occurrences.resize(before + keys.size());
  std::uint32_t* occurrence = census.occurrences.data() + before;
  const auto molecule = static_cast<std::uint32_t>(census.offsets.size());
  for (const std::uint64_t key : keys) {
    KeyTable::Entry& entry = census.table.entry_of(key);
    if (entry.molecule == 0) {
      const std::uint32_t first = census.new_feature();
      entry = {key, first, first, molecule};
    } else if (entry.molecule != molecule) {
      entry.molecule = molecule;
      entry.feature = entry.first;
    } else {
      entry.feature = census.feature_for_once_more(entry.feature);
    }
    ++census.features[entry.feature].holders;
    *occurrence++ = entry.feature;
  }
  census.offsets.push_back(checked_cast<std::uint32_t>(census.occurrences.size()));
}

namespace {

/// The columns of a chunk while they grow; see PackedView.
struct Columns {
  std::vector<std::uint64_t> bitmaps, keys;
  std::vector<std::uint32_t> first_feature{0}, sets, list_offsets{0};
  std::vector<MagnitudeRun> runs;
  std::vector<std::uint16_t> entries, order, magnitudes;
};

/// Gives every feature a bitmap or a list, in ascending order of key and number of times.
/// @return  the set of each feature of the census
std::vector<std::uint32_t> choose_sets(const KeyTable& table, std::span<const CountedFeature> features,
                                       Index num_molecules, PackedHeader& header, Columns& columns) {
  std::vector<std::uint32_t> in_order;  // features of the census
  for (const auto& [key, first] : table.in_order()) {
    columns.keys.push_back(key);
    std::uint32_t feature = first;
    do {
      in_order.push_back(feature);
      feature = features[feature].next;
    } while (feature != 0);
    columns.first_feature.push_back(checked_cast<std::uint32_t>(in_order.size()));
  }
  const auto is_list = [&](std::uint32_t feature) { return features[feature].holders * kBitmapShare < num_molecules; };
  header.num_lists = checked_cast<std::uint32_t>(std::ranges::count_if(in_order, is_list));
  header.num_bitmaps = checked_cast<std::uint32_t>(std::ssize(in_order) - header.num_lists);
  std::uint32_t next_bitmap = 0, next_list = header.num_bitmaps;
  std::vector<std::uint32_t> set_of(features.size());
  for (const std::uint32_t feature : in_order) {
    const bool list = is_list(feature);
    set_of[feature] = list ? next_list++ : next_bitmap++;
    columns.sets.push_back(set_of[feature]);
    if (list) columns.list_offsets.push_back(columns.list_offsets.back() + features[feature].holders);
  }
  return set_of;
}

/// @param offsets  [molecules + 1] of their features
void order_molecules(std::span<const std::uint32_t> offsets, Order order, Columns& columns) {
  // At most kMaxMagnitude, which 16 bits hold.
  const auto magnitude = [&](Index i) { return static_cast<std::uint16_t>(offsets[i + 1] - offsets[i]); };
  const Index num_molecules = std::ssize(offsets) - 1;
  columns.order.resize(num_molecules);
  if (order == Order::magnitude) {
    std::vector<std::uint32_t> next;  // [magnitudes] the next position of one
    for (Index i = 0; i < num_molecules; ++i) {
      const std::size_t after = magnitude(i) + 1;
      if (next.size() <= after) next.resize(after + 1);
      ++next[after];
    }
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (Index i = 0; i < num_molecules; ++i) columns.order[next[magnitude(i)]++] = static_cast<std::uint16_t>(i);
  } else {
    std::iota(columns.order.begin(), columns.order.end(), std::uint16_t{0});
  }
  std::uint32_t position = 0;
  for (const std::uint16_t molecule : columns.order) {
    columns.magnitudes.push_back(magnitude(molecule));
    if (columns.runs.empty() || columns.runs.back().magnitude != columns.magnitudes.back()) {
      columns.runs.push_back({position, columns.magnitudes.back()});
    }
    ++position;
  }
}

/// Enters the position of every molecule into the bitmaps and lists of its features.
/// PERF: first into a list for each set. All bitmaps have the same size, so that the words of a molecule in them share few sets
/// of a cache.
/// @param offsets      [molecules + 1] into `occurrences`
/// @param occurrences  features of the census
/// @param sets         of the features of the census
void enter_molecules(std::span<const std::uint32_t> offsets, std::span<const std::uint32_t> occurrences,
                     std::span<const CountedFeature> features, std::span<const std::uint32_t> sets, Index num_bitmaps,
                     Columns& columns) {
  std::vector<std::uint32_t> ends(sets.size() + 1);  // of the list of each set, once it is written
  for (std::size_t feature = 0; feature < sets.size(); ++feature) ends[sets[feature] + 1] = features[feature].holders;
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<std::uint32_t> next(sets.size());  // [features] where the next position goes
  for (std::size_t feature = 0; feature < sets.size(); ++feature) next[feature] = ends[sets[feature]];
  std::vector<std::uint16_t> positions(occurrences.size());
  for (std::size_t position = 0; position < columns.order.size(); ++position) {
    const Index molecule = columns.order[position];
    for (const std::uint32_t feature :
         occurrences.subspan(offsets[molecule], offsets[molecule + 1] - offsets[molecule])) {
      positions[next[feature]++] = static_cast<std::uint16_t>(position);
    }
  }
  const Index num_words = bitmap_words(std::ssize(columns.order));
  columns.bitmaps.assign((num_bitmaps + 1) * num_words, 0);
  for (Index set = 0; set < num_bitmaps; ++set) {
    std::uint64_t* const bitmap = columns.bitmaps.data() + set * num_words;
    for (std::uint32_t i = ends[set]; i < ends[set + 1]; ++i)
      bitmap[positions[i] / 64] |= std::uint64_t{1} << positions[i] % 64;
  }
  columns.entries.assign(positions.begin() + ends[num_bitmaps], positions.end());
}

/// Header and columns end to end, in the order of PackedView.
Buffer<std::byte> assemble(const PackedHeader& header, const Columns& columns) {
  Queue queue;
  Buffer<std::byte> bytes(queue, packed_bytes(header));
  bytes.fill_zero(queue);
  std::byte* end = bytes.view().data();
  const auto append = [&](const void* data, std::size_t size) {
    if (size != 0) std::memcpy(end, data, size);
    end += size;
  };
  const auto append_column = [&](const auto& column) { append(column.data(), column.size() * sizeof column[0]); };
  append(&header, sizeof header);
  append_column(columns.bitmaps);
  append_column(columns.keys);
  append_column(columns.first_feature);
  append_column(columns.sets);
  append_column(columns.list_offsets);
  append_column(columns.runs);
  append_column(columns.entries);
  append_column(columns.order);
  append_column(columns.magnitudes);
  return bytes;
}

/// Calls `visit(feature, position)` for every feature of every molecule, in ascending order of feature.
template <class Visit>
void for_each_entry(const PackedView& chunk, Visit&& visit) {
  for (Index feature = 0; feature < chunk.sets.size(); ++feature) {
    const Index set = chunk.sets[feature];
    if (set >= chunk.num_bitmaps) {
      const Index list = set - chunk.num_bitmaps;
      for (Index i = chunk.list_offsets[list]; i < chunk.list_offsets[list + 1]; ++i) visit(feature, chunk.entries[i]);
      continue;
    }
    const auto bitmap = chunk.bitmap(set);
    for (Index word = 0; word < bitmap.size(); ++word) {
      for (std::uint64_t rest = bitmap[word]; rest != 0; rest &= rest - 1) visit(feature, 64 * word + lowest_bit(rest));
    }
  }
}

}  // namespace

Buffer<std::byte> Packer::finish(const Definition& definition, Order order) {
  const Census& census = *census_;
  PackedHeader header;
  header.metric = definition.metric == Metric::lingo ? 0 : 1;
  header.q = definition.q;
  header.fold_halogens = definition.fold_halogens ? 1 : 0;
  header.by_magnitude = order == Order::magnitude ? 1 : 0;
  header.num_molecules = checked_cast<std::uint32_t>(census.size());
  Columns columns;
  const auto sets = choose_sets(census.table, census.features, census.size(), header, columns);
  order_molecules(census.offsets, order, columns);
  enter_molecules(census.offsets, census.occurrences, census.features, sets, header.num_bitmaps, columns);
  header.num_keys = columns.keys.size();
  header.num_features = columns.sets.size();
  header.num_entries = checked_cast<std::uint32_t>(columns.entries.size());
  header.num_runs = columns.runs.size();
  return assemble(header, columns);
}

Buffer<std::byte> pack(const Multisets& multisets, const Definition& definition, Order order) {
  Packer packer;
  const std::span<const std::uint64_t> keys = multisets.keys;
  for (Index i = 0; i < multisets.size(); ++i) {
    packer.add(keys.subspan(multisets.offsets[i], multisets.offsets[i + 1] - multisets.offsets[i]));
  }
  return packer.finish(definition, order);
}

Rows rows_of(const PackedView& chunk, const std::string& where) {
  Rows rows;
  rows.offsets.assign(chunk.num_molecules + 1, 0);
  rows.magnitudes.resize(chunk.num_molecules);
  for_each_entry(chunk, [&](Index, Index position) { ++rows.offsets[chunk.order[position] + Index{1}]; });
  for (Index position = 0; position < chunk.num_molecules; ++position) {
    rows.magnitudes[chunk.order[position]] = chunk.magnitudes[position];
  }
  for (Index i = 0; i < chunk.num_molecules; ++i) {
    // Checked here, because only now it is known; a chunk from a file may claim anything, and sums rely on it.
    if (rows.offsets[i + 1] != rows.magnitudes[i]) {
      throw InputError(fmt::format("{}: molecule {} has not as many features as its magnitude says", where, i));
    }
    rows.max_features = std::max<Index>(rows.max_features, rows.offsets[i + 1]);
    rows.offsets[i + 1] += rows.offsets[i];
  }
  rows.features.resize(rows.offsets.back());
  std::vector<std::uint32_t> next(rows.offsets.begin(), rows.offsets.end() - 1);
  for_each_entry(chunk, [&](Index feature, Index position) { rows.features[next[chunk.order[position]]++] = feature; });
  return rows;
}

Multisets multiset_at(const PackedView& chunk, Index molecule) {
  const auto holds = [&](Index set) {
    if (set < chunk.num_bitmaps) return (chunk.bitmap(set)[molecule / 64] >> molecule % 64 & 1) != 0;
    const Index list = set - chunk.num_bitmaps;
    return std::binary_search(chunk.entries.begin() + chunk.list_offsets[list],
                              chunk.entries.begin() + chunk.list_offsets[list + 1], molecule);
  };
  Multisets one;
  for (Index key = 0; key < chunk.keys.size(); ++key) {
    for (Index feature = chunk.first_feature[key]; feature < chunk.first_feature[key + 1]; ++feature) {
      if (!holds(chunk.sets[feature])) break;
      one.keys.push_back(chunk.keys[key]);
    }
  }
  one.offsets.push_back(std::ssize(one.keys));
  return one;
}

Multisets multisets_of(const PackedView& chunk, const std::string& where) {
  std::vector<std::uint64_t> key_of(chunk.sets.size());
  for (Index key = 0; key < chunk.keys.size(); ++key) {
    std::fill(key_of.begin() + chunk.first_feature[key], key_of.begin() + chunk.first_feature[key + 1],
              chunk.keys[key]);
  }
  const Rows rows = rows_of(chunk, where);
  Multisets multisets;
  multisets.offsets.assign(rows.offsets.begin(), rows.offsets.end());
  for (const std::uint32_t feature : rows.features) multisets.keys.push_back(key_of[feature]);
  return multisets;
}

}  // namespace quarry::similar
