#include "docking/pocket.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "output/text.hpp"

namespace quarry::cli {
namespace {

/// Three numbers with commas between. @param what  names them in the message
Point parse_point(const std::string& text, const std::string& what) {
  std::istringstream stream(text);
  Point point;
  char first = 0, second = 0, rest = 0;
  stream >> point.x >> first >> point.y >> second >> point.z;
  const bool finite = std::isfinite(point.x) && std::isfinite(point.y) && std::isfinite(point.z);
  if (!stream || first != ',' || second != ',' || stream >> rest || !finite)
    throw InputError(fmt::format("{} takes three numbers X,Y,Z, not '{}'", what, text));
  return point;
}

dock::Box parse_box(const std::string& center, const std::string& size, const std::string& where) {
  const dock::Box box = {parse_point(center, where + "center"), parse_point(size, where + "size")};
  if (!(box.size.x > 0 && box.size.y > 0 && box.size.z > 0))
    throw InputError(fmt::format("{}size must be positive, and is {}", where, size));
  return box;
}

/// A receptor is found from the folder of the run, or from that of the file.
std::string found_beside(const std::string& name, const std::string& file) {
  const auto beside = std::filesystem::path(file).parent_path() / name;
  std::error_code error;  // neither may be there
  return !std::filesystem::exists(name, error) && std::filesystem::exists(beside, error) ? beside.string() : name;
}

std::vector<DockTarget> read_targets(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw InputError(fmt::format("cannot open {}", path));
  std::vector<DockTarget> targets;
  std::string line;
  for (Index number = 1; std::getline(file, line); ++number) {
    std::istringstream words(line);
    std::string name, receptor, center, size, rest;
    if (!(words >> name) || name.front() == '#') continue;
    words >> receptor >> center >> size;
    const std::string where = fmt::format("{}, line {}: ", path, number);
    if (size.empty() || words >> rest) throw InputError(where + "a target is `name receptor center size`");
    if (center == "center" && size == "size") continue;  // names of the columns
    for (const DockTarget& other : targets)
      if (other.name == name) throw InputError(fmt::format("{}the name '{}' is there already", where, name));
    targets.push_back({name, found_beside(receptor, path), parse_box(center, size, where)});
  }
  if (targets.empty())
    throw InputError(fmt::format("'{}' has no targets: a line is `name receptor center size`", path));
  return targets;
}

}  // namespace

void PocketOptions::add_to(Arguments& verb) {
  verb.option("--autobox-ligand", &autobox_, "The box around the atoms of this file (SDF, mol2, PDB), --pad wider",
              {.names_file = true});
  verb.option("--pad", &pad_, "Room on every side of --autobox-ligand, angstrom", {.show_default = true});
  verb.option("--center", &center_, "Center of the box", {.shown_as = "X,Y,Z"});
  verb.option("--size", &size_, "Edges of the box", {.shown_as = "X,Y,Z"});
  verb.option("--box", &box_, "File of JSON with `center` and `size`", {.names_file = true});
  verb.option("--find-pockets", &num_pockets_,
              "Dock in the N deepest cavities, one after the other; without LIGANDS, list them",
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
  if (!(pad_ >= 0 && pad_ <= 1000)) throw InputError(fmt::format("--pad is {}, and must be from 0 to 1000", pad_));
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
  if (!box_.empty()) return {{"", receptor_path, dock::read_box(box_)}};
  if (!center_.empty()) return {{"", receptor_path, parse_box(center_, size_, "--")}};
  if (!autobox_.empty()) return {{"", receptor_path, dock::box_around(read_positions(autobox_), pad_)}};
  std::vector<DockTarget> found;
  for (const dock::Pocket& pocket : pockets(receptor_path, options))
    found.push_back({fmt::format("pocket{}", found.size() + 1), receptor_path, pocket.box});
  if (found.size() == 1) found.front().name.clear();
  return found;
}

std::string to_text(const dock::Box& box) {
  return fmt::format("center {:.3f},{:.3f},{:.3f} size {:.3f},{:.3f},{:.3f}", box.center.x, box.center.y, box.center.z,
                     box.size.x, box.size.y, box.size.z);
}

}  // namespace quarry::cli
