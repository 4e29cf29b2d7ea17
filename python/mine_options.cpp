#include "mine_options.hpp"

#include <pybind11/stl.h>

#include <functional>
#include <string>

namespace quarry::python {
namespace {

using mine::Intersection, mine::Method, mine::Orientation, mine::Semantics, mine::Split;

template <class Value>
struct Word {
  const char* name;
  Value value;
};
constexpr Word<Semantics> kSemantics[] = {{"edge-induced", Semantics::edge_induced},
                                          {"vertex-induced", Semantics::vertex_induced}};
constexpr Word<Method> kMethods[] = {{"auto", Method::automatic},
                                     {"formulas", Method::formulas},
                                     {"cliques", Method::cliques},
                                     {"search", Method::search}};
constexpr Word<Orientation> kOrientations[] = {{"auto", Orientation::automatic},
                                               {"small-first", Orientation::small_first},
                                               {"large-first", Orientation::large_first}};
constexpr Word<Intersection> kIntersections[] = {{"auto", Intersection::automatic},
                                                 {"merge", Intersection::merge},
                                                 {"search", Intersection::search},
                                                 {"bitmap", Intersection::bitmap}};
constexpr Word<Split> kSplits[] = {{"auto", Split::automatic}, {"vertices", Split::vertices}, {"edges", Split::edges}};

template <class Value, std::size_t size>
Value value_of(const std::string& option, const std::string& given, const Word<Value> (&words)[size]) {
  std::string known;
  for (const Word<Value>& word : words) {
    if (given == word.name) return word.value;
    known += (known.empty() ? "" : ", ") + std::string(word.name);
  }
  throw InputError(option + " cannot be '" + given + "': it is one of " + known);
}

template <class Value, std::size_t size>
const char* word_of(Value value, const Word<Value> (&words)[size]) {
  const char* name = "";
  for (const Word<Value>& word : words) {
    if (word.value == value) name = word.name;
  }
  return name;
}

/// Called with tuples (method, patterns, entries). @param callback  a function or None, which must outlive what is made
std::function<void(std::span<const mine::Work>)> planned_of(py::handle callback) {
  if (callback.is_none()) return {};
  return [callback](std::span<const mine::Work> works) {
    const py::gil_scoped_acquire gil;
    py::list rows;
    for (const mine::Work& work : works) {
      rows.append(py::make_tuple(name_of(work.method), py::tuple(py::cast(work.patterns)), work.entries));
    }
    callback(rows);
  };
}

Options make_options(const std::string& semantics, const std::string& method, const std::string& orientation,
                     const std::string& intersection, const std::string& split, Index bitmap_degree, Index memory_bytes,
                     int threads, const std::string& device, Index device_bytes, Index shard, Index num_shards,
                     const std::vector<std::vector<Index>>& shard_begins, const py::object& progress,
                     const py::object& planned) {
  if (!progress.is_none() && PyCallable_Check(progress.ptr()) == 0)
    throw py::type_error("progress is a function of (done, total), or None");
  mine::Options options;
  options.threads = threads;
  options.device = device;
  options.device_bytes = device_bytes;
  options.progress = progress_of(progress);
  options.semantics = value_of("semantics", semantics, kSemantics);
  options.method = value_of("method", method, kMethods);
  options.orientation = value_of("orientation", orientation, kOrientations);
  options.intersection = value_of("intersection", intersection, kIntersections);
  options.split = value_of("split", split, kSplits);
  options.bitmap_degree = bitmap_degree;
  options.memory_bytes = memory_bytes;
  options.shard = shard;
  options.num_shards = num_shards;
  options.shard_begins = shard_begins;
  options.planned = planned_of(planned);
  return {options, progress, planned};
}

}  // namespace

const char* name_of(Semantics semantics) { return word_of(semantics, kSemantics); }
const char* name_of(Method method) { return word_of(method, kMethods); }

void add_mine_options(py::module_& module) {
  using py::arg;
  py::class_<Options>(module, "Options")
      .def(py::init(&make_options), py::kw_only(), arg("semantics") = "edge-induced", arg("method") = "auto",
           arg("orientation") = "auto", arg("intersection") = "auto", arg("split") = "auto", arg("bitmap_degree") = 0,
           arg("memory_bytes") = 0, arg("threads") = 0, arg("device") = "host", arg("device_bytes") = 0,
           arg("shard") = 0, arg("num_shards") = 1, arg("shard_begins") = std::vector<std::vector<Index>>(),
           arg("progress") = py::none(), arg("planned") = py::none());
}

}  // namespace quarry::python
