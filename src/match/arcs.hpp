/// Neighbours of a mask: atoms bonded, over a relation, to so many atoms of the mask.
/// Compiled once per vector target, hence the guard that toggles.
#if defined(QUARRY_MATCH_ARCS) == defined(HWY_TARGET_TOGGLE)
#ifdef QUARRY_MATCH_ARCS
#undef QUARRY_MATCH_ARCS
#else
#define QUARRY_MATCH_ARCS
#endif

#include "exec/simd/row_ops.hpp"
#include "match/batch.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::match {
namespace QUARRY_TARGET {

using namespace ::quarry::QUARRY_TARGET;  // row_ops

/// Does the query use a `$()` body whose search ran out of budget? Then only the join may speak of the pair.
QUARRY_HD inline bool needs_unknown_body(const PlanView& plan, const BatchView& batch, Index molecule, Index query) {
  return shares_bits(plan.needs.data() + query * plan.need_words, batch.unknown.data() + molecule * plan.need_words,
                     words_for(plan.num_bodies));
}

/// Has an atom of a large molecule the neighbours that the arc asks for?
QUARRY_HD inline bool has_neighbours(const PlanView& plan, const BatchView& batch, const MoleculeView& molecule,
                                     Arc arc, Index atom) {
  const std::uint64_t* mask = molecule.mask(arc.mask);
  const Index node = molecule.first_node + atom;
  std::uint32_t count = 0;
  for (Index i = batch.graphs.row_offsets[node]; i < batch.graphs.row_offsets[node + 1]; ++i) {
    const std::uint32_t next = batch.graphs.neighbours[i];
    const bool in_mask = (mask[next / 64] >> (next % 64) & 1) != 0;
    count += in_mask && plan.accepts(arc.relation, batch.graphs.edge_labels[i]) ? 1 : 0;
  }
  return count >= arc.count;
}

/// Atoms in at least `count` of the relation's rows over a mask, in a molecule of at most 64 atoms.
QUARRY_INLINE std::uint64_t in_rows(const std::uint64_t* relation, std::uint64_t mask, std::uint32_t count) {
  std::uint64_t once = 0, twice = 0, thrice = 0, four_times = 0;
  if (count == 1) {
    for (; mask != 0; mask &= mask - 1) once |= relation[lowest_bit(mask)];
    return once;
  }
  for (; mask != 0; mask &= mask - 1) {
    const std::uint64_t row = relation[lowest_bit(mask)];
    four_times |= thrice & row;
    thrice |= twice & row;
    twice |= once & row;
    once |= row;
  }
  return count == 2 ? twice : count == 3 ? thrice : four_times;
}

/// One word of the neighbours of the arc's mask, only the bits of `among` being asked for.
QUARRY_HD inline std::uint64_t neighbours_in(const PlanView& plan, const BatchView& batch, const MoleculeView& molecule,
                                             Arc arc, Index word, std::uint64_t among) {
  if (molecule.is_small()) {
    return in_rows(molecule.relations + arc.relation * molecule.num_atoms, molecule.masks[arc.mask], arc.count) & among;
  }
  std::uint64_t found = 0;
  for (; among != 0; among &= among - 1) {
    const Index bit = lowest_bit(among);
    if (has_neighbours(plan, batch, molecule, arc, word * kWordBits + bit)) found |= std::uint64_t{1} << bit;
  }
  return found;
}

/// Drops the atoms of `mask` without such neighbours.
template <class AnyTeam>
QUARRY_HD void keep_with_neighbours(AnyTeam& team, const PlanView& plan, const BatchView& batch,
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
