/// The stages of SIGMo (SC'25, section 4) as kernels, each written once for one molecule or one pair.
///
///   1    Pack               adjacency masks by bond relation
///   2    Candidates         what environments decide as masks (a bit-matrix transpose), and the queries that may match
///        RecursivePatterns  masks of the bodies of `$()` and of the expressions that use them (match/join-inl.hpp)
///        Neighbours         candidates of query atoms with `$()`, or with neighbours of that sort
///                           (match/neighbours-inl.hpp)
///   3+4  Refine             refined classes: atoms whose ball of radius 1..k dominates the query's
///   5    Map                the (molecule, query) pairs that survive, in compressed rows (GMCR)
///   6    Join               depth-first search per pair (match/join-inl.hpp)
#include "exec/team.hpp"
#include "match/batch/batch.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::match {
namespace QUARRY_TARGET {

/// One team per molecule: `relations[r * n + v]` = neighbours of v over bonds that relation r accepts.
struct Pack {
  PlanView plan;
  BatchView batch;

  QUARRY_HD void operator()(Team auto& team, Index index) const {
    MoleculeView molecule = molecule_view(batch, plan, index);
    if (!molecule.is_small()) return;
    const Index n = molecule.num_atoms;
    team_for(team, n, [&](Index v) {
      for (Index r = 0; r < plan.num_relations; ++r) molecule.relations[r * n + v] = 0;
      const Index node = molecule.first_node + v;
      for (Index i = batch.graphs.row_offsets[node]; i < batch.graphs.row_offsets[node + 1]; ++i) {
        const Range relations = plan.relations_of_bond[batch.graphs.edge_labels[i]];
        for (std::uint32_t r = relations.first; r < relations.last; ++r) {
          molecule.relations[plan.relation_list[r] * n + v] |= std::uint64_t{1} << batch.graphs.neighbours[i];
        }
      }
      if (plan.num_relations > plan.num_bond_relations) pack_components(molecule, v);
    });
  }

 private:
  QUARRY_HD void pack_components(MoleculeView& molecule, Index v) const {
    const Index n = molecule.num_atoms;
    const std::uint32_t* component = batch.components.data() + molecule.first_node;
    std::uint64_t same = 0;
    for (Index u = 0; u < n; ++u) same |= std::uint64_t{component[u] == component[v]} << u;
    molecule.relations[plan.num_bond_relations * n + v] = same;
    molecule.relations[(plan.num_bond_relations + 1) * n + v] = ~same;
  }
};

/// One team per molecule: the masks that environments decide, and the queries with a candidate in each of them. Scratch:
/// see `candidate_scratch_bytes`.
struct Candidates {
  PlanView plan;
  BatchView batch;

  QUARRY_HD void operator()(Team auto& team, Index index) const {
    MoleculeView molecule = molecule_view(batch, plan, index);
    auto* present = reinterpret_cast<std::uint64_t*>(team.scratch().data());
#ifdef QUARRY_SCALAR
    write_halves(team, molecule);
#else
    if (molecule.num_atoms <= kWordBits / 2) {
      write_masks<kWordBits / 2>(team, molecule);
    } else {
      write_masks<kWordBits>(team, molecule);
    }
#endif
    find_present(team, molecule, present);
    team.barrier();
    std::uint64_t* live = batch.live.data() + index * plan.query_words;
    find_live(team, molecule, present, live);
    team.barrier();
    collect_needs(team, index, live);
  }

 private:
  QUARRY_HD const std::uint64_t* row(const MoleculeView& molecule, Index atom) const {
    return batch.environment_rows.data() + batch.environments[molecule.first_node + atom] * plan.environment_words();
  }
#ifdef QUARRY_SCALAR
  /// The rows of 32 atoms become halves of masks. A lane takes a word of each row, and keeps them in registers.
  QUARRY_HD void write_halves(Team auto& team, MoleculeView& molecule) const {
    constexpr Index kAtoms = kWordBits / 2;
    team_for(team, plan.row_words(), [&](Index part) {
      std::uint64_t* masks = molecule.mask(part / kStripWords * kStripBits + part % kStripWords);
      for (Index first = 0; first < molecule.num_atoms; first += kAtoms) {
        std::uint64_t squares[kAtoms];
        QUARRY_UNROLL
        for (Index a = 0; a < kAtoms; ++a)
          squares[a] = first + a < molecule.num_atoms ? row(molecule, first + a)[part] : 0;
        transpose_side_by_side<kAtoms>(squares);
        const bool is_upper = first % kWordBits != 0, is_last = first + kAtoms >= molecule.num_atoms;
        QUARRY_UNROLL
        for (Index r = 0; r < kAtoms; ++r) {
          const auto lower = static_cast<std::uint32_t>(squares[r]),
                     upper = static_cast<std::uint32_t>(squares[r] >> 32);
          store_half(masks + r * kStripWords * molecule.words + first / kWordBits, lower, is_upper, is_last);
          store_half(masks + (kAtoms + r) * kStripWords * molecule.words + first / kWordBits, upper, is_upper, is_last);
        }
      }
    });
  }
  /// A lower half that has no upper one is the whole mask.
  QUARRY_INLINE static void store_half(std::uint64_t* mask, std::uint32_t half, bool is_upper, bool is_last) {
    if (is_last && !is_upper)
      *mask = half;
    else
      reinterpret_cast<std::uint32_t*>(mask)[is_upper] = half;
  }
#else
  /// The rows of kAtoms atoms become masks, a strip of words at a time: a word of 64 atoms is 64 masks, and one of 32 atoms is
  /// as many halves of masks.
  template <Index kAtoms>
  QUARRY_HD void write_masks(Team auto& team, MoleculeView& molecule) const {
    team_for(team, plan.row_words() / kSideBySide, [&](Index part) {
      for (Index w = 0; w < molecule.words; ++w) {
        alignas(64) std::uint64_t squares[kAtoms * kSideBySide];
        const Index atoms = smaller(kAtoms, molecule.num_atoms - w * kWordBits);
        for (Index a = 0; a < atoms; ++a) {
          const std::uint64_t* of_atom = row(molecule, w * kWordBits + a) + part * kSideBySide;
          for (Index i = 0; i < kSideBySide; ++i) squares[a * kSideBySide + i] = of_atom[i];
        }
        for (Index i = atoms * kSideBySide; i < kAtoms * kSideBySide; ++i) squares[i] = 0;
        transpose_side_by_side<kAtoms>(squares);
        store_masks<kAtoms>(squares, molecule, part, w);
      }
    });
  }
  /// Row r of the squares has the masks of bit r of each of their words, see `word_of_mask`.
  template <Index kAtoms>
  QUARRY_HD void store_masks(const std::uint64_t* squares, MoleculeView& molecule, Index part, Index w) const {
    const Index word = part * kSideBySide, words = molecule.words;
    std::uint64_t* out = molecule.mask(word / kStripWords * kStripBits + word % kStripWords) + w;
    for (Index r = 0; r < kAtoms; ++r) {
      for (Index i = 0; i < kSideBySide; ++i) {
        const std::uint64_t mask = squares[r * kSideBySide + i];
        if constexpr (kAtoms == kWordBits) {
          out[(r * kStripWords + i) * words] = mask;
        } else {
          out[r * kStripWords + i] = mask & 0xFFFFFFFFU;
          out[(kAtoms + r) * kStripWords + i] = mask >> kAtoms;
        }
      }
    }
  }

#endif

  /// What some atom has: the union of the rows.
  QUARRY_HD void find_present(Team auto& team, const MoleculeView& molecule, std::uint64_t* present) const {
    const Index words = plan.environment_words();
    team_for(team, (words + kSideBySide - 1) / kSideBySide, [&](Index part) {
      const Index first = part * kSideBySide, count = smaller(kSideBySide, words - first);
      std::uint64_t sum[kSideBySide] = {};
      for (Index a = 0; a < molecule.num_atoms; ++a) {
        const std::uint64_t* of_atom = row(molecule, a) + first;
        if (count == kSideBySide) {
          or_row(sum, of_atom, kSideBySide);
        } else {
          or_row(sum, of_atom, count);
        }
      }
      for (Index w = 0; w < count; ++w) present[first + w] = sum[w];
    });
  }
  /// The queries of which every atom class is present, and every length of a cycle.
  QUARRY_HD void find_live(Team auto& team, const MoleculeView& molecule, const std::uint64_t* present,
                           std::uint64_t* live) const {
    const std::uint8_t lengths = batch.cycle_lengths[molecule.index];
    const auto* rarest_present = reinterpret_cast<const LaneBits*>(present + plan.row_words());
    auto* out = reinterpret_cast<LaneBits*>(live);
    team_for(team, plan.query_words * kWordBits / kLaneBits, [&](Index part) {
      LaneBits alive = rarest_present[part];
      for (std::uint64_t left = alive; left != 0; left &= left - 1) {
        const Index bit = lowest_bit(left);
        const QueryScreen& screen = plan.screens[part * kLaneBits + bit];
        const bool possible = screen.num_atoms <= molecule.num_atoms && (screen.cycle_lengths & ~lengths) == 0;
        if (!possible || !all_present(screen.classes, present)) alive &= ~(LaneBits{1} << bit);
      }
      out[part] = alive;
    });
  }
  QUARRY_HD bool all_present(Range classes, const std::uint64_t* present) const {
    for (std::uint32_t i = classes.first; i < classes.last; ++i) {
      const std::uint32_t bit = plan.class_bits[i];
      if ((present[bit / kWordBits] >> (bit % kWordBits) & 1) == 0) return false;
    }
    return true;
  }

  /// Which recursive patterns, programs and other classes the live queries need. Lanes that are more than the words share the
  /// queries too.
  QUARRY_HD void collect_needs(Team auto& team, Index index, const std::uint64_t* live) const {
    std::uint64_t* needed = batch.needed.data() + index * plan.need_words;
    const Index words = plan.need_words / kSideBySide;
    if (words == 0) return;
    const Index sharers = words < team.size() ? team.size() / words : 1;
    if (sharers > 1) {
      team_for(team, plan.need_words, [&](Index w) { needed[w] = 0; });
      team.barrier();
    }
    team_for(team, words * sharers, [&](Index i) {
      const Index first = i % words * kSideBySide;
      std::uint64_t sum[kSideBySide] = {};
      for (Index w = i / words; w < plan.query_words; w += sharers) {
        for (std::uint64_t left = live[w] & plan.queries_with_needs[w]; left != 0; left &= left - 1) {
          const Index query = w * kWordBits + lowest_bit(left);
          or_row(sum, plan.needs.data() + query * plan.need_words + first, kSideBySide);
        }
      }
      for (Index w = 0; w < kSideBySide; ++w) {
        if (sharers > 1)
          fetch_or(needed[first + w], sum[w]);
        else
          needed[first + w] = sum[w];
      }
    });
  }
};

/// Bytes of scratch of Candidates: a bit for each atom class, and for each query.
QUARRY_HD inline Index candidate_scratch_bytes(const PlanView& plan) { return 8 * plan.environment_words(); }

/// One team per molecule: refined classes, from the number of atoms with each label within each radius (the centre left
/// out).
/// Scratch: see `refine_scratch_bytes`.
struct Refine {
  PlanView plan;
  BatchView batch;

  QUARRY_HD void operator()(Team auto& team, Index index) const {
    MoleculeView molecule = molecule_view(batch, plan, index);
    auto* counts = reinterpret_cast<std::uint8_t*>(team.scratch().data());
    auto* rest = reinterpret_cast<std::uint64_t*>(counts + plan.refine * plan.num_labels * molecule.words * kWordBits);
    if (molecule.is_small()) {
      count_in_masks(team, molecule, counts, rest);
    } else {
      count_by_search(team, molecule, counts, rest);
    }
    team.barrier();
    std::uint64_t* feature_masks = rest;  // where the balls were
    team_for(team, plan.features.size() * molecule.words, [&](Index i) {
      const Feature feature = plan.features[i / molecule.words];
      feature_masks[i] = at_least(row(counts, molecule, feature.radius, feature.label) + i % molecule.words * kWordBits,
                                  feature.threshold);
    });
    team.barrier();
    team_for(team, plan.num_signatures * molecule.words, [&](Index i) {
      const Range signature = plan.signatures[i / molecule.words];
      std::uint64_t mask = ~std::uint64_t{0};
      for (std::uint32_t f = signature.first; f < signature.last; ++f) {
        mask &= feature_masks[plan.signature_features[f] * molecule.words + i % molecule.words];
      }
      molecule.mask(plan.signature_mask())[i] = mask;
    });
    team.barrier();
    if (molecule.words == 1) {
      refine_classes(team, molecule, 1);
    } else {
      refine_classes(team, molecule, molecule.words);
    }
  }

 private:
  QUARRY_INLINE void refine_classes(Team auto& team, MoleculeView& molecule, Index words) const {
    std::uint64_t* masks = molecule.masks;
    team_for(team, plan.num_refined_classes * words, [&](Index i) {
      const RefinedClass refined = plan.refined_classes[i / words];
      masks[plan.refined_class_mask() * words + i] =
          masks[refined.mask * words + i % words] & masks[refined.signature * words + i % words];
    });
  }
  /// Counts of one radius and label, [words * 64] by atom.
  QUARRY_HD std::uint8_t* row(std::uint8_t* counts, const MoleculeView& molecule, Index radius, Index label) const {
    return counts + ((radius - 1) * plan.num_labels + label) * molecule.words * kWordBits;
  }

  /// At most 64 atoms: the ball of radius r is the union of the neighbours' balls of radius r - 1.
  QUARRY_HD void count_in_masks(Team auto& team, MoleculeView& molecule, std::uint8_t* counts,
                                std::uint64_t* balls) const {
    const Index n = molecule.num_atoms;
    std::uint64_t* ball = balls;
    std::uint64_t* grown = balls + kWordBits;
    team_for(team, n, [&](Index v) { ball[v] = std::uint64_t{1} << v; });
    for (Index radius = 1; radius <= plan.refine; ++radius) {
      team.barrier();
      team_for(team, n, [&](Index v) {
        std::uint64_t reach = ball[v];
        const Index node = molecule.first_node + v;
        for (Index i = batch.graphs.row_offsets[node]; i < batch.graphs.row_offsets[node + 1]; ++i) {
          reach |= ball[batch.graphs.neighbours[i]];
        }
        grown[v] = reach;
        const std::uint64_t around = reach & ~(std::uint64_t{1} << v);
        for (Index label = 0; label < plan.num_labels; ++label) {
          row(counts, molecule, radius, label)[v] = count_bits(around & molecule.mask(plan.label_masks[label])[0]);
        }
      });
      std::uint64_t* swap = ball;
      ball = grown;
      grown = swap;
    }
  }

  /// More atoms: breadth-first search from each atom. Counts stop at 255, as query thresholds do.
  QUARRY_HD void count_by_search(Team auto& team, MoleculeView& molecule, std::uint8_t* counts,
                                 std::uint64_t* memory) const {
    const Index per_lane = molecule.words + molecule.words * kWordBits / 2;
    std::uint64_t* seen = memory + team.rank() * per_lane;
    auto* queue = reinterpret_cast<std::uint32_t*>(seen + molecule.words);
    for (Index w = 0; w < molecule.words; ++w) seen[w] = 0;
    team_for(team, molecule.num_atoms, [&](Index center) {
      Index begin = 0, end = 1;
      queue[0] = center;
      seen[center / 64] |= std::uint64_t{1} << (center % 64);
      for (Index radius = 1; radius <= plan.refine; ++radius) {
        const Index level_end = end;
        for (; begin < level_end; ++begin) end = push_neighbours(molecule, queue[begin], queue, seen, end);
        count_ball(molecule, counts, queue, radius, center, level_end, end);
      }
      for (Index i = 0; i < end; ++i) seen[queue[i] / 64] = 0;
    });
  }
  QUARRY_HD Index push_neighbours(const MoleculeView& molecule, std::uint32_t atom, std::uint32_t* queue,
                                  std::uint64_t* seen, Index end) const {
    const Index node = molecule.first_node + atom;
    for (Index i = batch.graphs.row_offsets[node]; i < batch.graphs.row_offsets[node + 1]; ++i) {
      const std::uint32_t next = batch.graphs.neighbours[i];
      const std::uint64_t bit = std::uint64_t{1} << (next % 64);
      if ((seen[next / 64] & bit) != 0) continue;
      seen[next / 64] |= bit;
      queue[end++] = next;
    }
    return end;
  }
  /// Adds the atoms at exactly this distance, `queue[begin, end)`, to the counts of the radius before.
  QUARRY_HD void count_ball(const MoleculeView& molecule, std::uint8_t* counts, const std::uint32_t* queue,
                            Index radius, Index center, Index begin, Index end) const {
    for (Index label = 0; label < plan.num_labels; ++label) {
      const std::uint64_t* members = molecule.mask(plan.label_masks[label]);
      Index sum = radius == 1 ? 0 : row(counts, molecule, radius - 1, label)[center];
      for (Index i = begin; i < end; ++i) sum += members[queue[i] / 64] >> (queue[i] % 64) & 1;
      row(counts, molecule, radius, label)[center] = sum < 255 ? sum : 255;
    }
  }
};

/// Bytes of scratch that Refine needs for molecules of up to `words` words: the counts, then the largest of balls, search
/// memory of every lane, and feature masks.
QUARRY_HD inline Index refine_scratch_bytes(const PlanView& plan, Index words, Index lanes) {
  const Index counts = plan.refine * plan.num_labels * words * kWordBits;
  const Index searching = 2 * kWordBits + lanes * (words + words * kWordBits / 2);
  const Index features = plan.features.size() * words;
  return counts + 8 * (searching > features ? searching : features) + 64;
}

/// One team per molecule: keeps the live queries whose every atom has a candidate, and counts them.
struct Map {
  PlanView plan;
  BatchView batch;

  QUARRY_HD void operator()(Team auto& team, Index index) const {
    const MoleculeView molecule = molecule_view(batch, plan, index);
    std::uint64_t* live = batch.live.data() + index * plan.query_words;
    const Index kept = team_sum(team, plan.query_words, [&](Index w) {
      std::uint64_t keep = 0;
      for (std::uint64_t left = live[w]; left != 0; left &= left - 1) {
        const Index bit = lowest_bit(left);
        const Index query = w * kWordBits + bit;
        const bool survived =
            molecule.words == 1 ? survives(molecule, query, 1) : survives(molecule, query, molecule.words);
        if (survived) keep |= std::uint64_t{1} << bit;
      }
      live[w] = keep;
      return count_bits(keep);
    });
    if (team.rank() == 0) batch.pair_offsets[index] = kept;
  }

 private:
  QUARRY_INLINE bool survives(const MoleculeView& molecule, Index query, Index words) const {
    const PatternEntry& pattern = plan.query(query);
    if (plan.refine == 0) return true;  // every atom class has a candidate, or the query would not be alive
    const std::uint64_t* masks = molecule.masks;
    for (std::uint32_t i = pattern.atoms.first; i < pattern.atoms.last; ++i) {
      const Index mask = plan.pattern_atoms[i].refined_mask;
      std::uint64_t any = 0;
      for (Index w = 0; w < words; ++w) any |= masks[mask * words + w];
      if (any == 0) return uses_out_of_budget(plan, batch, molecule.index, query);
    }
    return true;
  }
};

/// One team per molecule: writes its pairs at `pair_offsets[molecule]`, which an exclusive scan made from the counts.
struct WritePairs {
  PlanView plan;
  BatchView batch;

  QUARRY_HD void operator()(Team auto& team, Index index) const {
    const std::uint64_t* live = batch.live.data() + index * plan.query_words;
    Index offset = batch.pair_offsets[index];
    for (Index base = 0; base < plan.query_words; base += team.size()) {
      const Index w = base + team.rank();
      std::uint64_t left = w < plan.query_words ? live[w] : 0;
      const Index count = count_bits(left);
      for (Index i = offset + team.scan(count); left != 0; left &= left - 1, ++i) {
        batch.pairs[i].molecule = index;
        batch.pairs[i].query = w * kWordBits + lowest_bit(left);
      }
      offset += team.sum(count);
    }
  }
};

/// One team per molecule: the number of candidates of all atoms of the live queries, before and after refinement.
struct CountCandidates {
  PlanView plan;
  BatchView batch;
  View<Index> initial, refined;  ///< [molecules], out

  QUARRY_HD void operator()(Team auto& team, Index index) const {
    const MoleculeView molecule = molecule_view(batch, plan, index);
    const std::uint64_t* live = batch.live.data() + index * plan.query_words;
    Index before = 0, after = 0;
    for (Index query = team.rank(); query < plan.num_queries; query += team.size()) {
      if ((live[query / kWordBits] >> (query % kWordBits) & 1) == 0) continue;
      const PatternEntry& pattern = plan.query(query);
      const SearchLevel* levels = plan.levels.data() + plan.roots[pattern.roots.first].first_level;
      for (Index i = 0; i < pattern.num_atoms * molecule.words; ++i) {
        const Index left = levels[i / molecule.words].mask, word = i % molecule.words;
        const bool is_refined = left >= plan.refined_class_mask();
        const Index all = is_refined ? plan.refined_classes[left - plan.refined_class_mask()].mask : left;
        before += count_bits(molecule.mask(all)[word]);
        after += count_bits(molecule.mask(left)[word]);
      }
    }
    before = team.sum(before);
    after = team.sum(after);
    if (team.rank() == 0) {
      initial[index] = before;
      refined[index] = after;
    }
  }
};

}  // namespace QUARRY_TARGET
}  // namespace quarry::match
QUARRY_AFTER_TARGET();
