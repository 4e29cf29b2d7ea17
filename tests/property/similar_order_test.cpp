/// What must not change an answer of `similar`: threads, the size of a batch, the order of the columns, how the result
/// is received. And what must: columns of equal similarity are in order of their number.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/molecules/random_smiles.hpp"
#include "support/molecules/similar_cases.hpp"
#include "support/random.hpp"

namespace quarry::test {
namespace {

using similar::Fingerprints;
using similar::Neighbour;
using similar::Neighbours;

Fingerprints random_fingerprints(std::uint64_t seed, Index size, int q) {
  Random random(seed);
  return Fingerprints::of_smiles(random_smiles_set(random, size, q), lingo(q));
}

TEST(SimilarOrder, AnyNumberOfThreads) {
  for (const int q : settings({2, 8, 4})) {
    Random random(0x7);
    const auto smiles = random_smiles_set(random, 600, q);
    const auto one = Fingerprints::of_smiles(smiles, lingo(q), 1);
    Random row_random(0x8);
    const auto row_smiles = random_smiles_set(row_random, 130, q);
    const auto rows = Fingerprints::of_smiles(row_smiles, lingo(q));
    const auto all = similar::search(rows, one, search_options(0, 0, 1));
    const auto near = similar::search(rows, one, search_options(7, 0.2, 1));
    const auto values = whole_matrix(rows, one, run_options(1));
    const auto clusters = similar::cluster(one, 0.4, run_options(1));
    const auto picks = similar::pick(one, 50, 3, 1, run_options(1));
    const auto plain_rows = plain_sets(row_smiles, lingo(q)), plain = plain_sets(smiles, lingo(q));
    for (Index row = 0; row < std::ssize(plain_rows); row += 13) {
      EXPECT_EQ(items_of(all, row), reference::nearest(plain_rows[row], plain, 0, 0)) << row;
      EXPECT_EQ(items_of(near, row), reference::nearest(plain_rows[row], plain, 7, 0.2)) << row;
    }
    EXPECT_TRUE(same_bits(values, plain_matrix(plain_rows, plain)));
    EXPECT_EQ(clusters.cluster_of, reference::cluster(plain, 0.4).cluster_of);
    EXPECT_EQ(picks, reference::pick(plain, 50, 3));
    for (const int threads : {2, 7}) {
      const auto many = Fingerprints::of_smiles(smiles, lingo(q), threads);
      EXPECT_TRUE(same_neighbours(all, similar::search(rows, many, search_options(0, 0, threads))));
      EXPECT_TRUE(same_neighbours(near, similar::search(rows, many, search_options(7, 0.2, threads))));
      EXPECT_TRUE(same_bits(values, whole_matrix(rows, many, run_options(threads))));
      EXPECT_EQ(clusters.centroids, similar::cluster(many, 0.4, run_options(threads)).centroids);
      EXPECT_EQ(clusters.cluster_of, similar::cluster(many, 0.4, run_options(threads)).cluster_of);
      EXPECT_EQ(picks, similar::pick(many, 50, 3, 1, run_options(threads)));
    }
  }
}

TEST(SimilarOrder, ABatchOfOneEqualsTheSameRowInALargeBatch) {
  Random random(0x1);
  const auto smiles = random_smiles_set(random, 140, 4);
  const auto columns = random_fingerprints(0x2, 520, 4);
  const auto rows = Fingerprints::of_smiles(smiles, lingo(4));
  const auto values = whole_matrix(rows, columns);
  for (const auto& options : {search_options(0, 0), search_options(5, 0), search_options(0, 0.25)}) {
    const Neighbours large = similar::search(rows, columns, options);
    for (Index row = 0; row < std::ssize(smiles); row += 9) {
      const auto single = Fingerprints::of_smiles(std::span(smiles).subspan(row, 1), lingo(4));
      EXPECT_EQ(items_of(similar::search(single, columns, options), 0), items_of(large, row));
      const auto begin = values.begin() + row * columns.size();
      EXPECT_TRUE(same_bits(whole_matrix(single, columns), {begin, begin + columns.size()})) << row;
    }
  }
}

TEST(SimilarOrder, ShuffledColumnsHaveTheSameSimilarities) {
  Random random(0x5);
  const auto smiles = random_smiles_set(random, 300, 4);
  std::vector<std::size_t> order(smiles.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  random.shuffle(order);
  std::vector<std::string> shuffled;
  for (const std::size_t from : order) shuffled.push_back(smiles[from]);
  const auto rows = random_fingerprints(0x6, 70, 4);
  const auto straight = whole_matrix(rows, Fingerprints::of_smiles(smiles, lingo(4)));
  const auto mixed = whole_matrix(rows, Fingerprints::of_smiles(shuffled, lingo(4)));
  std::vector<float> restored(mixed.size());
  for (std::size_t i = 0; i < mixed.size(); ++i) {
    restored[i / smiles.size() * smiles.size() + order[i % smiles.size()]] = mixed[i];
  }
  EXPECT_TRUE(same_bits(straight, restored));
}

TEST(SimilarOrder, EqualColumnsComeByNumber) {
  for (const Index size : {3, 64, 65, 130, 600}) {
    std::vector<std::string> smiles(size, "CCCCO");
    smiles[1] = "CCCCN";  // less similar, so last
    const auto columns = Fingerprints::of_smiles(smiles, lingo(2));
    const auto row = Fingerprints::of_smiles(std::vector<std::string>{"CCCCCO"}, lingo(2));
    const auto items = items_of(similar::search(row, columns), 0);
    ASSERT_EQ(std::ssize(items), size);
    EXPECT_EQ(items.back(), (Neighbour{1, 0.5}));  // 3 of 4 + 5 - 3
    for (Index i = 0; i + 1 < size; ++i) {
      const Index expected = i == 0 ? 0 : i + 1;
      EXPECT_EQ(items[i], (Neighbour{expected, 0.8}));  // 4 of 5
    }
    for (const Index k : {Index{1}, Index{2}, size - 1}) {
      const auto nearest = items_of(similar::search(row, columns, search_options(k, 0)), 0);
      EXPECT_EQ(nearest, std::vector<Neighbour>(items.begin(), items.begin() + k)) << k << " of " << size;
    }
  }
}

/// 5000 / 10001 and 4999 / 9999 differ by 1e-8 and round to the same float.
TEST(SimilarOrder, DifferentSimilaritiesOfTheSameFloatAreInOrder) {
  const std::vector<std::string> smiles = {multiset_text({4999, 4999}), multiset_text({5000, 5001}),
                                           multiset_text({4999, 4999})};
  const BothForms columns = both_forms(smiles, lingo(1)), row = both_forms({multiset_text({5000})}, lingo(1));
  const auto better = reference::tanimoto(row.plain[0], columns.plain[1]);
  const auto worse = reference::tanimoto(row.plain[0], columns.plain[0]);
  ASSERT_GT(better.exact(), worse.exact());
  ASSERT_EQ(better.rounded(), worse.rounded());
  expect_nearest(row, columns, search_options(0, 0));
  expect_nearest(row, columns, search_options(1, 0));
  expect_nearest(row, columns, search_options(2, 0));
  expect_nearest(row, columns, search_options(0, better.exact()));
}

/// Ranges of columns, cut within chunks too, each beside what the whole search found there.
TEST(SimilarOrder, RangesOfColumnsJoinToTheWhole) {
  constexpr Index kSize = 2 * kChunkMolecules + 100;
  Random random(0x2C);
  std::vector<std::string> smiles = random_smiles_set(random, 500, 4);
  for (Index i = 500; i < kSize; ++i) smiles.push_back(smiles[random.below(500)]);
  const auto columns = Fingerprints::of_smiles(smiles, lingo(4));
  const auto rows = random_fingerprints(0x2D, 9, 4);
  for (const auto& options : {search_options(0, 0.3), search_options(6, 0), search_options(40, 0.2)}) {
    const Neighbours whole = similar::search(rows, columns, options);
    for (const Index num_ranges : {1, 2, 3, 11}) {
      std::vector<std::vector<Neighbour>> joined(rows.size());
      Index pairs = 0, begin = 0;
      for (Index i = 1; i <= num_ranges; ++i) {
        auto range = options;
        range.first_column = begin;
        range.last_column = begin = i == num_ranges ? kSize + 5 : kSize * i / num_ranges;
        pairs += similar::search(rows, columns, range, [&](const Neighbours& found) {
                   for (Index row = 0; row < found.num_rows(); ++row) {
                     const auto items = items_of(found, row);
                     EXPECT_TRUE(options.k == 0 || std::ssize(items) <= options.k);
                     auto& all = joined[found.first_row + row];
                     all.insert(all.end(), items.begin(), items.end());
                   }
                 }).pairs;
      }
      EXPECT_EQ(pairs, rows.size() * kSize);
      for (Index row = 0; row < rows.size(); ++row) {
        std::sort(joined[row].begin(), joined[row].end());
        if (options.k > 0) joined[row].resize(std::min(options.k, std::ssize(joined[row])));
        EXPECT_EQ(joined[row], items_of(whole, row)) << num_ranges << " ranges, row " << row;
      }
    }
  }
  auto none = search_options(0, 0);
  none.first_column = none.last_column = 17;
  EXPECT_TRUE(similar::search(rows, columns, none).items.empty());
}

TEST(SimilarOrder, ClustersOfKnownNeighbours) {
  for (const std::uint64_t seed : {0x31, 0x32, 0x33}) {
    const auto molecules = random_fingerprints(seed, 700, 3);
    for (const double threshold : {0.2, 0.5, 1.0}) {
      const Neighbours found = similar::search(molecules, molecules, search_options(0, threshold));
      std::vector<Index> numbers;
      for (const Neighbour& neighbour : found.items) numbers.push_back(neighbour.molecule);
      const auto clusters = similar::cluster(found.offsets, numbers), alone = similar::cluster(molecules, threshold);
      EXPECT_EQ(clusters.centroids, alone.centroids);
      EXPECT_EQ(clusters.cluster_of, alone.cluster_of);
    }
  }
  EXPECT_TRUE(similar::cluster(std::vector<Index>{0}, {}).centroids.empty());
  const std::vector<Index> one{0}, two{2};
  EXPECT_THROW((void)similar::cluster({}, {}), InputError);
  EXPECT_THROW((void)similar::cluster(std::vector<Index>{0, 1}, two), InputError);
  EXPECT_THROW((void)similar::cluster(std::vector<Index>{1, 1}, one), InputError);
  EXPECT_THROW((void)similar::cluster(std::vector<Index>{0, 2}, one), InputError);
  EXPECT_THROW((void)similar::cluster(std::vector<Index>{0, 2, 1}, one), InputError);
}

TEST(SimilarOrder, TheSinkReceivesWhatTheResultHolds) {
  const auto rows = random_fingerprints(0xA, 200, 4), columns = random_fingerprints(0xB, 300, 4);
  const Neighbours whole = similar::search(rows, columns, search_options(0, 0.2));
  Neighbours pieces;
  pieces.offsets = {0};
  const auto statistics = similar::search(rows, columns, search_options(0, 0.2), [&](const Neighbours& piece) {
    EXPECT_EQ(piece.first_row, pieces.num_rows());
    const Index base = pieces.offsets.back();
    for (Index row = 0; row < piece.num_rows(); ++row) pieces.offsets.push_back(base + piece.offsets[row + 1]);
    pieces.items.insert(pieces.items.end(), piece.items.begin(), piece.items.end());
  });
  EXPECT_TRUE(same_neighbours(pieces, whole));
  EXPECT_EQ(statistics.pairs, rows.size() * columns.size());
  EXPECT_EQ(statistics.kept, std::ssize(whole.items));
  EXPECT_EQ(statistics.device, run_options().device);
  EXPECT_GE(statistics.threads, 1);
}

TEST(SimilarOrder, ProgressReachesThePairs) {
  const auto rows = random_fingerprints(0xA, 200, 4), columns = random_fingerprints(0xB, 300, 4);
  Index most_done = 0;
  auto options = search_options(0, 0.2);
  options.progress = [&](Index done, Index total) {
    EXPECT_EQ(total, rows.size() * columns.size());
    EXPECT_LE(done, total);
    most_done = std::max(most_done, done);
  };
  (void)similar::search(rows, columns, options);
  EXPECT_EQ(most_done, rows.size() * columns.size());
}

}  // namespace
}  // namespace quarry::test
