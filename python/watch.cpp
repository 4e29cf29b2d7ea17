/// `quarry::watch`: updates in, alerts out, and waiting that Ctrl-C can end.
#include "quarry/watch.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "quarry/error.hpp"

namespace quarry::python {
namespace {

using Clock = std::chrono::steady_clock;
using Kind = GraphUpdate::Kind;
using Ids = py::array_t<std::uint64_t, py::array::c_style>;
using Labels = py::array_t<std::uint32_t, py::array::c_style>;
using Label = std::optional<std::uint32_t>;

constexpr const char* kKinds[] = {"insert_edge", "delete_edge", "add_vertex", "remove_vertex"};
/// How long Python does not look whether Ctrl-C was pressed.
constexpr std::chrono::milliseconds kLookEvery{50};

void look_for_signals() {
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

GraphUpdate make_update(const std::string& kind, std::uint64_t from, std::uint64_t to, const Label& label,
                        bool adds_ends, const Label& from_label, const Label& to_label) {
  for (const Label& each : {label, from_label, to_label})
    if (each == kAnyLabel)
      throw InputError("labels of an update are numbers from 0 to " + std::to_string(kAnyLabel - 1));
  GraphUpdate update;
  const auto found = std::find(std::begin(kKinds), std::end(kKinds), kind);
  if (found == std::end(kKinds))
    throw InputError("an update cannot be '" + kind +
                     "': it is one of insert_edge, delete_edge, add_vertex, remove_vertex");
  update.kind = static_cast<Kind>(found - std::begin(kKinds));
  update.label = label.value_or(kAnyLabel);
  update.adds_ends = adds_ends;
  update.from = from;
  update.to = to;
  update.from_label = from_label.value_or(kAnyLabel);
  update.to_label = to_label.value_or(kAnyLabel);
  return update;
}

watch::Options make_watch_options(bool list, bool all_embeddings, Index max_results, Index batch, double wait_ms,
                                  Index fixed_batch, bool cascade, bool strict, bool digest, int threads,
                                  const std::string& device, Index device_bytes) {
  watch::Options options;
  options.list = list;
  options.all_embeddings = all_embeddings;
  options.max_results = max_results;
  options.batch = batch;
  options.wait_ms = wait_ms;
  options.fixed_batch = fixed_batch;
  options.cascade = cascade;
  options.strict = strict;
  options.digest = digest;
  options.threads = threads;
  options.device = device;
  options.device_bytes = device_bytes;
  return options;
}

/// A watch, whose engine never calls Python; so it can be waited for without the GIL.
class LiveWatch {
 public:
  LiveWatch(const Graph& graph, std::vector<GraphPattern> patterns, const watch::Options& options)
      : lists_(options.list) {
    for (const GraphPattern& pattern : patterns) sizes_.push_back(pattern.size());
    watch_ = without_gil([&] { return std::make_unique<watch::Watch>(graph, std::move(patterns), options); });
  }
  LiveWatch(const LiveWatch&) = delete;
  LiveWatch& operator=(const LiveWatch&) = delete;
  ~LiveWatch() {
    without_gil([&] { watch_.reset(); });
  }

  void feed(std::span<const GraphUpdate> updates) {
    Index fed = 0;
    while (true) {
      fed += without_gil([&] { return watch_->feed(updates.subspan(fed), Clock::now() + kLookEvery); });
      if (fed == std::ssize(updates)) return;
      look_for_signals();
    }
  }
  void feed_list(const std::vector<GraphUpdate>& updates) { feed(updates); }
  /// @param edges   [edges, 2]
  /// @param labels  [edges], or nothing
  void feed_edges(const Ids& edges, const std::optional<Labels>& labels, bool inserts, bool adds_ends) {
    constexpr Index kPart = 4096;
    std::vector<GraphUpdate> updates;
    const Index num_edges = edges.shape(0);
    for (Index begin = 0; begin < num_edges; begin += kPart) {
      look_for_signals();
      updates.clear();
      for (Index i = begin; i < std::min(num_edges, begin + kPart); ++i) {
        GraphUpdate& update = updates.emplace_back();
        update.kind = inserts ? Kind::insert_edge : Kind::delete_edge;
        update.adds_ends = adds_ends;
        update.label = labels ? labels->data()[i] : kAnyLabel;
        update.from = edges.data()[2 * i];
        update.to = edges.data()[2 * i + 1];
      }
      feed(updates);
    }
  }
  /// @return  rows, lines that could not be read as (line, reason), refreshed, expired, ignored columns
  py::tuple feed_file(const std::string& path, const std::string& format, double window) {
    const UpdateReport report = without_gil([&] {
      UpdateReader reader(path, {format, window});
      const Progress look = progress_of(py::none());
      GraphUpdate update;
      while (reader.next(update)) {
        do {
          look(0, 0);
        } while (watch_->feed({&update, 1}, Clock::now() + kLookEvery) == 0);
      }
      return reader.report();
    });
    py::list rejected;
    for (const RejectedRow& row : report.rejected_rows) rejected.append(row);
    return py::make_tuple(report.rows, report.rejected, rejected, report.refreshed, report.expired,
                          py::tuple(py::cast(report.ignored_columns)));
  }
  void close() { watch_->close(); }
  void stop() {
    without_gil([&] { watch_->stop(); });
  }

  int add_pattern(const GraphPattern& pattern) {
    const int number = watch_->add_pattern(pattern);
    sizes_.push_back(pattern.size());
    return number;
  }
  void remove_pattern(int pattern) { watch_->remove_pattern(pattern); }

  /// @return  update, pattern, created, truncated, subgraphs, embeddings, rows or None; None at the end
  py::object next() {
    watch::OwnedAlert alert;
    // PERF: the GIL is kept where an alert waits.
    auto found = watch_->next(alert, Clock::time_point());
    while (found == watch::Watch::Next::nothing_yet) {
      found = without_gil([&] { return watch_->next(alert, Clock::now() + kLookEvery); });
      look_for_signals();
    }
    if (found == watch::Watch::Next::end) return py::none();
    return py::make_tuple(alert.update, alert.pattern, alert.created, alert.truncated, alert.subgraphs,
                          alert.embeddings, lists_ ? py::object(rows_of(alert)) : py::none());
  }

  watch::Statistics statistics() const { return watch_->statistics(); }
  std::vector<watch::PatternTotals> totals() const { return watch_->totals(); }
  Graph graph() const {
    return without_gil([&] { return watch_->graph(); });
  }

 private:
  /// [rows, pattern vertices]
  py::array rows_of(const watch::OwnedAlert& alert) const {
    const Index width = sizes_[alert.pattern];
    return IdType(alert.matches).array(alert.matches, {std::ssize(alert.matches) / width, width});
  }

  bool lists_;
  std::vector<int> sizes_;  ///< [patterns]
  std::unique_ptr<watch::Watch> watch_;
};

py::tuple times(const watch::ResponseTimes& times) {
  return py::make_tuple(times.p50, times.p95, times.p99, times.max);
}

py::dict dict_of(const watch::Statistics& of) {
  using py::arg;
  py::dict faults;
  for (int i = 1; i < watch::kNumFaults; ++i) faults[to_text(static_cast<watch::Fault>(i))] = of.faults[i];
  return py::dict(
      arg("updates") = of.updates, arg("insertions") = of.insertions, arg("deletions") = of.deletions,
      arg("faults") = faults, arg("prepare_seconds") = of.prepare_seconds, arg("run_seconds") = of.run_seconds,
      arg("run_cpu_seconds") = of.run_cpu_seconds, arg("start") = times(of.start), arg("done") = times(of.done),
      arg("versions_created") = of.versions_created, arg("versions_freed") = of.versions_freed,
      arg("versions_most") = of.versions_most, arg("peak_bytes") = of.peak_bytes, arg("threads") = of.threads);
}

py::dict dict_of(const watch::PatternTotals& of) {
  using py::arg;
  return py::dict(arg("positive") = of.positive, arg("negative") = of.negative,
                  arg("positive_subgraphs") = of.positive_subgraphs, arg("negative_subgraphs") = of.negative_subgraphs,
                  arg("nonzero_updates") = of.nonzero_updates, arg("max_per_update") = of.max_per_update,
                  arg("truncated") = of.truncated, arg("digest") = of.digest, arg("hash_positive") = of.hash_positive,
                  arg("hash_negative") = of.hash_negative, arg("automorphisms") = of.automorphisms);
}

py::list dicts_of(const std::vector<watch::PatternTotals>& totals) {
  py::list dicts;
  for (const watch::PatternTotals& of : totals) dicts.append(dict_of(of));
  return dicts;
}

}  // namespace

void add_watch(py::module_& module) {
  using py::arg;
  py::class_<GraphUpdate>(module, "GraphUpdate")
      .def(py::init(&make_update), arg("kind"), arg("from"), arg("to"), arg("label"), arg("adds_ends"),
           arg("from_label"), arg("to_label"));
  const watch::Options defaults;
  py::class_<watch::Options>(module, "WatchOptions")
      .def(py::init(&make_watch_options), py::kw_only(), arg("list") = defaults.list,
           arg("all_embeddings") = defaults.all_embeddings, arg("max_results") = defaults.max_results,
           arg("batch") = defaults.batch, arg("wait_ms") = defaults.wait_ms, arg("fixed_batch") = defaults.fixed_batch,
           arg("cascade") = defaults.cascade, arg("strict") = defaults.strict, arg("digest") = defaults.digest,
           arg("threads") = defaults.threads, arg("device") = defaults.device,
           arg("device_bytes") = defaults.device_bytes);
  py::class_<LiveWatch>(module, "Watch")
      .def(py::init<const Graph&, std::vector<GraphPattern>, const watch::Options&>())
      .def("feed", &LiveWatch::feed_list)
      .def("feed_edges", &LiveWatch::feed_edges)
      .def("feed_file", &LiveWatch::feed_file)
      .def("close", &LiveWatch::close)
      .def("stop", &LiveWatch::stop)
      .def("add_pattern", &LiveWatch::add_pattern)
      .def("remove_pattern", &LiveWatch::remove_pattern)
      .def("next", &LiveWatch::next)
      .def("statistics", [](const LiveWatch& self) { return dict_of(self.statistics()); })
      .def("totals", [](const LiveWatch& self) { return dicts_of(self.totals()); })
      .def("graph", &LiveWatch::graph);
}

}  // namespace quarry::python
