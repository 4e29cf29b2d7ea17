/// A graph that changes, against a plain one: random changes, labels, batches and readers.
#include "graph/dynamic/dynamic_graph.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <optional>
#include <thread>

#include "support/history_graph.hpp"

namespace quarry::test {
namespace {

/// The shape of the graphs and of the changes of one case.
struct Shape {
  std::uint32_t num_vertices = 8, num_hubs = 1, num_vertex_labels = 1, num_edge_labels = 1;
  Index insert_percent = 50;
};

Shape random_shape(Random& random) {
  return {2 + random.below32(12), 1 + random.below32(2), 1 + random.below32(3), 1 + random.below32(3),
          20 + random.below(60)};
}

std::vector<std::uint32_t> random_labels(Random& random, const Shape& shape) {
  std::vector<std::uint32_t> labels(shape.num_vertices);
  for (std::uint32_t& label : labels) label = random.below32(shape.num_vertex_labels);
  return labels;
}

/// One end is a hub.
std::optional<Edge> random_absent(Random& random, const Shape& shape, const HistoryGraph& graph) {
  const Edge edge{random.below32(shape.num_hubs), random.below32(graph.num_vertices()),
                  random.below32(shape.num_edge_labels)};
  if (edge.from == edge.to || graph.edge_label(edge.from, edge.to) >= 0) return {};
  return edge;
}

std::vector<Edge> random_edges(Random& random, const Shape& shape, Index num_tries) {
  HistoryGraph graph(std::vector<std::uint32_t>(shape.num_vertices), {});
  std::vector<Edge> edges;
  for (Index i = 0; i < num_tries; ++i) {
    const auto edge = random_absent(random, shape, graph);
    if (!edge) continue;
    graph.apply({0, edge->from, edge->to, edge->label, true});
    edges.push_back(*edge);
  }
  return edges;
}

/// A change that can be made, for most draws.
std::optional<EdgeChange> random_change(Random& random, const Shape& shape, const HistoryGraph& graph, Time time) {
  if (random.chance(shape.insert_percent)) {
    const auto edge = random_absent(random, shape, graph);
    if (!edge) return {};
    return EdgeChange{time, edge->from, edge->to, edge->label, true};
  }
  if (graph.edges().empty()) return {};
  const auto [from, to] = random.pick(graph.edges());
  const auto label = static_cast<std::uint32_t>(graph.edge_label(from, to));
  return random.chance(50) ? EdgeChange{time, from, to, label, false} : EdgeChange{time, to, from, label, false};
}

/// Vertices come, and those without edges change their label.
void change_vertices(Random& random, const Shape& shape, WatchedPair& pair) {
  if (random.chance(10)) {
    const std::uint32_t label = random.below32(shape.num_vertex_labels);
    pair.plain.add_vertex(label);
    pair.graph.add_vertex(label);
  }
  const std::uint32_t vertex = random.below32(pair.plain.num_vertices());
  if (pair.plain.degree(vertex) > 0) return;
  const std::uint32_t label = random.below32(shape.num_vertex_labels);
  pair.plain.set_label(vertex, label);
  pair.graph.set_vertex_label(vertex, label);
}

void random_batch(Random& random, const Shape& shape, WatchedPair& pair, Index size) {
  for (Index i = 0; i < size; ++i) {
    change_vertices(random, shape, pair);
    const auto change = random_change(random, shape, pair.plain, pair.last + random.between(1, 3));
    if (!change) continue;
    ASSERT_EQ(pair.graph.edge_label(change->to, change->from), pair.plain.edge_label(change->to, change->from));
    pair.apply(*change);
    ASSERT_EQ(pair.graph.edge_label(change->from, change->to), pair.plain.edge_label(change->from, change->to));
  }
}

/// Readers are up to date, or behind, or the collector does not run.
Time random_oldest(Random& random, const WatchedPair& pair) {
  return random.chance(30) ? pair.last + 1 : random.chance(30) ? 0 : random.between(pair.oldest, pair.last + 1);
}

TEST(DynamicGraphProperty, SmallGraphsAtEveryTime) {
  Random random(0xD1);
  for (int round = 0; round < rounds(200); ++round) {
    const Shape shape = random_shape(random);
    WatchedPair pair(random_labels(random, shape), random_edges(random, shape, random.below(20)));
    for (int batch = 0; batch < 20; ++batch) {
      random_batch(random, shape, pair, random.between(0, 8));
      pair.graph.publish();
      ASSERT_NO_FATAL_FAILURE(pair.expect_same(shape.num_vertex_labels, shape.num_edge_labels)) << "round " << round;
      if (random.chance(80)) pair.collect(random_oldest(random, pair));
      ASSERT_NO_FATAL_FAILURE(pair.expect_same(shape.num_vertex_labels, shape.num_edge_labels)) << "round " << round;
    }
    pair.collect(pair.last + 1);
    EXPECT_EQ(pair.graph.versions().created, pair.graph.versions().freed);
  }
}

/// A copy has the rows of now, nothing older, and goes on by itself.
TEST(DynamicGraphProperty, Copies) {
  Random random(0xD4);
  for (int round = 0; round < rounds(200); ++round) {
    Shape shape = random_shape(random);
    const bool is_large = round % 100 == 0;  // hubs have rows of several blocks
    if (is_large) shape.num_vertices = 6000;
    WatchedPair pair(random_labels(random, shape), random_edges(random, shape, 2 * shape.num_vertices));
    for (int batch = 0; batch < 5; ++batch) {
      random_batch(random, shape, pair, random.between(0, 20));
      pair.graph.publish();
      if (random.chance(50)) pair.collect(random_oldest(random, pair));
    }
    DynamicGraph copy(pair.graph);
    EXPECT_EQ(copy.versions().created, 0);
    HistoryGraph plain = pair.plain;
    Time last = pair.last;
    for (int batch = 0; batch < 5; ++batch) {
      ASSERT_EQ(copy.num_edges(), std::ssize(plain.edges()));
      for (std::uint32_t v = 0; v < plain.num_vertices(); ++v) {
        ASSERT_EQ(copy.vertex_label(v), plain.label(v));
        ASSERT_EQ(copy.degree(v), plain.degree(v));
        for (const std::uint32_t label : {0U, 1U, kAnyLabel})
          ASSERT_EQ(row_of(copy, last + 1, v, label), plain.row(last + 1, v, label, kAnyLabel)) << "round " << round;
      }
      for (int i = 0; i < 10; ++i) {
        const auto change = random_change(random, shape, plain, ++last);
        if (!change) continue;
        copy.apply(*change);
        plain.apply(*change);
      }
      copy.publish();
      if (random.chance(50)) copy.collect(last + 1);
    }
    if (is_large) continue;
    ASSERT_NO_FATAL_FAILURE(pair.expect_same(shape.num_vertex_labels, shape.num_edge_labels));
  }
}

/// Rows of several blocks, which grow and shrink, at some of the times.
TEST(DynamicGraphProperty, Hubs) {
  Random random(0xD2);
  for (int round = 0; round < rounds(20); ++round) {
    Shape shape = random_shape(random);
    shape.num_vertices = 500 + random.below32(2500);
    WatchedPair pair(random_labels(random, shape), random_edges(random, shape, random.below(4000)));
    for (int batch = 0; batch < 30; ++batch) {
      if (batch % 6 == 0) shape.insert_percent = random.pick<Index>({5, 50, 95});
      random_batch(random, shape, pair, random.pick<Index>({1, 10, 200}));
      pair.graph.publish();
      if (random.chance(80)) pair.collect(random_oldest(random, pair));
      for (std::uint32_t hub = 0; hub < shape.num_hubs; ++hub) {
        for (const Time time : {pair.oldest, random.between(pair.oldest, pair.last + 1), pair.last, pair.last + 1}) {
          ASSERT_NO_FATAL_FAILURE(pair.expect_row(std::max(time, pair.oldest), hub,
                                                  random.below32(shape.num_vertex_labels),
                                                  random.below32(shape.num_edge_labels)))
              << "round " << round << " batch " << batch;
        }
      }
    }
    pair.collect(pair.last + 1);
    EXPECT_EQ(pair.graph.versions().created, pair.graph.versions().freed);
  }
}

/// Which times may be read: from `oldest` to `published`, and which are being read.
class Readers {
 public:
  explicit Readers(Index count) : reading_(count) {}

  /// A time that may be read until `end`. Waits while the graph changes with nobody reading.
  Time begin(Index reader, Random& random) {
    const std::lock_guard lock(mutex_);
    reading_[reader] = random.between(oldest_, published_);
    return *reading_[reader];
  }
  void end(Index reader) {
    const std::lock_guard lock(mutex_);
    reading_[reader].reset();
  }
  void publish(Time time) {
    const std::lock_guard lock(mutex_);
    published_ = time;
  }
  /// The oldest time that is read now or may be read from now on.
  Time raise_oldest() {
    const std::lock_guard lock(mutex_);
    oldest_ = published_;
    for (const auto& time : reading_) oldest_ = std::min(oldest_, time.value_or(published_));
    return oldest_;
  }
  /// Keeps readers away, if there is none now. @return whether it does
  bool close(std::unique_lock<std::mutex>& lock) {
    lock = std::unique_lock(mutex_);
    for (const auto& time : reading_) {
      if (!time) continue;
      lock.unlock();
      return false;
    }
    return true;
  }
  /// While readers are away.
  void publish_closed(Time time) { oldest_ = published_ = time; }

 private:
  std::mutex mutex_;
  std::vector<std::optional<Time>> reading_;
  Time oldest_ = 0, published_ = 0;
};

/// A run of changes, made before anybody reads, so that the history can be read by all.
struct Script {
  Script(Random& random, const Shape& the_shape, Index num_changes)
      : shape(the_shape),
        labels(random_labels(random, shape)),
        edges(random_edges(random, shape, 2000)),
        history(labels, edges) {
    for (Time time = 1; time <= num_changes; ++time) {
      if (time % 500 == 0) shape.insert_percent = random.pick<Index>({5, 50, 95});
      const auto change = random_change(random, shape, history, time);
      if (!change) continue;
      changes.push_back(*change);
      history.apply(*change);
    }
  }

  Shape shape;
  std::vector<std::uint32_t> labels;
  std::vector<Edge> edges;
  HistoryGraph history;
  std::vector<EdgeChange> changes;
};

void read_rows(const Script& script, const DynamicGraph& graph, Readers& readers, Index reader,
               const std::atomic<bool>& done, std::atomic<Index>& num_wrong) {
  Random random(0xD4 + reader);
  for (Index round = 0; round < 50 || !done; ++round) {
    const Time time = readers.begin(reader, random);
    for (int i = 0; i < 4; ++i) {
      const std::uint32_t vertex = random.below32(i < 2 ? script.shape.num_hubs : script.shape.num_vertices);
      const std::uint32_t vertex_label = random.chance(30) ? kAnyLabel : random.below32(script.shape.num_vertex_labels);
      const std::uint32_t edge_label = random.chance(30) ? kAnyLabel : random.below32(script.shape.num_edge_labels);
      num_wrong += row_of(graph, time, vertex, vertex_label, edge_label) ==
                           script.history.row(time, vertex, vertex_label, edge_label)
                       ? 0
                       : 1;
    }
    readers.end(reader);
  }
}

/// Applies all changes: beside readers, and some batches while there are none.
void write_rows(Random& random, const Script& script, DynamicGraph& graph, Readers& readers) {
  for (Index i = 0; i < std::ssize(script.changes);) {
    std::unique_lock<std::mutex> lock;
    const bool alone = random.chance(30) && readers.close(lock);
    if (alone) graph.collect(script.changes[i].time);
    const Index end = std::min(std::ssize(script.changes), i + random.between(1, 40));
    for (; i < end; ++i) graph.apply(script.changes[i]);
    graph.publish();
    const Time last = script.changes[end - 1].time;
    if (alone) {
      readers.publish_closed(last);
    } else {
      readers.publish(last);
    }
    if (!alone && random.chance(70)) graph.collect(readers.raise_oldest());
    std::this_thread::yield();
  }
}

TEST(DynamicGraphProperty, ReadersOnOtherThreads) {
  Random random(0xD3);
  for (int round = 0; round < rounds(10); ++round) {
    Shape shape = random_shape(random);
    shape.num_vertices = 1500;
    const Script script(random, shape, 6000);
    DynamicGraph graph(Graph::from_edges(shape.num_vertices, script.edges, script.labels, true));
    constexpr Index kReaders = 3;
    Readers readers(kReaders);
    std::atomic<bool> done = false;
    std::atomic<Index> num_wrong = 0;
    std::vector<std::thread> threads;
    for (Index reader = 0; reader < kReaders; ++reader) {
      threads.emplace_back([&, reader] { read_rows(script, graph, readers, reader, done, num_wrong); });
    }
    write_rows(random, script, graph, readers);
    done = true;
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(num_wrong, 0);
    graph.collect(script.changes.back().time + 1);
    EXPECT_EQ(graph.versions().created, graph.versions().freed);
  }
}

}  // namespace
}  // namespace quarry::test
