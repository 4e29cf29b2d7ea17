/// `quarry::mine`: answers as dicts and arrays.
#include "quarry/mine.hpp"

#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "bindings.hpp"
#include "mine_options.hpp"

namespace quarry::python {
namespace {

py::int_ number(mine::Count count) {
  return py::reinterpret_steal<py::int_>(PyLong_FromString(mine::to_text(count).c_str(), nullptr, 10));
}

/// None where it does not fit.
py::object number_or_none(mine::Count count, bool overflow) {
  if (overflow) return py::none();
  return number(count);
}

py::tuple times(const mine::Statistics& statistics) {
  return py::make_tuple(statistics.prepare_seconds, statistics.plan_seconds, statistics.run_seconds);
}

py::dict dict_of(const mine::Result& result) {
  using py::arg;
  return py::dict(arg("pattern") = result.pattern.name, arg("semantics") = name_of(result.semantics),
                  arg("subgraphs") = number_or_none(result.subgraphs, result.subgraphs_overflow),
                  arg("embeddings") = number_or_none(result.embeddings, result.embeddings_overflow),
                  arg("automorphisms") = result.automorphisms, arg("method") = name_of(result.method),
                  arg("seconds") = times(result.statistics), arg("cost") = result.cost,
                  arg("truncated") = result.truncated);
}

/// One pattern alone: an overflow is an error.
py::dict count_one(const Graph& graph, const GraphPattern& pattern, const Options& options) {
  return dict_of(without_gil([&] { return mine::count(graph, pattern, options.options); }));
}

py::list count(const Graph& graph, const std::vector<GraphPattern>& patterns, const Options& options) {
  const auto results = without_gil([&] { return mine::count(graph, patterns, options.options); });
  py::list dicts;
  for (const mine::Result& result : results) dicts.append(dict_of(result));
  return dicts;
}

/// @return  a list of (name, edge-induced, vertex-induced, automorphisms, method), the seconds, and the cost
py::tuple motifs(const Graph& graph, int size, const Options& options) {
  const mine::Motifs motifs = without_gil([&] { return mine::motifs(graph, size, options.options); });
  py::list rows;
  for (const mine::MotifCount& motif : motifs.counts) {
    rows.append(py::make_tuple(motif.pattern.name, number(motif.edge_induced), number(motif.vertex_induced),
                               motif.automorphisms, name_of(motif.method)));
  }
  return py::make_tuple(rows, times(motifs.statistics), motifs.cost);
}

/// Matches as rows of ids.
class IdRows {
 public:
  IdRows(const Graph& graph, const GraphPattern& pattern) : graph_(graph), type_(graph), width_(pattern.size()) {}
  void append(std::span<const std::uint32_t> vertices) {
    for (const std::uint32_t vertex : vertices) ids_.push_back(graph_.id(vertex));
  }
  std::size_t size() const { return ids_.size(); }
  /// [rows, pattern vertices], and none are left.
  py::array take() {
    const py::array rows = type_.array(ids_, {std::ssize(ids_) / width_, width_});
    ids_.clear();
    return rows;
  }

 private:
  const Graph& graph_;
  IdType type_;
  Index width_;
  std::vector<std::uint64_t> ids_;
};

/// `sink(array)` takes the rows, some at a time, in any thread.
py::dict list(const Graph& graph, const GraphPattern& pattern, const Options& options, Index limit,
              const py::object& sink) {
  constexpr std::size_t kValues = std::size_t{1} << 16;  // PERF: then the cost of a call of Python is small
  const auto result = without_gil([&] {
    IdRows rows(graph, pattern);
    const auto send = [&] {
      const py::gil_scoped_acquire gil;
      sink(rows.take());
    };
    const auto take = [&](std::span<const std::uint32_t> vertices) {
      rows.append(vertices);
      if (rows.size() >= kValues) send();
    };
    auto found = mine::list(graph, pattern, options.options, take, limit);
    if (rows.size() > 0) send();
    return found;
  });
  return dict_of(result);
}

py::tuple sample(const Graph& graph, const GraphPattern& pattern, Index size, std::uint64_t seed,
                 const Options& options) {
  IdRows rows(graph, pattern);
  const auto result = without_gil([&] {
    return mine::sample(graph, pattern, size, seed, options.options,
                        [&](std::span<const std::uint32_t> vertices) { rows.append(vertices); });
  });
  return py::make_tuple(rows.take(), dict_of(result));
}

py::tuple per_vertex(const Graph& graph, const GraphPattern& pattern, const Options& options) {
  const auto found = without_gil([&] { return mine::per_vertex(graph, pattern, options.options); });
  return py::make_tuple(py::array_t<std::uint64_t>(graph.num_vertices(), found.counts.data()), dict_of(found.result));
}

py::dict estimate(const Graph& graph, const GraphPattern& pattern, Index descents, std::uint64_t seed,
                  const Options& options) {
  const mine::Estimate found =
      without_gil([&] { return mine::estimate(graph, pattern, descents, seed, options.options); });
  using py::arg;
  return py::dict(arg("subgraphs") = found.subgraphs, arg("low") = found.low, arg("high") = found.high,
                  arg("descents") = found.descents, arg("hits") = found.hits,
                  arg("seconds") = found.statistics.run_seconds);
}

}  // namespace

void add_mine(py::module_& module) {
  using py::arg;
  add_mine_options(module);
  const auto graph = arg("graph"), pattern = arg("pattern"), options = arg("options"), seed = arg("seed");
  module.def("count_one", count_one, graph, pattern, options);
  module.def("count", count, graph, arg("patterns"), options);
  module.def(
      "shard_begins",
      [](const Graph& of, const std::vector<GraphPattern>& patterns, const Options& with) {
        return without_gil([&] { return mine::shard_begins(of, patterns, with.options); });
      },
      graph, arg("patterns"), options);
  module.def("motifs", motifs, graph, arg("size"), options);
  module.def("list", list, graph, pattern, options, arg("limit"), arg("sink"));
  module.def("sample", sample, graph, pattern, arg("size"), seed, options);
  module.def("per_vertex", per_vertex, graph, pattern, options);
  module.def("estimate", estimate, graph, pattern, arg("descents"), seed, options);
}

}  // namespace quarry::python
