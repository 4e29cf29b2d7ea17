/// Patterns that make no difference between aromatic and aliphatic.
#pragma once
#include "quarry/molecule.hpp"

namespace quarry::cli {

/// From now on `c` and `C` are any carbon, `a` and `A` any atom, and single, double and aromatic bonds stand for the same:
/// a bond that may be single or double may be aromatic too, and one that must be aromatic may be single or double.
void ignore_aromaticity(Pattern& pattern);

}  // namespace quarry::cli
