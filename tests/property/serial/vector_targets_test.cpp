/// Match, similar, mine and watch on every vector instruction set that this machine has: the best is chosen at run
/// time, and all must give one answer.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "support/mine_cases.hpp"
#include "support/molecules/match_cases.hpp"
#include "support/molecules/random_molecules.hpp"
#include "support/molecules/random_smiles.hpp"
#include "support/molecules/similar_cases.hpp"
#include "support/watch_cases.hpp"

namespace quarry::test {
namespace {

template <class Check>
void on_every_target(Check&& check) {
  const std::int64_t all = hwy::SupportedTargets();
  for (std::int64_t left = all; left != 0; left &= left - 1) {
    hwy::SetSupportedTargetsForTest(left & -left);
    SCOPED_TRACE(hwy::TargetName(left & -left));
    check();
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST(VectorTargets, SimilarIsTheReference) {
  Random random(0x51D);
  const auto rows = both_forms(random_smiles_set(random, 30, 4), lingo(4));
  const auto columns = both_forms(random_smiles_set(random, 600, 4), lingo(4));
  const auto expected = plain_matrix(rows.plain, columns.plain);
  on_every_target([&] {
    EXPECT_TRUE(same_bits(expected, whole_matrix(rows.packed, columns.packed, run_options(1))));
    expect_nearest(rows, columns, search_options(0, 0.3, 1));
    expect_nearest(rows, columns, search_options(5, 0, 1));
  });
}

TEST(VectorTargets, MatchFindsTheSame) {
  Random random(0x3A7C);
  const auto molecules = small_molecules(random, 40, false);
  PatternShape shape;
  shape.max_atoms = 6;
  const auto patterns = random_patterns(random, 70, molecules, shape);
  for (const match::Mode mode : {match::Mode::first, match::Mode::all, match::Mode::count}) {
    auto options = in_mode(mode);
    options.threads = 1;
    const match::Result expected = run_match(molecules, patterns, options);
    EXPECT_FALSE(expected.hits.empty());
    on_every_target([&] {
      const match::Result found = run_match(molecules, patterns, options);
      EXPECT_EQ(found.hit_offsets, expected.hit_offsets);
      EXPECT_EQ(found.hits, expected.hits);
      EXPECT_EQ(found.mappings, expected.mappings);
    });
  }
}

TEST(VectorTargets, MineCountsTheSame) {
  Random random(0x3113);
  std::vector<Edge> edges;
  for (std::uint32_t v = 0; v < 24; ++v) {
    for (std::uint32_t other = 0; other < v; ++other)
      if (random.chance(60)) edges.push_back({other, v});
  }
  const BothGraphs graphs = both_graphs(24, edges);
  mine::Options options;
  options.method = mine::Method::search;
  options.threads = 1;
  for (const char* text : {"4-clique", "diamond"}) {
    on_every_target([&] { expect_counts(graphs, parse_graph_pattern(text), options); });
  }
}

/// Rows of several blocks, most of which have some of what is asked for.
TEST(VectorTargets, WatchFindsTheSame) {
  Random random(0x3A7);
  StreamShape shape;
  shape.vertices = 36;
  shape.vertex_labels = shape.edge_labels = 1;
  shape.edge_share = 60;
  shape.updates = 20;
  const RandomStream stream = random_stream(random, shape);
  const std::vector<GraphPattern> patterns{parse_graph_pattern("4-clique"), parse_graph_pattern("diamond")};
  const StreamTruth truth = truth_of(stream, patterns);
  EXPECT_FALSE(truth.changes.empty());
  watch::Options options;
  options.threads = 1;
  for (const bool list : {false, true}) {
    options.list = list;
    on_every_target([&] { expect_same_counts(truth, run_engine(stream, patterns, options).changes); });
  }
}

}  // namespace
}  // namespace quarry::test
