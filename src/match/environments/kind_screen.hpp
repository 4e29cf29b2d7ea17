/// Drops molecules before they are unpacked: those that lack, for every query, an atom of a kind or a bond that it needs.
///
/// For a few queries, most molecules are dropped so. For many queries there is nothing to gain, and no screen.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "library/chunk.hpp"
#include "match/plan.hpp"

namespace quarry::match {

/// What queries need is a word: a bit for each predicate, which some atom must fulfil, then one for each demand, for which
/// there must be a bond that fits and an atom that counts.
class KindScreen {
 public:
  explicit KindScreen(const Plan& plan);

  /// Do the predicates of the plan fit the word? Where there is no room for the demands, only predicates are looked at.
  bool is_on() const { return !needs_.empty(); }
  /// To be called before molecules of another chunk are asked for.
  /// @param kind_rows  of the kinds of the chunk, [kinds, predicate_words() + rules.words()]
  void set_chunk(const Chunk& chunk, std::span<const std::uint64_t> kind_rows);
  /// May some query match a molecule of that chunk?
  bool may_match(const Chunk& chunk, Index molecule) const;

 private:
  Index num_predicates_;
  bool has_demands_;
  std::vector<std::uint64_t> needs_;  ///< of each query, each once
  // What there may be where a molecule has an atom or a bond of a kind, or a byte of a chunk for them. An escape may be any.
  std::array<std::uint64_t, kNumBondKinds> bond_kinds_{};
  std::vector<std::uint64_t> atom_kinds_;
  std::array<std::uint64_t, 256> atom_bytes_{}, bond_bytes_{};
};

}  // namespace quarry::match
