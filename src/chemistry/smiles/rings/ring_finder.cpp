#include "chemistry/smiles/rings/ring_finder.hpp"

#include <algorithm>
#include <span>

#include "chemistry/smiles/rings/part_rings.hpp"

namespace quarry::smiles {
namespace {

/// Aromaticity does not look at fused rings above this size.
constexpr std::uint32_t kMostFusedSize = 24;

/// RDKit orders rings by size with std::sort, which keeps the order of equal ones up to this number, and leaves it open above.
constexpr std::size_t kMostSorted = 16;

/// Ring perception for cores of at most 64 * kWords atoms and bonds.
template <int kWords>
class RingSet {
 public:
  /// @param found  gets the rings in place of those that it has
  /// @return  Unproven::rings unless the first round finds exactly as many rings as are independent, and leaves no bond
  Unproven find_in_system(const RingCore& core, FoundRings& found) {
    found_.clear();
    rings_.clear();
    paths_.atoms.clear();
    paths_.bonds.clear();
    if (!part_rings_.find(core, 0, paths_, rings_)) return Unproven::rings;
    if (part_rings_.needs_later_rounds() || std::ssize(rings_) != independent_rings(core, 0)) return Unproven::rings;
    write(found);
    return Unproven::none;
  }

  /// @param found  gets the rings in place of those that it has
  Unproven find(const RingCore& core, FoundRings& found) {
    rings_.clear();
    symmetric_.clear();
    paths_.atoms.clear();
    paths_.bonds.clear();
    for (int part = 0; part < core.num_parts; ++part) {
      const Unproven reason = find_in_part(core, part);
      if (reason != Unproven::none) return reason;
    }
    rings_.insert(rings_.end(), symmetric_.begin(), symmetric_.end());
    if (rings_.size() > kMostRings) return Unproven::size;
    write(found);
    return Unproven::none;
  }

 private:
  using Bits = BitSet<kWords>;
  using Rings = std::vector<CoreRing<kWords>>;

  static int independent_rings(const RingCore& core, int part) {
    int atoms = 0, ends = 0;
    for (std::size_t atom = 0; atom < core.atoms.size(); ++atom) {
      if (core.part[atom] != part) continue;
      ++atoms;
      ends += static_cast<int>(core.links_of(static_cast<int>(atom)).size());
    }
    return ends / 2 - atoms + 1;
  }

  Unproven find_in_part(const RingCore& core, int part) {
    found_.clear();
    if (!part_rings_.find(core, part, paths_, found_)) return Unproven::rings;
    const int expected = independent_rings(core, part);
    if (std::ssize(found_) < expected) return Unproven::rings;
    if (std::ssize(found_) == expected) {
      rings_.insert(rings_.end(), found_.begin(), found_.end());
      return Unproven::none;
    }
    if (found_.size() > kMostSorted) return Unproven::rings;
    choose();
    symmetrise();  // in place of what earlier parts added: RDKit remembers the extra rings of the last part only
    rings_.insert(rings_.end(), chosen_.begin(), chosen_.end());
    return Unproven::none;
  }

  /// Keeps a ring of each size that has a bond of its own, and after it those of its size that overlap most with what is
  /// kept, as long as they add a bond.
  void choose() {
    std::ranges::stable_sort(found_, {}, &CoreRing<kWords>::size);
    std::vector<bool> open(found_.size(), true), kept(found_.size(), false);
    Bits covered;
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (!open[i] || found_[i].bonds.is_within(covered)) continue;
      covered |= found_[i].bonds;
      kept[i] = true;
      std::size_t end = i + 1;
      while (end < found_.size() && found_[end].size == found_[i].size) ++end;
      for (std::size_t best = next_of_size(i + 1, end, open, covered); best < end;
           best = next_of_size(i + 1, end, open, covered)) {
        open[best] = false;
        kept[best] = !found_[best].bonds.is_within(covered);
        covered |= found_[best].bonds;
      }
    }
    chosen_.clear();
    extra_.clear();
    for (std::size_t i = 0; i < found_.size(); ++i) (kept[i] ? chosen_ : extra_).push_back(found_[i]);
  }

  /// Of the open rings, the first that overlaps most; `end` where none is open.
  std::size_t next_of_size(std::size_t begin, std::size_t end, const std::vector<bool>& open,
                           const Bits& covered) const {
    std::size_t best = end;
    int most = -1;
    for (std::size_t i = begin; i < end; ++i) {
      if (!open[i]) continue;
      const int overlap = (found_[i].bonds & covered).count();
      if (overlap <= most) continue;
      most = overlap;
      best = i;
    }
    return best;
  }

  /// An extra ring can stand in for a chosen one of its size that shares a bond with it and has no bond alone beside those.
  void symmetrise() {
    Bits once, twice;
    for (const auto& ring : chosen_) {
      twice |= once & ring.bonds;
      once |= ring.bonds;
    }
    const Bits alone = once & ~twice;
    symmetric_.clear();
    for (const auto& extra : extra_) {
      const bool stands_in = std::ranges::any_of(chosen_, [&](const auto& ring) {
        return ring.size == extra.size && !(ring.bonds & extra.bonds).is_empty() &&
               (ring.bonds & alone).is_within(extra.bonds);
      });
      if (stands_in) symmetric_.push_back(extra);
    }
  }

  void write(FoundRings& result) const {
    result.rings.clear();
    result.atoms.clear();
    result.bonds.clear();
    for (const auto& ring : rings_) {
      result.rings.push_back({static_cast<std::uint32_t>(result.atoms.size()), ring.size, 0, 0});
      const auto append = [&](const auto& path, auto& end) {
        const auto first = path.begin() + ring.first;
        end.insert(end.end(), first, first + ring.size);
      };
      append(paths_.atoms, result.atoms);
      append(paths_.bonds, result.bonds);
    }
    for (std::size_t i = 0; i < rings_.size(); ++i) {
      for (std::size_t j = i + 1; j < rings_.size(); ++j) {
        const int shared = (rings_[i].bonds & rings_[j].bonds).count();
        if (shared == 0) continue;
        result.rings[i].sharing |= std::uint64_t{1} << j;
        result.rings[j].sharing |= std::uint64_t{1} << i;
        if (shared != 1 || rings_[i].size > kMostFusedSize || rings_[j].size > kMostFusedSize) continue;
        result.rings[i].fused |= std::uint64_t{1} << j;
        result.rings[j].fused |= std::uint64_t{1} << i;
      }
    }
  }

  PartRings<kWords> part_rings_;
  RingPaths paths_;
  Rings found_, chosen_, extra_, symmetric_, rings_;
};

/// What atoms and bonds say of the rings of a draft.
void count_rings(Draft& draft) {
  for (const Ring& ring : draft.rings) {
    for (const AtomId id : draft.atoms_of(ring)) {
      DraftAtom& atom = draft.atoms[id];
      ++atom.ring_count;
      if (atom.ring_size == 0 || ring.size < atom.ring_size) atom.ring_size = static_cast<std::uint16_t>(ring.size);
    }
    for (const BondId id : draft.bonds_of(ring)) {
      DraftBond& bond = draft.bonds[id];
      if (bond.in_ring) continue;
      bond.in_ring = true;
      ++draft.atoms[bond.begin].ring_bonds;
      ++draft.atoms[bond.end].ring_bonds;
    }
  }
}

}  // namespace

struct RingFinder::Searches {
  RingSet<1> small;
  RingSet<4> middle;
  RingSet<20> large;
};

RingFinder::RingFinder() : searches_(std::make_unique<Searches>()) {}
RingFinder::RingFinder(RingFinder&&) noexcept = default;
RingFinder& RingFinder::operator=(RingFinder&&) noexcept = default;
RingFinder::~RingFinder() = default;

Unproven RingFinder::find(Draft& draft) {
  if (draft.num_closures == 0) return Unproven::none;
  if (!find_by_systems(draft)) {
    const Unproven reason = find_in_whole(draft);
    if (reason != Unproven::none) return reason;
  }
  count_rings(draft);
  return Unproven::none;
}

/// In the first round of the search, before any bond is cut, a system is searched as if it stood alone. Where that finds all
/// its rings and leaves no bond, they come in RDKit's order. The order of systems changes no atom or bond.
bool RingFinder::find_by_systems(Draft& draft) {
  if (draft.has_dots || std::max(draft.atoms.size(), draft.bonds.size()) > RingSystems::kMostMembers) return false;
  systems_.find(draft);
  for (int i = 0; i < systems_.size(); ++i) {
    const RingSystem system = systems_.read(draft, i);
    const FoundRings* const found = rings_of(system.key);
    if (found->rings.empty()) {
      draft.clear_rings();
      return false;
    }
    add(*found, system.atoms, system.bonds, draft);
  }
  return true;
}

/// @return  without rings where the system cannot be searched alone
const FoundRings* RingFinder::rings_of(std::string_view key) {
  if (const FoundRings* const known = known_.find(key)) return known;
  core_.build(key);
  const bool fits = std::max(core_.atoms.size(), core_.bonds.size()) <= 64;
  if (!fits || searches_->small.find_in_system(core_, found_) != Unproven::none) found_ = {};
  return known_.add(key, found_);
}

Unproven RingFinder::find_in_whole(Draft& draft) {
  core_.build(draft);
  const std::size_t size = std::max(core_.atoms.size(), core_.bonds.size());
  Unproven reason = Unproven::size;
  if (size <= 64) {
    reason = searches_->small.find(core_, found_);
  } else if (size <= 4 * 64) {
    reason = searches_->middle.find(core_, found_);
  } else if (size <= 20 * 64) {
    reason = searches_->large.find(core_, found_);
  }
  if (reason == Unproven::none) add(found_, core_.atoms, core_.bonds, draft);
  return reason;
}

/// @param atoms, bonds  in the numbers of the draft
void RingFinder::add(const FoundRings& found, std::span<const AtomId> atoms, std::span<const BondId> bonds,
                     Draft& draft) const {
  const std::size_t num_before = draft.rings.size(), first = draft.ring_atoms.size();
  for (const Ring& ring : found.rings)
    draft.rings.push_back({static_cast<std::uint32_t>(first) + ring.first, ring.size, ring.sharing << num_before,
                           ring.fused << num_before});
  draft.ring_atoms.resize(first + found.atoms.size());
  draft.ring_links.resize(first + found.bonds.size());
  for (std::size_t i = 0; i < found.atoms.size(); ++i) {
    draft.ring_atoms[first + i] = atoms[found.atoms[i]];
    draft.ring_links[first + i] = bonds[found.bonds[i]];
  }
}

}  // namespace quarry::smiles
