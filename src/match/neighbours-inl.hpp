/// Candidates with the surroundings that their query atom has: neighbours over each bond, and a ring system.
///
/// Not in SIGMo, whose first filter looks at labels alone. A query atom with three aromatic ring neighbours is found only
/// in fused rings, so most pairs that pass the labels are dropped here, before any search.
#include "exec/team.hpp"
#include "match/batch/batch.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::match {
namespace QUARRY_TARGET {

QUARRY_HD inline Index smaller(Index left, Index right) { return left < right ? left : right; }
QUARRY_HD inline Index larger(Index left, Index right) { return left < right ? right : left; }

/// Clears in `live` the queries of every marked item: each lane has its own strips of query words.
/// @param marks    bit per item
/// @param queries  [items, query_words] queries of each item
QUARRY_HD void drop_marked(Team auto& team, const std::uint64_t* marks, Index num_items, const std::uint64_t* queries,
                           Index query_words, std::uint64_t* live) {
  const Index last_word = words_for(num_items) - 1;
  const std::uint64_t in_last = ~std::uint64_t{0} >> ((last_word + 1) * kWordBits - num_items);
  team_for(team, query_words / kStripWords, [=](Index strip) {
    std::uint64_t dead[kStripWords] = {};
    const std::uint64_t* rows = queries + strip * kStripWords;
    for (Index word = 0; word <= last_word; ++word) {
      for (std::uint64_t bits = marks[word] & (word == last_word ? in_last : ~std::uint64_t{0}); bits != 0;
           bits &= bits - 1) {
        or_row(dead, rows + (word * kWordBits + lowest_bit(bits)) * query_words, kStripWords);
      }
    }
    for (Index w = 0; w < kStripWords; ++w) live[strip * kStripWords + w] &= ~dead[w];
  });
}

/// One team per molecule: the atoms that fulfil each demand and those in large enough ring systems; from these the
/// candidates of each atom class; and the queries of which every class has one. Scratch: see `neighbour_scratch_bytes`.
struct Neighbours {
  PlanView plan;
  BatchView batch;

  QUARRY_HD void operator()(Team auto& team, Index index) const {
    const MoleculeView molecule = molecule_view(batch, plan, index);
    find_plain_demands(team, molecule);
    find_other_demands(team, molecule);
    find_ring_systems(team, molecule);
    team.barrier();
    std::uint64_t* empty = reinterpret_cast<std::uint64_t*>(team.scratch().data());
    find_atom_classes(team, molecule, empty);
    team.barrier();
    drop_queries(team, index, empty);
  }

 private:
  /// Demands into predicates, all at once: a neighbour counts towards the demands that its kind and its bond fit.
  QUARRY_HD void find_plain_demands(Team auto& team, const MoleculeView& molecule) const {
    const Index demand_words = plan.plain_demand_words, used_words = words_for(plan.num_plain_demands);
    auto* rows = reinterpret_cast<std::uint64_t*>(team.scratch().data());
    for (Index w = 0; w < molecule.words; ++w) {
      const Index first = w * kWordBits, atoms = smaller(kWordBits, molecule.num_atoms - first);
      team_for(team, atoms,
               [&](Index a) { write_demands_at(molecule.first_node, first + a, rows + a * demand_words); });
      team.barrier();
      team_for(team, used_words, [&](Index demand_word) {
        alignas(64) std::uint64_t square[64];
        for (Index a = 0; a < atoms; ++a) square[a] = rows[a * demand_words + demand_word];
        for (Index a = atoms; a < kWordBits; ++a) square[a] = 0;
        transpose_bits(square);
        const Index count = smaller(kWordBits, plan.num_plain_demands - demand_word * kWordBits);
        std::uint64_t* out = molecule.masks + (plan.demand_mask() + demand_word * kWordBits) * molecule.words + w;
        for (Index i = 0; i < count; ++i) out[i * molecule.words] = square[i];
      });
      team.barrier();
    }
  }

  /// Demands into predicates that one atom fulfils, [plain_demand_words]. A strip of words at a time, so that they stay in
  /// registers.
  QUARRY_HD void write_demands_at(Index first_node, Index atom, std::uint64_t* row) const {
    const Index stride = plan.row_words + plan.plain_demand_words;
    for (Index first = 0; first < plan.plain_demand_words; first += kStripWords) {
      std::uint64_t once[kStripWords] = {}, twice[kStripWords] = {}, thrice[kStripWords] = {},
                    four_times[kStripWords] = {};
      for (Index i = batch.graphs.row_offsets[first_node + atom]; i < batch.graphs.row_offsets[first_node + atom + 1];
           ++i) {
        const Index kind = batch.graphs.node_labels[first_node + batch.graphs.neighbours[i]];
        const std::uint64_t* of_kind = batch.kind_rows.data() + kind * stride + plan.row_words + first;
        const std::uint64_t* of_bond =
            plan.demands_of_bond.data() + batch.graphs.edge_labels[i] * plan.plain_demand_words + first;
        for (Index w = 0; w < kStripWords; ++w) {
          const std::uint64_t met = of_kind[w] & of_bond[w];
          four_times[w] |= thrice[w] & met;
          thrice[w] |= twice[w] & met;
          twice[w] |= once[w] & met;
          once[w] |= met;
        }
      }
      const std::uint64_t* counts = plan.demands_of_count.data() + first;
      for (Index w = 0; w < kStripWords; ++w) {
        row[first + w] = (once[w] & counts[w]) | (twice[w] & counts[plan.plain_demand_words + w]) |
                         (thrice[w] & counts[2 * plan.plain_demand_words + w]) |
                         (four_times[w] & counts[3 * plan.plain_demand_words + w]);
      }
    }
  }

  /// Demands into programs, one by one.
  QUARRY_HD void find_other_demands(Team auto& team, const MoleculeView& molecule) const {
    team_for(team, plan.num_demands - plan.num_plain_demands, [&](Index i) {
      const Index demand = plan.num_plain_demands + i;
      std::uint64_t* out = molecule.masks + (plan.demand_mask() + demand) * molecule.words;
      for (Index w = 0; w < molecule.words; ++w) {
        const Index left = molecule.num_atoms - w * kWordBits;
        const std::uint64_t all = left >= kWordBits ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
        out[w] = atoms_that_fulfil(plan, batch, molecule, plan.demands[demand], w, all);
      }
    });
  }

  QUARRY_HD void find_ring_systems(Team auto& team, const MoleculeView& molecule) const {
    const RingSystem* systems = batch.graphs.ring_systems.data() + molecule.first_node;
    team_for(team, plan.num_ring_systems * molecule.words, [&](Index i) {
      const RingSystem least = plan.ring_systems[i / molecule.words];
      const Index first = i % molecule.words * kWordBits;
      const Index last = smaller(first + kWordBits, molecule.num_atoms);
      std::uint64_t mask = 0;
      for (Index atom = first; atom < last; ++atom) {
        const bool fits = systems[atom].num_nodes >= least.num_nodes && systems[atom].num_cycles >= least.num_cycles;
        mask |= std::uint64_t{fits} << (atom - first);
      }
      molecule.masks[plan.ring_system_mask() * molecule.words + i] = mask;
    });
  }

  /// Candidates of every atom class, and in `empty` a bit for each class that has none. Where no atom fulfils even the
  /// predicate, the queries are dead already and the bit stays clear.
  QUARRY_HD void find_atom_classes(Team auto& team, const MoleculeView& molecule, std::uint64_t* empty) const {
    team_for(team, words_for(plan.num_atom_classes), [&](Index w) { empty[w] = 0; });
    team.barrier();
    if (molecule.is_small()) {
      find_classes_of_size<0>(team, molecule, empty);
      find_classes_of_size<1>(team, molecule, empty);
      find_classes_of_size<2>(team, molecule, empty);
      find_classes_of_size<3>(team, molecule, empty);
      find_classes_of_size<4>(team, molecule, empty);
      find_classes_of_size<kMaxUnrolledMasks>(team, molecule, empty);
      find_classes_from(team, molecule, plan.atom_classes_by_size[kMaxUnrolledMasks + 1], empty);
    } else {
      find_classes_from(team, molecule, 0, empty);
    }
  }

  /// Atom classes of exactly `kSize` other masks, in a molecule of one word. A lane owns whole words of `empty`.
  /// PERF: the unrolled loops take two thirds of the instructions of find_classes_from on the 619 queries
  template <Index kSize>
  QUARRY_INLINE void find_classes_of_size(Team auto& team, const MoleculeView& molecule, std::uint64_t* empty) const {
    // Locals, not members, in the loop: a store of a mask must not make the compiler load the plan again.
    const AtomClass* classes = plan.atom_classes.data();
    const std::uint32_t* all_others = plan.atom_class_masks.data();
    const std::uint64_t* masks = molecule.masks;
    std::uint64_t* out = molecule.masks + plan.atom_class_mask();
    const Index begin = plan.atom_classes_by_size[kSize], end = plan.atom_classes_by_size[kSize + 1];
    const Index num_predicates = plan.num_predicates;
    for (Index word = begin / kWordBits + team.rank(); word * kWordBits < end; word += team.size()) {
      const Index first = larger(begin, word * kWordBits), last = smaller(end, (word + 1) * kWordBits);
      std::uint64_t without = 0;
      for (Index c = first; c < last; ++c) {
        const std::uint32_t* others = all_others + classes[c].others.first;
        const std::uint64_t all = masks[classes[c].mask];
        std::uint64_t mask = all;
        for (Index o = 0; o < kSize; ++o) mask &= masks[others[o]];
        out[c] = mask;
        const bool alive = (all != 0) | (classes[c].mask >= num_predicates);
        const bool is_empty = (mask == 0) & alive;
        without |= std::uint64_t{is_empty} << (c % kWordBits);
      }
      empty[word] |= without;
    }
    team.barrier();
  }

  /// Atom classes from `begin` on, of any number of masks, in a molecule of any size.
  QUARRY_HD void find_classes_from(Team auto& team, const MoleculeView& molecule, Index begin,
                                   std::uint64_t* empty) const {
    const Index words = molecule.words;
    for (Index word = begin / kWordBits + team.rank(); word * kWordBits < plan.num_atom_classes; word += team.size()) {
      const Index last = smaller(plan.num_atom_classes, (word + 1) * kWordBits);
      for (Index c = larger(begin, word * kWordBits); c < last; ++c) {
        const AtomClass atom_class = plan.atom_classes[c];
        std::uint64_t before = atom_class.mask >= plan.num_predicates ? 1 : 0, any = 0;
        for (Index w = 0; w < words; ++w) {
          std::uint64_t mask = molecule.mask(atom_class.mask)[w];
          before |= mask;
          for (std::uint32_t o = atom_class.others.first; o < atom_class.others.last; ++o) {
            mask &= molecule.mask(plan.atom_class_masks[o])[w];
          }
          molecule.masks[(plan.atom_class_mask() + c) * words + w] = mask;
          any |= mask;
        }
        empty[word] |= std::uint64_t{any == 0 && before != 0} << (c % kWordBits);
      }
    }
  }

  /// A query with an atom class that has no candidate is dead, unless a search that ran out of budget may be the reason.
  QUARRY_HD void drop_queries(Team auto& team, Index index, std::uint64_t* empty) const {
    std::uint64_t* live = batch.live.data() + index * plan.query_words;
    std::uint64_t* undecided = empty + words_for(plan.num_atom_classes);
    team_for(team, plan.query_words, [&](Index w) {
      undecided[w] = 0;
      if (!any_bit(batch.out_of_budget.data() + index * plan.need_words, words_for(plan.num_recursive))) return;
      for (std::uint64_t left = live[w]; left != 0; left &= left - 1) {
        const Index bit = lowest_bit(left);
        if (uses_out_of_budget(plan, batch, index, w * kWordBits + bit)) undecided[w] |= std::uint64_t{1} << bit;
      }
    });
    team.barrier();
    drop_marked(team, empty, plan.num_atom_classes, plan.queries_of_atom_class.data(), plan.query_words, live);
    team.barrier();
    team_for(team, plan.query_words, [&](Index w) { live[w] |= undecided[w]; });
  }
};

/// Bytes of scratch of Neighbours: a row of demands for 64 atoms; later a bit for each atom class and each query.
QUARRY_HD inline Index neighbour_scratch_bytes(const PlanView& plan) {
  const Index rows = kWordBits * plan.plain_demand_words, marks = words_for(plan.num_atom_classes) + plan.query_words;
  return 8 * (rows > marks ? rows : marks);
}

}  // namespace QUARRY_TARGET
}  // namespace quarry::match
QUARRY_AFTER_TARGET();
