/// Three passes: number the keys and count who has which feature, lay out the columns, set bits and write lists.
#include "similar/block_builder.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <unordered_map>

#include "exec/simd/bits.hpp"

namespace quarry::similar {
namespace {

/// Occurrences of one key in one molecule.
struct Occurrence {
  std::uint32_t key = 0;    ///< number of the key, in order of first use
  std::uint32_t count = 0;  ///< how often
};

/// The keys of a block, and how many molecules have each feature.
struct Census {
  std::vector<std::uint64_t> keys;                  ///< in order of first use
  std::vector<std::vector<std::uint32_t>> holders;  ///< [key][k]: molecules with more than k of it
  std::vector<Occurrence> occurrences;
  std::vector<std::size_t> offsets{0};  ///< [molecules + 1] into `occurrences`
};

Census take_census(const Multisets& multisets) {
  Census census;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers;
  std::vector<std::uint32_t> counts;   // [keys] in the molecule at hand
  std::vector<std::uint32_t> present;  // its keys
  for (Index molecule = 0; molecule < multisets.size(); ++molecule) {
    present.clear();
    const auto index = static_cast<std::size_t>(molecule);
    for (Index i = multisets.offsets[index]; i < multisets.offsets[index + 1]; ++i) {
      const std::uint64_t key = multisets.keys[static_cast<std::size_t>(i)];
      const auto [entry, is_new] = numbers.try_emplace(key, static_cast<std::uint32_t>(census.keys.size()));
      if (is_new) {
        census.keys.push_back(key);
        census.holders.emplace_back();
        counts.push_back(0);
      }
      const std::uint32_t number = entry->second, k = counts[number]++;
      if (k == 0) present.push_back(number);
      auto& holders = census.holders[number];
      if (k == holders.size()) holders.push_back(0);
      ++holders[k];
    }
    for (const std::uint32_t number : present) {
      census.occurrences.push_back({number, counts[number]});
      counts[number] = 0;
    }
    census.offsets.push_back(census.occurrences.size());
  }
  return census;
}

/// The columns of a block while they grow; see BlockView.
struct Columns {
  std::vector<std::uint64_t> bitmaps, keys;
  std::vector<std::uint32_t> first_feature{0}, places, list_offsets{0};
  std::vector<Run> runs;
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
std::vector<std::uint32_t> place_features(const Census& census, Index num_molecules, BlockHeader& header,
                                          Columns& columns) {
  std::vector<std::uint32_t> first_feature(census.keys.size());
  std::vector<bool> is_list;
  for (const std::uint32_t number : ascending_keys(census)) {
    columns.keys.push_back(census.keys[number]);
    first_feature[number] = static_cast<std::uint32_t>(columns.places.size());
    for (const std::uint32_t holders : census.holders[number]) {
      is_list.push_back(holders * kBitmapShare < num_molecules);
      columns.places.push_back(is_list.back() ? header.num_lists++ : header.num_bitmaps++);
      if (is_list.back()) columns.list_offsets.push_back(columns.list_offsets.back() + holders);
    }
    columns.first_feature.push_back(static_cast<std::uint32_t>(columns.places.size()));
  }
  for (std::size_t i = 0; i < columns.places.size(); ++i) {
    if (is_list[i]) columns.places[i] += header.num_bitmaps;
  }
  return first_feature;
}

void order_molecules(const Multisets& multisets, Order order, Columns& columns) {
  const auto magnitude = [&](std::size_t i) {
    return static_cast<std::uint16_t>(multisets.offsets[i + 1] - multisets.offsets[i]);
  };
  columns.order.resize(static_cast<std::size_t>(multisets.size()));
  std::iota(columns.order.begin(), columns.order.end(), std::uint16_t{0});
  if (order == Order::magnitude) {
    std::stable_sort(columns.order.begin(), columns.order.end(),
                     [&](std::uint16_t left, std::uint16_t right) { return magnitude(left) < magnitude(right); });
  }
  for (const std::uint16_t molecule : columns.order) {
    columns.magnitudes.push_back(magnitude(molecule));
    const auto position = static_cast<std::uint32_t>(columns.magnitudes.size() - 1);
    if (columns.runs.empty() || columns.runs.back().magnitude != columns.magnitudes.back()) {
      columns.runs.push_back({position, columns.magnitudes.back()});
    }
  }
}

/// Enters every molecule, in order of position, into the bitmaps and lists of its features.
void enter_molecules(const Census& census, const std::vector<std::uint32_t>& first_feature, const BlockHeader& header,
                     std::size_t num_words, Columns& columns) {
  columns.bitmaps.assign((std::size_t{header.num_bitmaps} + 1) * num_words, 0);
  columns.entries.resize(columns.list_offsets.back());
  std::vector<std::uint32_t> next(columns.list_offsets.begin(), columns.list_offsets.end() - 1);
  for (std::size_t position = 0; position < columns.order.size(); ++position) {
    const std::size_t molecule = columns.order[position];
    for (std::size_t i = census.offsets[molecule]; i < census.offsets[molecule + 1]; ++i) {
      const auto [number, count] = census.occurrences[i];
      for (std::uint32_t k = 0; k < count; ++k) {
        const std::uint32_t place = columns.places[first_feature[number] + k];
        if (place < header.num_bitmaps) {
          columns.bitmaps[place * num_words + position / 64] |= std::uint64_t{1} << position % 64;
        } else {
          columns.entries[next[place - header.num_bitmaps]++] = static_cast<std::uint16_t>(position);
        }
      }
    }
  }
}

/// Header and columns end to end, in the order of BlockView.
Buffer<std::byte> assemble(const BlockHeader& header, const Columns& columns) {
  Queue queue;
  Buffer<std::byte> bytes(queue, block_bytes(header));
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
  append_column(columns.places);
  append_column(columns.list_offsets);
  append_column(columns.runs);
  append_column(columns.entries);
  append_column(columns.order);
  append_column(columns.magnitudes);
  return bytes;
}

/// Calls `visit(feature, position)` for every feature of every molecule, in ascending order of feature.
template <class Visit>
void for_each_entry(const BlockView& block, Visit&& visit) {
  for (Index feature = 0; feature < block.places.size(); ++feature) {
    const Index place = block.places[feature];
    if (place >= block.num_bitmaps) {
      const Index list = place - block.num_bitmaps;
      for (Index i = block.list_offsets[list]; i < block.list_offsets[list + 1]; ++i) visit(feature, block.entries[i]);
      continue;
    }
    const auto bitmap = block.bitmap(place);
    for (Index word = 0; word < bitmap.size(); ++word) {
      for (std::uint64_t rest = bitmap[word]; rest != 0; rest &= rest - 1) visit(feature, 64 * word + lowest_bit(rest));
    }
  }
}

}  // namespace

Buffer<std::byte> build_block(const Multisets& multisets, const Definition& definition, Order order) {
  if (multisets.size() > kChunkMolecules)
    throw CapacityError("molecules in one block", kChunkMolecules, multisets.size());
  const Census census = take_census(multisets);
  BlockHeader header;
  header.metric = static_cast<std::uint32_t>(definition.metric);
  header.q = static_cast<std::uint32_t>(definition.q);
  header.fold_halogens = definition.fold_halogens ? 1 : 0;
  header.by_magnitude = order == Order::magnitude ? 1 : 0;
  header.num_molecules = static_cast<std::uint32_t>(multisets.size());
  Columns columns;
  const auto first_feature = place_features(census, multisets.size(), header, columns);
  order_molecules(multisets, order, columns);
  enter_molecules(census, first_feature, header, static_cast<std::size_t>(words_of(multisets.size())), columns);
  header.num_keys = static_cast<std::uint32_t>(columns.keys.size());
  header.num_features = static_cast<std::uint32_t>(columns.places.size());
  header.num_entries = static_cast<std::uint32_t>(columns.entries.size());
  header.num_runs = static_cast<std::uint32_t>(columns.runs.size());
  return assemble(header, columns);
}

Rows rows_of(const BlockView& block) {
  Rows rows;
  const auto num_molecules = static_cast<std::size_t>(block.num_molecules);
  rows.offsets.assign(num_molecules + 1, 0);
  rows.magnitudes.resize(num_molecules);
  for_each_entry(block, [&](Index, Index position) { ++rows.offsets[block.order[position] + std::size_t{1}]; });
  for (Index position = 0; position < block.num_molecules; ++position) {
    rows.magnitudes[block.order[position]] = block.magnitudes[position];
  }
  for (std::size_t i = 0; i < num_molecules; ++i) {
    // Of a file it is not known before; and it bounds the sums.
    if (rows.offsets[i + 1] != rows.magnitudes[i]) {
      throw InputError("a stored block is damaged: a molecule has other features than its magnitude says");
    }
    rows.max_features = std::max<Index>(rows.max_features, rows.offsets[i + 1]);
    rows.offsets[i + 1] += rows.offsets[i];
  }
  rows.features.resize(rows.offsets.back());
  std::vector<std::uint32_t> next(rows.offsets.begin(), rows.offsets.end() - 1);
  for_each_entry(block, [&](Index feature, Index position) {
    rows.features[next[block.order[position]]++] = static_cast<std::uint32_t>(feature);
  });
  return rows;
}

Multisets multiset_at(const BlockView& block, Index molecule) {
  const auto holds = [&](Index place) {
    if (place < block.num_bitmaps) return (block.bitmap(place)[molecule / 64] >> molecule % 64 & 1) != 0;
    const Index list = place - block.num_bitmaps;
    return std::binary_search(block.entries.begin() + block.list_offsets[list],
                              block.entries.begin() + block.list_offsets[list + 1], molecule);
  };
  Multisets one;
  for (Index key = 0; key < block.keys.size(); ++key) {
    for (Index feature = block.first_feature[key]; feature < block.first_feature[key + 1]; ++feature) {
      if (!holds(block.places[feature])) break;
      one.keys.push_back(block.keys[key]);
    }
  }
  one.offsets.push_back(std::ssize(one.keys));
  return one;
}

Multisets multisets_of(const BlockView& block) {
  std::vector<std::uint64_t> key_of(static_cast<std::size_t>(block.places.size()));
  for (Index key = 0; key < block.keys.size(); ++key) {
    std::fill(key_of.begin() + block.first_feature[key], key_of.begin() + block.first_feature[key + 1],
              block.keys[key]);
  }
  const Rows rows = rows_of(block);
  Multisets multisets;
  multisets.offsets.assign(rows.offsets.begin(), rows.offsets.end());
  for (const std::uint32_t feature : rows.features) multisets.keys.push_back(key_of[feature]);
  return multisets;
}

}  // namespace quarry::similar
