/// Graphs: made, read, written, and seen as arrays.
#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <vector>

#include "bindings.hpp"

namespace quarry::python {
namespace {

using Numbers = py::array_t<std::uint32_t, py::array::c_style>;

constexpr std::uint64_t kHighestSigned = INT64_MAX;

/// @param edges                       [edges, 2]
/// @param vertex_labels, edge_labels  [vertices], [edges]
Graph from_edges(Index num_vertices, const Numbers& edges, const std::optional<Numbers>& vertex_labels,
                 const std::optional<Numbers>& edge_labels) {
  std::vector<Edge> list(edges.shape(0));
  const std::uint32_t* ends = edges.data();
  const std::uint32_t* labels = edge_labels ? edge_labels->data() : nullptr;
  std::vector<std::uint32_t> of_vertices;
  if (vertex_labels) of_vertices.assign(vertex_labels->data(), vertex_labels->data() + vertex_labels->size());
  return without_gil([&] {
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = {ends[2 * i], ends[2 * i + 1], labels ? labels[i] : 0};
    return Graph::from_edges(num_vertices, list, std::move(of_vertices), labels != nullptr);
  });
}

/// Arguments as in GraphReadOptions. @return  the graph, and what was in the file
std::pair<Graph, GraphReport> read(const std::string& path, const std::string& format, bool edge_labels,
                                   const std::string& vertex_labels, bool skip_bad, Index memory_bytes,
                                   const std::string& scratch, int threads, const py::object& progress) {
  const GraphReadOptions options{format,       edge_labels, vertex_labels, skip_bad,
                                 memory_bytes, scratch,     threads,       progress_of(progress)};
  auto [graph, report] = without_gil([&] { return read_graph(path, options); });
  return {std::move(graph), std::move(report)};
}

/// The graph's own memory as an array that keeps the graph and cannot be written to.
template <class T>
py::array view(const py::object& graph, std::span<const T> values) {
  py::array_t<T> array(static_cast<py::ssize_t>(values.size()), values.data(), graph);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

/// None where there are no labels.
py::object labels(const py::object& graph, std::span<const std::uint32_t> values) {
  if (values.empty()) return py::none();
  return view(graph, values);
}

py::array ids(const Graph& graph) {
  std::vector<std::uint64_t> ids(graph.num_vertices());
  for (std::size_t v = 0; v < ids.size(); ++v) ids[v] = graph.id(static_cast<Index>(v));
  return IdType(graph).array(ids, {graph.num_vertices()});
}

/// None where ids are numbers. Bytes that are no UTF-8 become surrogates, as in Python's file names.
py::object names(const Graph& graph) {
  if (!graph.has_names()) return py::none();
  py::list list(graph.num_vertices());
  for (Index v = 0; v < graph.num_vertices(); ++v) {
    const std::string_view name = graph.name(v);
    list[v] = py::reinterpret_steal<py::str>(PyUnicode_DecodeUTF8(name.data(), std::ssize(name), "surrogateescape"));
  }
  return list;
}

void add_report(py::module_& module) {
  py::class_<RejectedRow>(module, "RejectedRow", "A line that could not be used: line, id, reason.")
      .def_readonly("line", &RejectedRow::line)
      .def_readonly("id", &RejectedRow::id)
      .def_readonly("reason", &RejectedRow::reason)
      .def(py::pickle(
          [](const RejectedRow& row) { return py::make_tuple(row.line, row.id, row.reason); },
          [](const py::tuple& state) {
            return RejectedRow{state[0].cast<Index>(), state[1].cast<std::string>(), state[2].cast<std::string>()};
          }));
  py::class_<GraphReport>(
      module, "GraphReport",
      "What was in a file, and what was cleaned: rows = ok + rejected, ok = edges + loops + repeated + reversed.\n\n"
      "stated_vertices and stated_edges are None where the file does not say them; rejected_rows has the first 1000.")
      .def_readonly("rows", &GraphReport::rows)
      .def_readonly("ok", &GraphReport::ok)
      .def_readonly("rejected", &GraphReport::rejected)
      .def_readonly("format", &GraphReport::format)
      .def_readonly("separator", &GraphReport::separator)
      .def_readonly("columns", &GraphReport::columns)
      .def_readonly("header", &GraphReport::header)
      .def_readonly("ignoring_rows", &GraphReport::ignoring_rows)
      .def_readonly("ignored_columns", &GraphReport::ignored_columns)
      .def_readonly("ragged_rows", &GraphReport::ragged_rows)
      .def_readonly("lines", &GraphReport::lines)
      .def_readonly("comments", &GraphReport::comments)
      .def_readonly("blank", &GraphReport::blank)
      .def_readonly("rejected_rows", &GraphReport::rejected_rows)
      .def_readonly("loops", &GraphReport::loops)
      .def_readonly("repeated", &GraphReport::repeated)
      .def_readonly("reversed", &GraphReport::reversed)
      .def_readonly("label_conflicts", &GraphReport::label_conflicts)
      .def_readonly("both_directions", &GraphReport::both_directions)
      .def_readonly("stated_vertices", &GraphReport::stated_vertices)
      .def_readonly("stated_edges", &GraphReport::stated_edges)
      .def_readonly("lowest_id", &GraphReport::lowest_id)
      .def_readonly("highest_id", &GraphReport::highest_id)
      .def_readonly("names", &GraphReport::names)
      .def_readonly("directed", &GraphReport::directed)
      .def_readonly("edge_data", &GraphReport::edge_data)
      .def_readonly("named_by", &GraphReport::named_by)
      .def_readonly("sparse_ids", &GraphReport::sparse_ids)
      .def_readonly("vertices", &GraphReport::vertices)
      .def_readonly("edges", &GraphReport::edges)
      .def_readonly("isolated", &GraphReport::isolated)
      .def("__repr__", [](const GraphReport& report) {
        return py::str("GraphReport({}: rows {} = ok {} + rejected {}; {} vertices, {} edges)")
            .format(report.format, report.rows, report.ok, report.rejected, report.vertices, report.edges);
      });
}

}  // namespace

IdType::IdType(const Graph& graph) {
  for (Index v = 0; v < graph.num_vertices() && fits_; ++v) fits_ = graph.id(v) <= kHighestSigned;
}

IdType::IdType(std::span<const std::uint64_t> ids) {
  for (const std::uint64_t id : ids) fits_ = fits_ && id <= kHighestSigned;
}

py::array IdType::array(std::span<const std::uint64_t> ids, py::array::ShapeContainer shape) const {
  // The same bits in either type, where they fit.
  return py::array(fits_ ? py::dtype::of<std::int64_t>() : py::dtype::of<std::uint64_t>(), std::move(shape),
                   ids.data());
}

void add_graph(py::module_& module) {
  add_report(module);
  py::class_<Graph>(module, "Graph")
      .def_property_readonly("num_vertices", &Graph::num_vertices)
      .def_property_readonly("num_edges", &Graph::num_edges)
      .def_property_readonly("offsets",
                             [](const py::object& self) { return view(self, self.cast<const Graph&>().offsets()); })
      .def_property_readonly("neighbours",
                             [](const py::object& self) { return view(self, self.cast<const Graph&>().neighbours()); })
      .def_property_readonly(
          "vertex_labels",
          [](const py::object& self) { return labels(self, self.cast<const Graph&>().vertex_labels()); })
      .def_property_readonly(
          "edge_labels", [](const py::object& self) { return labels(self, self.cast<const Graph&>().edge_labels()); })
      .def_property_readonly("has_names", &Graph::has_names)
      .def_property_readonly("ids", ids)
      .def_property_readonly("names", names)
      .def("write_qgraph", &write_qgraph, py::call_guard<py::gil_scoped_release>())
      .def("write_edge_list", &write_edge_list, py::call_guard<py::gil_scoped_release>());
  module.def("from_edges", from_edges);
  module.def("read_graph", read, py::arg("path"), py::kw_only(), py::arg("format"), py::arg("edge_labels"),
             py::arg("vertex_labels"), py::arg("skip_bad"), py::arg("memory_bytes"), py::arg("scratch"),
             py::arg("threads"), py::arg("progress"));
  module.def("generate", &generate_graph, py::arg("text"), py::arg("threads"),
             py::call_guard<py::gil_scoped_release>());
}

}  // namespace quarry::python
