/// The molecules of one batch as kernels see them: graphs, and for each molecule a region of words for its masks.
///
/// The region of a molecule of n atoms, W = ceil(n / 64), holds its masks [num_masks, W] in the plan's order and, for
/// n <= 64, its relations [num_relations, n]: the neighbours of each atom by bond relation. Kernels walk the neighbour lists
/// of larger molecules instead, because a dense n x n table would grow as the square of the molecule.
#pragma once
#include <cstdint>

#include "graph/graph_batch.hpp"
#include "match/plan.hpp"

namespace quarry::match {

/// A pair that the mapping stage kept (GMCR: molecule after molecule, each with its queries in order).
struct Pair {
  std::uint32_t molecule = 0, query = 0;
};

/// What the join found for a pair.
struct PairResult {
  Index embeddings = 0;
  bool truncated = false, timeout = false;
  bool overflow = false;  ///< its embeddings are too many to be stored
};

/// Is the pair reported? One that ran out of budget is, with or without an embedding.
QUARRY_HD inline bool is_hit(const PairResult& result) { return result.embeddings != 0 || result.timeout; }

struct BatchView {
  GraphBatchView graphs;
  View<const std::uint32_t> environments;                    ///< [nodes] of each atom, in `environment_rows`
  View<const std::uint64_t> environment_rows;                ///< [environments, environment_words()]
  View<const std::uint8_t> cycle_lengths;                    ///< [molecules] see graph/cycle_lengths.hpp
  View<const std::uint32_t> components;                      ///< [nodes] connected component, where the plan has groups
  View<const std::uint32_t> chiral_offsets, stereo_offsets;  ///< [molecules + 1], or empty
  View<const ChiralAtom> chiral_atoms;
  View<const StereoBond> stereo_bonds;
  View<const Index> region_offsets;  ///< [molecules + 1] into `masks`
  View<std::uint64_t> masks;
  View<std::uint64_t> live;  ///< [molecules, query_words] queries that may still match
  View<std::uint64_t>
      needed;  ///< [molecules, need_words] recursive patterns, programs and other classes that live queries need
  View<std::uint64_t> out_of_budget;  ///< [molecules, need_words] recursive patterns whose search ran out of budget
  View<Index> pair_offsets;           ///< [molecules + 1] into `pairs`
  View<Pair> pairs;
  Index max_words = 1;    ///< of a mask of the largest molecule
  Index pair_budget = 0;  ///< atoms that the join of a pair may place, 0 is no limit

  QUARRY_HD Index num_molecules() const { return graphs.num_graphs(); }
};

/// Words of a molecule's region.
QUARRY_HD inline Index region_words(const PlanView& plan, Index num_atoms) {
  const Index dense = num_atoms <= kWordBits ? plan.num_relations * num_atoms : 0;
  return plan.num_masks() * words_for(num_atoms) + dense;
}

/// One molecule of the batch.
struct MoleculeView {
  Index index = 0, num_atoms = 0, words = 0, first_node = 0;
  std::uint64_t* masks = nullptr;
  std::uint64_t* relations = nullptr;

  QUARRY_HD const std::uint64_t* mask(Index m) const { return masks + m * words; }
  QUARRY_HD std::uint64_t* mask(Index m) { return masks + m * words; }
  QUARRY_HD bool is_small() const { return num_atoms <= kWordBits; }
};

QUARRY_HD inline MoleculeView molecule_view(const BatchView& batch, const PlanView& plan, Index molecule) {
  MoleculeView view;
  view.index = molecule;
  view.num_atoms = batch.graphs.num_nodes(molecule);
  view.words = words_for(view.num_atoms);
  view.first_node = batch.graphs.graph_offsets[molecule];
  view.masks = batch.masks.data() + batch.region_offsets[molecule];
  view.relations = view.masks + plan.num_masks() * view.words;
  return view;
}

}  // namespace quarry::match
