/// Poses between the kernels: sorted, clustered, cut to the best.
#pragma once
#include <cstdint>
#include <vector>

#include "exec/view.hpp"
#include "quarry/dock.hpp"

namespace quarry::dock {

/// A pose as the search keeps it.
struct Candidate {
  std::vector<float> variables;
  std::vector<float> positions;  ///< [3 heavy atoms]
  float inter = 0, intra = 0;
  int bumps = 0;     ///< atoms that clash with the receptor, and pairs that do with each other
  Terms terms = {};  ///< of a refined pose
  Index restart = 0;
  int cluster = 0;       ///< a number that near ones share
  bool is_head = false;  ///< the best of its cluster
  float energy() const { return inter + intra; }
};

/// Of atoms that may take each other's places: [maps][atoms], without the identity.
using Symmetries = std::vector<std::vector<std::uint16_t>>;

/// Is the root mean square distance of two poses, by some symmetry, less than this?
bool are_near(const Candidate& one, const Candidate& other, const Symmetries& symmetries, double rmsd);

/// Sorts by energy, and makes clusters: a pose joins the first head before it that is nearer than `min_rmsd`.
void cluster(std::vector<Candidate>& poses, double min_rmsd, const Symmetries& symmetries = {});

/// Cluster heads first, then poses without bumps, then the rest; what comes after the first `count` goes. Poses are clustered.
void clip(std::vector<Candidate>& poses, Index count);

}  // namespace quarry::dock
