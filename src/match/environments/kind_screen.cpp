#include "match/environments/kind_screen.hpp"

#include <algorithm>
#include <cstring>

namespace quarry::match {
namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};

using BitsOfByte = std::array<std::uint64_t, 256>;

std::uint64_t all_of_eight(const BitsOfByte& bits, const std::uint8_t* bytes) {
  std::uint64_t eight, all = 0;
  std::memcpy(&eight, bytes, sizeof eight);
  for (int i = 0; i < 8; ++i) all |= bits[eight >> (8 * i) & 255];
  return all;
}

/// PERF: eight bytes at a time, the last of them perhaps twice; g++ makes gathers of a loop over bytes, which take twice as
/// long
std::uint64_t all_of(const BitsOfByte& bits, std::span<const std::uint8_t> bytes) {
  std::uint64_t all = 0;
  if (bytes.size() < 8) {
    for (const std::uint8_t byte : bytes) all |= bits[byte];
    return all;
  }
  const std::size_t last = bytes.size() - 8;
  for (std::size_t i = 0; i < last; i += 8) all |= all_of_eight(bits, bytes.data() + i);
  return all | all_of_eight(bits, bytes.data() + last);
}

}  // namespace

KindScreen::KindScreen(const Plan& plan)
    : num_predicates_(std::ssize(plan.predicates)),
      has_demands_(plan.may_screen_bonds() && num_predicates_ + std::ssize(plan.rules.demands) <= kWordBits) {
  if (plan.predicate_words() > 1) return;
  const PlanView view = plan.view();
  for (Index query = 0; query < view.num_queries; ++query) {
    std::uint64_t needs = 0;
    for (std::uint32_t i = view.query(query).atoms.first; i < view.query(query).atoms.last; ++i) {
      const PlainClass& asked = plan.rules.classes[view.pattern_atoms[i].mask - view.atom_class_mask()];
      needs |= std::uint64_t{1} << plan.predicate_of(asked);
      if (has_demands_) needs |= plan.demands_of(asked) << num_predicates_;
    }
    if (std::ranges::find(needs_, needs) == needs_.end()) needs_.push_back(needs);
  }
  const std::uint64_t predicates = has_demands_ ? ~(kAll << num_predicates_) : kAll;
  for (int kind = 0; kind < kNumBondKinds; ++kind) {
    bond_kinds_[kind] = predicates;
    if (has_demands_) bond_kinds_[kind] |= plan.demands_of_bond(kind) << num_predicates_;
  }
}

void KindScreen::set_chunk(const Chunk& chunk, std::span<const std::uint64_t> kind_rows) {
  const std::size_t num_kinds = chunk.kind_table.size();
  atom_kinds_.resize(num_kinds);
  for (std::size_t kind = 0; kind < num_kinds; ++kind) {
    const auto row = kind_rows.subspan(kind * (kind_rows.size() / num_kinds));
    atom_kinds_[kind] = has_demands_ ? row[0] | row[1] << num_predicates_ : row[0];
  }
  atom_bytes_.fill(kAll);
  bond_bytes_.fill(kAll);
  std::copy_n(atom_kinds_.begin(), std::min<std::size_t>(num_kinds, kEscape), atom_bytes_.begin());
  for (std::size_t code = 0; code < chunk.bond_table.size(); ++code)
    bond_bytes_[code] = bond_kinds_[chunk.bond_table[code].kind % kNumBondKinds];
}

bool KindScreen::may_match(const Chunk& chunk, Index molecule) const {
  auto [kinds, bonds] = chunk.molecule_offsets.empty() ? ShortCodes{} : short_codes_of(codes_of(chunk, molecule));
  std::uint64_t atoms = all_of(atom_bytes_, kinds);
  if (kinds.empty() || atoms == kAll) {
    atoms = 0;
    bonds = for_each_kind(chunk, molecule,
                          [&](std::uint32_t kind) { atoms |= kind < atom_kinds_.size() ? atom_kinds_[kind] : kAll; });
  }
  const auto suffices = [&](std::uint64_t present) {
    return std::ranges::any_of(needs_, [&](std::uint64_t needs) { return (needs & ~present) == 0; });
  };
  return suffices(atoms) && suffices(atoms & all_of(bond_bytes_, bonds));
}

}  // namespace quarry::match
