/// Candidates that have the surroundings their query atom has: neighbours over each bond, and a ring block.
///
/// Not in SIGMo, whose first filter looks at labels alone. A query atom that needs three aromatic ring neighbours is
/// found only in fused rings, so most pairs that labels let through end here, before any search.
/// Compiled once per vector target, hence the guard that toggles.
#if defined(QUARRY_MATCH_NEIGHBOURS) == defined(HWY_TARGET_TOGGLE)
#ifdef QUARRY_MATCH_NEIGHBOURS
#undef QUARRY_MATCH_NEIGHBOURS
#else
#define QUARRY_MATCH_NEIGHBOURS
#endif

#include "exec/simd/row_ops.hpp"
#include "exec/team.hpp"
#include "match/arcs.hpp"
#include "match/batch.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::match {
namespace QUARRY_TARGET {

QUARRY_HD inline Index smaller(Index left, Index right) { return left < right ? left : right; }
QUARRY_HD inline Index larger(Index left, Index right) { return left < right ? right : left; }

/// Clears in `live` the queries that some marked item takes part in: the lanes take turns at blocks of query words.
/// @param marks    bit per item
/// @param queries  [items, query_words]
template <class AnyTeam>
QUARRY_HD void drop_marked(AnyTeam& team, const std::uint64_t* marks, Index num_items, const std::uint64_t* queries,
                           Index query_words, std::uint64_t* live) {
  const Index last_word = words_for(num_items) - 1;
  const std::uint64_t in_last = ~std::uint64_t{0} >> ((last_word + 1) * kWordBits - num_items);
  team_for(team, query_words / kRowBlock, [=](Index block) {
    std::uint64_t dead[kRowBlock] = {};
    const std::uint64_t* rows = queries + block * kRowBlock;
    for (Index word = 0; word <= last_word; ++word) {
      for (std::uint64_t bits = marks[word] & (word == last_word ? in_last : ~std::uint64_t{0}); bits != 0;
           bits &= bits - 1) {
        or_row(dead, rows + (word * kWordBits + lowest_bit(bits)) * query_words, kRowBlock);
      }
    }
    for (Index w = 0; w < kRowBlock; ++w) live[block * kRowBlock + w] &= ~dead[w];
  });
}

/// One team per molecule: atoms with neighbours in another mask, atoms in ring blocks, from these the candidates of
/// each node, and the queries of which every node has one. Scratch: see `neighbour_scratch_bytes`.
struct Neighbours {
  PlanView plan;
  BatchView batch;

  template <class AnyTeam>
  QUARRY_HD void operator()(AnyTeam& team, Index index) const {
    const MoleculeView molecule = molecule_view(batch, plan, index);
    find_plain_arcs(team, molecule);
    find_other_arcs(team, molecule);
    find_blocks(team, molecule);
    team.barrier();
    std::uint64_t* empty = reinterpret_cast<std::uint64_t*>(team.scratch().data());
    find_nodes(team, molecule, empty);
    team.barrier();
    drop_queries(team, index, empty);
  }

 private:
  /// Arcs into predicates, for all arcs at once: a neighbour serves the arcs of its kind that its bond's label admits.
  template <class AnyTeam>
  QUARRY_HD void find_plain_arcs(AnyTeam& team, const MoleculeView& molecule) const {
    const Index arc_words = plan.plain_arc_words, used_words = words_for(plan.num_plain_arcs);
    auto* rows = reinterpret_cast<std::uint64_t*>(team.scratch().data());
    for (Index w = 0; w < molecule.words; ++w) {
      const Index first = w * kWordBits, atoms = smaller(kWordBits, molecule.num_atoms - first);
      team_for(team, atoms, [&](Index a) { serve_arcs(molecule.first_node, first + a, rows + a * arc_words); });
      team.barrier();
      team_for(team, used_words, [&](Index arc_word) {
        alignas(64) std::uint64_t block[64];
        for (Index a = 0; a < atoms; ++a) block[a] = rows[a * arc_words + arc_word];
        for (Index a = atoms; a < kWordBits; ++a) block[a] = 0;
        transpose_bits(block);
        const Index count = smaller(kWordBits, plan.num_plain_arcs - arc_word * kWordBits);
        std::uint64_t* out = molecule.masks + (plan.arc_mask() + arc_word * kWordBits) * molecule.words + w;
        for (Index i = 0; i < count; ++i) out[i * molecule.words] = block[i];
      });
      team.barrier();
    }
  }

  /// Arcs that hold at one atom, [plain_arc_words]. A block of words at a time, so that they stay in registers.
  QUARRY_HD void serve_arcs(Index first_node, Index atom, std::uint64_t* row) const {
    constexpr Index kBlock = kRowBlock;
    const Index stride = plan.row_words + plan.plain_arc_words;
    for (Index first = 0; first < plan.plain_arc_words; first += kBlock) {
      std::uint64_t once[kBlock] = {}, twice[kBlock] = {}, thrice[kBlock] = {}, four_times[kBlock] = {};
      for (Index i = batch.graphs.row_offsets[first_node + atom]; i < batch.graphs.row_offsets[first_node + atom + 1];
           ++i) {
        const Index kind = batch.graphs.node_labels[first_node + batch.graphs.neighbours[i]];
        const std::uint64_t* serves = batch.kind_rows.data() + kind * stride + plan.row_words + first;
        const std::uint64_t* admits =
            plan.label_arcs.data() + batch.graphs.edge_labels[i] * plan.plain_arc_words + first;
        for (Index w = 0; w < kBlock; ++w) {
          const std::uint64_t served = serves[w] & admits[w];
          four_times[w] |= thrice[w] & served;
          thrice[w] |= twice[w] & served;
          twice[w] |= once[w] & served;
          once[w] |= served;
        }
      }
      const std::uint64_t* counts = plan.count_arcs.data() + first;
      for (Index w = 0; w < kBlock; ++w) {
        row[first + w] = (once[w] & counts[w]) | (twice[w] & counts[plan.plain_arc_words + w]) |
                         (thrice[w] & counts[2 * plan.plain_arc_words + w]) |
                         (four_times[w] & counts[3 * plan.plain_arc_words + w]);
      }
    }
  }

  /// Arcs into bodies and programs, one by one.
  template <class AnyTeam>
  QUARRY_HD void find_other_arcs(AnyTeam& team, const MoleculeView& molecule) const {
    team_for(team, plan.num_arcs - plan.num_plain_arcs, [&](Index i) {
      const Index arc = plan.num_plain_arcs + i;
      std::uint64_t* out = molecule.masks + (plan.arc_mask() + arc) * molecule.words;
      for (Index w = 0; w < molecule.words; ++w) {
        const Index left = molecule.num_atoms - w * kWordBits;
        const std::uint64_t all = left >= kWordBits ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
        out[w] = neighbours_in(plan, batch, molecule, plan.arcs[arc], w, all);
      }
    });
  }

  template <class AnyTeam>
  QUARRY_HD void find_blocks(AnyTeam& team, const MoleculeView& molecule) const {
    const RingBlock* blocks = batch.graphs.ring_blocks.data() + molecule.first_node;
    team_for(team, plan.num_blocks * molecule.words, [&](Index i) {
      const RingBlock least = plan.blocks[i / molecule.words];
      const Index first = i % molecule.words * kWordBits;
      const Index last = smaller(first + kWordBits, molecule.num_atoms);
      std::uint64_t mask = 0;
      for (Index atom = first; atom < last; ++atom) {
        const bool fits = blocks[atom].num_nodes >= least.num_nodes && blocks[atom].num_cycles >= least.num_cycles;
        mask |= static_cast<std::uint64_t>(fits) << (atom - first);
      }
      molecule.masks[plan.block_mask() * molecule.words + i] = mask;
    });
  }

  /// Candidates of every node, and in `empty` a bit for each node that has none. Where already its predicate has no
  /// atom, its queries are dead and the bit stays clear.
  template <class AnyTeam>
  QUARRY_HD void find_nodes(AnyTeam& team, const MoleculeView& molecule, std::uint64_t* empty) const {
    team_for(team, words_for(plan.num_nodes), [&](Index w) { empty[w] = 0; });
    team.barrier();
    if (molecule.is_small()) {
      find_nodes_of<0>(team, molecule, empty);
      find_nodes_of<1>(team, molecule, empty);
      find_nodes_of<2>(team, molecule, empty);
      find_nodes_of<3>(team, molecule, empty);
      find_nodes_of<4>(team, molecule, empty);
      find_nodes_of<kMaxNodeSize>(team, molecule, empty);
      find_nodes_from(team, molecule, plan.nodes_by_size[kMaxNodeSize + 1], empty);
    } else {
      find_nodes_from(team, molecule, 0, empty);
    }
  }

  /// Nodes of exactly `kSize` other masks, in a molecule of one word. A lane owns whole words of `empty`.
  /// PERF: the unrolled loops take two thirds of the instructions of find_nodes_from on the 619 queries
  template <Index kSize, class AnyTeam>
  QUARRY_INLINE void find_nodes_of(AnyTeam& team, const MoleculeView& molecule, std::uint64_t* empty) const {
    // Locals, not members, in the loop: a store of a mask must not make the compiler load the plan again.
    const Node* nodes = plan.nodes.data();
    const std::uint32_t* all_others = plan.node_masks.data();
    const std::uint64_t* masks = molecule.masks;
    std::uint64_t* out = molecule.masks + plan.node_mask();
    const Index begin = plan.nodes_by_size[kSize], end = plan.nodes_by_size[kSize + 1];
    const Index num_predicates = plan.num_predicates;
    for (Index word = begin / kWordBits + team.rank(); word * kWordBits < end; word += team.size()) {
      const Index first = larger(begin, word * kWordBits), last = smaller(end, (word + 1) * kWordBits);
      std::uint64_t without = 0;
      for (Index n = first; n < last; ++n) {
        const std::uint32_t* others = all_others + nodes[n].others.first;
        const std::uint64_t all = masks[nodes[n].mask];
        std::uint64_t mask = all;
        for (Index o = 0; o < kSize; ++o) mask &= masks[others[o]];
        out[n] = mask;
        const bool alive = (all != 0) | (nodes[n].mask >= num_predicates);
        without |= static_cast<std::uint64_t>((mask == 0) & alive) << (n % kWordBits);
      }
      empty[word] |= without;
    }
    team.barrier();
  }

  /// Nodes from `begin` on, of any number of masks, in a molecule of any size.
  template <class AnyTeam>
  QUARRY_HD void find_nodes_from(AnyTeam& team, const MoleculeView& molecule, Index begin, std::uint64_t* empty) const {
    const Index words = molecule.words;
    for (Index word = begin / kWordBits + team.rank(); word * kWordBits < plan.num_nodes; word += team.size()) {
      const Index last = smaller(plan.num_nodes, (word + 1) * kWordBits);
      for (Index n = larger(begin, word * kWordBits); n < last; ++n) {
        const Node node = plan.nodes[n];
        std::uint64_t before = node.mask >= plan.num_predicates ? 1 : 0, any = 0;
        for (Index w = 0; w < words; ++w) {
          std::uint64_t mask = molecule.mask(node.mask)[w];
          before |= mask;
          for (std::uint32_t o = node.others.first; o < node.others.last; ++o) {
            mask &= molecule.mask(plan.node_masks[o])[w];
          }
          molecule.masks[(plan.node_mask() + n) * words + w] = mask;
          any |= mask;
        }
        empty[word] |= static_cast<std::uint64_t>(any == 0 && before != 0) << (n % kWordBits);
      }
    }
  }

  /// A query with a node that has no candidate is dead, unless that rests on a body that was not searched to its end.
  template <class AnyTeam>
  QUARRY_HD void drop_queries(AnyTeam& team, Index index, std::uint64_t* empty) const {
    std::uint64_t* live = batch.live.data() + index * plan.query_words;
    std::uint64_t* undecided = empty + words_for(plan.num_nodes);
    team_for(team, plan.query_words, [&](Index w) {
      undecided[w] = 0;
      if (!any_bit(batch.unknown.data() + index * plan.need_words, words_for(plan.num_bodies))) return;
      for (std::uint64_t left = live[w]; left != 0; left &= left - 1) {
        const Index bit = lowest_bit(left);
        if (needs_unknown_body(plan, batch, index, w * kWordBits + bit)) undecided[w] |= std::uint64_t{1} << bit;
      }
    });
    team.barrier();
    drop_marked(team, empty, plan.num_nodes, plan.node_queries.data(), plan.query_words, live);
    team.barrier();
    team_for(team, plan.query_words, [&](Index w) { live[w] |= undecided[w]; });
  }
};

/// Bytes of scratch of Neighbours: a row of arcs for 64 atoms; later a bit for each node and each query.
QUARRY_HD inline Index neighbour_scratch_bytes(const PlanView& plan) {
  const Index rows = kWordBits * plan.plain_arc_words, nodes = words_for(plan.num_nodes) + plan.query_words;
  return 8 * (rows > nodes ? rows : nodes);
}

}  // namespace QUARRY_TARGET
}  // namespace quarry::match
QUARRY_AFTER_TARGET();

#endif
