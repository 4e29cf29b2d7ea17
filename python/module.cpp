/// The extension `quarry._quarry`: errors, progress, and the parts it is made of.
#include <chrono>

#include "bindings.hpp"
#include "quarry/error.hpp"
#include "quarry/version.hpp"

namespace quarry::python {
namespace {

void raise(const char* name, const Error& error) {
  PyErr_SetString(py::module_::import("quarry.errors").attr(name).ptr(), error.what());
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const InputError& error) {
    raise("InputError", error);
  } catch (const CapacityError& error) {
    raise("CapacityError", error);
  } catch (const DeviceError& error) {
    raise("DeviceError", error);
  } catch (const SystemError& error) {
    raise("SystemError", error);
  } catch (const Error& error) {
    raise("Error", error);
  }
}

}  // namespace

Stop& current_stop() {
  thread_local Stop stop;
  return stop;
}

py::str readable(std::string_view text) {
  return py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

Progress progress_of(py::handle callback) {
  using Clock = std::chrono::steady_clock;
  return [callback, stop = current_stop(), next_look = Clock::now()](Index done, Index total) mutable {
    if (stop && *stop) throw Error("the call was stopped");  // nobody waits for it
    // While other threads of Python are busy, the GIL is had after 5 ms, and a search has hundreds of tasks.
    if (callback.is_none() && Clock::now() < next_look) return;
    next_look = Clock::now() + std::chrono::milliseconds(50);
    const py::gil_scoped_acquire gil;
    // Python runs its signal handlers in the main thread alone, which is one of those that work.
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!callback.is_none()) callback(done, total);
  };
}

PYBIND11_MODULE(_quarry, module) {
  module.attr("__version__") = kVersion;
  py::register_local_exception_translator(translate);
  add_graph(module);
  add_pattern(module);
  add_mine(module);
  add_watch(module);
  add_library(module);
  add_dock(module);
  add_match(module);
  add_similar(module);
  py::class_<std::atomic<bool>, Stop>(module, "Stop")
      .def(py::init([] { return std::make_shared<std::atomic<bool>>(false); }))
      .def("set", [](std::atomic<bool>& stop) { stop = true; });
  module.def(
      "stop_by", [](const Stop& stop) { current_stop() = stop; }, py::arg("stop"));
  module.def("look", [] { progress_of(py::none())(0, 0); });
}

}  // namespace quarry::python
