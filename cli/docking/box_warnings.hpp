/// What is said of boxes that are larger than they should be.
#pragma once
#include <string>

#include "docking/targets.hpp"

namespace quarry::cli {

/// Spacing of the maps of a box. Says where it is wider than usual. @param of  " of 'name'", or empty
double checked_grid_spacing(const dock::Box& box, const std::string& of);

/// Says where --autobox-ligand is no ligand in a pocket, but as large as the receptor, and where the receptor holds it.
void warn_of_ligand(const DockTarget& target, const Receptor& receptor);

}  // namespace quarry::cli
