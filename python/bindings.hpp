/// What the parts of the extension `quarry._quarry` share. It is the thin half: arrays, numbers and texts in and out;
/// names, defaults and documentation are in the Python half.
#pragma once
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quarry/graph.hpp"
#include "quarry/progress.hpp"

namespace quarry::python {

namespace py = pybind11;

void add_graph(py::module_& module);
void add_pattern(py::module_& module);
void add_mine(py::module_& module);
void add_watch(py::module_& module);
void add_dock(py::module_& module);
void add_library(py::module_& module);
void add_match(py::module_& module);
void add_similar(py::module_& module);

/// Is set by the thread that waits for a call in another one, to end that call.
using Stop = std::shared_ptr<std::atomic<bool>>;
/// That of the call in this thread, which `stop_by` has set.
Stop& current_stop();

/// Lets Ctrl-C and the current stop end the work, and calls `callback(done, total)` unless it is None. An exception of
/// the callback ends the work too. The callback is borrowed: it must outlive the work, which copies functions without
/// holding the GIL.
Progress progress_of(py::handle callback);

/// `work()` while other Python threads run.
template <class Work>
auto without_gil(Work&& work) {
  const py::gil_scoped_release release;
  return work();
}

/// Text as files have it: bytes that are not UTF-8 become replacement characters.
py::str readable(std::string_view text);
/// @param texts  a column of text, or a vector of strings
py::list all_readable(const auto& texts) {
  py::list list(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) list[i] = readable(texts[i]);
  return list;
}

/// An array that owns the values.
template <class T>
py::array_t<T> owned_array(std::vector<T>&& values, py::array::ShapeContainer shape) {
  auto* owned = new std::vector<T>(std::move(values));
  const py::capsule owner(owned, [](void* pointer) { delete static_cast<std::vector<T>*>(pointer); });
  return py::array_t<T>(std::move(shape), owned->data(), owner);
}
template <class T>
py::array_t<T> owned_array(std::vector<T>&& values) {
  const auto size = static_cast<py::ssize_t>(values.size());
  return owned_array(std::move(values), {size});
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
