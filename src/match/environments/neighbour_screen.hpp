/// Drops more molecules before they are unpacked: those that lack, for every query, an atom of a kind that it needs beside
/// neighbours of kinds that it needs. For a few queries, as KindScreen, which asks less and comes first.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "library/chunk.hpp"
#include "match/plan.hpp"

namespace quarry::match {

class NeighbourScreen {
 public:
  explicit NeighbourScreen(const Plan& plan);

  /// Do the predicates and the demands of the plan fit a word each, and is no direction of a bond asked for?
  bool is_on() const { return !needs_.empty(); }
  /// @param kind_rows  of the kinds of a chunk: a word of predicates, and a word of demands towards which it counts
  void set_kinds(std::span<const std::uint64_t> kind_rows);
  /// May some query match a molecule of that chunk?
  bool may_match(const Chunk& chunk, Index molecule);

 private:
  /// What an atom class asks of an atom: a predicate, and that there is a neighbour for each demand.
  struct AtomTest {
    std::uint64_t predicate = 0, demands = 0;
    bool operator==(const AtomTest&) const = default;
  };
  struct KindBits {
    std::uint64_t predicates = 0, towards = 0;
  };
  KindBits bits_of(std::uint32_t kind) const { return kind < kinds_.size() ? kinds_[kind] : KindBits{}; }

  std::vector<AtomTest> tests_;                                 ///< distinct ones
  std::vector<std::uint64_t> needs_;                            ///< of each query, a bit for each test
  std::array<std::uint64_t, kNumBondKinds> demands_of_bond_{};  ///< whose relation may accept a bond of this kind
  std::vector<KindBits> kinds_;                                 ///< of the chunk
  std::vector<KindBits> atoms_;                                 ///< of a molecule
  std::vector<std::uint64_t> met_;                              ///< [atoms] demands for which there is a neighbour
};

}  // namespace quarry::match
