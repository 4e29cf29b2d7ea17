/// Molecules and patterns as one line of text, so that a failing case can be read and rebuilt.
#pragma once
#include <string>

#include "quarry/molecule.hpp"

namespace quarry::test {

std::string to_text(const Molecule& molecule);
std::string to_text(const Pattern& pattern);

}  // namespace quarry::test
