/// Patterns: read, and as Python's tuples.
#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "bindings.hpp"
#include "quarry/error.hpp"
#include "quarry/graph_pattern.hpp"

namespace quarry::python {
namespace {

using Label = std::optional<std::uint32_t>;
using LabelledEdge = std::tuple<std::size_t, std::size_t, Label>;  ///< numbers of vertices

py::object label(std::uint32_t label) { return label == kAnyLabel ? py::object(py::none()) : py::int_(label); }

/// @return  name, text, names of the vertices, their labels, edges (from, to, label)
py::tuple tuple_of(const GraphPattern& pattern) {
  py::list labels, edges;
  for (const std::uint32_t one : pattern.labels) labels.append(label(one));
  for (const Edge& edge : pattern.edges) edges.append(py::make_tuple(edge.from, edge.to, label(edge.label)));
  return py::make_tuple(pattern.name, to_text(pattern), py::tuple(py::cast(pattern.vertices)), py::tuple(labels),
                        py::tuple(edges));
}

/// The edges as text, whatever the vertices are called: what is wrong with them is said where it is read.
std::string text_of(const std::vector<Label>& labels, const std::vector<LabelledEdge>& edges) {
  const auto vertex = [&](std::size_t number) {
    const Label& given = labels[number];
    return "v" + std::to_string(number) + (given ? ":" + std::to_string(*given) : "");
  };
  std::string text;
  for (const auto& [from, to, given] : edges) {
    const std::string dash = given ? "-[" + std::to_string(*given) + "]-" : "-";
    text += (text.empty() ? "" : ", ") + vertex(from) + dash + vertex(to);
  }
  return text;
}

/// What tuple_of gives, back again.
GraphPattern pattern_of(const std::string& name, const std::vector<std::string>& vertices,
                        const std::vector<Label>& labels, const std::vector<LabelledEdge>& edges) {
  if (labels.size() != vertices.size())
    throw InputError("pattern '" + name + "' needs a label or None for each vertex");
  for (const auto& [from, to, given] : edges) {
    if (std::max(from, to) >= vertices.size())
      throw InputError("pattern '" + name + "' has an edge without its vertex");
  }
  const GraphPattern read = parse_graph_pattern(text_of(labels, edges));
  if (read.vertices.size() != vertices.size())
    throw InputError("pattern '" + name + "' is disconnected: a vertex has no edge");
  if (read.edges.size() != edges.size()) throw InputError("pattern '" + name + "' has an edge twice");
  GraphPattern pattern{name, vertices, {}, {}};
  for (const Label& given : labels) pattern.labels.push_back(given.value_or(kAnyLabel));
  for (const auto& [from, to, given] : edges) {
    pattern.edges.push_back(
        {static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to), given.value_or(kAnyLabel)});
  }
  return pattern;
}

py::list read_patterns(const std::string& path) {
  py::list patterns;
  for (const GraphPattern& pattern : without_gil([&] { return read_graph_patterns(path); }))
    patterns.append(tuple_of(pattern));
  return patterns;
}

py::dict patterns() {
  py::dict edges;
  for (const NamedPattern& pattern : named_patterns()) edges[pattern.name] = pattern.edges;
  return edges;
}

}  // namespace

void add_pattern(py::module_& module) {
  using py::arg;
  py::class_<GraphPattern>(module, "GraphPattern")
      .def(py::init(&pattern_of), arg("name"), arg("vertices"), arg("labels"), arg("edges"));
  module.def("parse_pattern", [](const std::string& text) { return tuple_of(parse_graph_pattern(text)); });
  module.def("read_patterns", read_patterns, arg("path"));
  module.def("patterns", patterns);
}

}  // namespace quarry::python
