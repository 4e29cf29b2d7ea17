/// Molecule libraries: opened, read from text, written, and seen as lists.
#include "quarry/library.hpp"

#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "quarry/similar.hpp"

namespace quarry::python {
namespace {

/// rows, ok, rejected
py::tuple tuple_of(const Report& report) { return py::make_tuple(report.rows, report.ok, report.rejected); }

/// line, id, reason
py::list rejected_of(const Library& library, Index chunk) {
  py::list rows;
  for (const RejectedRow& row : library.rejected(chunk))
    rows.append(py::make_tuple(row.line, readable(row.id), readable(row.reason)));
  return rows;
}

/// @return  ids, and records or nothing
py::tuple texts(const Library& library, Index chunk, bool with_records) {
  const ChunkText text = library.text(chunk, with_records);
  return py::make_tuple(all_readable(text.ids), all_readable(text.records));
}

py::dict provenance(const Library& library) {
  using py::arg;
  const Provenance& of = library.provenance();
  return py::dict(arg("source") = readable(of.source), arg("command") = readable(of.command),
                  arg("created") = readable(of.created), arg("version") = readable(of.version),
                  arg("explicit_hydrogens") = of.explicit_hydrogens, arg("stereo") = of.stereo,
                  arg("format") = of.format == RecordFormat::sdf ? "sdf" : "smiles");
}

/// ids, without_id, not_utf8, extensions, id_column_unused
py::tuple tuple_of(const ReadNotes& notes) {
  return py::make_tuple(readable(notes.ids), notes.without_id, notes.not_utf8, notes.extensions, notes.no_columns);
}

/// rows, differences, first_difference
py::tuple tuple_of(const Audit& audit) {
  return py::make_tuple(audit.rows, audit.differences, readable(audit.first_difference));
}

/// How files of text are read.
ReadOptions text_options(const std::string& smiles_column, const std::string& id_column, bool id_rest,
                         const std::string& format, Index max_atoms, int threads, bool stereo, double audit) {
  if (id_rest && !id_column.empty()) throw InputError("id_column and id_rest exclude each other");
  ReadOptions options;
  options.smiles_column = smiles_column;
  options.id_column = id_column;
  options.whole_ids = id_rest;
  options.format = format;
  options.max_atoms = max_atoms;
  options.threads = threads;
  options.stereo = stereo;
  options.audit = audit;
  return options;
}

/// What a library says that it was made with, as in the program.
std::string command_of(const ReadOptions& options) {
  std::string command = options.explicit_hydrogens ? "--explicit-h " : "";
  if (options.stereo) command += "--stereo ";
  if (options.whole_ids) command += "--id-rest ";
  if (options.max_atoms != kDefaultMaxAtoms) command += "--max-atoms " + std::to_string(options.max_atoms) + ' ';
  return command.substr(0, command.empty() ? 0 : command.size() - 1);
}

ReadOptions read_options(const ReadOptions& text, bool explicit_hydrogens, bool lingos, bool ecfp4) {
  ReadOptions options = text;
  options.explicit_hydrogens = explicit_hydrogens;
  options.command = command_of(options);
  std::vector<similar::Definition> stored;
  if (lingos) stored.push_back({});
  if (ecfp4) stored.push_back({similar::Metric::ecfp4});
  if (!stored.empty())
    options.similar_section = [stored](auto smiles) { return similar::pack_section(smiles, stored); };
  return options;
}

/// Appends libraries to a file whose provenance is that of the first.
class Writer {
 public:
  Writer(const std::string& path, const Library& first, const std::string& source)
      : writer_(path, provenance_of(first, source)) {}
  void append(const Library& library) {
    without_gil([&] { writer_.append(library); });
  }
  void finish() {
    without_gil([&] { writer_.finish(); });
  }

 private:
  static Provenance provenance_of(const Library& first, const std::string& source) {
    Provenance provenance = first.provenance();
    if (!source.empty()) provenance.source = source;
    return provenance;
  }
  LibraryWriter writer_;
};

}  // namespace

void add_library(py::module_& module) {
  using py::arg;
  py::class_<Library>(module, "Library")
      .def_static(
          "open",
          [](const std::vector<std::string>& paths) { return without_gil([&] { return Library::open(paths); }); },
          arg("paths"))
      .def_property_readonly("num_molecules", [](const Library& self) { return self.num_molecules(); })
      .def_property_readonly("num_atoms", &Library::num_atoms)
      .def_property_readonly("num_bonds", &Library::num_bonds)
      .def_property_readonly("num_chunks", &Library::num_chunks)
      .def_property_readonly("report", [](const Library& self) { return tuple_of(self.report()); })
      .def_property_readonly("provenance", &provenance)
      .def("texts", &texts, arg("chunk"), arg("with_records"))
      .def("rejected", &rejected_of, arg("chunk"))
      .def("verify", &Library::verify, py::call_guard<py::gil_scoped_release>());
  py::class_<ReadOptions>(module, "TextOptions")
      .def(py::init(&text_options), py::kw_only(), arg("smiles_column"), arg("id_column"), arg("id_rest"),
           arg("format"), arg("max_atoms"), arg("threads"), arg("stereo"), arg("audit"));
  py::class_<MoleculeReader>(module, "MoleculeReader")
      .def(py::init([](const std::string& path, const ReadOptions& text, bool explicit_hydrogens, bool lingos,
                       bool ecfp4, const std::string& name) {
             ReadOptions options = read_options(text, explicit_hydrogens, lingos, ecfp4);
             options.name = name;
             return without_gil([&] { return std::make_unique<MoleculeReader>(path, options); });
           }),
           arg("path"), arg("text"), py::kw_only(), arg("explicit_hydrogens"), arg("lingos"), arg("ecfp4"), arg("name"))
      .def("next", &MoleculeReader::next, py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("notes", [](const MoleculeReader& self) { return tuple_of(self.notes()); })
      .def_property_readonly("audit", [](const MoleculeReader& self) { return tuple_of(self.audit()); })
      .def_property_readonly("report", [](const MoleculeReader& self) { return tuple_of(self.report()); });
  py::class_<Writer>(module, "LibraryWriter")
      .def(py::init<const std::string&, const Library&, const std::string&>(), arg("path"), arg("first"), arg("source"))
      .def("append", &Writer::append, arg("library"))
      .def("finish", &Writer::finish);
}

}  // namespace quarry::python
