/// Handedness and double-bond geometry of a complete embedding.
///
/// Source: RDKit 2022.09, the final check of SubstructMatch with useChirality, restated for marks that are relative to
/// neighbours in ascending order.
#include "match/batch/batch.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::match {
namespace QUARRY_TARGET {

/// The mark of a data atom, or nothing.
QUARRY_HD inline const ChiralAtom* find_chiral(const BatchView& batch, Index molecule, std::uint32_t atom) {
  if (batch.chiral_offsets.size() == 0) return nullptr;
  for (Index i = batch.chiral_offsets[molecule]; i < batch.chiral_offsets[molecule + 1]; ++i) {
    if (batch.chiral_atoms[i].atom == atom) return &batch.chiral_atoms[i];
  }
  return nullptr;
}

QUARRY_HD inline const StereoBond* find_stereo(const BatchView& batch, Index molecule, std::uint32_t begin,
                                               std::uint32_t end) {
  if (batch.stereo_offsets.size() == 0) return nullptr;
  for (Index i = batch.stereo_offsets[molecule]; i < batch.stereo_offsets[molecule + 1]; ++i) {
    const StereoBond& bond = batch.stereo_bonds[i];
    if ((bond.begin == begin && bond.end == end) || (bond.begin == end && bond.end == begin)) return &bond;
  }
  return nullptr;
}

/// Is the order (images of the query's neighbours, then the data atom's other neighbours ascending) an even permutation
/// of the data atom's neighbours in ascending order? The other neighbours are ascending among themselves, so only pairs
/// with an image can be out of order.
QUARRY_HD inline bool is_even(const PlanView& plan, const GraphBatchView& graphs, Index node, const ChiralCheck& check,
                              const std::uint32_t* image_of) {
  Index inversions = 0;
  for (std::uint32_t i = check.neighbours.first; i < check.neighbours.last; ++i) {
    const std::uint32_t image = image_of[plan.chiral_neighbours[i]];
    for (std::uint32_t j = i + 1; j < check.neighbours.last; ++j) {
      inversions += image_of[plan.chiral_neighbours[j]] < image ? 1 : 0;
    }
    for (Index k = graphs.row_offsets[node]; k < graphs.row_offsets[node + 1]; ++k) {
      bool matched = false;
      for (std::uint32_t j = check.neighbours.first; j < check.neighbours.last; ++j) {
        matched = matched || image_of[plan.chiral_neighbours[j]] == graphs.neighbours[k];
      }
      inversions += !matched && graphs.neighbours[k] < image ? 1 : 0;
    }
  }
  return inversions % 2 == 0;
}

QUARRY_HD inline bool chirality_holds(const PlanView& plan, const BatchView& batch, const MoleculeView& molecule,
                                      const ChiralCheck& check, const std::uint32_t* image_of) {
  const ChiralAtom* mark = find_chiral(batch, molecule.index, image_of[check.atom]);
  if (mark == nullptr) return false;
  if (check.neighbours.first == check.neighbours.last) return true;
  const bool same = mark->clockwise == check.clockwise;
  return same == is_even(plan, batch.graphs, molecule.first_node + mark->atom, check, image_of);
}

// Constants, because a device cannot call the functions they come from.
inline constexpr BondKind kDoubleBond = bond_kind(2, false), kDoubleRingBond = bond_kind(2, true);

/// Is the data bond a double bond, in or out of rings?
QUARRY_HD inline bool is_double_bond(const GraphBatchView& graphs, Index node, std::uint32_t neighbour) {
  for (Index i = graphs.row_offsets[node]; i < graphs.row_offsets[node + 1]; ++i) {
    const BondKind kind = graphs.edge_labels[i] % kOnCycle;
    if (graphs.neighbours[i] == neighbour) return kind == kDoubleBond || kind == kDoubleRingBond;
  }
  return false;
}

QUARRY_HD inline bool geometry_holds(const BatchView& batch, const MoleculeView& molecule, const StereoBond& query,
                                     const std::uint32_t* image_of) {
  const std::uint32_t begin = image_of[query.begin], end = image_of[query.end];
  if (!is_double_bond(batch.graphs, molecule.first_node + begin, end)) return true;
  const StereoBond* found = find_stereo(batch, molecule.index, begin, end);
  if (found == nullptr) return false;
  const bool forward = found->begin == begin;
  const std::uint32_t at_begin = forward ? found->begin_neighbour : found->end_neighbour;
  const std::uint32_t at_end = forward ? found->end_neighbour : found->begin_neighbour;
  // To name the other neighbour at one end turns cis into trans; to do so at both ends turns it back.
  const bool one_differs = (image_of[query.begin_neighbour] == at_begin) != (image_of[query.end_neighbour] == at_end);
  return (found->cis == query.cis) != one_differs;
}

/// @param image_of  [num_atoms] data atom by query atom
QUARRY_HD inline bool stereo_holds(const PlanView& plan, const BatchView& batch, const MoleculeView& molecule,
                                   const PatternEntry& pattern, const std::uint32_t* image_of) {
  for (std::uint32_t i = pattern.chiral.first; i < pattern.chiral.last; ++i) {
    if (!chirality_holds(plan, batch, molecule, plan.chiral_checks[i], image_of)) return false;
  }
  for (std::uint32_t i = pattern.stereo.first; i < pattern.stereo.last; ++i) {
    if (!geometry_holds(batch, molecule, plan.stereo_bonds[i], image_of)) return false;
  }
  return true;
}

}  // namespace QUARRY_TARGET
}  // namespace quarry::match
QUARRY_AFTER_TARGET();
