/// Candidates of the atom classes that environments do not decide alone: expressions with `$()`, and demands for neighbours
/// of such an expression.
///
/// Not in SIGMo, whose first filter looks at labels alone. A query atom with three aromatic ring neighbours is found only
/// in fused rings, so most pairs that pass the labels are dropped here, before any search.
#include "exec/team.hpp"
#include "match/batch/batch.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::match {
namespace QUARRY_TARGET {

QUARRY_HD inline Index smaller(Index left, Index right) { return left < right ? left : right; }

/// One team per molecule: the candidates of each atom class that is not plain, and the queries of which every class has one.
struct Neighbours {
  PlanView plan;
  BatchView batch;

  QUARRY_HD void operator()(Team auto& team, Index index) const {
    const MoleculeView molecule = molecule_view(batch, plan, index);
    find_atom_classes(team, molecule);
    team.barrier();
    drop_queries(team, molecule);
  }

 private:
  /// Of the atoms that environments left in a class, those in its other masks and with the neighbours that it demands; where
  /// a live query has such an atom.
  QUARRY_HD void find_atom_classes(Team auto& team, const MoleculeView& molecule) const {
    // Locals, not members, in the loop: a store of a mask must not make the compiler load the plan again.
    const OtherClass* classes = plan.other_classes.data();
    const std::uint32_t* other_masks = plan.other_masks.data();
    const std::uint64_t* masks = molecule.masks;
    const Index words = molecule.words;
    std::uint64_t* out = molecule.masks + (plan.atom_class_mask() + plan.num_plain_classes) * words;
    const auto* needed = reinterpret_cast<const LaneBits*>(batch.needed.data() + molecule.index * plan.need_words +
                                                           plan.first_class_need() / kWordBits);
    team_for(team, (plan.other_classes.size() + kLaneBits - 1) / kLaneBits, [&](Index part) {
      for (std::uint64_t left = needed[part]; left != 0; left &= left - 1) {
        const Index c = part * kLaneBits + lowest_bit(left);
        for (Index w = 0; w < words; ++w) {
          std::uint64_t mask = out[c * words + w];
          for (std::uint32_t o = classes[c].masks.first; o < classes[c].masks.last; ++o)
            mask &= masks[other_masks[o] * words + w];
          for (std::uint32_t d = classes[c].demands.first; mask != 0 && d < classes[c].demands.last; ++d)
            mask = atoms_that_fulfil(plan, batch, molecule, plan.demands[d], w, mask);
          out[c * words + w] = mask;
        }
      }
    });
  }

  /// A query with one of these classes that has no candidate is dead, unless a search that ran out of budget may be the reason.
  QUARRY_HD void drop_queries(Team auto& team, const MoleculeView& molecule) const {
    auto* live = reinterpret_cast<LaneBits*>(batch.live.data() + molecule.index * plan.query_words);
    const auto* with_needs = reinterpret_cast<const LaneBits*>(plan.queries_with_needs.data());
    team_for(team, plan.query_words * kWordBits / kLaneBits, [&](Index part) {
      LaneBits alive = live[part];
      for (std::uint64_t left = alive & with_needs[part]; left != 0; left &= left - 1) {
        const Index bit = lowest_bit(left), query = part * kLaneBits + bit;
        if (has_candidates(molecule, plan.query_others[query])) continue;
        if (!uses_out_of_budget(plan, batch, molecule.index, query)) alive &= ~(LaneBits{1} << bit);
      }
      live[part] = alive;
    });
  }
  QUARRY_HD bool has_candidates(const MoleculeView& molecule, Range others) const {
    for (std::uint32_t i = others.first; i < others.last; ++i) {
      if (!any_bit(molecule.mask(plan.query_other_masks[i]), molecule.words)) return false;
    }
    return true;
  }
};

}  // namespace QUARRY_TARGET
}  // namespace quarry::match
QUARRY_AFTER_TARGET();
