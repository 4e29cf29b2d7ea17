/// How the rows of a source are dealt out to batches.
#include "dock/batch/like_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "support/dock/random_ligands.hpp"

namespace quarry::dock {
namespace {

using test::Random;

/// A ligand of so many atoms and torsions, with nothing else that tells it from others.
LigandRow row_of(int atoms, int torsions, int conformers) {
  LigandRow row;
  row.ligand.types.assign(atoms, AtomType::oxygen);
  row.ligand.fragments.resize(torsions + 1);
  row.ligand.conformers.resize(conformers);
  return row;
}

using Rows = std::vector<LigandRow>;

/// Gives rows some at a time.
struct Source {
  Rows rows;
  std::size_t given = 0;
  Random random{3};
  std::function<Rows()> next = [this] {
    Rows some;
    for (Index left = random.between(1, 20); left > 0 && given < rows.size(); --left) some.push_back(rows[given++]);
    return some;
  };
};

std::vector<std::vector<NumberedRow>> all_batches(Source& source, Index most, Index num_queues) {
  LikeRows like(source.next, most, num_queues);
  std::vector<std::vector<NumberedRow>> batches;
  while (true) {
    auto batch = like.take();
    if (batch.empty()) return batches;
    batches.push_back(std::move(batch));
  }
}

Index num_ligands(const std::vector<NumberedRow>& batch) {
  Index count = 0;
  for (const NumberedRow& row : batch) count += std::max<Index>(1, std::ssize(row.row.ligand.conformers));
  return count;
}

TEST(DockLikeRows, ABatchHasOneBucketAndEveryRowIsInOne) {
  Random random(71);
  for (int round = 0; round < 20; ++round) {
    Source source;
    const Index count = random.below(400), most = random.between(1, 30), num_queues = random.between(1, 8);
    for (Index i = 0; i < count; ++i) {
      source.rows.push_back(row_of(static_cast<int>(random.between(1, 140)), static_cast<int>(random.below(30)),
                                   static_cast<int>(random.below(4))));
      if (random.chance(10)) {
        source.rows.back() = {};
        source.rows.back().stage = "read";
      }
    }
    std::map<Index, Index> seen;
    for (const auto& batch : all_batches(source, most, num_queues)) {
      EXPECT_TRUE(batch.size() == 1 || num_ligands(batch) <= most);
      for (const NumberedRow& row : batch) {
        ++seen[row.number];
        EXPECT_EQ(row.row.ligand.types, source.rows[row.number].ligand.types);
        EXPECT_EQ(bucket_of(row.row.ligand), bucket_of(batch.front().row.ligand));
      }
    }
    ASSERT_EQ(std::ssize(seen), count);
    EXPECT_TRUE(std::ranges::all_of(seen, [](const auto& row) { return row.second == 1; }));
  }
}

TEST(DockLikeRows, OneAtATimeTheyKeepTheirOrder) {
  Random random(72);
  Source source;
  for (int i = 0; i < 100; ++i) source.rows.push_back(row_of(static_cast<int>(random.between(1, 140)), 3, 2));
  Index number = 0;
  for (const auto& batch : all_batches(source, 1, 4)) {
    ASSERT_EQ(batch.size(), 1U);
    EXPECT_EQ(batch[0].number, number++);
  }
  EXPECT_EQ(number, 100);
}

/// Two kinds in turns fill their batches, and a row whose like never comes does not wait for the end.
TEST(DockLikeRows, BatchesAreFullAndNoRowWaitsLong) {
  Source source;
  source.rows.push_back(row_of(200, 30, 1));
  for (int i = 0; i < 1000; ++i) source.rows.push_back(row_of(i % 2 == 0 ? 20 : 50, 6, 1));
  const auto batches = all_batches(source, 10, 2);
  const auto rare = std::ranges::find_if(batches, [](const auto& batch) { return batch[0].number == 0; });
  EXPECT_EQ(rare->size(), 1U);
  EXPECT_LT(rare - batches.begin(), 34);
  EXPECT_EQ(batches.size(), 101U);
  EXPECT_EQ(std::ranges::count_if(batches, [](const auto& batch) { return batch.size() == 10; }), 100);
}

/// The last rows are for all queues, each conformer a ligand.
TEST(DockLikeRows, QueuesShareTheLastRows) {
  for (const int conformers : {1, 2}) {
    Source source;
    for (int i = 0; i < 40; ++i) source.rows.push_back(row_of(20, 6, conformers));
    const auto batches = all_batches(source, 100, 4);
    ASSERT_EQ(batches.size(), 4U);
    for (const auto& batch : batches) EXPECT_EQ(batch.size(), 10U);
  }
}

}  // namespace
}  // namespace quarry::dock
