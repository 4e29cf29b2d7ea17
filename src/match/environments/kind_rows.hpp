/// What is known of an atom by its kind (see Plan::kind_row), computed once per distinct kind and shared by all chunks and
/// threads.
#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "library/packed_molecules.hpp"
#include "match/plan.hpp"
#include "quarry/molecule.hpp"

namespace quarry::match {

class KindRows {
 public:
  explicit KindRows(const Plan& plan) : plan_(plan) {}

  /// @param kinds    of a chunk
  /// @param numbers  theirs, [kinds, 2]: equal where kinds fulfil the same predicates, and where they count as neighbours
  ///                 towards the same demands
  /// @param rows     theirs, [kinds, predicate_words() + rules.words()]
  void collect(std::span<const AtomKind> kinds, std::vector<std::uint32_t>& numbers, std::vector<std::uint64_t>& rows);

 private:
  struct Known {
    std::uint32_t as_atom = 0, as_neighbour = 0;
    std::vector<std::uint64_t> row;
  };
  using Numbers = std::map<std::vector<std::uint64_t>, std::uint32_t>;
  const Plan& plan_;
  std::mutex mutex_;
  std::unordered_map<AtomKind, Known, BytesHash> known_;
  Numbers as_atom_, as_neighbour_;
};

}  // namespace quarry::match
