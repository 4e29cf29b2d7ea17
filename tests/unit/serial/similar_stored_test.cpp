/// Stored chunks: what is decoded is what was packed, byte for byte, and damaged bytes are refused by name.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "quarry/error.hpp"
#include "similar/feature_map.hpp"
#include "similar/pack.hpp"
#include "similar/stored/stored_chunk.hpp"
#include "support/molecules/random_smiles.hpp"
#include "support/random.hpp"
#include "support/temporary_folder.hpp"

namespace quarry::similar {
namespace {

using test::message_of;

std::vector<std::byte> copy_of(const Buffer<std::byte>& buffer) { return {buffer.view().begin(), buffer.view().end()}; }

std::vector<std::byte> stored_of(const Multisets& multisets, const Definition& definition = {}) {
  std::vector<std::byte> bytes;
  append_stored(feature_sets_of(multisets, Order::magnitude), definition, bytes);
  return bytes;
}

/// Molecule i has the keys for which `has(key, i)`.
template <class Has>
Multisets multisets_where(Index molecules, Index keys, Has&& has) {
  Multisets multisets;
  for (Index i = 0; i < molecules; ++i) {
    multisets.keys.push_back(0);  // no molecule is without features
    for (Index key = 1; key <= keys; ++key) {
      if (has(key, i)) multisets.keys.push_back(static_cast<std::uint64_t>(key * key * key));
    }
    multisets.offsets.push_back(std::ssize(multisets.keys));
  }
  return multisets;
}

void expect_same(const Multisets& multisets, const Definition& definition = {}) {
  const auto packed = copy_of(pack(multisets, definition, Order::magnitude));
  const auto stored = stored_of(multisets, definition);
  EXPECT_EQ(definition_of_stored(stored, "test"), definition);
  EXPECT_EQ(copy_of(decode_stored(stored, "test")), packed);
}

TEST(SimilarStored, WhatIsDecodedIsWhatWasPacked) {
  test::Random random(7);
  for (const Index size : {0, 1, 2, 7, 8, 9, 63, 64, 65, 200, 511, 513, 3000}) {
    const auto smiles = test::random_smiles_set(random, size, 4);
    for (const Definition& definition :
         {Definition{}, Definition{Metric::lingo, 8, true}, Definition{Metric::lingo, 1}})
      expect_same(multisets_of(smiles, definition, 0), definition);
  }
  const std::vector<std::string> molecules = {"CCO", "c1ccccc1", "CC(=O)Oc1ccccc1C(=O)O", "C", "[Na+].[Cl-]"};
  expect_same(multisets_of(molecules, {Metric::ecfp4}, 0), {Metric::ecfp4});
}

/// All densities, so that lists, gaps that become bitmaps, and stored bitmaps occur, and every length of a gap.
TEST(SimilarStored, SetsOfEveryDensityAreKept) {
  for (const Index molecules : {Index{100}, Index{1000}, kChunkMolecules})
    expect_same(
        multisets_where(molecules, 40, [](Index key, Index i) { return (i * 2654435761 >> 7) % (key * key) == 0; }));
}

TEST(SimilarStored, GapsAtTheLimitsOfOneByteAreKept) {
  for (const Index gap : {0, 1, 190, 191, 192, 193, 255, 256, 447, 448, 449, 16000, 16382})
    expect_same(multisets_where(kChunkMolecules, 1, [&](Index, Index i) { return i % (gap + 1) == gap; }));
}

TEST(SimilarStored, LargeMagnitudesTakeTwoBytes) {
  Multisets multisets;
  for (const Index size : {3, 258, 259, 70, 3}) {
    for (Index key = 0; key < size; ++key) multisets.keys.push_back(static_cast<std::uint64_t>(key % 5));
    multisets.offsets.push_back(std::ssize(multisets.keys));
  }
  expect_same(multisets);
  Multisets most;
  most.keys.assign(kMaxMagnitude, ~std::uint64_t{0});
  most.offsets.push_back(kMaxMagnitude);
  expect_same(most);
}

/// The positions that have an occurrence of a key.
std::vector<Index> holders_of(const PackedView& chunk, Index feature) {
  std::vector<Index> positions;
  const Index set = chunk.sets[feature];
  for (Index position = 0; position < chunk.num_molecules; ++position) {
    if (set < chunk.num_bitmaps) {
      if ((chunk.bitmap(set)[position / 64] >> position % 64 & 1) != 0) positions.push_back(position);
    } else {
      const auto entries = chunk.entries.part(
          chunk.list_offsets[set - chunk.num_bitmaps],
          chunk.list_offsets[set - chunk.num_bitmaps + 1] - chunk.list_offsets[set - chunk.num_bitmaps]);
      if (std::ranges::find(entries, position) != entries.end()) positions.push_back(position);
    }
  }
  return positions;
}

/// For a few rows only their features are decoded, each as often as they have it, to the same sets.
TEST(SimilarStored, WhatRowsNeedIsDecodedAlone) {
  test::Random random(21);
  const auto smiles = test::random_smiles_set(random, 700, 4);
  const Multisets multisets = multisets_of(smiles, {}, 0);
  const auto packed = copy_of(pack(multisets, {}, Order::magnitude));
  const PackedView whole = view_packed(packed);
  const auto stored = stored_of(multisets);
  const std::vector<std::vector<std::string>> cases = {
      {smiles[3]}, {smiles[5], "CCCCCCCCCCCCCCCCCCCC"}, {"no such"}, {}};
  for (const auto& texts : cases) {
    const auto rows_bytes = copy_of(pack(multisets_of(texts, {}, 0), {}, Order::magnitude));
    const PackedView rows = view_packed(rows_bytes);
    const auto part_bytes = copy_of(decode_stored(stored, "test", &rows));
    const PackedView part = check_packed(part_bytes, "test");
    const FeatureMap of_part = map_features(rows, part), of_whole = map_features(rows, whole);
    for (std::size_t feature = 0; feature < of_part.size(); ++feature)
      EXPECT_EQ(of_part[feature] == kNoSet, of_whole[feature] == kNoSet);
    EXPECT_EQ(part.sets.size(), std::ranges::count_if(of_whole, [](auto set) { return set != kNoSet; }));
    for (Index key = 0; key < part.keys.size(); ++key) {
      const Index in_whole = std::ranges::find(whole.keys, part.keys[key]) - whole.keys.begin();
      for (Index k = 0; part.first_feature[key] + k < part.first_feature[key + 1]; ++k)
        EXPECT_EQ(holders_of(part, part.first_feature[key] + k), holders_of(whole, whole.first_feature[in_whole] + k));
    }
  }
}

StoredHeader header_in(const std::vector<std::byte>& stored) {
  StoredHeader header;
  std::memcpy(&header, stored.data(), sizeof header);
  return header;
}

std::string complaint_of(std::vector<std::byte> stored, const StoredHeader& header) {
  std::memcpy(stored.data(), &header, sizeof header);
  return message_of<InputError>([&] { (void)decode_stored(stored, "here"); });
}

TEST(SimilarStored, WrongCountsAreNamed) {
  test::Random random(3);
  const auto smiles = test::random_smiles_set(random, 300, 4);
  const auto stored = stored_of(multisets_of(smiles, {}, 0));
  const StoredHeader good = header_in(stored);
  const auto with = [&](std::uint32_t StoredHeader::*member, std::uint32_t value) {
    StoredHeader header = good;
    header.*member = value;
    return complaint_of(stored, header);
  };
  const std::string counts = "here: its counts are not those of its sets";
  const std::string more = "here: its counts are more than it has bytes for";
  EXPECT_EQ(with(&StoredHeader::num_bitmaps, good.num_bitmaps - 1), counts);
  EXPECT_EQ(with(&StoredHeader::num_bitmaps, good.num_bitmaps + 1), counts);
  EXPECT_EQ(with(&StoredHeader::num_bitmaps, ~0U), more);
  EXPECT_EQ(with(&StoredHeader::num_entries, good.num_entries - 1), counts);
  EXPECT_EQ(with(&StoredHeader::num_entries, good.num_entries + 1), counts);
  EXPECT_EQ(with(&StoredHeader::num_entries, ~0U), more);
  EXPECT_EQ(with(&StoredHeader::num_keys, good.num_keys - 1), counts);
  EXPECT_EQ(with(&StoredHeader::num_keys, ~0U), more);
  EXPECT_EQ(with(&StoredHeader::num_features, good.num_features - 1), counts);
  EXPECT_EQ(with(&StoredHeader::num_molecules, kChunkMolecules + 1), "here: it has more molecules than a chunk");
  EXPECT_EQ(with(&StoredHeader::magnitude_bytes, 3), "here: its magnitudes have no known size");
  EXPECT_EQ(with(&StoredHeader::least_magnitude, ~0U), "here: a magnitude is above the limit");
  EXPECT_EQ(with(&StoredHeader::key_bytes, ~0U), "here: its size is not what its counts say");
  EXPECT_EQ(with(&StoredHeader::q, 9), "here: its definition of similarity is not known");
  EXPECT_EQ(with(&StoredHeader::metric, 2), "here: its definition of similarity is not known");
}

/// Whatever a byte becomes, and wherever the bytes end, what is accepted has the columns that searches rely on.
TEST(SimilarStored, DamagedBytesAreRefusedOrSafe) {
  test::Random random(5);
  const auto smiles = test::random_smiles_set(random, 150, 4);
  const auto stored = stored_of(multisets_of(smiles, {}, 0));
  int refused = 0;
  for (int round = 0; round < test::rounds(3000); ++round) {
    auto damaged = stored;
    if (round % 3 == 0) damaged.resize(random.below(std::ssize(stored)));
    for (int i = 0; !damaged.empty() && i < 1 + round % 4; ++i)
      damaged[random.below(std::ssize(damaged))] = static_cast<std::byte>(random.below(256));
    try {
      const auto packed = copy_of(decode_stored(damaged, "here"));
      EXPECT_NO_THROW((void)check_packed(packed, "here"));
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, test::rounds(500));
}

TEST(SimilarStored, TakesLessThanHalfTheBytes) {
  test::Random random(9);
  const auto smiles = test::random_smiles_set(random, 4000, 4);
  const Multisets multisets = multisets_of(smiles, {}, 0);
  EXPECT_LT(2 * stored_of(multisets).size(), pack(multisets, {}, Order::magnitude).size());
}

}  // namespace
}  // namespace quarry::similar
