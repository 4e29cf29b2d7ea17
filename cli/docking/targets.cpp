#include "docking/targets.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

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

/// A receptor is found from the folder of the run, or from that of the file.
std::string found_beside(const std::string& name, const std::string& file) {
  const auto beside = std::filesystem::path(file).parent_path() / name;
  std::error_code error;  // neither may be there
  return !std::filesystem::exists(name, error) && std::filesystem::exists(beside, error) ? beside.string() : name;
}

}  // namespace

dock::Box parse_box(const std::string& center, const std::string& size, const std::string& where) {
  const dock::Box box = {parse_point(center, where + "center"), parse_point(size, where + "size")};
  if (!(box.size.x > 0 && box.size.y > 0 && box.size.z > 0))
    throw InputError(fmt::format("{}size must be positive, and is {}", where, size));
  return box;
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
    targets.push_back({name, found_beside(receptor, path), parse_box(center, size, where), {}});
  }
  if (file.bad()) throw InputError(fmt::format("cannot read {}", path));
  if (targets.empty())
    throw InputError(fmt::format("'{}' has no targets: a line is `name receptor center size`", path));
  return targets;
}

std::string to_text(const dock::Box& box) {
  return fmt::format("center {:.3f},{:.3f},{:.3f} size {:.3f},{:.3f},{:.3f}", box.center.x, box.center.y, box.center.z,
                     box.size.x, box.size.y, box.size.z);
}

}  // namespace quarry::cli
