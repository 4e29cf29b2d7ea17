/// The plain form of `watch` on cases worked out by hand, and against a recount of the whole graph.
#include <gtest/gtest.h>

#include "reference/mine.hpp"
#include "reference/watch.hpp"

namespace quarry::reference {
namespace {

using Kind = GraphUpdate::Kind;
using watch::Fault;

GraphUpdate insertion(std::uint64_t from, std::uint64_t to, std::uint32_t label = 0) {
  return {.kind = Kind::insert_edge, .label = label, .from = from, .to = to};
}
GraphUpdate deletion(std::uint64_t from, std::uint64_t to, std::uint32_t label = kAnyLabel) {
  return {.kind = Kind::delete_edge, .label = label, .from = from, .to = to};
}
GraphUpdate addition(std::uint64_t vertex, std::uint32_t label) {
  return {.kind = Kind::add_vertex, .label = label, .from = vertex};
}
GraphUpdate removal(std::uint64_t vertex, std::uint32_t label = kAnyLabel) {
  return {.kind = Kind::remove_vertex, .label = label, .from = vertex};
}

std::vector<GraphPattern> patterns_of(const std::vector<std::string>& texts) {
  std::vector<GraphPattern> patterns;
  for (const std::string& text : texts) patterns.push_back(parse_graph_pattern(text));
  return patterns;
}

/// 0-1-2-3 in a row.
Graph path_of_four() {
  const std::vector<Edge> edges = {{0, 1, 0}, {1, 2, 0}, {2, 3, 0}};
  return Graph::from_edges(4, edges);
}

using Rows = std::vector<Images>;

TEST(ReferenceWatch, CountsWhatAnEdgeCreatesAndDestroys) {
  PlainWatcher watcher(path_of_four(), patterns_of({"a-b", "a-b-c", "triangle"}), {.list = true});
  const UpdateOutcome closed = watcher.apply(insertion(2, 0));  // 0-1-2 becomes a triangle
  EXPECT_TRUE(closed.created);
  EXPECT_EQ(closed.patterns[0].embeddings, 2u);
  EXPECT_EQ(closed.patterns[0].subgraphs, 1u);
  // Paths with the new edge: 1-0-2, 0-2-1 and 0-2-3, each in two directions.
  EXPECT_EQ(closed.patterns[1].embeddings, 6u);
  EXPECT_EQ(closed.patterns[1].matches, (Rows{{0, 2, 1}, {0, 2, 3}, {1, 0, 2}}));
  EXPECT_EQ(closed.patterns[2].embeddings, 6u);
  EXPECT_EQ(closed.patterns[2].matches, (Rows{{0, 1, 2}}));
  const UpdateOutcome opened = watcher.apply(deletion(1, 2));
  EXPECT_FALSE(opened.created);
  EXPECT_EQ(opened.patterns[1].matches, (Rows{{0, 1, 2}, {0, 2, 1}, {1, 2, 3}}));
  EXPECT_EQ(opened.patterns[2].subgraphs, 1u);
  EXPECT_EQ(watcher.totals()[2].positive, 6u);
  EXPECT_EQ(watcher.totals()[2].negative, 6u);
  EXPECT_EQ(watcher.totals()[2].nonzero_updates, 2u);
  EXPECT_EQ(watcher.totals()[2].automorphisms, 6);
  EXPECT_EQ(watcher.current()[1].matches, (Rows{{0, 2, 3}, {1, 0, 2}}));
}

TEST(ReferenceWatch, LabelsOfVerticesAndEdgesMustBeEqual) {
  const std::vector<Edge> edges = {{0, 1, 7}};
  const Graph graph = Graph::from_edges(3, edges, {1, 2, 1}, true);
  PlainWatcher watcher(graph, patterns_of({"a:1-[7]-b:2", "a:1-[7]-b:2, b-[8]-c:1", "a-[8]-b"}), {.list = true});
  const UpdateOutcome outcome = watcher.apply(insertion(2, 1, 8));
  EXPECT_EQ(outcome.patterns[0].embeddings, 0u);
  EXPECT_EQ(outcome.patterns[1].matches, (Rows{{0, 1, 2}}));
  EXPECT_EQ(outcome.patterns[2].embeddings, 2u);
  EXPECT_EQ(watcher.apply(deletion(0, 1, 7)).patterns[1].embeddings, 1u);
  EXPECT_EQ(watcher.apply(insertion(0, 1, 8)).patterns[1].embeddings, 0u);  // as another edge than before
}

TEST(ReferenceWatch, ListsAsManyAsAskedFor) {
  PlainWatcher capped(path_of_four(), patterns_of({"a-b-c"}), {.list = true, .all_embeddings = true, .max_results = 5});
  const PatternChange six = capped.apply(insertion(0, 2)).patterns[0];
  EXPECT_TRUE(six.truncated);
  EXPECT_EQ(six.matches.size(), 5u);
  EXPECT_EQ(six.embeddings, 6u);
  PlainWatcher enough(path_of_four(), patterns_of({"a-b-c"}), {.list = true, .all_embeddings = true, .max_results = 6});
  EXPECT_FALSE(enough.apply(insertion(0, 2)).patterns[0].truncated);
  EXPECT_EQ(capped.totals()[0].truncated, 1u);
}

TEST(ReferenceWatch, NamesEachFaultAndChangesNothing) {
  PlainWatcher watcher(path_of_four(), patterns_of({"a-b"}));
  const auto expect_fault = [&](const GraphUpdate& update, Fault fault) {
    const UpdateOutcome outcome = watcher.apply(update);
    EXPECT_EQ(static_cast<int>(outcome.fault), static_cast<int>(fault));
    EXPECT_TRUE(outcome.patterns.empty());
  };
  expect_fault(insertion(1, 0), Fault::duplicate_edge);
  expect_fault(insertion(0, 1, 5), Fault::duplicate_edge);
  expect_fault(insertion(0, 0), Fault::loop);
  expect_fault(insertion(9, 9), Fault::loop);
  expect_fault(deletion(0, 0), Fault::loop);
  expect_fault(insertion(0, 9), Fault::unknown_vertex);
  expect_fault(deletion(9, 0), Fault::unknown_vertex);
  expect_fault(deletion(0, 3), Fault::absent_edge);
  expect_fault(deletion(0, 1, 5), Fault::wrong_label);
  expect_fault(removal(9), Fault::unknown_vertex);
  expect_fault(removal(0, 5), Fault::wrong_label);
  expect_fault(removal(0, 0), Fault::vertex_has_edges);
  expect_fault(addition(0, 5), Fault::vertex_has_edges);
  expect_fault({.kind = Kind::unreadable}, Fault::unreadable);
  expect_fault(addition(0, 0), Fault::none);  // it is there already
  EXPECT_EQ(watcher.faults()[static_cast<int>(Fault::loop)], 3);
  EXPECT_EQ(watcher.graph().vertices().size(), 4u);
  EXPECT_EQ(watcher.current()[0].embeddings, 6u);
}

TEST(ReferenceWatch, VerticesComeAndGo) {
  PlainWatcher watcher(path_of_four(), patterns_of({"a:0-b:6"}));
  EXPECT_EQ(watcher.apply(addition(50, 6)).fault, Fault::none);
  EXPECT_EQ(watcher.apply(insertion(50, 0)).patterns[0].embeddings, 1u);
  EXPECT_EQ(watcher.apply(deletion(0, 50)).patterns[0].embeddings, 1u);
  EXPECT_EQ(watcher.apply(addition(50, 7)).fault, Fault::none);  // relabelled
  EXPECT_EQ(watcher.apply(insertion(50, 0)).patterns[0].embeddings, 0u);
  EXPECT_EQ(watcher.apply(deletion(0, 50)).fault, Fault::none);
  EXPECT_EQ(watcher.apply(removal(50, 7)).fault, Fault::none);
  EXPECT_EQ(watcher.apply(insertion(50, 0)).fault, Fault::unknown_vertex);
  GraphUpdate adding = insertion(70, 71);
  adding.adds_ends = true;
  adding.to_label = 6;
  EXPECT_EQ(watcher.apply(adding).patterns[0].embeddings, 1u);
  adding.from_label = 1;  // 70 has 0
  adding.to = 72;
  EXPECT_EQ(watcher.apply(adding).fault, Fault::wrong_label);
  EXPECT_EQ(watcher.graph().find(72), nullptr);
  GraphUpdate deleting = deletion(70, 71);
  deleting.to_label = 5;  // it has 6
  EXPECT_EQ(watcher.apply(deleting).fault, Fault::wrong_label);
  deleting.to_label = 6;
  EXPECT_EQ(watcher.apply(deleting).fault, Fault::none);
  EXPECT_EQ(watcher.apply(addition(71, kAnyLabel)).fault, Fault::none);  // keeps its label
  EXPECT_EQ(watcher.graph().find(71)->label, 6u);
  EXPECT_EQ(watcher.apply(addition(73, kAnyLabel)).fault, Fault::none);
  EXPECT_EQ(watcher.graph().find(73)->label, 0u);
  adding = insertion(80, 80);
  adding.adds_ends = true;
  EXPECT_EQ(watcher.apply(adding).fault, Fault::loop);
  EXPECT_EQ(watcher.graph().find(80), nullptr);
}

TEST(ReferenceWatch, ACascadeDestroysWhatUsedTheVertex) {
  const std::vector<Edge> edges = {{0, 1, 0}, {1, 2, 0}, {0, 2, 0}, {2, 3, 0}};
  const Graph graph = Graph::from_edges(4, edges);
  PlainWatcher removes(graph, patterns_of({"triangle", "a-b-c"}), {.cascade = true, .list = true});
  const UpdateOutcome gone = removes.apply(removal(2));
  EXPECT_FALSE(gone.created);
  EXPECT_EQ(gone.patterns[0].matches, (Rows{{0, 1, 2}}));
  EXPECT_EQ(gone.patterns[1].subgraphs, 5u);  // all paths: each has an edge of 2
  EXPECT_EQ(gone.patterns[1].embeddings, 10u);
  EXPECT_EQ(removes.graph().find(2), nullptr);
  PlainWatcher relabels(graph, patterns_of({"triangle"}), {.cascade = true});
  EXPECT_EQ(relabels.apply(addition(2, 0)).patterns.size(), 0u);  // the same label: nothing happens
  EXPECT_EQ(relabels.apply(addition(2, 9)).patterns[0].embeddings, 6u);
  EXPECT_EQ(relabels.graph().find(2)->label, 9u);
  EXPECT_TRUE(relabels.graph().find(2)->neighbours.empty());
}

TEST(ReferenceWatch, HashesAreThoseOfTheSharedResults) {
  // mix(0 ^ (0 + 0x9E3779B97F4A7C15)) is the first number that SplitMix64 gives from seed 0.
  EXPECT_EQ(embedding_hash({0}), 0xE220A8397B1DCDAFu);
  EXPECT_NE(embedding_hash({0, 1}), embedding_hash({1, 0}));
  EXPECT_NE(update_digest(3, true, 2), update_digest(3, false, 2));
  EXPECT_NE(update_digest(3, true, 2), update_digest(3, true, 1));
}

TEST(ReferenceWatch, SymmetriesAreThePermutationsThatKeepThePattern) {
  for (const char* text :
       {"triangle", "5-cycle", "star:4", "a:1-b:1-c:2", "a-[1]-b-[1]-c, a-[2]-c", "a:1-b-c", "house"}) {
    const GraphPattern pattern = parse_graph_pattern(text);
    EXPECT_EQ(symmetries(pattern), automorphisms(pattern)) << text;
  }
}

}  // namespace
}  // namespace quarry::reference
