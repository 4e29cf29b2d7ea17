/// Atoms in brackets: `[13C@@H2+:7]`.
#pragma once
#include <string_view>

#include "chemistry/smiles/draft.hpp"

namespace quarry::smiles {

/// @param text  what stands between the brackets
/// @return      false where it is not known what RDKit makes of it
bool parse_bracket(std::string_view text, DraftAtom& atom);

}  // namespace quarry::smiles
