/// Neighbours of a mask: atoms bonded, over a relation, to an atom of the mask.
/// Compiled once per vector target, hence the guard that toggles.
#if defined(QUARRY_MATCH_ARCS) == defined(HWY_TARGET_TOGGLE)
#ifdef QUARRY_MATCH_ARCS
#undef QUARRY_MATCH_ARCS
#else
#define QUARRY_MATCH_ARCS
#endif

#include "exec/row_ops.hpp"
#include "match/batch.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::match {
namespace QUARRY_TARGET {

/// Does an atom of a large molecule have a neighbour over the arc's relation in the arc's mask?
QUARRY_HD inline bool has_neighbour(const PlanView& plan, const BatchView& batch, const MoleculeView& molecule, Arc arc,
                                    Index atom) {
  const std::uint64_t* mask = molecule.mask(arc.mask);
  const Index node = molecule.first_node + atom;
  for (Index i = batch.graphs.row_offsets[node]; i < batch.graphs.row_offsets[node + 1]; ++i) {
    const std::uint32_t next = batch.graphs.neighbours[i];
    const bool in_mask = (mask[next / 64] >> (next % 64) & 1) != 0;
    if (in_mask && plan.accepts(arc.relation, batch.graphs.edge_labels[i])) return true;
  }
  return false;
}

/// Union of the relation's rows over a mask, in a molecule of at most 64 atoms.
QUARRY_INLINE std::uint64_t union_of_rows(const std::uint64_t* relation, std::uint64_t mask) {
  std::uint64_t found = 0;
  for (; mask != 0; mask &= mask - 1) found |= relation[lowest_bit(mask)];
  return found;
}

/// One word of the neighbours of the arc's mask, only the bits of `among` being asked for.
QUARRY_HD inline std::uint64_t neighbours_in(const PlanView& plan, const BatchView& batch, const MoleculeView& molecule,
                                             Arc arc, Index word, std::uint64_t among) {
  if (molecule.is_small()) {
    return union_of_rows(molecule.relations + arc.relation * molecule.num_atoms, molecule.masks[arc.mask]) & among;
  }
  std::uint64_t found = 0;
  for (; among != 0; among &= among - 1) {
    const Index bit = lowest_bit(among);
    if (has_neighbour(plan, batch, molecule, arc, word * kWordBits + bit)) found |= std::uint64_t{1} << bit;
  }
  return found;
}

/// Drops the atoms of `mask` without such a neighbour.
template <class AnyTeam>
QUARRY_HD void keep_with_neighbour(AnyTeam& team, const PlanView& plan, const BatchView& batch,
                                   const MoleculeView& molecule, Arc arc, std::uint64_t* mask) {
  for (Index w = team.rank(); w < molecule.words; w += team.size()) {
    mask[w] = neighbours_in(plan, batch, molecule, arc, w, mask[w]);
  }
  team.barrier();
}

}  // namespace QUARRY_TARGET
}  // namespace quarry::match
QUARRY_AFTER_TARGET();

#endif
