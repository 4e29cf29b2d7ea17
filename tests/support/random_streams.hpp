/// Random graphs that change: labelled, with updates of every kind and fault, and patterns that fit them.
#pragma once
#include <vector>

#include "quarry/graph_pattern.hpp"
#include "quarry/graph_update.hpp"
#include "support/random.hpp"

namespace quarry::test {

/// How a random stream is made. Shares are in percent.
struct StreamShape {
  Index vertices = 12;
  Index vertex_labels = 2, edge_labels = 2;  ///< how many different ones; 1: all 0
  Index edge_share = 20;                     ///< pairs of vertices that are edges at the beginning
  Index updates = 100;
  Index hubs = 1;           ///< vertices that take part in a third of the updates
  Index hot_pairs = 3;      ///< pairs that take a third of the updates: an edge comes and goes, with other labels
  Index fault_share = 10;   ///< updates that are wrong in some way, as far as chance makes them so
  Index vertex_share = 5;   ///< updates of vertices
  bool sparse_ids = false;  ///< ids of up to 64 bits, else 0 to vertices - 1
  bool adds_ends = false;   ///< some insertions bring their vertices along
};

struct RandomStream {
  Graph initial;
  std::vector<GraphUpdate> updates;
};

RandomStream random_stream(Random& random, const StreamShape& shape);

/// A connected pattern, with labels on all vertices and edges, as files have it.
GraphPattern random_labelled_pattern(Random& random, Index num_vertices, const StreamShape& shape);

}  // namespace quarry::test
