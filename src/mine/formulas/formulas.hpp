/// Patterns of three to five vertices as sums over vertices, edges, triangles and cycles.
///
/// The catalog is `named_patterns`; a pattern of it is named by its index there.
/// Sources: PGD (Ahmed et al., ICDM 2015) for four vertices; ESCAPE (Pinar, Seshadhri, Vishal, WWW 2017) for five. The
/// identities are stated and explained in docs/engines/mine.md.
#pragma once
#include <optional>
#include <vector>

#include "mine/formulas/sums.hpp"
#include "quarry/graph_pattern.hpp"

namespace quarry::mine {

/// The pattern of the catalog that this is, whatever its names and labels; nothing where it has another size.
std::optional<int> catalog_index(const GraphPattern& pattern);

/// The sums that its count is made of.
SumSet sums_for(int index, Semantics semantics);

/// The edge-induced count of a pattern of the catalog, once its sums are known.
Count edge_induced(int index, const Sums& sums);

/// The patterns of as many vertices whose edges hold those of a pattern, itself included, fewer edges first.
struct Supergraph {
  int index = 0;
  Index copies = 0;  ///< its spanning subgraphs that are the pattern
};
std::vector<Supergraph> supergraphs(int index);

}  // namespace quarry::mine
