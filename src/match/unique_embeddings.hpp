/// Which embeddings of a pair have a set of atoms of their own.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "quarry/index.hpp"

namespace quarry::match {

/// Its memory is used again for the next pair.
class UniqueEmbeddings {
 public:
  /// Keeps the first embedding of each atom set, in search order, at the front of `mappings`.
  /// @param mappings  [embeddings, num_atoms]
  /// @return          the number of embeddings kept
  Index keep(std::span<std::uint32_t> mappings, Index num_atoms);

 private:
  Index keep_words(std::span<std::uint32_t> mappings, Index num_atoms);
  Index keep_sorted(std::span<std::uint32_t> mappings, Index num_atoms);
  bool add(std::uint64_t set);

  std::vector<std::uint64_t> seen_;  // a hash table, 0 is free: no set is empty
};

}  // namespace quarry::match
