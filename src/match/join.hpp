/// The two kernels that search: masks of `$()` bodies, and the join of the surviving pairs.
/// Compiled once per vector target, hence the guard that toggles.
#if defined(QUARRY_MATCH_JOIN) == defined(HWY_TARGET_TOGGLE)
#ifdef QUARRY_MATCH_JOIN
#undef QUARRY_MATCH_JOIN
#else
#define QUARRY_MATCH_JOIN
#endif

#include "exec/team.hpp"
#include "match/arcs.hpp"
#include "match/search.hpp"
#include "match/stereo.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::match {
namespace QUARRY_TARGET {

/// Evaluates an expression program on one word of masks.
QUARRY_HD inline std::uint64_t run_program(const PlanView& plan, const MoleculeView& molecule, Range program,
                                           Index word) {
  std::uint64_t stack[kProgramStack];
  int top = -1;
  for (std::uint32_t i = program.first; i < program.last; ++i) {
    const std::uint32_t operation = plan.operations[i];
    if (operation == kOpNot) {
      stack[top] = ~stack[top];
    } else if (operation == kOpAnd) {
      --top;
      stack[top] &= stack[top + 1];
    } else if (operation == kOpOr) {
      --top;
      stack[top] |= stack[top + 1];
    } else {
      stack[++top] = molecule.mask(operation)[word];
    }
  }
  const Index left = molecule.num_atoms - word * kWordBits;
  return left >= kWordBits ? stack[0] : stack[0] & ((std::uint64_t{1} << left) - 1);
}

/// Memory for one search of either kind, laid out in a team's scratch.
template <class AnyMolecule>
QUARRY_HD SearchStack<AnyMolecule> stack_in(View<std::byte> scratch, Index max_pattern_atoms) {
  auto* options = reinterpret_cast<typename AnyMolecule::Options*>(scratch.data());
  return {options, reinterpret_cast<std::uint32_t*>(options + max_pattern_atoms)};
}

/// Bytes that searches of patterns of that many atoms in molecules of that many words need: stack, used bits, and a
/// copy of the images by query atom.
QUARRY_HD inline Index search_scratch_bytes(Index max_pattern_atoms, Index max_words) {
  constexpr auto kOptions = static_cast<Index>(sizeof(LargeMolecule::Options));
  return max_pattern_atoms * (kOptions + 8) + max_words * 8 + 64;
}

/// Images by query atom, behind the stack.
template <class AnyMolecule>
QUARRY_HD std::uint32_t* images_by_atom(const SearchStack<AnyMolecule>& stack, Index max_pattern_atoms) {
  return stack.images + max_pattern_atoms;
}

template <class AnyMolecule>
QUARRY_HD std::uint64_t* used_bits(const SearchStack<AnyMolecule>& stack, Index max_pattern_atoms) {
  return reinterpret_cast<std::uint64_t*>(stack.images + 2 * max_pattern_atoms);
}

QUARRY_HD inline bool has_stereo(const PatternEntry& pattern) {
  return pattern.chiral.first != pattern.chiral.last || pattern.stereo.first != pattern.stereo.last;
}

/// One team per molecule: masks of the `$()` bodies that live queries need, inner bodies first, then of the
/// expressions.
struct Bodies {
  PlanView plan;
  BatchView batch;
  Index max_pattern_atoms = 0;

  template <class AnyTeam>
  QUARRY_HD void operator()(AnyTeam& team, Index index) const {
    MoleculeView molecule = molecule_view(batch, plan, index);
    // The signature that asks for nothing, which is all that the atoms of bodies have.
    team_for(team, molecule.words, [&](Index w) { molecule.mask(plan.signature_mask())[w] = ~std::uint64_t{0}; });
    std::uint64_t* unknown = batch.unknown.data() + index * plan.need_words;
    const std::uint64_t* needed = batch.needed.data() + index * plan.need_words;
    team_for(team, words_for(plan.num_bodies), [&](Index w) { unknown[w] = 0; });
    team.barrier();
    for (Index body = 0; body < plan.num_bodies; ++body) {
      if ((needed[body / kWordBits] >> (body % kWordBits) & 1) != 0) {
        search_body(team, molecule, body, unknown);
      } else {
        clear(team, molecule, plan.body_mask() + body);
      }
      team.barrier();
    }
    team_for(team, plan.num_programs, [&](Index program) {
      const Index bit = plan.num_bodies + program;
      if ((needed[bit / kWordBits] >> (bit % kWordBits) & 1) != 0) {
        evaluate(molecule, program);
      } else {
        for (Index w = 0; w < molecule.words; ++w) molecule.mask(plan.program_mask() + program)[w] = 0;
      }
    });
  }

 private:
  template <class AnyTeam>
  QUARRY_HD void clear(AnyTeam& team, MoleculeView& molecule, Index mask) const {
    team_for(team, molecule.words, [&](Index w) { molecule.mask(mask)[w] = 0; });
  }

  QUARRY_HD void evaluate(MoleculeView& molecule, Index program) const {
    for (Index w = 0; w < molecule.words; ++w) {
      molecule.mask(plan.program_mask() + program)[w] = run_program(plan, molecule, plan.programs[program], w);
    }
  }

  template <class AnyTeam>
  QUARRY_HD void search_body(AnyTeam& team, MoleculeView& molecule, Index body, std::uint64_t* unknown) const {
    const PatternEntry& pattern = plan.patterns[body];
    team_for(team, pattern.programs.last - pattern.programs.first,
             [&](Index i) { evaluate(molecule, plan.pattern_programs[pattern.programs.first + i]); });
    team.barrier();
    const bool possible = may_match(molecule, pattern);
    const Root root = plan.roots[pattern.roots.first];
    std::uint64_t* result = molecule.mask(plan.body_mask() + body);
    team_for(team, molecule.words, [&](Index w) { result[w] = possible ? molecule.mask(root.mask)[w] : 0; });
    team.barrier();
    for (std::uint32_t a = pattern.arcs.first; possible && a < pattern.arcs.last; ++a) {
      keep_with_neighbours(team, plan, batch, molecule, plan.body_arcs[a], result);
    }
    if (pattern.arcs_decide) return;
    bool timeout = false;
    for (Index w = 0; w < molecule.words; ++w) {
      std::uint64_t found = 0;
      Index turn = 0;
      for (std::uint64_t left = result[w]; left != 0; left &= left - 1, ++turn) {
        if (turn % team.size() != team.rank()) continue;
        const Index atom = lowest_bit(left);
        if (matches_at(team, molecule, pattern, root, w * kWordBits + atom, timeout)) {
          found |= std::uint64_t{1} << atom;
        }
      }
      // Lanes hold different bits, so their sum is their union.
      found = static_cast<std::uint64_t>(team.sum(static_cast<Index>(found)));
      if (team.rank() == 0) result[w] = found;
    }
    if (team.any(timeout) && team.rank() == 0) unknown[body / 64] |= std::uint64_t{1} << (body % 64);
  }

  /// Has every atom of the body a candidate?
  QUARRY_HD bool may_match(const MoleculeView& molecule, const PatternEntry& pattern) const {
    for (std::uint32_t i = pattern.atoms.first; i < pattern.atoms.last; ++i) {
      std::uint64_t any = 0;
      for (Index w = 0; w < molecule.words; ++w) any |= molecule.mask(plan.pattern_atoms[i].mask)[w];
      if (any == 0) return false;
    }
    return true;
  }

  template <class AnyTeam>
  QUARRY_HD bool matches_at(AnyTeam& team, const MoleculeView& molecule, const PatternEntry& pattern, Root root,
                            Index atom, bool& timeout) const {
    const auto scratch =
        team.scratch().part(team.scratch().size() / team.size() * team.rank(), team.scratch().size() / team.size());
    return molecule.is_small() ? matches_in<SmallMolecule>(scratch, molecule, pattern, root, atom, timeout)
                               : matches_in<LargeMolecule>(scratch, molecule, pattern, root, atom, timeout);
  }

  template <class AnyMolecule>
  QUARRY_HD bool matches_in(View<std::byte> scratch, const MoleculeView& view, const PatternEntry& pattern, Root root,
                            Index atom, bool& timeout) const {
    const auto stack = stack_in<AnyMolecule>(scratch, max_pattern_atoms);
    AnyMolecule molecule(plan, batch, view, used_bits(stack, max_pattern_atoms));
    const Step* steps = plan.steps.data() + root.first_step;
    stack.options[0] = AnyMolecule::only(atom);
    Index budget = batch.pair_budget == 0 ? INT64_MAX : batch.pair_budget;  // per atom, so that lanes share none
    SearchEnd end;
    if (!has_stereo(pattern)) {
      end = search<false>(molecule, steps, pattern.num_atoms, stack, 1, budget,
                          [](const std::uint32_t*) { return true; });
    } else {
      std::uint32_t* image_of = images_by_atom(stack, max_pattern_atoms);
      end = search<true>(molecule, steps, pattern.num_atoms, stack, 1, budget, [&](const std::uint32_t* images) {
        for (Index i = 0; i < pattern.num_atoms; ++i) image_of[steps[i].query_atom] = images[i];
        return stereo_holds(plan, batch, view, pattern, image_of);
      });
    }
    timeout = timeout || end.timeout;
    return end.found > 0;
  }
};

/// Where the join of a pair begins, and in how many places of the molecule.
struct BestRoot {
  Root root;
  Index candidates = INT64_MAX;
};

/// The root whose atom has the fewest candidates. Signatures are left out, so that refinement cannot change the order
/// in which embeddings are found.
QUARRY_HD inline BestRoot best_root(const PlanView& plan, const MoleculeView& molecule, const PatternEntry& pattern) {
  BestRoot best;
  for (std::uint32_t r = pattern.roots.first; r < pattern.roots.last; ++r) {
    Index count = 0;
    for (Index w = 0; w < molecule.words; ++w) count += count_bits(molecule.mask(plan.roots[r].mask)[w]);
    if (count < best.candidates) best = {plan.roots[r], count};
  }
  return best;
}

/// One item per pair: what its join will cost, for the order of the joins on a device. Pairs of one query that begin
/// with the same atom walk the same steps, and as often as they have candidates to begin with.
struct RankPairs {
  PlanView plan;
  BatchView batch;
  View<std::uint64_t> keys;   ///< out
  View<std::uint32_t> order;  ///< out: to be sorted by the keys

  QUARRY_HD void operator()(Index index) const {
    const Pair pair = batch.pairs[index];
    const BestRoot best = best_root(plan, molecule_view(batch, plan, pair.molecule), plan.query(pair.query));
    keys[index] = static_cast<std::uint64_t>(best.root.first_step) << 32 | static_cast<std::uint64_t>(best.candidates);
    order[index] = static_cast<std::uint32_t>(index);
  }
};

/// One team per pair: counts embeddings, or writes those counted before.
struct Join {
  PlanView plan;
  BatchView batch;
  Index max_pattern_atoms = 0;
  Index limit = 0;                    ///< stop once this many are found
  View<PairResult> results;           ///< [pairs], out when counting
  View<const Index> mapping_offsets;  ///< [pairs + 1] into `mappings` when writing, else empty
  View<std::uint32_t> mappings;       ///< out: data atom per query atom

  template <class AnyTeam>
  QUARRY_HD void operator()(AnyTeam& team, Index turn) const {
    if (team.rank() != 0) return;
    const Index index = batch.order.size() == 0 ? turn : batch.order[turn];
    const Pair pair = batch.pairs[index];
    const MoleculeView molecule = molecule_view(batch, plan, pair.molecule);
    if (molecule.is_small()) {
      join<SmallMolecule>(team.scratch(), molecule, index, pair.query);
    } else {
      join<LargeMolecule>(team.scratch(), molecule, index, pair.query);
    }
  }

 private:
  template <class AnyMolecule>
  QUARRY_HD void join(View<std::byte> scratch, const MoleculeView& view, Index index, Index query) const {
    const PatternEntry& pattern = plan.query(query);
    const auto stack = stack_in<AnyMolecule>(scratch, max_pattern_atoms);
    AnyMolecule molecule(plan, batch, view, used_bits(stack, max_pattern_atoms));
    const Step* steps = plan.steps.data() + best_root(plan, view, pattern).root.first_step;
    stack.options[0] = molecule.options(steps[0], stack.images);
    if (mapping_offsets.size() != 0) {
      write(molecule, view, pattern, steps, stack, index);
      return;
    }
    Index budget = batch.pair_budget == 0 ? INT64_MAX : batch.pair_budget;
    SearchEnd end;
    if (needs_unknown_body(plan, batch, view.index, query)) {
      end.timeout = true;
    } else if (limit == 1 && pattern.arcs_decide) {
      end.found = 1;  // the mapping stage saw that its node has a candidate
    } else if (has_stereo(pattern)) {
      end = search<true>(molecule, steps, pattern.num_atoms, stack, limit, budget,
                         [&](const std::uint32_t* images) { return accept(view, pattern, steps, stack, images); });
    } else {
      end = search<false>(molecule, steps, pattern.num_atoms, stack, limit, budget,
                          [](const std::uint32_t*) { return true; });
    }
    results[index] = {end.found, 0, static_cast<std::uint8_t>(end.timeout && end.found < limit)};
  }

  /// Fills the images by query atom behind the stack, and checks the stereo marks where there are any.
  template <class AnyMolecule>
  QUARRY_HD bool accept(const MoleculeView& view, const PatternEntry& pattern, const Step* steps,
                        const SearchStack<AnyMolecule>& stack, const std::uint32_t* images) const {
    std::uint32_t* image_of = images_by_atom(stack, max_pattern_atoms);
    for (Index i = 0; i < pattern.num_atoms; ++i) image_of[steps[i].query_atom] = images[i];
    return stereo_holds(plan, batch, view, pattern, image_of);
  }

  template <class AnyMolecule>
  QUARRY_HD void write(AnyMolecule& molecule, const MoleculeView& view, const PatternEntry& pattern, const Step* steps,
                       const SearchStack<AnyMolecule>& stack, Index index) const {
    const Index wanted = (mapping_offsets[index + 1] - mapping_offsets[index]) / pattern.num_atoms;
    if (wanted == 0) return;
    std::uint32_t* out = mappings.data() + mapping_offsets[index];
    const std::uint32_t* image_of = images_by_atom(stack, max_pattern_atoms);
    Index budget = INT64_MAX;  // the count was within the budget
    search<true>(molecule, steps, pattern.num_atoms, stack, wanted, budget, [&](const std::uint32_t* images) {
      if (!accept(view, pattern, steps, stack, images)) return false;
      for (Index i = 0; i < pattern.num_atoms; ++i) *out++ = image_of[i];
      return true;
    });
  }
};

}  // namespace QUARRY_TARGET
}  // namespace quarry::match
QUARRY_AFTER_TARGET();

#endif
