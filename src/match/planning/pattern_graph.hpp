/// A pattern as a graph with labels, whose symmetries carry embeddings to embeddings.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "quarry/graph_pattern.hpp"
#include "quarry/molecule.hpp"

namespace quarry::match {

/// Larger patterns are not looked at: a search for isomorphisms takes at most so many vertices.
inline constexpr std::size_t kMaxGraphAtoms = 32;
/// The search for the symmetries of a pattern gives up after so many tries, which take about a millisecond. Sensible patterns
/// need some hundred.
inline constexpr Index kMaxGraphTries = 1 << 16;

/// Its vertices are numbered along bonds, so that a search for isomorphisms soon meets what does not fit.
struct PatternGraph {
  GraphPattern graph;
  std::vector<std::uint32_t> atoms, vertices;  ///< the atom of each vertex, and the vertex of each atom
  bool is_connected = true;
};

/// @param atom_labels  [atoms] of the pattern
/// @param bond_labels  [bonds]; bonds of one label must be the same from both their ends
PatternGraph pattern_graph(const Pattern& pattern, std::span<const std::uint32_t> atom_labels,
                           std::span<const std::uint32_t> bond_labels);

}  // namespace quarry::match
