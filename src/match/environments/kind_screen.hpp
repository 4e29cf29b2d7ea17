/// Drops molecules before they are unpacked: those that lack, for every query, an atom of a kind that it needs.
///
/// For a few queries, most molecules are dropped so. For many queries there is nothing to gain, and no screen.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "library/chunk.hpp"
#include "match/plan.hpp"

namespace quarry::match {

class KindScreen {
 public:
  explicit KindScreen(const Plan& plan);

  /// Are the predicates of the plan few enough for a screen? Then they fit a word.
  bool is_on() const { return !needs_.empty(); }
  /// @param kind_rows  of the kinds of a chunk
  /// @param stride     words of a row, of which the first are those of predicates
  void set_kinds(std::span<const std::uint64_t> kind_rows, Index stride);
  /// May some query match a molecule of that chunk?
  bool may_match(const Chunk& chunk, Index molecule) const;

 private:
  std::vector<std::uint64_t> needs_;       // predicates of each query, each such set once
  std::vector<std::uint64_t> predicates_;  // [kinds]
};

}  // namespace quarry::match
