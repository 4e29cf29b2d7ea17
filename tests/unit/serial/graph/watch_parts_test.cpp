/// Parts of the engine `watch`, each alone: response times, the numbers of vertices, and the edges that patterns are
/// searched from.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/random.hpp"
#include "watch/plan.hpp"
#include "watch/response_times.hpp"
#include "watch/vertex_ids.hpp"

namespace quarry::watch {
namespace {

using std::chrono::nanoseconds;
using test::Random;

/// The bins of the histogram are that wide, and their upper ends are reported.
constexpr double kBinWidth = 1.033;

void expect_percentile(std::vector<double> microseconds, double share, double found) {
  std::ranges::sort(microseconds);
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(microseconds.size())));
  const double exact = microseconds[std::max<std::size_t>(rank, 1) - 1];
  EXPECT_GE(found, exact * (1 - 1e-9)) << share;
  EXPECT_LE(found, exact * kBinWidth + 0.0021) << share;  // 2 ns
}

TEST(ResponseTimes, OfNothingAreZero) {
  const ResponseTimes times = ResponseTimeHistogram().summary();
  EXPECT_EQ(times.p50, 0);
  EXPECT_EQ(times.p99, 0);
  EXPECT_EQ(times.max, 0);
}

TEST(ResponseTimes, OfOneUpdateAreItsTime) {
  for (const std::int64_t time : {0LL, 1LL, 2LL, 63LL, 64LL, 1000LL, 1'234'567LL, 3'600'000'000'000LL}) {
    ResponseTimeHistogram histogram;
    histogram.add(nanoseconds(time));
    const ResponseTimes times = histogram.summary();
    for (const double percentile : {times.p50, times.p95, times.p99, times.max})
      EXPECT_NEAR(percentile, static_cast<double>(time) / 1000, 0.0021) << time;
  }
}

TEST(ResponseTimes, ThatAreNegativeCountAsNone) {
  ResponseTimeHistogram histogram;
  histogram.add(nanoseconds(-500));
  EXPECT_EQ(histogram.summary().max, 0);
  EXPECT_LE(histogram.summary().p50, 0.0021);
}

TEST(ResponseTimes, AreRightToTheWidthOfABin) {
  Random random(0x7135);
  for (int round = 0; round < 200; ++round) {
    ResponseTimeHistogram histogram;
    std::vector<double> all;
    const Index size = random.between(1, 500), octaves = random.between(1, 45);
    for (Index i = 0; i < size; ++i) {
      const Index time = random.below(Index{1} << random.between(0, octaves));
      histogram.add(nanoseconds(time));
      all.push_back(static_cast<double>(time) / 1000);
    }
    const ResponseTimes times = histogram.summary();
    expect_percentile(all, 0.50, times.p50);
    expect_percentile(all, 0.95, times.p95);
    expect_percentile(all, 0.99, times.p99);
    EXPECT_DOUBLE_EQ(times.max, std::ranges::max(all));
    EXPECT_LE(times.p50, times.p95);
    EXPECT_LE(times.p95, times.p99);
    EXPECT_LE(times.p99, times.max);
  }
}

TEST(VertexIds, AreThoseOfTheGraphAtFirst) {
  const Graph graph = Graph::from_edges(4, std::vector<Edge>{{0, 3}});
  const VertexIds ids(graph);
  for (std::uint64_t id = 0; id < 4; ++id) EXPECT_EQ(ids.find(id), static_cast<std::int64_t>(id));
  for (const std::uint64_t id : {std::uint64_t{4}, std::uint64_t{1023}, std::uint64_t{1024}, ~std::uint64_t{0}})
    EXPECT_EQ(ids.find(id), -1) << id;
}

TEST(VertexIds, MayBeAnyNumbers) {
  const Graph graph = Graph::from_edges(0, {});
  DynamicGraph changing(graph);
  VertexIds ids(graph);
  std::vector<std::uint64_t> numbers{
      0, 1, 1023, 1024, 1025, std::uint64_t{1} << 32, std::uint64_t{1} << 63, ~std::uint64_t{0}};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::uint32_t vertex = ids.add(numbers[i], static_cast<std::uint32_t>(i), 0, changing);
    EXPECT_EQ(ids.find(numbers[i]), vertex);
    EXPECT_EQ(ids.id(vertex), numbers[i]);
    EXPECT_TRUE(ids.is_present(vertex));
    EXPECT_EQ(changing.vertex_label(vertex), i);
  }
  for (const std::uint64_t id : numbers) ids.remove(id, 1);
  for (const std::uint64_t id : numbers) EXPECT_EQ(ids.find(id), -1) << id;
  for (std::uint32_t vertex = 0; vertex < numbers.size(); ++vertex) EXPECT_FALSE(ids.is_present(vertex));
}

TEST(VertexIds, KeepAVertexUntilNoSearchMayReadIt) {
  constexpr Index kRemoved = 10, kDistance = VertexIds::kReuseDistance;
  for (const Index later : {Index{1}, kDistance - 1, kDistance, kDistance + 1}) {
    const Graph graph = Graph::from_edges(3, {});
    DynamicGraph changing(graph);
    VertexIds ids(graph);
    ids.remove(1, kRemoved);
    ids.remove(0, kRemoved + 1);
    EXPECT_EQ(ids.find(1), -1);
    EXPECT_EQ(ids.id(1), 1u) << "searches under way still ask for it";
    const std::uint32_t vertex = ids.add(77, 5, kRemoved + later, changing);
    const bool reused = later > kDistance;
    EXPECT_EQ(vertex, reused ? 1u : 3u) << later;
    EXPECT_EQ(ids.find(77), vertex);
    EXPECT_EQ(ids.id(vertex), 77u);
    EXPECT_EQ(changing.vertex_label(vertex), 5u);
    EXPECT_EQ(ids.add(78, 6, kRemoved + later, changing), reused ? 3u : 4u) << "the other was removed later";
  }
}

TEST(VertexIds, OfAVertexThatComesBackStandForAnotherVertex) {
  const Graph graph = Graph::from_edges(1, {});
  DynamicGraph changing(graph);
  VertexIds ids(graph);
  ids.remove(0, 0);
  EXPECT_EQ(ids.add(0, 3, 1, changing), 1u);
  EXPECT_FALSE(ids.is_present(0));
  EXPECT_TRUE(ids.is_present(1));
  EXPECT_EQ(ids.id(0), 0u);
}

/// Directed edges of a pattern that no automorphism carries to each other.
std::size_t num_orbits(const char* pattern) {
  WatchPlan plan(Graph::from_edges(1, {}), false, true);
  plan.add(parse_graph_pattern(pattern));
  return plan.patterns().back().searches.size();
}

TEST(WatchPlan, SearchesFromOneEdgeOfEachOrbit) {
  EXPECT_EQ(num_orbits("a-b"), 1u);
  EXPECT_EQ(num_orbits("a:1-b"), 2u);
  EXPECT_EQ(num_orbits("a:1-b:1"), 1u);
  EXPECT_EQ(num_orbits("triangle"), 1u);
  EXPECT_EQ(num_orbits("a-[1]-b, b-c, a-c"), 3u);  // the edge 1 either way alike; the others mirror each other
  EXPECT_EQ(num_orbits("wedge"), 2u);
  EXPECT_EQ(num_orbits("star:5"), 2u);
  EXPECT_EQ(num_orbits("path:4"), 3u);
  EXPECT_EQ(num_orbits("path:5"), 4u);
  EXPECT_EQ(num_orbits("5-cycle"), 1u);
  EXPECT_EQ(num_orbits("6-clique"), 1u);
  EXPECT_EQ(num_orbits("diamond"), 3u);
  EXPECT_EQ(num_orbits("house"), 6u);
  EXPECT_EQ(num_orbits("a:1-b:2, b-c:3, a-c"), 6u);
}

}  // namespace
}  // namespace quarry::watch
