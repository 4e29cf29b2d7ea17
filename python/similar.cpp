/// `quarry::similar`: similarities, clusters, picks and fingerprints as arrays.
#include "quarry/similar.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "quarry/files/smiles_table.hpp"

namespace quarry::python {
namespace {

using similar::Fingerprints;

Normalize normalize_named(const std::string& name) {
  if (name == "checked") return Normalize::checked;
  if (name == "as-is") return Normalize::as_is;
  if (name == "canonical") return Normalize::canonical;
  throw InputError("normalize cannot be '" + name + "': it is one of checked, as-is, canonical");
}

similar::Definition definition_of(const std::string& metric, int lingo_length, bool fold_halogens) {
  if (metric != "lingo" && metric != "ecfp4")
    throw InputError("metric cannot be '" + metric + "': it is one of lingo, ecfp4");
  return {metric == "ecfp4" ? similar::Metric::ecfp4 : similar::Metric::lingo, lingo_length, fold_halogens};
}

/// Options, and the callback that they borrow.
struct SimilarOptions {
  similar::SearchOptions options;
  py::object progress;
};

SimilarOptions make_similar_options(Index k, double threshold, bool without_itself, int threads,
                                    const std::string& device, Index device_bytes, const py::object& progress) {
  similar::SearchOptions options;
  options.k = k;
  options.threshold = threshold;
  options.without_itself = without_itself;
  options.threads = threads;
  options.device = device;
  options.device_bytes = device_bytes;
  options.progress = progress_of(progress);
  return {options, progress};
}

py::list refused_rows(const SmilesTable& table) {
  py::list rows;
  for (const RejectedRow& row : table.rejected)
    rows.append(py::make_tuple(row.line, readable(row.id), readable(row.reason)));
  return rows;
}

/// `sink(first row, values [rows, columns])`, in order, in any thread.
void matrix(const Fingerprints& rows, const Fingerprints& columns, const SimilarOptions& options,
            const py::object& sink) {
  without_gil([&] {
    similar::matrix(
        rows, columns,
        [&](Index first, std::span<const float> values) {
          const py::gil_scoped_acquire gil;
          const Index width = columns.size();
          sink(first, py::array_t<float>({std::ssize(values) / width, width}, values.data()));
        },
        options.options);
  });
}

/// `sink(offsets [rows + 1], columns, similarities)`, in order, in any thread.
void search(const Fingerprints& rows, const Fingerprints& columns, const SimilarOptions& options,
            const py::object& sink) {
  without_gil([&] {
    similar::search(rows, columns, options.options, [&](const similar::Neighbours& found) {
      std::vector<Index> molecules;
      std::vector<float> similarities;
      for (const similar::Neighbour& neighbour : found.items) {
        molecules.push_back(neighbour.molecule);
        similarities.push_back(static_cast<float>(neighbour.similarity));
      }
      const py::gil_scoped_acquire gil;
      sink(owned_array(std::vector<Index>(found.offsets)), owned_array(std::move(molecules)),
           owned_array(std::move(similarities)));
    });
  });
}

/// @return  centroids, and for each molecule the number of its cluster
py::tuple cluster(const Fingerprints& molecules, double threshold, const SimilarOptions& options) {
  similar::Clusters clusters = without_gil([&] { return similar::cluster(molecules, threshold, options.options); });
  return py::make_tuple(owned_array(std::move(clusters.centroids)), owned_array(std::move(clusters.cluster_of)));
}

py::array_t<Index> pick(const Fingerprints& molecules, Index count, Index first, double threshold,
                        const SimilarOptions& options) {
  return owned_array(without_gil([&] { return similar::pick(molecules, count, first, threshold, options.options); }));
}

/// The bits of many SMILES, computed by several threads.
class EcfpBits {
 public:
  static constexpr Index kRowBytes = similar::kEcfpBits / 8;

  explicit EcfpBits(const std::vector<std::string>& smiles)
      : smiles_(smiles), bits_(smiles.size() * kRowBytes), reasons_(smiles.size()) {}

  void compute(int num_threads, const Progress& progress) {
    std::vector<std::jthread> threads;
    for (int i = 1; i < num_threads; ++i) threads.emplace_back([this] { work({}); });
    try {
      work(progress);
    } catch (...) {
      next_ = std::ssize(smiles_);
      throw;
    }
    threads.clear();
    const Index size = std::ssize(smiles_);
    progress(size, size);
  }

  /// packed bits [molecules, 256], and a reason for each molecule, empty where it is fine
  py::tuple take() {
    return py::make_tuple(owned_array(std::move(bits_), {std::ssize(smiles_), kRowBytes}), all_readable(reasons_));
  }

 private:
  void work(const Progress& progress) {
    constexpr Index kRows = 32;  // a millisecond or two
    const Index size = std::ssize(smiles_);
    for (Index first = next_.fetch_add(kRows); first < size; first = next_.fetch_add(kRows)) {
      for (Index row = first; row < std::min(first + kRows, size); ++row) fill(row);
      if (progress) progress(first, size);
    }
  }

  void fill(Index row) {
    try {
      for (const std::uint64_t bit : similar::features(smiles_[row], {similar::Metric::ecfp4}))
        bits_[row * kRowBytes + static_cast<Index>(bit / 8)] |= static_cast<std::uint8_t>(1U << (bit % 8));
    } catch (const InputError& error) {
      reasons_[row] = error.what();
    }
  }

  const std::vector<std::string>& smiles_;
  std::vector<std::uint8_t> bits_;
  std::vector<std::string> reasons_;
  std::atomic<Index> next_ = 0;
};

py::tuple ecfp4(const std::vector<std::string>& smiles, int threads, const py::object& callback) {
  if (threads < 0) throw InputError("threads must be 0 (all cores) or more, not " + std::to_string(threads));
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const Progress progress = progress_of(callback);
  EcfpBits bits(smiles);
  without_gil([&] { bits.compute(threads == 0 ? cores : std::min(threads, cores), progress); });
  return bits.take();
}

void add_table(py::module_& module) {
  using py::arg;
  py::class_<SmilesTable>(module, "SmilesTable")
      .def_property_readonly("ids", [](const SmilesTable& self) { return all_readable(self.ids); })
      .def_property_readonly("smiles", [](const SmilesTable& self) { return all_readable(self.smiles); })
      .def_property_readonly("rejected", &refused_rows);
  module.def(
      "read_smiles",
      [](const std::string& path, const ReadOptions& text, const std::string& normalize) {
        return without_gil([&] { return read_smiles(path, text, normalize_named(normalize)); });
      },
      arg("path"), arg("text"), arg("normalize"));
  module.def(
      "smiles_of",
      [](const Library& library, const std::string& normalize, int threads) {
        return without_gil([&] { return smiles_of(library, normalize_named(normalize), threads); });
      },
      arg("library"), arg("normalize"), arg("threads"));
}

}  // namespace

void add_similar(py::module_& module) {
  using py::arg;
  add_table(module);
  py::class_<similar::Definition>(module, "Definition")
      .def(py::init(&definition_of), arg("metric"), arg("lingo_length"), arg("fold_halogens"));
  py::class_<SimilarOptions>(module, "SimilarOptions")
      .def(py::init(&make_similar_options), py::kw_only(), arg("k") = 0, arg("threshold") = 0.0,
           arg("without_itself") = false, arg("threads") = 0, arg("device") = "host", arg("device_bytes") = 0,
           arg("progress") = py::none());
  py::class_<Fingerprints>(module, "Fingerprints")
      .def(py::init([](const SmilesTable& table, const similar::Definition& definition, int threads) {
             return without_gil([&] { return Fingerprints::of_smiles(table.smiles, definition, threads); });
           }),
           arg("table"), arg("definition"), arg("threads"))
      .def_static(
          "of_library",
          [](const Library& library, const similar::Definition& definition) {
            return without_gil([&] { return Fingerprints::of_library(library, definition); });
          },
          arg("library"), arg("definition"), py::keep_alive<0, 1>())
      .def_property_readonly("size", &Fingerprints::size);
  module.def("records_fit", &similar::records_fit, arg("library"), arg("definition"),
             py::call_guard<py::gil_scoped_release>());
  module.def("num_stored", &similar::num_stored, arg("library"), arg("definition"),
             py::call_guard<py::gil_scoped_release>());
  const auto options = arg("options");
  module.def("matrix", matrix, arg("rows"), arg("columns"), options, arg("sink"));
  module.def("search", search, arg("rows"), arg("columns"), options, arg("sink"));
  module.def("cluster", cluster, arg("molecules"), arg("threshold"), options);
  module.def("pick", pick, arg("molecules"), arg("count"), arg("first"), arg("threshold"), options);
  module.def("ecfp4", ecfp4, arg("smiles"), arg("threads"), arg("progress"));
}

}  // namespace quarry::python
