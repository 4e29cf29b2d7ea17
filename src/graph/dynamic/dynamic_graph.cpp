/// DynamicGraph: batches of changes, times, and what is counted.
#include "graph/dynamic/dynamic_graph.hpp"

#include <algorithm>
#include <utility>

#include "graph/dynamic/edge_set.hpp"
#include "graph/dynamic/read_row.hpp"
#include "graph/dynamic/row_writer.hpp"
#include "graph/edge_batch.hpp"
#include "quarry/error.hpp"
#include "util/check.hpp"

namespace quarry {

struct DynamicGraph::Impl {
  explicit Impl(Index num_vertices) : vertices(num_vertices) {}

  void add_entries(const dynamic::VertexHead& head, Time time);
  void load_row(std::uint32_t vertex);
  EdgeKind kind_of(const Edge& edge) const { return {vertices[edge.from].label, vertices[edge.to].label, edge.label}; }
  void begin_batch(Time time);
  void change_other(const EdgeChange& change, dynamic::VertexHead& from, dynamic::VertexHead& to);
  /// One past the last change, where nobody reads earlier times than that.
  Time floor() const { return std::min(oldest, last_time + 1); }
  void note_degree(std::uint32_t degree) {
    if (degree > max_degree.load(std::memory_order_relaxed)) max_degree.store(degree, std::memory_order_relaxed);
  }

  dynamic::VertexTable vertices;
  dynamic::RowWriter writer;
  EdgeKinds searched;
  dynamic::EdgeSet others;  // edges of all other kinds
  Index num_edges = 0;
  std::atomic<std::uint32_t> max_degree = 0;
  Time last_time = -1;  // of the last change
  Time oldest = -1;     // nobody reads earlier times
  bool in_batch = false;
  Time batch_time = 0;                  // of its first change
  std::vector<dynamic::Entry> entries;  // of the row that is loaded
};

/// Adds what a row has at a time after the last change.
void DynamicGraph::Impl::add_entries(const dynamic::VertexHead& head, Time time) {
  if (head.latest == nullptr) return;
  for (Index i = 0; i < head.latest->num_blocks; ++i) {
    const dynamic::NeighbourBlock& block = head.latest->block(i);
    block.for_each_kept(0, block.num_entries, time, [&](dynamic::Entry entry) {
      entry.created = 0;
      entries.push_back(entry);
    });
  }
}

/// Makes a row of `entries`, and of what the vertex has already.
void DynamicGraph::Impl::load_row(std::uint32_t vertex) {
  dynamic::VertexHead& head = vertices[vertex];
  add_entries(head, last_time + 1);
  if (head.latest != nullptr) writer.memory().free_with_blocks(head.latest);
  const auto by_key = [](const dynamic::Entry& a, const dynamic::Entry& b) {
    return a.key != b.key ? a.key < b.key : a.neighbour < b.neighbour;
  };
  if (!std::is_sorted(entries.begin(), entries.end(), by_key)) std::sort(entries.begin(), entries.end(), by_key);
  head.degree = static_cast<std::uint32_t>(entries.size());
  head.latest = writer.memory().make_row(entries, last_time + 1, last_time + 1);
  head.newest.store(head.latest, std::memory_order_release);
  note_degree(head.degree);
}

DynamicGraph::DynamicGraph(const Graph& graph) : DynamicGraph(graph, EdgeKinds::all()) {}

DynamicGraph::DynamicGraph(const Graph& graph, EdgeKinds searched)
    : impl_(std::make_unique<Impl>(graph.num_vertices())), vertices_(&impl_->vertices) {
  Impl& impl = *impl_;
  impl.num_edges = graph.num_edges();
  impl.searched = std::move(searched);
  if (!impl.searched.has_all()) impl.others.reserve(graph.num_edges());
  impl.writer.memory().count(graph.num_vertices() * Index{sizeof(dynamic::VertexHead)});
  const auto labels = graph.vertex_labels(), neighbours = graph.neighbours(), edge_labels = graph.edge_labels();
  for (Index v = 0; v < std::ssize(labels); ++v) impl.vertices[v].label = labels[v];
  for (Index v = 0; v < graph.num_vertices(); ++v) {
    const auto vertex = static_cast<std::uint32_t>(v);
    impl.entries.clear();
    for (std::uint64_t i = graph.offsets()[v]; i < graph.offsets()[v + 1]; ++i) {
      const Edge edge{vertex, neighbours[i], edge_labels.empty() ? 0 : edge_labels[i]};
      const EdgeKind kind = impl.kind_of(edge);
      if (impl.searched.has(kind)) {
        impl.entries.push_back({dynamic::key_of(kind.to_label, edge.label), edge.to});
        continue;
      }
      ++impl.vertices[vertex].other_edges;
      if (edge.from < edge.to) impl.others.insert(edge.from, edge.to, edge.label);
    }
    if (!impl.entries.empty()) impl.load_row(vertex);
  }
  impl.entries = {};
}

DynamicGraph::DynamicGraph(const DynamicGraph& other)
    : impl_(std::make_unique<Impl>(other.num_vertices())), vertices_(&impl_->vertices) {
  Impl& impl = *impl_;
  impl.num_edges = other.num_edges();
  impl.searched = other.impl_->searched;
  impl.others = other.impl_->others;
  impl.last_time = other.impl_->last_time;
  impl.oldest = impl.last_time + 1;
  impl.writer.memory().count(impl.vertices.size() * Index{sizeof(dynamic::VertexHead)});
  for (Index v = 0; v < impl.vertices.size(); ++v) {
    const dynamic::VertexHead& head = other.impl_->vertices[v];
    impl.vertices[v].label = head.label;
    impl.vertices[v].other_edges = head.other_edges;
    impl.entries.clear();
    impl.add_entries(head, impl.last_time + 1);
    if (!impl.entries.empty()) impl.load_row(static_cast<std::uint32_t>(v));
  }
  impl.entries = {};
}

void DynamicGraph::search_also(const EdgeKinds& searched) {
  Impl& impl = *impl_;
  collect(impl.last_time + 1);
  impl.searched = searched;
  std::vector<Edge> found, left;
  impl.others.for_each([&](const Edge& edge) {
    if (!searched.has(impl.kind_of(edge))) return left.push_back(edge);
    found.push_back(edge);
    found.push_back({edge.to, edge.from, edge.label});
  });
  impl.others = {};
  impl.others.reserve(std::ssize(left));
  for (const Edge& edge : left) impl.others.insert(edge.from, edge.to, edge.label);
  left = {};
  std::ranges::sort(found, {}, [](const Edge& edge) { return std::pair(edge.from, edge.to); });
  for (auto begin = found.begin(); begin != found.end();) {
    const std::uint32_t vertex = begin->from;
    impl.entries.clear();
    for (; begin != found.end() && begin->from == vertex; ++begin)
      impl.entries.push_back({dynamic::key_of(impl.vertices[begin->to].label, begin->label), begin->to});
    impl.vertices[vertex].other_edges -= static_cast<std::uint32_t>(impl.entries.size());
    impl.load_row(vertex);
  }
  impl.entries = {};
}

void DynamicGraph::for_each_edge(const std::function<void(const Edge&)>& visit) const {
  impl_->others.for_each(visit);
  std::vector<std::uint32_t> room(max_degree() + 1);
  for (Index v = 0; v < num_vertices(); ++v) {
    const auto vertex = static_cast<std::uint32_t>(v);
    for (const std::uint32_t other : row(impl_->last_time + 1, vertex, kAnyLabel, kAnyLabel, room.data())) {
      if (vertex < other) visit({vertex, other, static_cast<std::uint32_t>(edge_label(vertex, other))});
    }
  }
}

DynamicGraph::~DynamicGraph() {
  Impl& impl = *impl_;
  impl.writer.free_replaced(std::max(impl.last_time, impl.oldest) + 1);
  for (Index v = 0; v < impl.vertices.size(); ++v) impl.writer.free_all(impl.vertices[v]);
}

Index DynamicGraph::num_vertices() const { return impl_->vertices.size(); }
Index DynamicGraph::num_edges() const { return impl_->num_edges; }
Index DynamicGraph::degree(std::uint32_t vertex) const {
  const dynamic::VertexHead& head = impl_->vertices[vertex];
  return Index{head.degree} + head.other_edges;
}
std::uint32_t DynamicGraph::vertex_label(std::uint32_t vertex) const { return impl_->vertices[vertex].label; }

std::int64_t DynamicGraph::edge_label(std::uint32_t from, std::uint32_t to) const {
  const dynamic::VertexHead& a = impl_->vertices[from];
  const dynamic::VertexHead& b = impl_->vertices[to];
  const EdgeKinds::Between in_rows = impl_->searched.between(a.label, b.label);
  std::int64_t label = -1;
  if (in_rows != EdgeKinds::Between::none)
    label = a.degree <= b.degree ? dynamic::find_edge_label(a.latest, b.label, to)
                                 : dynamic::find_edge_label(b.latest, a.label, from);
  return label >= 0 || in_rows == EdgeKinds::Between::all ? label : impl_->others.find(from, to);
}

std::uint32_t DynamicGraph::add_vertex(std::uint32_t label) {
  const Index vertex = num_vertices();
  if (vertex >= kMaxVertices) throw CapacityError("vertices of a graph", kMaxVertices, vertex + 1);
  impl_->writer.memory().count(impl_->vertices.add());
  impl_->vertices[vertex].label = label;
  return static_cast<std::uint32_t>(vertex);
}

void DynamicGraph::set_vertex_label(std::uint32_t vertex, std::uint32_t label) {
  dynamic::VertexHead& head = impl_->vertices[vertex];
  QUARRY_CHECK(head.degree == 0, "a vertex with edges is relabelled");
  head.label = label;
}

/// Where no reader runs, rows are changed in place and get times from the floor on, which must be within reach.
void DynamicGraph::Impl::begin_batch(Time time) {
  QUARRY_CHECK(time > last_time, "a batch begins with a time of the batch before it");
  in_batch = true;
  batch_time = time;
  writer.start(oldest > last_time && time - floor() <= dynamic::kMaxOffset / 2, floor());
}

void DynamicGraph::Impl::change_other(const EdgeChange& change, dynamic::VertexHead& from, dynamic::VertexHead& to) {
  const std::uint32_t difference = change.inserts ? 1 : ~std::uint32_t{0};
  from.other_edges += difference;
  to.other_edges += difference;
  num_edges += change.inserts ? 1 : -1;
  if (change.inserts)
    others.insert(change.from, change.to, change.label);
  else
    others.erase(change.from, change.to);
}

void DynamicGraph::prefetch_edge(std::uint32_t from, std::uint32_t to) const { impl_->others.prefetch(from, to); }

bool DynamicGraph::apply(const EdgeChange& change) {
  Impl& impl = *impl_;
  const bool is_first = !impl.in_batch;
  if (is_first) impl.begin_batch(change.time);
  QUARRY_CHECK(change.time > impl.last_time || (change.time == impl.last_time && !change.inserts),
               "changes are not in the order of time");
  QUARRY_CHECK(change.time - impl.batch_time <= dynamic::kMaxOffset / 2, "a batch has too many changes");
  impl.last_time = change.time;
  dynamic::VertexHead& from = impl.vertices[change.from];
  dynamic::VertexHead& to = impl.vertices[change.to];
  if (!impl.searched.has({from.label, to.label, change.label})) {
    impl.change_other(change, from, to);
    return false;
  }
  // PERF: both rows are most often far away, and come from memory at the same time.
  prefetch(from.latest);
  prefetch(to.latest);
  const std::uint64_t key_to = dynamic::key_of(to.label, change.label),
                      key_from = dynamic::key_of(from.label, change.label);
  if (change.inserts) {
    impl.writer.insert(from, key_to, change.to, change.time);
    impl.writer.insert(to, key_from, change.from, change.time);
    impl.note_degree(std::max(from.degree, to.degree));
    ++impl.num_edges;
  } else {
    // Nobody reads an earlier time than that of the first change after all readers ended.
    if (change.is_given && is_first && impl.writer.is_alone()) {
      impl.writer.erase(from, key_to, change.to);
      impl.writer.erase(to, key_from, change.from);
    } else {
      impl.writer.remove(from, key_to, change.to, change.time);
      impl.writer.remove(to, key_from, change.from, change.time);
    }
    --impl.num_edges;
  }
  return true;
}

void DynamicGraph::publish() {
  impl_->writer.publish();
  impl_->in_batch = false;
}

void DynamicGraph::collect(Time oldest) {
  Impl& impl = *impl_;
  impl.oldest = std::max(impl.oldest, oldest);
  if (impl.in_batch || !impl.writer.has_garbage()) return;
  impl.writer.start(impl.oldest > impl.last_time, impl.floor());
  impl.writer.free_replaced(impl.oldest);
  impl.writer.rewrite_sparse(impl.floor(), impl.last_time);
}

DynamicGraph::VersionCounts DynamicGraph::versions() const {
  const dynamic::RowWriter& writer = impl_->writer;
  return {writer.num_replaced(), writer.num_freed(), writer.most_replaced()};
}

Index DynamicGraph::num_bytes() const { return impl_->writer.memory().num_bytes() + impl_->others.num_bytes(); }
Index DynamicGraph::peak_bytes() const { return impl_->writer.memory().peak_bytes() + impl_->others.num_bytes(); }
Index DynamicGraph::max_degree() const { return impl_->max_degree.load(std::memory_order_relaxed); }

}  // namespace quarry
