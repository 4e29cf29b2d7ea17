/// Results of `similar` beside the truth.
#include "support/molecules/similar_cases.hpp"

#include <bit>
#include <cstdint>

#include "support/test_device.hpp"

namespace quarry::test {

using similar::Fingerprints;
using similar::Neighbour;
using similar::Neighbours;

similar::Definition lingo(int q, bool fold_halogens) {
  similar::Definition definition;
  definition.q = q;
  definition.fold_halogens = fold_halogens;
  return definition;
}

std::vector<reference::SortedMultiset> plain_sets(const std::vector<std::string>& smiles,
                                                  const similar::Definition& definition) {
  std::vector<reference::SortedMultiset> sets;
  for (const std::string& one : smiles) {
    sets.push_back(reference::sorted_multiset(reference::lingo_text(one, definition.fold_halogens), definition.q));
  }
  return sets;
}

BothForms both_forms(const std::vector<std::string>& smiles, const similar::Definition& definition) {
  return {Fingerprints::of_smiles(smiles, definition), plain_sets(smiles, definition)};
}

similar::Options run_options(int threads) {
  similar::Options options;
  options.threads = threads;
  options.device = test_device();
  return options;
}

similar::SearchOptions search_options(Index k, double threshold, int threads) {
  return search_on(run_options(threads), k, threshold);
}

similar::SearchOptions search_on(const similar::Options& options, Index k, double threshold) {
  return {options, k, threshold};
}

similar::SearchOptions search_on_host(Index k, double threshold) { return search_on({}, k, threshold); }

std::vector<float> whole_matrix(const Fingerprints& rows, const Fingerprints& columns,
                                const similar::Options& options) {
  std::vector<float> all;
  const auto sink = [&](Index first_row, std::span<const float> values) {
    EXPECT_EQ(first_row * columns.size(), std::ssize(all));
    EXPECT_EQ(std::ssize(values) % columns.size(), 0);
    all.insert(all.end(), values.begin(), values.end());
  };
  similar::matrix(rows, columns, sink, options);
  EXPECT_EQ(std::ssize(all), rows.size() * columns.size());
  return all;
}

std::vector<float> plain_matrix(const std::vector<reference::SortedMultiset>& rows,
                                const std::vector<reference::SortedMultiset>& columns) {
  std::vector<float> all;
  for (const auto& row : rows) {
    for (const auto& column : columns) all.push_back(reference::tanimoto(row, column).rounded());
  }
  return all;
}

std::vector<Neighbour> items_of(const Neighbours& neighbours, Index row) {
  return {neighbours.items.begin() + neighbours.offsets.at(row),
          neighbours.items.begin() + neighbours.offsets.at(row + 1)};
}

namespace {

::testing::AssertionResult same_items(const std::vector<Neighbour>& one, const std::vector<Neighbour>& other) {
  if (one.size() != other.size()) {
    return ::testing::AssertionFailure() << one.size() << " neighbours and " << other.size();
  }
  for (std::size_t i = 0; i < one.size(); ++i) {
    const bool same = one[i].molecule == other[i].molecule && std::bit_cast<std::uint64_t>(one[i].similarity) ==
                                                                  std::bit_cast<std::uint64_t>(other[i].similarity);
    if (same) continue;
    return ::testing::AssertionFailure() << "neighbour " << i << " is " << one[i].molecule << " at "
                                         << one[i].similarity << " and " << other[i].molecule << " at "
                                         << other[i].similarity;
  }
  return ::testing::AssertionSuccess();
}

}  // namespace

::testing::AssertionResult same_bits(const std::vector<float>& one, const std::vector<float>& other) {
  if (one.size() != other.size()) return ::testing::AssertionFailure() << one.size() << " and " << other.size();
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (std::bit_cast<std::uint32_t>(one[i]) == std::bit_cast<std::uint32_t>(other[i])) continue;
    return ::testing::AssertionFailure() << "entry " << i << " is " << one[i] << " and " << other[i];
  }
  return ::testing::AssertionSuccess();
}

::testing::AssertionResult same_neighbours(const Neighbours& one, const Neighbours& other) {
  if (one.first_row != other.first_row) return ::testing::AssertionFailure() << "they begin at different rows";
  if (one.offsets != other.offsets) return ::testing::AssertionFailure() << "the offsets differ";
  return same_items(one.items, other.items);
}

void expect_nearest(const BothForms& rows, const BothForms& columns, const similar::SearchOptions& options,
                    Index stride) {
  const Neighbours found = similar::search(rows.packed, columns.packed, options);
  const auto num_rows = std::ssize(rows.plain);
  ASSERT_EQ(found.num_rows(), num_rows);
  EXPECT_EQ(found.first_row, 0);
  EXPECT_EQ(found.offsets.back(), std::ssize(found.items));
  for (Index row = 0; row < num_rows; ++row) {
    if (row % stride != 0 && row + 1 != num_rows) continue;
    const auto& plain = rows.plain[row];
    EXPECT_TRUE(
        same_items(items_of(found, row), reference::nearest(plain, columns.plain, options.k, options.threshold)))
        << "row " << row << " of " << num_rows << ", k " << options.k << ", threshold " << options.threshold;
  }
}

}  // namespace quarry::test
