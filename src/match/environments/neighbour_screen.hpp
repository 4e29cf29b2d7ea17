/// Drops more molecules before they are unpacked: those that lack, for every query, an atom of a kind that it needs beside
/// as many neighbours of a kind as it needs. For a few queries, as KindScreen, which asks less and comes first.
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

  /// Do the predicates and the demands of the plan fit a word each, and does every query have demands?
  bool is_on() const { return !needs_.empty(); }
  /// To be called before molecules of another chunk are asked for.
  /// @param kind_rows  of the kinds of the chunk: a word of predicates, and a word of demands towards which it counts
  void set_kinds(std::span<const std::uint64_t> kind_rows);
  /// May some query match a molecule of that chunk?
  bool may_match(const Chunk& chunk, Index molecule);

 private:
  /// What an atom class asks of an atom: a predicate, and that its neighbours meet each demand.
  struct AtomTest {
    std::uint64_t predicate = 0, demands = 0;
    bool operator==(const AtomTest&) const = default;
  };
  struct Atom {
    std::uint64_t predicates = 0, towards = 0;
    std::uint64_t met = 0;  ///< demands towards which a neighbour counts, and then those for which enough do
  };
  /// Demands towards which at least so many neighbours of an atom count.
  struct Times {
    std::uint64_t once = 0, twice = 0, thrice = 0, four_times = 0;
    void add(std::uint64_t counts_towards) {
      four_times |= thrice & counts_towards;
      thrice |= twice & counts_towards;
      twice |= once & counts_towards;
      once |= counts_towards;
    }
  };
  /// Calls `visit(atom, demands)` for both atoms of each bond: towards which the other one counts.
  template <class Visit>
  void for_each_neighbour(const Chunk& chunk, std::span<const std::uint8_t> bonds, Visit&& visit) const;
  bool has_all_atoms() const;
  bool has_atom(const AtomTest& test) const;

  std::vector<AtomTest> tests_;                                 ///< distinct ones
  std::vector<std::uint64_t> needs_;                            ///< of each query, a bit for each test
  std::array<std::uint64_t, kNumBondKinds> demands_of_bond_{};  ///< whose relation may accept a bond of this kind
  std::array<std::uint64_t, kMaxDemandCount> demands_of_count_{};
  bool counts_more_than_one_ = false;  ///< some demand asks for more neighbours than one
  std::vector<Atom> kinds_;            ///< of the chunk, without neighbours
  std::vector<Atom> atoms_;            ///< of a molecule
  std::vector<Times> times_;
};

}  // namespace quarry::match
