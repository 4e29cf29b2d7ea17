/// MDL mol blocks, as RDKit writes them.
#pragma once
#include <string>

namespace RDKit {
class RWMol;
}

namespace quarry {

/// @param title  its first line; line breaks become spaces
/// @throws std::bad_alloc  also where RDKit had no memory for a line and left it cut short
std::string mol_block(const RDKit::RWMol& molecule, std::string title);

}  // namespace quarry
