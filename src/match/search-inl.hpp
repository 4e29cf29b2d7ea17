/// The join: depth-first search for embeddings with an explicit stack, one level per query atom.
///
/// The options of a level are the candidates of its query atom that have the right bonds to the atoms placed before and
/// are not used yet: `candidates & adjacency[parent] & ... & ~used`. `SmallMolecule` keeps them in one word,
/// `LargeMolecule` walks the parent's neighbour list, and the search is written once for both.
/// Source: SIGMo (SC'25), section 4.6; word-parallel as in Ullmann (JEA 15, 2010).
#include "match/batch/batch.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::match {
namespace QUARRY_TARGET {

/// Are enough atoms free for this level, which begins a component, and all after it? By Hall's theorem there is no embedding
/// where some of them together have fewer candidates than they are.
/// @param used_in_word  used_in_word(w): the used atoms of a word
template <class UsedInWord>
QUARRY_HD bool has_room(const PlanView& plan, const SearchLevel& level, const std::uint64_t* masks, Index words,
                        UsedInWord&& used_in_word) {
  for (std::uint32_t d = level.room.first; d < level.room.last; ++d) {
    const RoomDemand demand = plan.room_demands[d];
    Index free = 0;
    for (Index w = 0; w < words; ++w) {
      std::uint64_t any = 0;
      for (std::uint32_t i = demand.masks.first; i < demand.masks.last; ++i)
        any |= masks[plan.room_masks[i] * words + w];
      free += count_bits(any & ~used_in_word(w));
    }
    if (free < demand.count) return false;
  }
  return true;
}

/// How many atoms may be chosen for some levels, and how many of them for two or all three of these.
struct SharedOptions {
  Index a = 0, b = 0, c = 0, ab = 0, ac = 0, bc = 0, abc = 0;

  /// The number of ways to choose different atoms for two levels, and for three.
  QUARRY_INLINE Index pairs() const { return a * b - ab; }
  QUARRY_INLINE Index triples() const { return a * b * c - ab * c - ac * b - bc * a + 2 * abc; }
};

/// At most 64 atoms: an option set is a word.
struct SmallMolecule {
  using Options = std::uint64_t;

  const PlanView& plan;
  const BondCheck* checks;
  const std::uint64_t* masks;
  const std::uint64_t* relations;
  Index num_atoms;
  std::uint64_t used = 0;

  QUARRY_HD SmallMolecule(const PlanView& the_plan, const BatchView&, const MoleculeView& molecule, std::uint64_t*)
      : plan(the_plan),
        checks(the_plan.bond_checks.data()),
        masks(molecule.masks),
        relations(molecule.relations),
        num_atoms(molecule.num_atoms) {}

  QUARRY_INLINE Options options(const SearchLevel& level, const std::uint32_t* images) const {
    Options options = masks[level.mask] & ~used;
    if (level.has_only_parent) [[likely]]
      return options & related_to(level.parent, images);
    if (level.has_parent) {
      options &= related_to(level.parent, images);
    } else if (!has_room(plan, level, masks, 1, [taken = used](Index) { return taken; })) {
      return 0;
    }
    const BondCheck* check = checks + level.first_check;
    for (Index left = level.num_checks; left > 0 && options != 0; --left, ++check)
      options &= related_to(*check, images);
    if (level.greater_than != kNoAtom) options &= ~((std::uint64_t{2} << images[level.greater_than]) - 1);
    return options;
  }
  QUARRY_HD static Options only(std::uint32_t atom) { return std::uint64_t{1} << atom; }
  QUARRY_INLINE bool find_first(const SearchLevel&, const std::uint32_t*, Options& options, std::uint32_t& atom) const {
    if (options == 0) return false;
    atom = lowest_bit(options);
    return true;
  }
  QUARRY_INLINE static void remove_first(Options& options) { options &= options - 1; }
  QUARRY_HD Index count(const SearchLevel&, const std::uint32_t*, const Options& options) const {
    return count_bits(options);
  }
  /// The number of ways to choose different atoms for up to kMaxIndependent levels without bonds between them.
  QUARRY_INLINE Index count_together(const SearchLevel* levels, Index num_levels, const std::uint32_t* images) const {
    const Options a = options(levels[0], images);
    if (num_levels == 1 || a == 0) return count_bits(a);
    const Options b = options(levels[1], images);
    SharedOptions shared;
    shared.a = count_bits(a);
    shared.b = count_bits(b);
    shared.ab = count_bits(a & b);
    if (num_levels == 2 || b == 0) return shared.pairs();
    const Options c = options(levels[2], images);
    shared.c = count_bits(c);
    shared.ac = count_bits(a & c);
    shared.bc = count_bits(b & c);
    shared.abc = count_bits(a & b & c);
    return shared.triples();
  }
  QUARRY_HD void use(std::uint32_t atom) { used |= std::uint64_t{1} << atom; }
  QUARRY_INLINE void release_first(const Options& options) { used &= ~options; }  // those that are left are free, too

 private:
  /// The atoms that have the right bond to a placed one.
  QUARRY_INLINE Options related_to(const BondCheck& bond, const std::uint32_t* images) const {
    return relations[bond.relation * num_atoms + images[bond.query_atom]];
  }
};

/// Any number of atoms: an option set is part of a neighbour list, or of all atoms.
struct LargeMolecule {
  struct alignas(8) Options {
    std::uint32_t next = 0, end = 0;
    bool of_all_atoms = false;  ///< `next` and `end` are atoms, not indices into the neighbour lists
  };

  const PlanView& plan;
  const BatchView& batch;
  const MoleculeView& molecule;
  std::uint64_t* used;  ///< [words]

  QUARRY_HD LargeMolecule(const PlanView& the_plan, const BatchView& the_batch, const MoleculeView& the_molecule,
                          std::uint64_t* scratch)
      : plan(the_plan), batch(the_batch), molecule(the_molecule), used(scratch) {
    for (Index w = 0; w < molecule.words; ++w) used[w] = 0;
  }

  QUARRY_HD Options options(const SearchLevel& level, const std::uint32_t* images) const {
    if (!level.has_parent) {
      const bool room = has_room(plan, level, molecule.masks, molecule.words, [&](Index w) { return used[w]; });
      return room ? all_atoms() : Options{};
    }
    const Index parent = molecule.first_node + images[level.parent.query_atom];
    return {batch.graphs.row_offsets[parent], batch.graphs.row_offsets[parent + 1], false};
  }
  QUARRY_HD static Options only(std::uint32_t atom) { return {atom, atom + 1, true}; }
  QUARRY_HD bool find_first(const SearchLevel& level, const std::uint32_t* images, Options& options,
                            std::uint32_t& atom) const {
    for (; options.next < options.end; ++options.next) {
      atom = atom_of(options);
      if (fits(level, images, atom)) return true;
    }
    return false;
  }
  QUARRY_HD static void remove_first(Options& options) { ++options.next; }
  QUARRY_HD Index count(const SearchLevel& level, const std::uint32_t* images, Options options) const {
    Index found = 0;
    for (std::uint32_t atom = 0; find_first(level, images, options, atom); remove_first(options)) ++found;
    return found;
  }
  QUARRY_HD Index count_together(const SearchLevel* levels, Index num_levels, const std::uint32_t* images) const {
    SharedOptions shared;
    const Options of_a = options(levels[0], images);
    shared.a = count(levels[0], images, of_a);
    if (num_levels == 1 || shared.a == 0) return shared.a;
    const Options of_b = options(levels[1], images);
    shared.b = count(levels[1], images, of_b);
    if (shared.b == 0) return 0;
    const bool has_c = num_levels == 3;
    if (has_c) shared.c = count(levels[2], images, options(levels[2], images));
    if (has_c && shared.c == 0) return 0;
    std::uint32_t atom = 0;
    for (Options left = of_a; find_first(levels[0], images, left, atom); remove_first(left)) {
      const bool in_b = fits(levels[1], images, atom), in_c = has_c && fits(levels[2], images, atom);
      shared.ab += in_b ? 1 : 0;
      shared.ac += in_c ? 1 : 0;
      shared.abc += in_b && in_c ? 1 : 0;
    }
    if (!has_c) return shared.pairs();
    for (Options left = of_b; find_first(levels[1], images, left, atom); remove_first(left))
      shared.bc += fits(levels[2], images, atom) ? 1 : 0;
    return shared.triples();
  }
  QUARRY_HD void use(std::uint32_t atom) { used[atom / 64] |= std::uint64_t{1} << (atom % 64); }
  QUARRY_HD void release_first(const Options& options) {
    const std::uint32_t atom = atom_of(options);
    used[atom / 64] &= ~(std::uint64_t{1} << (atom % 64));
  }

 private:
  QUARRY_HD std::uint32_t atom_of(const Options& options) const {
    return options.of_all_atoms ? options.next : batch.graphs.neighbours[options.next];
  }
  QUARRY_HD Options all_atoms() const {
    Options all{0, 0, true};
    all.end = molecule.num_atoms;
    return all;
  }
  QUARRY_HD bool fits(const SearchLevel& level, const std::uint32_t* images, std::uint32_t atom) const {
    const Index word = atom / 64;
    const std::uint64_t free = molecule.mask(level.mask)[word] & ~used[word];
    if ((free >> (atom % 64) & 1) == 0) return false;
    if (level.greater_than != kNoAtom && atom <= images[level.greater_than]) return false;
    if (level.has_parent && !related(level.parent.relation, images[level.parent.query_atom], atom)) return false;
    for (std::uint32_t c = 0; c < level.num_checks; ++c) {
      const BondCheck check = plan.bond_checks[level.first_check + c];
      if (!related(check.relation, images[check.query_atom], atom)) return false;
    }
    return true;
  }
  /// @param left  the image of an atom placed before
  QUARRY_HD bool related(std::uint32_t relation, std::uint32_t left, std::uint32_t right) const {
    if (relation >= plan.num_bond_relations) {
      const bool same = batch.components[molecule.first_node + left] == batch.components[molecule.first_node + right];
      return same == (relation == plan.num_bond_relations);
    }
    const Index node = molecule.first_node + left;
    for (Index i = batch.graphs.row_offsets[node]; i < batch.graphs.row_offsets[node + 1]; ++i) {
      if (batch.graphs.neighbours[i] == right) {
        return plan.accepts(relation, batch.graphs.edge_labels[i]);
      }
    }
    return false;
  }
};

/// Working memory of one search; [num_atoms] each.
template <class AnyMolecule>
struct SearchStack {
  typename AnyMolecule::Options* options = nullptr;
  std::uint32_t* images = nullptr;  ///< data atom by query atom, of those that are placed
};

/// Where a search ended.
struct SearchEnd {
  Index found = 0;
  bool timeout = false;
};

/// Places the first atoms of an order in every way, where `stack.options[0]` is what the first level may choose from.
/// @param levels      of the atoms that are placed, at least one
/// @param limit       the search stops when it has found this many
/// @param budget      atoms that may be placed
/// @param visit       called with the molecule and the images when all are placed; returns how many embeddings it finds
template <class AnyMolecule, class Visit>
QUARRY_HD SearchEnd search(const AnyMolecule& empty, const SearchLevel* levels, Index num_levels,
                           SearchStack<AnyMolecule> stack, Index limit, Index budget, Visit&& visit) {
  AnyMolecule molecule = empty;  // a copy, so that its used atoms are kept in a register
  SearchEnd end;
  const SearchLevel* level = levels;
  const SearchLevel* const last = levels + num_levels - 1;
  auto* above = stack.options;  // of the levels above this one: the atom that is placed, and those that are left
  auto options = stack.options[0];
  std::uint32_t atom = 0;
  while (true) {
    if (level != last) {
      if (molecule.find_first(*level, stack.images, options, atom)) {
        if (--budget < 0) break;
        stack.images[level->query_atom] = atom;
        molecule.use(atom);
        *above++ = options;
        options = molecule.options(*++level, stack.images);
        continue;
      }
    } else {
      for (; molecule.find_first(*level, stack.images, options, atom); molecule.remove_first(options)) {
        if (--budget < 0) break;
        stack.images[level->query_atom] = atom;
        molecule.use(atom);
        end.found += visit(molecule, stack.images);
        if (end.found >= limit) return end;
        molecule.release_first(options);
      }
      if (budget < 0) break;
    }
    if (level == levels) return end;
    --level;
    options = *--above;
    molecule.release_first(options);
    molecule.remove_first(options);
  }
  end.timeout = true;
  return end;
}

/// Where all but the last levels are placed.
struct CountTogether {
  const SearchLevel* levels;
  Index num_levels;

  template <class AnyMolecule>
  QUARRY_INLINE Index operator()(const AnyMolecule& molecule, const std::uint32_t* images) const {
    return molecule.count_together(levels, num_levels, images);
  }
};

/// Counts the embeddings of an order whose last `num_together` levels have no bonds between them.
template <class AnyMolecule>
QUARRY_HD SearchEnd count(const AnyMolecule& molecule, const SearchLevel* levels, Index num_levels, Index num_together,
                          SearchStack<AnyMolecule> stack, Index limit, Index budget) {
  if (num_levels == 1) return {molecule.count(levels[0], stack.images, stack.options[0]), false};
  const Index num_placed = num_levels - num_together;
  return search(molecule, levels, num_placed, stack, limit, budget, CountTogether{levels + num_placed, num_together});
}

}  // namespace QUARRY_TARGET
}  // namespace quarry::match
QUARRY_AFTER_TARGET();
