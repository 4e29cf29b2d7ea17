/// Number the keys and count who has which feature, molecule by molecule; then order the molecules, and enter each into the
/// sets of its features.
#include "similar/pack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "exec/simd/bits.hpp"
#include "util/cast.hpp"
#include "util/memory/prefetch.hpp"

namespace quarry::similar {
namespace {

/// One feature for each key and each number of times that a molecule has it.
struct CountedFeature {
  std::uint32_t holders = 0;  ///< molecules that have the key at least so often, if more than once; else in the entry
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
    std::uint32_t holders = 0;   ///< molecules that have the key
  };

  /// Makes room for this many keys more.
  void reserve_more(std::size_t keys) {
    while (2 * (num_taken_ + keys) > mask_) grow();
  }
  /// Calls `visit(entry, key)` for the entry of each key, or a free one for it, which the call must `take`. REQUIRES: room.
  /// PERF: an entry that is written could be any number of this table as far as a compiler knows, so it reads copies.
  template <class Visit>
  void for_each_entry(std::span<const std::uint64_t> keys, Visit&& visit) {
    Entry* const entries = entries_.data();
    const std::size_t mask = mask_;
    const int shift = shift_;
    for (const std::uint64_t key : keys) {
      std::size_t slot = key * kHashFactor >> shift;
      while (entries[slot].molecule != 0 && entries[slot].key != key) slot = (slot + 1) & mask;
      visit(entries[slot], key);
    }
  }
  void take(Entry& entry, std::uint64_t key, std::uint32_t feature) {
    entry.key = key;
    entry.first = feature;
    ++num_taken_;
  }
  void prefetch(std::span<const std::uint64_t> keys) const {
    for (const std::uint64_t key : keys) quarry::prefetch(&entries_[key * kHashFactor >> shift_]);
  }
  /// Those of all keys, in ascending order of key.
  std::vector<Entry> in_order() const {
    std::vector<Entry> taken;
    taken.reserve(num_taken_);
    for (const Entry& entry : entries_) {
      if (entry.molecule != 0) taken.push_back(entry);
    }
    std::ranges::sort(taken, {}, &Entry::key);
    return taken;
  }

 private:
  static constexpr std::uint64_t kHashFactor = 0x9E3779B97F4A7C15;

  void grow() {
    shift_ -= 2;
    mask_ = 4 * mask_ + 3;
    const std::vector<Entry> before = std::exchange(entries_, std::vector<Entry>(mask_ + 1));
    for (const Entry& entry : before) {
      if (entry.molecule != 0) for_each_entry({&entry.key, 1}, [&](Entry& moved, std::uint64_t) { moved = entry; });
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

void Packer::reserve(std::size_t keys) { census_->occurrences.reserve(keys); }

void Packer::add(std::span<const std::uint64_t> keys) {
  Census& census = *census_;
  if (census.size() == kChunkMolecules) {
    throw CapacityError("molecules in one chunk", kChunkMolecules, kChunkMolecules + 1);
  }
  census.table.reserve_more(keys.size());
  census.table.prefetch(keys);
  const std::size_t before = census.occurrences.size();
  census.occurrences.resize(before + keys.size());
  std::uint32_t* occurrence = census.occurrences.data() + before;
  const auto molecule = static_cast<std::uint32_t>(census.offsets.size());
  census.table.for_each_entry(keys, [&](KeyTable::Entry& entry, std::uint64_t key) {
    if (entry.molecule != molecule) {
      if (entry.molecule == 0) census.table.take(entry, key, census.new_feature());
      entry.molecule = molecule;
      entry.feature = entry.first;
      ++entry.holders;
    } else {
      entry.feature = census.feature_for_once_more(entry.feature);
      ++census.features[entry.feature].holders;
    }
    *occurrence++ = entry.feature;
  });
  census.offsets.push_back(checked_cast<std::uint32_t>(census.occurrences.size()));
}

namespace {

/// Gives every feature a set, in ascending order of key and number of times; the sets that become bitmaps come first.
/// @param features  of the census
/// @return          the set of each feature of the census
std::vector<std::uint32_t> choose_sets(const KeyTable& table, std::vector<CountedFeature>& features,
                                       Index num_molecules, FeatureSets& into) {
  std::vector<std::uint32_t> in_order;  // features of the census
  into.first_feature.push_back(0);
  for (const KeyTable::Entry& entry : table.in_order()) {
    features[entry.first].holders = entry.holders;
    into.keys.push_back(entry.key);
    std::uint32_t feature = entry.first;
    do {
      in_order.push_back(feature);
      feature = features[feature].next;
    } while (feature != 0);
    into.first_feature.push_back(checked_cast<std::uint32_t>(in_order.size()));
  }
  const auto is_bitmap = [&](std::uint32_t feature) {
    return features[feature].holders * kBitmapShare >= num_molecules;
  };
  into.num_bitmaps = std::ranges::count_if(in_order, is_bitmap);
  std::uint32_t next_bitmap = 0, next_list = static_cast<std::uint32_t>(into.num_bitmaps);
  std::vector<std::uint32_t> set_of(features.size());
  for (const std::uint32_t feature : in_order) {
    set_of[feature] = is_bitmap(feature) ? next_bitmap++ : next_list++;
    into.sets.push_back(set_of[feature]);
  }
  return set_of;
}

/// @param offsets  [molecules + 1] of their features
void order_molecules(std::span<const std::uint32_t> offsets, Order order, FeatureSets& into) {
  // At most kMaxMagnitude, which 16 bits hold.
  const auto magnitude = [&](Index i) { return static_cast<std::uint16_t>(offsets[i + 1] - offsets[i]); };
  const Index num_molecules = std::ssize(offsets) - 1;
  into.order.resize(num_molecules);
  if (order == Order::magnitude) {
    std::vector<std::uint32_t> next;  // [magnitudes] the next position of one
    for (Index i = 0; i < num_molecules; ++i) {
      const std::size_t after = magnitude(i) + 1;
      if (next.size() <= after) next.resize(after + 1);
      ++next[after];
    }
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (Index i = 0; i < num_molecules; ++i) into.order[next[magnitude(i)]++] = static_cast<std::uint16_t>(i);
  } else {
    std::iota(into.order.begin(), into.order.end(), std::uint16_t{0});
  }
  for (const std::uint16_t molecule : into.order) into.magnitudes.push_back(magnitude(molecule));
}

/// Molecules are in order of magnitude, so that their features are all over the census: they are fetched so long before.
constexpr Index kMoleculesAhead = 4;

/// Enters the position of every molecule into the sets of its features.
/// @param offsets      [molecules + 1] into `occurrences`
/// @param occurrences  features of the census
/// @param sets         of the features of the census
void enter_molecules(std::span<const std::uint32_t> offsets, std::span<const std::uint32_t> occurrences,
                     std::span<const CountedFeature> features, std::span<const std::uint32_t> sets, FeatureSets& into) {
  into.offsets.assign(sets.size() + 1, 0);
  for (std::size_t feature = 0; feature < sets.size(); ++feature)
    into.offsets[sets[feature] + 1] = features[feature].holders;
  std::partial_sum(into.offsets.begin(), into.offsets.end(), into.offsets.begin());
  std::vector<std::uint32_t> next(sets.size());  // [features] where the next position goes
  for (std::size_t feature = 0; feature < sets.size(); ++feature) next[feature] = into.offsets[sets[feature]];
  into.positions.resize(occurrences.size());
  const Index num_molecules = std::ssize(into.order);
  for (Index position = 0; position < num_molecules; ++position) {
    const Index ahead = std::min(position + kMoleculesAhead, num_molecules - 1);
    quarry::prefetch(occurrences.data() + offsets[into.order[ahead]]);
    const Index molecule = into.order[position];
    for (const std::uint32_t feature :
         occurrences.subspan(offsets[molecule], offsets[molecule + 1] - offsets[molecule])) {
      into.positions[next[feature]++] = static_cast<std::uint16_t>(position);
    }
  }
}

std::vector<MagnitudeRun> runs_of(std::span<const std::uint16_t> magnitudes) {
  std::vector<MagnitudeRun> runs;
  for (std::uint32_t position = 0; position < magnitudes.size(); ++position) {
    if (runs.empty() || runs.back().magnitude != magnitudes[position]) runs.push_back({position, magnitudes[position]});
  }
  return runs;
}

/// Writes a packed chunk: the header and the columns end to end, in the order of PackedView.
/// PERF: bitmaps are made of the sets. All have the same size, so that the words of a molecule in them share few sets of a
/// cache.
Buffer<std::byte> assemble(const FeatureSets& sets, const Definition& definition, Order order) {
  auto header = header_of_sets<PackedHeader>(sets, definition);
  header.by_magnitude = order == Order::magnitude ? 1 : 0;
  header.num_lists = header.num_features - header.num_bitmaps;
  const std::vector<MagnitudeRun> runs = runs_of(sets.magnitudes);
  header.num_runs = checked_cast<std::uint32_t>(runs.size());

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
  const Index num_words = bitmap_words(header.num_molecules);
  auto* bitmap = reinterpret_cast<std::uint64_t*>(end);
  for (Index set = 0; set < sets.num_bitmaps; ++set, bitmap += num_words) {
    for (const std::uint16_t position : sets.positions_of(set))
      bitmap[position / 64] |= std::uint64_t{1} << position % 64;
  }
  end += (sets.num_bitmaps + 1) * num_words * sizeof(std::uint64_t);
  append_column(sets.keys);
  append_column(sets.first_feature);
  append_column(sets.sets);
  const std::uint32_t list_begin = sets.offsets[sets.num_bitmaps];
  for (std::size_t set = sets.num_bitmaps; set < sets.offsets.size(); ++set) {
    const std::uint32_t offset = sets.offsets[set] - list_begin;
    append(&offset, sizeof offset);
  }
  append_column(runs);
  append_column(std::span(sets.positions).subspan(list_begin));
  append_column(sets.order);
  append_column(sets.magnitudes);
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

FeatureSets Packer::finish(Order order) {
  Census& census = *census_;
  FeatureSets sets;
  const auto set_of = choose_sets(census.table, census.features, census.size(), sets);
  order_molecules(census.offsets, order, sets);
  enter_molecules(census.offsets, census.occurrences, census.features, set_of, sets);
  return sets;
}

FeatureSets feature_sets_of(const Multisets& multisets, Order order) {
  Packer packer;
  const std::span<const std::uint64_t> keys = multisets.keys;
  packer.reserve(keys.size());
  for (Index i = 0; i < multisets.size(); ++i) {
    packer.add(keys.subspan(multisets.offsets[i], multisets.offsets[i + 1] - multisets.offsets[i]));
  }
  return packer.finish(order);
}

Buffer<std::byte> pack(const Multisets& multisets, const Definition& definition, Order order) {
  return assemble(feature_sets_of(multisets, order), definition, order);
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
