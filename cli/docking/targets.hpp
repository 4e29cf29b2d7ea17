/// Pockets of receptors, and the file that lists several.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "quarry/dock.hpp"

namespace quarry::cli {

/// A pocket of a receptor.
struct DockTarget {
  std::string name;  ///< empty where there is only one, which no file of targets names
  std::string receptor_path;
  dock::Box box;
  std::vector<Point> ligand = {};  ///< the atoms of --autobox-ligand
};

/// Reads `name receptor center size` a line; `#` begins a comment.
/// @throws InputError  a line is not like that, a name is there twice, or there is no target (names file and line)
std::vector<DockTarget> read_targets(const std::string& path);

/// @param center, size  three numbers with commas between
/// @param where         stands before "center" and "size" in messages
/// @throws InputError   one is not three numbers, or the size is not positive
dock::Box parse_box(const std::string& center, const std::string& size, const std::string& where);

/// "center 1.0,2.0,3.0 size 20.0,20.0,20.0"
std::string to_text(const dock::Box& box);

}  // namespace quarry::cli
