/// `quarry::dock`: receptors, ligands in, poses out as arrays.
#include "quarry/dock.hpp"

#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "quarry/error.hpp"

namespace quarry::python {
namespace {

using Triple = std::array<double, 3>;
using BoxTuple = std::pair<Triple, Triple>;
using Positions = py::array_t<double, py::array::c_style | py::array::forcecast>;

Point point_of(const Triple& triple) { return {triple[0], triple[1], triple[2]}; }
Triple triple_of(const Point& point) { return {point.x, point.y, point.z}; }
dock::Box box_of(const BoxTuple& box) { return {point_of(box.first), point_of(box.second)}; }
BoxTuple tuple_of(const dock::Box& box) { return {triple_of(box.center), triple_of(box.size)}; }

/// [points, 3]
template <class Points, class Position>
py::array_t<double> array_of(const Points& points, const Position& position_of) {
  py::array_t<double> array({std::ssize(points), Index{3}});
  auto view = array.mutable_unchecked<2>();
  for (Index i = 0; i < std::ssize(points); ++i) {
    const Point& at = position_of(points[i]);
    view(i, 0) = at.x;
    view(i, 1) = at.y;
    view(i, 2) = at.z;
  }
  return array;
}
py::array_t<double> array_of(const std::vector<Point>& points) {
  return array_of(points, [](const Point& point) -> const Point& { return point; });
}

/// @throws InputError  not [points, 3]
std::vector<Point> points_of(const Positions& array) {
  if (array.ndim() != 2 || array.shape(1) != 3) throw InputError("positions are an array [atoms, 3]");
  std::vector<Point> points;
  const auto view = array.unchecked<2>();
  for (Index i = 0; i < array.shape(0); ++i) points.push_back({view(i, 0), view(i, 1), view(i, 2)});
  return points;
}

dock::Scoring scoring_named(const std::string& name) {
  if (name == "vina") return dock::Scoring::vina;
  if (name == "vinardo") return dock::Scoring::vinardo;
  throw InputError("the scoring is 'vina' or 'vinardo', not '" + name + "'");
}

dock::Effort effort_named(const std::string& name) {
  if (name == "screen") return dock::Effort::screen;
  if (name == "standard") return dock::Effort::standard;
  if (name == "thorough") return dock::Effort::thorough;
  throw InputError("the effort is 'screen', 'standard' or 'thorough', not '" + name + "'");
}

dock::Options make_dock_options(const std::string& effort, const std::string& scoring,
                                std::optional<double> torsion_weight, std::optional<int> restarts,
                                std::optional<int> iterations, std::optional<int> max_poses, int poses,
                                std::uint64_t seed, std::optional<Index> pose_budget, int threads,
                                const std::string& device, Index device_bytes) {
  dock::Options options;
  options.scoring = scoring_named(scoring);
  options.torsion_weight = torsion_weight;
  options.search = dock::search_options(effort_named(effort));
  if (restarts) options.search.restarts = *restarts;
  if (iterations) options.search.iterations = *iterations;
  if (max_poses) options.search.max_poses = *max_poses;
  options.search.num_poses = poses;
  options.search.seed = seed;
  options.search.pose_budget = pose_budget;
  options.threads = threads;
  options.device = device;
  options.device_bytes = device_bytes;
  return options;
}

/// positions, score, inter, intra, terms, cluster, bumps, restart, checks
py::tuple tuple_of(const dock::Pose& pose) {
  const dock::Terms& terms = pose.score.terms;
  const dock::PoseChecks& checks = pose.checks;
  return py::make_tuple(
      array_of(pose.positions), pose.score.score, pose.score.inter, pose.score.intra,
      py::make_tuple(terms.gauss1, terms.gauss2, terms.repulsion, terms.hydrophobic, terms.hydrogen_bond), pose.cluster,
      pose.bumps, pose.restart,
      py::make_tuple(checks.min_distance, checks.overlap, checks.internal_clash, checks.strained, checks.too_far,
                     checks.valid));
}

py::list tuples_of(const std::vector<dock::Pose>& poses) {
  py::list list;
  for (const dock::Pose& pose : poses) list.append(tuple_of(pose));
  return list;
}

const char* status_name(dock::Status status) {
  return status == dock::Status::ok ? "ok" : status == dock::Status::truncated ? "truncated" : "rejected";
}

/// row, id, status, stage, reason, cpu_seconds, ligand, poses
py::tuple tuple_of(LigandRow row, const dock::Result& result) {
  const std::string id = row.id;
  const py::object ligand = row.ok() ? py::cast(std::move(row.ligand)) : py::none();
  return py::make_tuple(row.row, id, status_name(result.status), result.stage, result.reason, result.cpu_seconds,
                        ligand, tuples_of(result.poses));
}

LigandOptions ligand_options(const ReadOptions& text, bool as_given) {
  LigandOptions options;
  options.as_given = as_given;
  options.format = text.format;
  options.smiles_column = text.smiles_column;
  options.id_column = text.id_column;
  options.whole_ids = text.whole_ids;
  options.max_atoms = text.max_atoms;
  options.threads = text.threads;
  return options;
}

py::list list_of(std::vector<std::pair<LigandRow, dock::Result>> results) {
  py::list list;
  for (auto& [row, result] : results) list.append(tuple_of(std::move(row), result));
  return list;
}

/// Docks a file of ligands, some hundreds at a time.
class DockRun {
 public:
  DockRun(const Receptor& receptor, const BoxTuple& box, const std::string& path, const ReadOptions& text,
          dock::Options options, py::object progress)
      : progress_(std::move(progress)) {
    const LigandOptions reading = ligand_options(text, false);
    options.progress = progress_of(py::none());
    without_gil([&] {
      reader_.emplace(path, reading);
      docker_.emplace(receptor, box_of(box), options);
    });
  }

  /// The results of the next ligands; empty at the end.
  py::list next() {
    std::vector<std::pair<LigandRow, dock::Result>> results;
    without_gil([&] {
      std::vector<LigandRow> rows = reader_->next();
      const auto sink = [&](const LigandRow& row, const dock::Result& result) { results.emplace_back(row, result); };
      if (!rows.empty()) docker_->run([&] { return std::exchange(rows, {}); }, sink);
    });
    done_ += std::ssize(results);
    if (!progress_.is_none()) progress_(done_, reader_->bytes_read(), reader_->bytes_total());
    return list_of(std::move(results));
  }

 private:
  py::object progress_;
  std::optional<LigandReader> reader_;
  std::optional<dock::Docker> docker_;
  Index done_ = 0;
};

/// Scores a file of poses, some hundreds at a time.
class ScoreRun {
 public:
  ScoreRun(const std::string& path, const ReadOptions& text, bool minimize, const std::string& scoring,
           std::optional<double> torsion_weight)
      : reader_(path, ligand_options(text, true)),
        options_{.scoring = scoring_named(scoring),
                 .torsion_weight = torsion_weight,
                 .minimize = minimize,
                 .threads = text.threads,
                 .progress = progress_of(py::none())} {}

  py::list next(const Receptor& receptor) {
    std::vector<std::pair<LigandRow, dock::Result>> results;
    without_gil([&] {
      std::vector<LigandRow> rows = reader_.next();
      const auto sink = [&](const LigandRow& row, const dock::Result& result) { results.emplace_back(row, result); };
      if (!rows.empty())
        dock::score(
            receptor, [&] { return std::exchange(rows, {}); }, sink, options_);
    });
    return list_of(std::move(results));
  }

 private:
  LigandReader reader_;
  dock::ScoreOptions options_;
};

std::vector<std::string> names_of(const Receptor& receptor) {
  std::vector<std::string> names;
  for (const ReceptorAtom& atom : receptor.atoms) names.push_back(atom.name);
  return names;
}

py::array_t<std::uint8_t> elements_of(const Receptor& receptor) {
  py::array_t<std::uint8_t> elements(std::ssize(receptor.atoms));
  for (Index i = 0; i < std::ssize(receptor.atoms); ++i) elements.mutable_at(i) = receptor.atoms[i].element;
  return elements;
}

void add_receptor(py::module_& module) {
  py::class_<Receptor>(module, "Receptor")
      .def(py::init([](const std::string& path, const std::string& format, bool keep_waters) {
        return without_gil([&] { return read_receptor(path, {.keep_waters = keep_waters, .format = format}); });
      }))
      .def_property_readonly("positions",
                             [](const Receptor& self) {
                               return array_of(self.atoms,
                                               [](const ReceptorAtom& atom) -> const Point& { return atom.position; });
                             })
      .def_property_readonly("elements", &elements_of)
      .def_property_readonly("names", &names_of)
      .def_readonly("id", &Receptor::id)
      .def_readonly("missing_atoms", &Receptor::missing_atoms)
      .def_readonly("unknown_residues", &Receptor::unknown_residues)
      .def_readonly("num_waters", &Receptor::num_waters);
}

void add_ligand(py::module_& module) {
  py::class_<Ligand>(module, "Ligand")
      .def_readonly("id", &Ligand::id)
      .def_property_readonly("num_torsions", &Ligand::num_torsions)
      .def_readonly("num_torsions_weighted", &Ligand::num_torsions_weighted)
      .def_readonly("autodock_types", &Ligand::autodock_types)
      .def_property_readonly(
          "elements",
          [](const Ligand& self) { return py::array_t<std::uint8_t>(std::ssize(self.elements), self.elements.data()); })
      .def("to_sdf",
           [](const Ligand& self, const Positions& positions,
              const std::vector<std::pair<std::string, std::string>>& items) {
             return dock::to_sdf(self, points_of(positions), items);
           })
      .def("to_pdbqt",
           [](const Ligand& self, const Positions& positions) { return dock::to_pdbqt(self, points_of(positions)); });
}

}  // namespace

void add_dock(py::module_& module) {
  using py::arg;
  add_receptor(module);
  add_ligand(module);
  py::class_<dock::Options>(module, "DockOptions")
      .def(py::init(&make_dock_options), py::kw_only(), arg("effort"), arg("scoring"), arg("torsion_weight"),
           arg("restarts"), arg("iterations"), arg("max_poses"), arg("poses"), arg("seed"), arg("pose_budget"),
           arg("threads"), arg("device"), arg("device_bytes"));
  py::class_<DockRun>(module, "DockRun")
      .def(py::init<const Receptor&, const BoxTuple&, const std::string&, const ReadOptions&, dock::Options,
                    py::object>())
      .def("next", &DockRun::next);
  py::class_<ScoreRun>(module, "ScoreRun")
      .def(py::init<const std::string&, const ReadOptions&, bool, const std::string&, std::optional<double>>())
      .def("next", &ScoreRun::next);
  module.def("read_box", [](const std::string& path) { return tuple_of(dock::read_box(path)); });
  module.def("box_around",
             [](const Positions& points, double pad) { return tuple_of(dock::box_around(points_of(points), pad)); });
  module.def("read_positions", [](const std::string& path) { return array_of(read_positions(path)); });
  module.def("find_pockets", [](const Receptor& receptor, int num_pockets) {
    py::list list;
    for (const dock::Pocket& pocket : without_gil([&] { return dock::find_pockets(receptor, num_pockets); }))
      list.append(py::make_tuple(triple_of(pocket.center), pocket.volume, tuple_of(pocket.box)));
    return list;
  });
  module.def("enrichment", [](const std::vector<double>& scores, const std::vector<bool>& active) {
    const dock::Enrichment of = dock::enrichment(scores, active);
    return py::make_tuple(of.actives, of.decoys, of.auc, of.ef1, of.ef5, of.ef10, of.bedroc20, of.roc);
  });
}

}  // namespace quarry::python
