/// Which atoms fulfil a demand for neighbours, and which queries rest on a search that was cut short.
#include "match/batch/batch.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::match {
namespace QUARRY_TARGET {

using namespace ::quarry::QUARRY_TARGET;  // row_ops, atomic

/// Queries or atom classes, as bits, that a lane decides at a time. The bits of a byte are those of its word, on every machine
/// that we know.
#ifdef QUARRY_SCALAR
using LaneBits = std::uint8_t;
#else
using LaneBits = std::uint64_t;
#endif
inline constexpr Index kLaneBits = 8 * sizeof(LaneBits);

/// Does the query use a recursive pattern whose search ran out of budget? Then the pair must not be dropped before the
/// join, which reports it as a timeout.
QUARRY_HD inline bool uses_out_of_budget(const PlanView& plan, const BatchView& batch, Index molecule, Index query) {
  return shares_bits(plan.needs.data() + query * plan.need_words,
                     batch.out_of_budget.data() + molecule * plan.need_words, words_for(plan.num_recursive));
}

/// Does an atom fulfil a demand? For large molecules.
QUARRY_HD inline bool fulfils(const PlanView& plan, const BatchView& batch, const MoleculeView& molecule,
                              NeighbourDemand demand, Index atom) {
  const std::uint64_t* mask = molecule.mask(demand.mask);
  const Index node = molecule.first_node + atom;
  std::uint32_t count = 0;
  for (Index i = batch.graphs.row_offsets[node]; i < batch.graphs.row_offsets[node + 1]; ++i) {
    const std::uint32_t next = batch.graphs.neighbours[i];
    const bool in_mask = (mask[next / 64] >> (next % 64) & 1) != 0;
    count += in_mask && plan.accepts(demand.relation, batch.graphs.edge_labels[i]) ? 1 : 0;
  }
  return count >= demand.count;
}

/// The atoms of one word that fulfil a demand. @param among  the bits that are asked for
QUARRY_HD inline std::uint64_t atoms_that_fulfil(const PlanView& plan, const BatchView& batch,
                                                 const MoleculeView& molecule, NeighbourDemand demand, Index word,
                                                 std::uint64_t among) {
  std::uint64_t found = 0;
  if (molecule.is_small()) {
    const std::uint64_t* neighbours = molecule.relations + demand.relation * molecule.num_atoms;
    const std::uint64_t mask = molecule.masks[demand.mask];
    for (; mask != 0 && among != 0; among &= among - 1) {
      const Index atom = lowest_bit(among);
      found |= std::uint64_t{count_bits(neighbours[atom] & mask) >= demand.count} << atom;
    }
    return found;
  }
  for (; among != 0; among &= among - 1) {
    const Index bit = lowest_bit(among);
    if (fulfils(plan, batch, molecule, demand, word * kWordBits + bit)) found |= std::uint64_t{1} << bit;
  }
  return found;
}

/// Drops the atoms of `mask` that do not fulfil a demand.
QUARRY_HD void keep_fulfilling(Team auto& team, const PlanView& plan, const BatchView& batch,
                               const MoleculeView& molecule, NeighbourDemand demand, std::uint64_t* mask) {
  for (Index w = team.rank(); w < molecule.words; w += team.size()) {
    mask[w] = atoms_that_fulfil(plan, batch, molecule, demand, w, mask[w]);
  }
  team.barrier();
}

}  // namespace QUARRY_TARGET
}  // namespace quarry::match
QUARRY_AFTER_TARGET();
