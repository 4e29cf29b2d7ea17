#include "docking/pocket.hpp"

#include <fmt/format.h>

#include "output/text.hpp"

namespace quarry::cli {
namespace {

constexpr double kPad = 8;

}  // namespace

void PocketOptions::add_to(Arguments& verb) {
  verb.option("--autobox-ligand", &autobox_, "The box around the atoms of this file (SDF, mol2, PDB), --pad wider",
              {.names_file = true});
  verb.option("--pad", &pad_, "Room on every side of --autobox-ligand, angstrom; default: 8",
              {.least = 0, .most = 1000});
  verb.option("--center", &center_, "Center of the box", {.shown_as = "X,Y,Z"});
  verb.option("--size", &size_, "Edges of the box", {.shown_as = "X,Y,Z"});
  verb.option("--box", &box_, "File of JSON with `center` and `size`", {.names_file = true});
  verb.option("--find-pockets", &num_pockets_,
              "Dock in the N largest cavities, one after the other; without LIGANDS, list them",
              {.shown_as = "[N]", .least = 1, .most = 1000, .alone = "1"});
  verb.option("--targets", &targets_,
              "File of several pockets, `name receptor center size` a line, instead of RECEPTOR", {.names_file = true});
}

void PocketOptions::check() const {
  if (center_.empty() != size_.empty()) throw InputError("--center and --size go together");
  const int given = !autobox_.empty() + !center_.empty() + !box_.empty() + !targets_.empty() + num_pockets_.has_value();
  if (given == 0)
    throw InputError(
        "where is the pocket? Give --autobox-ligand FILE, --center and --size, --box FILE, --find-pockets or --targets "
        "FILE");
  if (given > 1)
    throw InputError("give one of --autobox-ligand, --center with --size, --box, --find-pockets and --targets");
  if (pad_ && autobox_.empty()) throw InputError("--pad goes with --autobox-ligand");
}

std::vector<std::string> PocketOptions::given() const {
  std::vector<std::string> names;
  const auto add = [&](bool is_given, const char* name) {
    if (is_given) names.emplace_back(name);
  };
  add(!autobox_.empty(), "--autobox-ligand");
  add(pad_.has_value(), "--pad");
  add(!center_.empty(), "--center");
  add(!size_.empty(), "--size");
  add(!box_.empty(), "--box");
  add(num_pockets_.has_value(), "--find-pockets");
  add(!targets_.empty(), "--targets");
  return names;
}

void PocketOptions::refuse(const std::string& job) const {
  const std::vector<std::string> names = given();
  if (!names.empty()) throw InputError(fmt::format("{}: leave out {}", job, joined(names, ", ")));
}

std::vector<dock::Pocket> PocketOptions::pockets(const std::string& receptor_path,
                                                 const ReceptorOptions& options) const {
  auto found = dock::find_pockets(read_receptor(receptor_path, options), static_cast<int>(*num_pockets_));
  if (found.empty())
    throw InputError(fmt::format("'{}' has no pocket: name a box with --center and --size", receptor_path));
  return found;
}

std::vector<DockTarget> PocketOptions::targets(const std::string& receptor_path, const ReceptorOptions& options) const {
  if (!targets_.empty()) return read_targets(targets_);
  if (!box_.empty()) return {{"", receptor_path, dock::read_box(box_), {}}};
  if (!center_.empty()) return {{"", receptor_path, parse_box(center_, size_, "--"), {}}};
  if (!autobox_.empty()) {
    const std::vector<Point> atoms = read_positions(autobox_);
    return {{"", receptor_path, dock::box_around(atoms, pad_.value_or(kPad)), atoms}};
  }
  std::vector<DockTarget> found;
  for (const dock::Pocket& pocket : pockets(receptor_path, options))
    found.push_back({fmt::format("pocket{}", found.size() + 1), receptor_path, pocket.box, {}});
  if (found.size() == 1) found.front().name.clear();
  return found;
}

}  // namespace quarry::cli
