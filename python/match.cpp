/// `quarry::match`: hits as arrays, a block of molecules at a time.
#include "quarry/match.hpp"

#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "quarry/files/hits.hpp"

namespace quarry::python {
namespace {

match::Mode mode_named(const std::string& name) {
  if (name == "first") return match::Mode::first;
  if (name == "count") return match::Mode::count;
  if (name == "all") return match::Mode::all;
  if (name == "unique") return match::Mode::unique;
  throw InputError("mode cannot be '" + name + "': it is one of first, count, all, unique");
}

QueryHydrogens hydrogens_named(const std::string& name) {
  if (name == "literal") return QueryHydrogens::literal;
  if (name == "merge") return QueryHydrogens::merge;
  throw InputError("query_hydrogens cannot be '" + name + "': it is one of auto, literal, merge");
}

/// Options, and the callback that they borrow.
struct MatchOptions {
  match::Options options;
  py::object progress;
};

MatchOptions make_match_options(const std::string& mode, int refine, Index max_matches, Index pair_budget,
                                bool chirality, int threads, const std::string& device, Index device_bytes,
                                const py::object& progress) {
  match::Options options;
  options.mode = mode_named(mode);
  options.refine = refine;
  options.max_matches = max_matches;
  options.pair_budget = pair_budget;
  options.chirality = chirality;
  options.threads = threads;
  options.device = device;
  options.device_bytes = device_bytes;
  options.progress = progress_of(progress);
  return {options, progress};
}

/// Hits of consecutive molecules, one array entry each.
class HitColumns {
 public:
  void append(const match::Result& result) {
    for (Index row = 0; row < result.num_molecules(); ++row) {
      for (Index i = result.hit_offsets[row]; i < result.hit_offsets[row + 1]; ++i)
        append(result.first_molecule + row, result.hits[i]);
    }
    if (!result.mapping_offsets.empty()) {
      const Index before = std::ssize(atoms_);
      atoms_.insert(atoms_.end(), result.mappings.begin(), result.mappings.end());
      for (std::size_t i = 1; i < result.mapping_offsets.size(); ++i)
        atom_offsets_.push_back(before + result.mapping_offsets[i]);
    }
    end_ = result.first_molecule + result.num_molecules();
  }

  Index num_values() const { return std::ssize(molecules_) + std::ssize(atoms_); }
  /// first molecule, end, molecules, queries, counts, truncated, timeout, overflow, offsets into atoms [hits + 1], atoms
  py::tuple take() {
    const Index begin = std::exchange(begin_, end_);
    auto tuple = py::make_tuple(begin, end_, owned_array(std::exchange(molecules_, {})),
                                owned_array(std::exchange(queries_, {})), owned_array(std::exchange(counts_, {})),
                                owned_array(std::exchange(truncated_, {})), owned_array(std::exchange(timeouts_, {})),
                                owned_array(std::exchange(overflows_, {})),
                                owned_array(std::exchange(atom_offsets_, {0})), owned_array(std::exchange(atoms_, {})));
    return tuple;
  }

 private:
  void append(Index molecule, const match::Hit& hit) {
    molecules_.push_back(molecule);
    queries_.push_back(hit.query);
    counts_.push_back(hit.embeddings);
    truncated_.push_back(hit.truncated);
    timeouts_.push_back(hit.timeout);
    overflows_.push_back(hit.overflow);
  }

  Index begin_ = 0, end_ = 0;
  std::vector<Index> molecules_, queries_, counts_, atom_offsets_{0};
  std::vector<std::uint8_t> truncated_, timeouts_, overflows_;
  std::vector<std::uint32_t> atoms_;
};

/// A set of queries made ready, and the options of its runs.
class MatcherRun {
 public:
  MatcherRun(const QuerySet& queries, MatchOptions options)
      : progress_(options.progress), matcher_(without_gil([&] { return match::Matcher(queries, options.options); })) {}

  /// `sink(tuple)` takes the hits, in order, in any thread; in blocks of at least `block_values` values.
  void run(const Library& library, Index block_values, const py::object& sink) {
    without_gil([&] {
      HitColumns columns;
      const auto send = [&] {
        const py::gil_scoped_acquire gil;
        sink(columns.take());
      };
      matcher_.run(library, [&](const match::Result& result) {
        columns.append(result);
        if (columns.num_values() >= block_values) send();
      });
      send();
    });
  }

 private:
  py::object progress_;
  match::Matcher matcher_;
};

void append(QuerySet& queries, const QuerySet& more) {
  queries.accepted.insert(queries.accepted.end(), more.accepted.begin(), more.accepted.end());
  queries.rejected.insert(queries.rejected.end(), more.rejected.begin(), more.rejected.end());
}

py::tuple fields_of(const QuerySet& queries) {
  py::list ids, smarts, lines, refused;
  for (const Query& query : queries.accepted) {
    ids.append(readable(query.id));
    smarts.append(readable(query.smarts));
    lines.append(query.line);
  }
  for (const RejectedRow& row : queries.rejected)
    refused.append(py::make_tuple(row.line, readable(row.id), readable(row.reason)));
  return py::make_tuple(ids, smarts, lines, refused);
}

/// All of a file of hits: as HitColumns::take, names of the molecules, ids of the queries, and whether atoms are kept.
py::tuple hits_of_file(const std::string& path) {
  HitColumns columns;
  std::vector<std::string> names;
  match::HitsHeader header;
  without_gil([&] {
    match::HitsReader reader(path);
    header = reader.header();
    for (match::NamedResult block; reader.next(block);) {
      columns.append(block);
      names.insert(names.end(), block.names.begin(), block.names.end());
    }
  });
  py::list query_ids;
  for (const match::HitsQuery& query : header.queries) query_ids.append(readable(query.id));
  return py::make_tuple(columns.take(), all_readable(names), query_ids, header.has_mappings());
}

}  // namespace

void add_match(py::module_& module) {
  using py::arg;
  const match::Options defaults;
  py::class_<MatchOptions>(module, "MatchOptions")
      .def(py::init(&make_match_options), py::kw_only(), arg("mode") = "first", arg("refine") = defaults.refine,
           arg("max_matches") = defaults.max_matches, arg("pair_budget") = defaults.pair_budget,
           arg("chirality") = defaults.chirality, arg("threads") = defaults.threads, arg("device") = defaults.device,
           arg("device_bytes") = defaults.device_bytes, arg("progress") = py::none());
  py::class_<QuerySet>(module, "QuerySet").def("fields", &fields_of).def("append", &append, arg("more"));
  module.def(
      "compile_queries",
      [](const std::vector<std::string>& smarts, const std::string& hydrogens) {
        return without_gil([&] { return compile_queries(smarts, hydrogens_named(hydrogens)); });
      },
      arg("smarts"), arg("hydrogens"));
  module.def(
      "read_queries",
      [](const std::string& path, const std::string& hydrogens) {
        return without_gil([&] { return read_queries(path, hydrogens_named(hydrogens)); });
      },
      arg("path"), arg("hydrogens"));
  module.def(
      "read_alert_set",
      [](const std::string& name, const std::string& folder, const std::string& hydrogens) {
        return without_gil([&] { return read_alert_set(name, folder, hydrogens_named(hydrogens)); });
      },
      arg("name"), arg("folder"), arg("hydrogens"));
  module.def("read_hits", &hits_of_file, arg("path"));
  py::class_<MatcherRun>(module, "Matcher")
      .def(py::init<const QuerySet&, MatchOptions>(), arg("queries"), arg("options"))
      .def("run", &MatcherRun::run, arg("library"), arg("block_values"), arg("sink"));
}

}  // namespace quarry::python
