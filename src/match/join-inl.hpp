/// The kernels that search: recursive patterns, and the join of the surviving pairs.
#include "exec/team.hpp"
#include "match/batch/batch.hpp"

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

/// Bytes of the images, so that what follows them is aligned: the used bits, or the stack of the next lane.
QUARRY_HD inline Index image_bytes(Index max_pattern_atoms) { return (max_pattern_atoms + 1) / 2 * 8; }

/// Bytes of scratch for one search, of patterns and molecules up to these sizes: the stack, and used bits of large molecules.
QUARRY_HD inline Index search_scratch_bytes(Index max_pattern_atoms, Index max_words) {
  const Index small = sizeof(SmallMolecule::Options), large = sizeof(LargeMolecule::Options);
  const bool all_small = max_words == 1;
  return max_pattern_atoms * (all_small ? small : large) + image_bytes(max_pattern_atoms) +
         (all_small ? 0 : max_words * 8);
}

template <class AnyMolecule>
QUARRY_HD std::uint64_t* used_bits(const SearchStack<AnyMolecule>& stack, Index max_pattern_atoms) {
  return reinterpret_cast<std::uint64_t*>(stack.images + image_bytes(max_pattern_atoms) / 4);
}

QUARRY_HD inline bool has_stereo(const PatternEntry& pattern) {
  return pattern.chiral.first != pattern.chiral.last || pattern.stereo.first != pattern.stereo.last;
}

/// One team per molecule: masks of the recursive patterns that live queries need, inner ones first, then of the expressions
/// that use them.
struct RecursivePatterns {
  PlanView plan;
  BatchView batch;

  QUARRY_HD void operator()(Team auto& team, Index index) const {
    MoleculeView molecule = molecule_view(batch, plan, index);
    std::uint64_t* out_of_budget = batch.out_of_budget.data() + index * plan.need_words;
    const std::uint64_t* needed = batch.needed.data() + index * plan.need_words;
    team_for(team, words_for(plan.num_recursive), [&](Index w) { out_of_budget[w] = 0; });
    std::uint64_t* found = molecule.mask(plan.recursive_mask());
    team_for(team, plan.num_recursive * molecule.words, [&](Index i) { found[i] = 0; });
    team.barrier();
    for (Index w = 0; w < words_for(plan.num_recursive); ++w) {
      for (std::uint64_t left = needed[w]; left != 0; left &= left - 1) {
        const Index r = w * kWordBits + lowest_bit(left);
        if (r >= plan.num_recursive) break;  // the other needs follow
        search_recursive(team, molecule, r, out_of_budget);
        team.barrier();
      }
    }
    team_for(team, plan.num_programs, [&](Index program) {
      const Index bit = plan.num_recursive + program;
      if ((needed[bit / kWordBits] >> (bit % kWordBits) & 1) != 0) {
        evaluate(molecule, program);
      } else {
        for (Index w = 0; w < molecule.words; ++w) molecule.mask(plan.program_mask() + program)[w] = 0;
      }
    });
  }

 private:
  QUARRY_HD void evaluate(MoleculeView& molecule, Index program) const {
    for (Index w = 0; w < molecule.words; ++w) {
      molecule.mask(plan.program_mask() + program)[w] = run_program(plan, molecule, plan.programs[program], w);
    }
  }

  QUARRY_HD void search_recursive(Team auto& team, MoleculeView& molecule, Index r,
                                  std::uint64_t* out_of_budget) const {
    const PatternEntry& pattern = plan.patterns[r];
    team_for(team, pattern.programs.last - pattern.programs.first,
             [&](Index i) { evaluate(molecule, plan.pattern_programs[pattern.programs.first + i]); });
    team.barrier();
    if (!may_match(molecule, pattern)) return;
    const Root root = plan.roots[pattern.roots.first];
    std::uint64_t* result = molecule.mask(plan.recursive_mask() + r);
    team_for(team, molecule.words, [&](Index w) { result[w] = molecule.mask(root.mask)[w]; });
    team.barrier();
    for (std::uint32_t d = pattern.demands.first; d < pattern.demands.last; ++d) {
      keep_fulfilling(team, plan, batch, molecule, plan.recursive_demands[d], result);
    }
    if (pattern.demands_decide) return;
    bool timeout = false;
    for (Index w = 0; w < molecule.words; ++w) {
      std::uint64_t found = 0;
      // Each lane goes straight to its next atom, so that all search at the same time.
      for (std::uint64_t left = without_lowest(result[w], team.rank()); left != 0;
           left = without_lowest(left, team.size())) {
        const Index atom = lowest_bit(left);
        if (matches_at(team, molecule, pattern, root, w * kWordBits + atom, timeout)) {
          found |= std::uint64_t{1} << atom;
        }
      }
      // Lanes hold different bits, so their sum is their union.
      found = team.sum(found);
      if (team.rank() == 0) result[w] = found;
    }
    if (team.any(timeout) && team.rank() == 0) out_of_budget[r / 64] |= std::uint64_t{1} << (r % 64);
  }

  /// Does every atom of the pattern have a candidate, and every cycle one of its length?
  QUARRY_HD bool may_match(const MoleculeView& molecule, const PatternEntry& pattern) const {
    if ((pattern.cycle_lengths & ~batch.cycle_lengths[molecule.index]) != 0) return false;
    for (std::uint32_t i = pattern.atoms.first; i < pattern.atoms.last; ++i) {
      std::uint64_t any = 0;
      for (Index w = 0; w < molecule.words; ++w) any |= molecule.mask(plan.pattern_atoms[i].mask)[w];
      if (any == 0) return false;
    }
    return true;
  }

  QUARRY_HD bool matches_at(Team auto& team, const MoleculeView& molecule, const PatternEntry& pattern, Root root,
                            Index atom, bool& timeout) const {
    const auto scratch =
        team.scratch().part(team.scratch().size() / team.size() * team.rank(), team.scratch().size() / team.size());
    return molecule.is_small() ? matches_in<SmallMolecule>(scratch, molecule, pattern, root, atom, timeout)
                               : matches_in<LargeMolecule>(scratch, molecule, pattern, root, atom, timeout);
  }

  template <class AnyMolecule>
  QUARRY_HD bool matches_in(View<std::byte> scratch, const MoleculeView& view, const PatternEntry& pattern, Root root,
                            Index atom, bool& timeout) const {
    const auto stack = stack_in<AnyMolecule>(scratch, plan.max_recursive_atoms);
    AnyMolecule molecule(plan, batch, view, used_bits(stack, plan.max_recursive_atoms));
    const SearchLevel* levels = plan.levels.data() + root.first_level;
    stack.options[0] = AnyMolecule::only(atom);
    const Index budget = batch.pair_budget == 0 ? INT64_MAX : batch.pair_budget;  // per atom, so that lanes share none
    const SearchEnd end = has_stereo(pattern)
                              ? search(molecule, levels, pattern.num_atoms, stack, 1, budget,
                                       [&](const AnyMolecule&, const std::uint32_t* images) {
                                         return stereo_holds(plan, batch, view, pattern, images) ? 1 : 0;
                                       })
                              : count(molecule, levels, pattern.num_atoms, 1, stack, 1, budget);
    timeout = timeout || end.timeout;
    return end.found > 0;
  }
};

/// The root whose atom has the fewest candidates, each with the cost of the order. Signatures are left out, so that refinement
/// cannot change the order in which embeddings are found.
/// @param words  of a mask
QUARRY_INLINE const Root& best_root(const PlanView& plan, const MoleculeView& molecule, const PatternEntry& pattern,
                                    Index words) {
  std::uint32_t best = pattern.roots.first;
  Index least = INT64_MAX;
  for (std::uint32_t r = pattern.roots.first; r < pattern.roots.last; ++r) {
    const Root& root = plan.roots[r];
    Index count = 0;
    for (Index w = 0; w < words; ++w) count += count_bits(molecule.masks[root.mask * words + w]);
    const Index cost = count * root.cost;
    best = cost < least ? r : best;
    least = cost < least ? cost : least;
  }
  return plan.roots[best];
}

/// One team per pair: counts its embeddings and writes the first of them, or writes those that were counted before.
struct Join {
  PlanView plan;
  BatchView batch;
  Index limit = 0;                    ///< a search stops when it has found this many
  View<PairResult> results;           ///< [pairs], out when counting, else empty
  View<const Index> mapping_offsets;  ///< [pairs + 1] into `mappings`, or empty: none is written
  View<std::uint32_t> mappings;       ///< out: data atom per query atom

  QUARRY_HD void operator()(Team auto& team, Index index) const {
    if (team.rank() != 0) return;
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
    if (results.size() != 0 && decide(view, pattern, index, query)) return;
    const auto stack = stack_in<AnyMolecule>(scratch, plan.max_pattern_atoms);
    AnyMolecule molecule(plan, batch, view, used_bits(stack, plan.max_pattern_atoms));
    const Root& root = view.is_small() ? best_root(plan, view, pattern, 1) : best_root(plan, view, pattern, view.words);
    const SearchLevel* levels = plan.levels.data() + root.first_level;
    stack.options[0] = molecule.options(levels[0], stack.images);
    if (results.size() == 0) {
      write(molecule, view, pattern, levels, stack, index);
      return;
    }
    const Index budget = batch.pair_budget == 0 ? INT64_MAX : batch.pair_budget;
    Mappings first = mappings_of(pattern, index);
    SearchEnd end;
    if (has_stereo(pattern)) {
      end = search(molecule, levels, pattern.num_atoms, stack, limit, budget,
                   [&](const AnyMolecule&, const std::uint32_t* images) {
                     if (!stereo_holds(plan, batch, view, pattern, images)) return 0;
                     if (first.room > 0) first.add(images, pattern.num_atoms);
                     return 1;
                   });
    } else if (mapping_offsets.size() != 0) {
      const SearchLevel& last = levels[pattern.num_atoms - 1];
      const auto count_and_add = [&](const AnyMolecule& placed, typename AnyMolecule::Options options) {
        const Index found = placed.count(last, stack.images, options);
        for (; first.room > 0 && placed.find_first(last, stack.images, options, stack.images[last.query_atom]);
             placed.remove_first(options))
          first.add(stack.images, pattern.num_atoms);
        return found;
      };
      if (pattern.num_atoms == 1) {
        end.found = count_and_add(molecule, stack.options[0]);
      } else {
        end = search(molecule, levels, pattern.num_atoms - 1, stack, limit, budget,
                     [&](const AnyMolecule& placed, const std::uint32_t* images) {
                       return count_and_add(placed, placed.options(last, images));
                     });
      }
    } else {
      // A search that finds this many is out of budget, too. `found` times `num_equivalent` then fits: with symmetries a
      // query is connected, so that the last visit finds at most 255^3 (kMaxAtomBonds), and without them at most 2^60.
      const Index most = Index{1} << (62 - root.equivalent_bits);
      const Index wanted =
          limit == INT64_MAX || root.num_equivalent == 1 ? limit : (limit - 1) / root.num_equivalent + 1;
      const Index enough = wanted < most ? wanted : most;
      const Index num_together = view.num_atoms > kMaxAtomsTogether ? 1 : root.num_independent;
      end = count(molecule, levels, pattern.num_atoms, num_together, stack, enough, budget);
      end.timeout = end.timeout || end.found >= most;
      end.found *= root.num_equivalent;
    }
    results[index] = {end.found, false, end.timeout && end.found < limit};
  }

  /// Sets the result of a pair that needs no search. @return  false where it needs one
  QUARRY_HD bool decide(const MoleculeView& view, const PatternEntry& pattern, Index index, Index query) const {
    if (uses_out_of_budget(plan, batch, view.index, query)) {
      results[index] = {0, false, true};
    } else if (limit == 1 && pattern.demands_decide && mapping_offsets.size() == 0) {
      results[index] = {1, false, false};  // the mapping stage saw that its atom class has a candidate
    } else {
      return false;
    }
    return true;
  }

  /// Where the embeddings of a pair are written.
  struct Mappings {
    std::uint32_t* out = nullptr;
    Index room = 0;  ///< embeddings that still fit

    QUARRY_HD void add(const std::uint32_t* images, Index num_atoms) {
      for (Index i = 0; i < num_atoms; ++i) out[i] = images[i];
      out += num_atoms;
      --room;
    }
  };
  QUARRY_HD Mappings mappings_of(const PatternEntry& pattern, Index index) const {
    if (mapping_offsets.size() == 0) return {};
    return {mappings.data() + mapping_offsets[index],
            (mapping_offsets[index + 1] - mapping_offsets[index]) / pattern.num_atoms};
  }

  template <class AnyMolecule>
  QUARRY_HD void write(AnyMolecule& molecule, const MoleculeView& view, const PatternEntry& pattern,
                       const SearchLevel* levels, const SearchStack<AnyMolecule>& stack, Index index) const {
    Mappings all = mappings_of(pattern, index);
    const Index wanted = all.room;
    if (wanted == 0) return;
    const Index budget = INT64_MAX;  // the count was within the budget
    search(molecule, levels, pattern.num_atoms, stack, wanted, budget,
           [&](const AnyMolecule&, const std::uint32_t* images) {
             if (!stereo_holds(plan, batch, view, pattern, images)) return 0;
             all.add(images, pattern.num_atoms);
             return 1;
           });
  }
};

}  // namespace QUARRY_TARGET
}  // namespace quarry::match
QUARRY_AFTER_TARGET();
