/// What the parts of the extension `quarry._quarry` share. It is the thin half: arrays, numbers and texts in and out;
/// names, defaults and documentation are in the Python half.
#pragma once
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <span>

#include "quarry/graph.hpp"
#include "quarry/progress.hpp"

namespace quarry::python {

namespace py = pybind11;

void add_graph(py::module_& module);
void add_pattern(py::module_& module);
void add_mine(py::module_& module);
void add_watch(py::module_& module);
void add_dock(py::module_& module);

/// Lets Ctrl-C end the work, and calls `callback(done, total)` unless it is None. An exception of the callback ends the
/// work too. The callback is borrowed: it must outlive the work, which copies functions without holding the GIL.
Progress progress_of(py::handle callback);

/// `work()` while other Python threads run.
template <class Work>
auto without_gil(Work&& work) {
  const py::gil_scoped_release release;
  return work();
}

/// Ids as NumPy's users want them, int64; uint64 where one does not fit.
class IdType {
 public:
  explicit IdType(const Graph& graph);
  explicit IdType(std::span<const std::uint64_t> ids);
  py::array array(std::span<const std::uint64_t> ids, py::array::ShapeContainer shape) const;

 private:
  bool fits_ = true;
};

}  // namespace quarry::python
