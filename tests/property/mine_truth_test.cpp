/// The engine `mine` against the plain form: every pattern of up to five vertices and random larger ones, both
/// semantics, with and without labels, every method, orientation and intersection, on random small graphs.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/mine_cases.hpp"

namespace quarry::test {
namespace {

using mine::Intersection;
using mine::Method;
using mine::Orientation;
using mine::Semantics;
using mine::Split;

constexpr Semantics kSemantics[] = {Semantics::edge_induced, Semantics::vertex_induced};
const std::vector<Orientation> kOrientations{Orientation::automatic, Orientation::small_first,
                                             Orientation::large_first};
const std::vector<Split> kSplits{Split::automatic, Split::vertices, Split::edges};
const std::vector<Intersection> kIntersections{Intersection::automatic, Intersection::merge, Intersection::search,
                                               Intersection::bitmap};

mine::Options options_with(Semantics semantics, Method method = Method::automatic) {
  mine::Options options;
  options.semantics = semantics;
  options.method = method;
  options.threads = 1;
  return options;
}

mine::Options random_options(Random& random, Semantics semantics) {
  mine::Options options = options_with(semantics, Method::search);
  options.orientation = random.pick(kOrientations);
  options.intersection = random.pick(kIntersections);
  options.split = random.pick(kSplits);
  options.bitmap_degree = random.below(4);
  options.threads = random.between(1, 2);
  return options;
}

TEST(MineTruth, Formulas) {
  Random random(0xF0);
  for (int round = 0; round < rounds(60); ++round) {
    const BothGraphs graphs = random_graph(random, {11, 0, 0});
    for (const GraphPattern& pattern : catalog()) {
      for (const Semantics semantics : kSemantics) {
        mine::Options options = options_with(semantics, Method::formulas);
        options.orientation = random.pick(kOrientations);
        options.threads = random.between(1, 2);
        expect_counts(graphs, shuffled(random, pattern), options);
      }
    }
  }
}

TEST(MineTruth, Search) {
  Random random(0x5E);
  for (int round = 0; round < rounds(60); ++round) {
    const BothGraphs graphs = random_graph(random, {11, 0, 0});
    for (const GraphPattern& pattern : catalog()) {
      for (const Semantics semantics : kSemantics) {
        expect_counts(graphs, shuffled(random, pattern), random_options(random, semantics));
      }
    }
  }
}

TEST(MineTruth, SmallestPattern) {
  Random random(0x2);
  for (int round = 0; round < rounds(50); ++round) {
    const BothGraphs graphs = random_graph(random, {9, 2, 2});
    for (const char* text : {"a-b", "a:1-b", "a:0-b:1", "a-[1]-b", "a:1-[0]-b:1"}) {
      for (const Semantics semantics : kSemantics) {
        expect_counts(graphs, parse_graph_pattern(text), random_options(random, semantics));
      }
    }
  }
}

TEST(MineTruth, LargePatterns) {
  Random random(0x1A);
  for (int round = 0; round < rounds(150); ++round) {
    const BothGraphs graphs = random_graph(random, {8, 0, 0});
    const GraphPattern pattern = random_graph_pattern(random, random.between(6, 7));
    for (const Semantics semantics : kSemantics) {
      expect_counts(graphs, pattern, options_with(semantics));
      expect_counts(graphs, pattern, random_options(random, semantics));
    }
  }
}

TEST(MineTruth, Labels) {
  Random random(0x1AB);
  for (int round = 0; round < rounds(1500); ++round) {
    const GraphShape shape{10, random.chance(70) ? random.between(1, 3) : 0,
                           random.chance(50) ? random.between(1, 3) : 0};
    const BothGraphs graphs = random_graph(random, shape);
    const GraphPattern pattern = random_graph_pattern(random, random.between(2, 6), shape);
    if (pattern.has_edge_labels() && graphs.edges.empty()) continue;
    for (const Semantics semantics : kSemantics) expect_counts(graphs, pattern, random_options(random, semantics));
  }
}

TEST(MineTruth, Cliques) {
  Random random(0xC1);
  for (int round = 0; round < rounds(40); ++round) {
    const BothGraphs graphs = random_graph(random, {9, 0, 0});
    for (int size = 3; size <= 9; ++size) {
      const GraphPattern pattern = parse_graph_pattern(std::to_string(size) + "-clique");
      const auto subgraphs = reference::subgraphs(pattern, reference::embeddings(graphs.plain, pattern, false)).size();
      for (const Method method : {Method::cliques, Method::automatic, Method::search}) {
        for (const Orientation orientation : {Orientation::automatic, Orientation::large_first}) {
          mine::Options options = options_with(kSemantics[random.below(2)], method);
          options.orientation = orientation;
          EXPECT_EQ(mine::to_text(mine::count(graphs.graph, pattern, options).subgraphs), std::to_string(subgraphs))
              << size;
        }
      }
    }
  }
}

TEST(MineTruth, Motifs) {
  Random random(0x30);
  for (int round = 0; round < rounds(40); ++round) {
    const BothGraphs graphs = random_graph(random, {10, 0, 0});
    for (const int size : {3, 4, 5}) {
      const auto motifs = mine::motifs(graphs.graph, size, options_with(Semantics::edge_induced));
      EXPECT_EQ(motifs.counts.size(), size == 3 ? 2U : size == 4 ? 6U : 21U);
      for (const auto& motif : motifs.counts) {
        for (const bool induced : {false, true}) {
          const auto subgraphs =
              reference::subgraphs(motif.pattern, reference::embeddings(graphs.plain, motif.pattern, induced));
          EXPECT_EQ(mine::to_text(induced ? motif.vertex_induced : motif.edge_induced),
                    std::to_string(subgraphs.size()))
              << motif.pattern.name;
        }
      }
    }
  }
}

TEST(MineTruth, ManyPatternsAtOnce) {
  Random random(0x3A);
  const BothGraphs graphs = random_graph(random, {12, 0, 0});
  std::vector<GraphPattern> patterns = catalog();
  patterns.push_back(parse_graph_pattern("6-clique"));
  patterns.push_back(parse_graph_pattern("6-cycle"));
  for (const Semantics semantics : kSemantics) {
    const auto results = mine::count(graphs.graph, patterns, options_with(semantics));
    ASSERT_EQ(results.size(), patterns.size());
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      EXPECT_EQ(results[i].pattern.name, patterns[i].name);
      EXPECT_EQ(results[i].subgraphs, mine::count(graphs.graph, patterns[i], options_with(semantics)).subgraphs);
    }
  }
}

TEST(MineTruth, Lists) {
  Random random(0x115);
  for (int round = 0; round < rounds(400); ++round) {
    const GraphShape shape{10, random.chance(40) ? random.between(1, 3) : 0, 0};
    const BothGraphs graphs = random_graph(random, shape);
    const GraphPattern pattern = random_graph_pattern(random, random.between(2, 6), shape);
    const Semantics semantics = kSemantics[random.below(2)];
    const auto embeddings = reference::embeddings(graphs.plain, pattern, semantics == Semantics::vertex_induced);
    const auto expected = reference::subgraphs(pattern, embeddings);
    const auto rows = listed(graphs.graph, pattern, random_options(random, semantics));
    EXPECT_EQ(rows.size(), expected.size()) << to_text(pattern);
    EXPECT_EQ(reference::subgraphs(pattern, rows), expected) << to_text(pattern);
    for (const auto& row : rows) {
      EXPECT_NE(std::find(embeddings.begin(), embeddings.end(), row), embeddings.end()) << to_text(pattern);
    }
  }
}

TEST(MineTruth, Participation) {
  Random random(0x9A);
  for (int round = 0; round < rounds(300); ++round) {
    const BothGraphs graphs = random_graph(random, {10, 0, 0});
    const GraphPattern pattern = random_graph_pattern(random, random.between(2, 6));
    const mine::Options options = random_options(random, kSemantics[random.below(2)]);
    std::vector<std::uint64_t> expected(graphs.num_vertices);
    const auto rows = listed(graphs.graph, pattern, options);
    for (const auto& row : rows) {
      for (const std::uint32_t vertex : row) ++expected[vertex];
    }
    const auto found = mine::per_vertex(graphs.graph, pattern, options);
    EXPECT_EQ(found.counts, expected) << to_text(pattern);
    EXPECT_EQ(mine::to_text(found.result.subgraphs), std::to_string(rows.size()));
  }
}

}  // namespace
}  // namespace quarry::test
