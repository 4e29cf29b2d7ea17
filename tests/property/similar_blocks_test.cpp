/// Rows in several groups, and columns in so many chunks that they are compared in several waves: what one wave finds
/// must reach the next. Chunks of a library, groups and slices may be small, so that few molecules are enough.
#include <gtest/gtest.h>

#include "similar/plan.hpp"
#include "support/changed.hpp"
#include "support/molecules/random_smiles.hpp"
#include "support/molecules/similar_cases.hpp"
#include "support/shapes.hpp"
#include "support/temporary_folder.hpp"

namespace quarry::test {
namespace {

using similar::Fingerprints;
using similar::Neighbours;

Library library_of(const TemporaryFolder& folder, Random& random, const std::vector<std::string>& texts, Index most) {
  LibraryWriter writer(folder.file("chunks.qlib"), {});
  for (Index first = 0; first < std::ssize(texts);) {
    const Index count = std::min(random.between(1, most), std::ssize(texts) - first);
    const std::vector<Molecule> molecules(count, chain(1));
    writer.append(Library::from_molecules(molecules, {}, std::span(texts).subspan(first, count)));
    first += count;
  }
  writer.finish();
  return Library::open(folder.file("chunks.qlib"));
}

/// The texts as a library of chunks of 1 to `most` molecules, and in the plain form.
struct ChunkedCase {
  ChunkedCase(Random& random, const std::vector<std::string>& texts, Index most)
      : library(library_of(folder, random, texts, most)),
        forms{Fingerprints::of_library(library, lingo(2)), plain_sets(texts, lingo(2))} {}
  const TemporaryFolder folder;
  const Library library;
  const BothForms forms;
};

/// A group of few rows, in one slice or in several.
similar::SearchPlan small_plan(Random& random) { return {random.between(1, 60), random.between(1, 20)}; }

std::vector<std::string> plain_texts(Random& random, Index count, Index max_length) {
  std::vector<std::string> texts;
  for (Index i = 0; i < count; ++i) texts.push_back(random_plain_smiles(random, max_length));
  return texts;
}

TEST(SimilarBlocks, NeighboursInAnyWave) {
  Random random(0x3A7E);
  for (int round = 0; round < rounds(20); ++round) {
    const Changed plan(similar::host_search_plan, small_plan(random));
    const ChunkedCase columns(random, plain_texts(random, random.between(30, 150), 12), 12);
    const ChunkedCase rows(random, plain_texts(random, random.between(1, 150), 12), 100);
    EXPECT_GT(columns.library.num_chunks(), 2);
    for (const int threads : {1, 2}) {
      for (const Index k : {0, 1, 5}) {
        expect_nearest(rows.forms, columns.forms, search_options(k, 0.01 * random.below(60), threads), 1);
      }
    }
  }
}

/// 300 rows make five slices, so that one thread compares them with one chunk at a time.
TEST(SimilarBlocks, TheBestOfAChunkThatIsFullAndOfTheNext) {
  Random random(0xB10C);
  const Index num_rows = sized(300, 70);
  const BothForms rows = both_forms(plain_texts(random, num_rows, 24), lingo(4));
  const BothForms columns = both_forms(plain_texts(random, kChunkMolecules + 67, 24), lingo(4));
  expect_nearest(rows, columns, search_options(5, 0, 1), /*stride=*/11);
}

TEST(SimilarBlocks, ClustersOfManyChunks) {
  Random random(0xC105);
  for (int round = 0; round < rounds(10); ++round) {
    const Changed plan(similar::host_search_plan, small_plan(random));
    std::vector<std::string> texts = plain_texts(random, random.between(40, 200), 12);
    for (Index i = 0; i < 20; ++i) texts.push_back(random.pick(texts));  // equal ones in later chunks
    const ChunkedCase made(random, texts, 15);
    EXPECT_GT(made.library.num_chunks(), 3);
    for (const double threshold : {0.3, 0.6}) {
      const auto plain = reference::cluster(made.forms.plain, threshold);
      for (const int threads : {1, 2}) {
        const auto found = similar::cluster(made.forms.packed, threshold, run_options(threads));
        EXPECT_EQ(found.centroids, plain.centroids) << texts.size() << " texts, threshold " << threshold;
        EXPECT_EQ(found.cluster_of, plain.cluster_of) << texts.size() << " texts, threshold " << threshold;
      }
    }
  }
}

/// A group has 1,024 rows on the host.
TEST(SimilarBlocks, GroupsOfRowsFollowOneAnother) {
  Random random(0x6409);
  const BothForms columns = both_forms(plain_texts(random, 7, 12), lingo(2));
  for (const Index num_rows : {1023, 1024, 1025, 2100}) {
    const BothForms rows = both_forms(plain_texts(random, num_rows, 12), lingo(2));
    Index rows_seen = 0;
    similar::search(rows.packed, columns.packed, search_options(2, 0.3), [&](const Neighbours& part) {
      EXPECT_EQ(part.first_row, rows_seen);
      for (Index row = 0; row < part.num_rows(); ++row) {
        EXPECT_EQ(items_of(part, row), reference::nearest(rows.plain[rows_seen + row], columns.plain, 2, 0.3)) << row;
      }
      rows_seen += part.num_rows();
    });
    EXPECT_EQ(rows_seen, num_rows);
  }
}

}  // namespace
}  // namespace quarry::test
