/// Three passes: number the keys and count who has which feature; order the molecules; write the bitmaps and the lists.
#include "similar/pack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "exec/simd/bits.hpp"
#include "library/packed_molecules.hpp"
#include "util/cast.hpp"

namespace quarry::similar {
namespace {

/// The keys of a chunk, and how many molecules have each feature.
struct Census {
  std::vector<std::uint64_t> keys;                  ///< in order of first use, which numbers them
  std::vector<std::vector<std::uint32_t>> holders;  ///< [key][k]: molecules that have it more than k times
  std::vector<std::pair<std::uint32_t, std::uint32_t>> occurrences;  ///< of each molecule: keys, and how often
  std::vector<Index> offsets{0};                                     ///< [molecules + 1] into `occurrences`
};

Census take_census(const Multisets& multisets) {
  Census census;
  ValueIds<std::uint64_t> numbers;
  std::vector<std::uint32_t> counts;   // [keys] in the current molecule
  std::vector<std::uint32_t> present;  // its keys
  census.occurrences.reserve(multisets.keys.size());
  for (Index molecule = 0; molecule < multisets.size(); ++molecule) {
    present.clear();
    for (Index i = multisets.offsets[molecule]; i < multisets.offsets[molecule + 1]; ++i) {
      const std::uint64_t key = multisets.keys[i];
      const std::uint32_t number = numbers.id_of(key, census.keys);
      if (number == counts.size()) {
        census.holders.emplace_back();
        counts.push_back(0);
      }
      if (counts[number]++ == 0) present.push_back(number);
    }
    for (const std::uint32_t number : present) {
      const std::uint32_t count = std::exchange(counts[number], 0);
      census.occurrences.push_back({number, count});
      auto& holders = census.holders[number];
      if (holders.size() < count) holders.resize(count);
      for (std::uint32_t k = 0; k < count; ++k) ++holders[k];
    }
    census.offsets.push_back(std::ssize(census.occurrences));
  }
  return census;
}

/// The columns of a chunk while they grow; see PackedView.
struct Columns {
  std::vector<std::uint64_t> bitmaps, keys;
  std::vector<std::uint32_t> first_feature{0}, sets, list_offsets{0};
  std::vector<MagnitudeRun> runs;
  std::vector<std::uint16_t> entries, order, magnitudes;
};

/// Numbers of the census in ascending order of key.
std::vector<std::uint32_t> ascending_keys(const Census& census) {
  std::vector<std::uint32_t> numbers(census.keys.size());
  std::iota(numbers.begin(), numbers.end(), 0U);
  std::sort(numbers.begin(), numbers.end(),
            [&](std::uint32_t left, std::uint32_t right) { return census.keys[left] < census.keys[right]; });
  return numbers;
}

/// Gives every feature a bitmap or a list. @return the first feature of each key of the census
std::vector<std::uint32_t> choose_sets(const Census& census, Index num_molecules, PackedHeader& header,
                                       Columns& columns) {
  std::vector<std::uint32_t> first_feature(census.keys.size());
  std::vector<bool> is_list;
  for (const std::uint32_t number : ascending_keys(census)) {
    columns.keys.push_back(census.keys[number]);
    first_feature[number] = columns.first_feature.back();
    for (const std::uint32_t holders : census.holders[number]) {
      is_list.push_back(holders * kBitmapShare < num_molecules);
      columns.sets.push_back(is_list.back() ? header.num_lists++ : header.num_bitmaps++);
      if (is_list.back()) columns.list_offsets.push_back(columns.list_offsets.back() + holders);
    }
    columns.first_feature.push_back(checked_cast<std::uint32_t>(columns.sets.size()));
  }
  for (Index i = 0; i < std::ssize(columns.sets); ++i) {
    if (is_list[i]) columns.sets[i] += header.num_bitmaps;
  }
  return first_feature;
}

void order_molecules(const Multisets& multisets, Order order, Columns& columns) {
  // At most kMaxMagnitude, which 16 bits hold.
  const auto magnitude = [&](Index i) -> std::uint16_t { return multisets.offsets[i + 1] - multisets.offsets[i]; };
  columns.order.resize(multisets.size());
  std::iota(columns.order.begin(), columns.order.end(), std::uint16_t{0});
  if (order == Order::magnitude) {
    std::stable_sort(columns.order.begin(), columns.order.end(),
                     [&](std::uint16_t left, std::uint16_t right) { return magnitude(left) < magnitude(right); });
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

/// Enters every molecule, in order of position, into the bitmaps and lists of its features.
void enter_molecules(const Census& census, const std::vector<std::uint32_t>& first_feature, Index num_bitmaps,
                     Columns& columns) {
  const Index num_words = bitmap_words(std::ssize(columns.order));
  columns.bitmaps.assign((num_bitmaps + 1) * num_words, 0);
  columns.entries.resize(columns.list_offsets.back());
  std::vector<std::uint32_t> next(columns.list_offsets.begin(), columns.list_offsets.end() - 1);
  for (Index position = 0; position < std::ssize(columns.order); ++position) {
    const Index molecule = columns.order[position];
    for (Index i = census.offsets[molecule]; i < census.offsets[molecule + 1]; ++i) {
      const auto [number, count] = census.occurrences[i];
      for (std::uint32_t k = 0; k < count; ++k) {
        const Index set = columns.sets[first_feature[number] + k];
        if (set < num_bitmaps) {
          columns.bitmaps[set * num_words + position / 64] |= std::uint64_t{1} << position % 64;
        } else {
          columns.entries[next[set - num_bitmaps]++] = position;
        }
      }
    }
  }
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

Buffer<std::byte> pack(const Multisets& multisets, const Definition& definition, Order order) {
  if (multisets.size() > kChunkMolecules) {
    throw CapacityError("molecules in one chunk", kChunkMolecules, multisets.size());
  }
  const Census census = take_census(multisets);
  PackedHeader header;
  header.metric = definition.metric == Metric::lingo ? 0 : 1;
  header.q = definition.q;
  header.fold_halogens = definition.fold_halogens ? 1 : 0;
  header.by_magnitude = order == Order::magnitude ? 1 : 0;
  header.num_molecules = multisets.size();
  Columns columns;
  const auto first_feature = choose_sets(census, multisets.size(), header, columns);
  order_molecules(multisets, order, columns);
  enter_molecules(census, first_feature, header.num_bitmaps, columns);
  header.num_keys = columns.keys.size();
  header.num_features = columns.sets.size();
  header.num_entries = checked_cast<std::uint32_t>(columns.entries.size());
  header.num_runs = columns.runs.size();
  return assemble(header, columns);
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
