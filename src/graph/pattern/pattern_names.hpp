/// What the names of patterns stand for.
#pragma once
#include <string>
#include <string_view>

#include "quarry/graph_pattern.hpp"

namespace quarry {

/// Edges of a named pattern, or of a clique, cycle, path or star of any size; empty where it is no name.
/// @throws InputError, CapacityError  a family's size is out of range
std::string edges_of_name(std::string_view name);

/// Is the word `clique`, `cycle`, `path` or `star`?
bool is_pattern_family(std::string_view word);

/// ", did you mean 'triangle'?" where the text is close to a name of a pattern; else empty.
std::string pattern_suggestion(std::string_view text);

}  // namespace quarry
