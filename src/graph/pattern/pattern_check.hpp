/// What every pattern must be, however it was written.
#pragma once
#include <string>

#include "quarry/graph_pattern.hpp"

namespace quarry {

/// @param subject     how messages name the pattern: "the pattern 'house'"
/// @throws InputError  it has no edge, or its vertices are not connected
void require_connected(const GraphPattern& pattern, const std::string& subject);

/// Adds an edge. One that is there already, in either direction, may get a label where it had none.
/// @param label  or kAnyLabel
/// @return what is wrong, or nothing: a loop, or another label
std::string add_pattern_edge(GraphPattern& pattern, std::uint32_t from, std::uint32_t to, std::uint32_t label);

}  // namespace quarry
