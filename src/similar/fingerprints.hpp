/// The blocks behind Fingerprints: built in memory, or those of a library.
#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "similar/block_builder.hpp"

namespace quarry::similar {

/// A block and, where it is not a library's, its memory.
struct Block {
  Buffer<std::byte> bytes;
  BlockView view;
  Order order = Order::magnitude;
};

/// A block of multisets built here.
std::shared_ptr<const Block> make_block(const Multisets& multisets, const Definition& definition, Order order);

struct Fingerprints::Impl {
  Definition definition;
  std::vector<Index> first{0};                       ///< [blocks + 1] first molecule of each block
  std::vector<std::shared_ptr<const Block>> blocks;  ///< [blocks] where they are in memory
  const Library* library = nullptr;                  ///< where they are not
  /// Of a library: the blocks that it stores, once they are checked, and those packed from its records.
  struct Stored {
    std::mutex mutex;
    std::shared_ptr<const Block> block;
  };
  mutable std::vector<Stored> stored;

  Index num_blocks() const { return static_cast<Index>(first.size()) - 1; }
  /// A block in order of magnitude. Thread-safe. @throws InputError  a damaged library
  std::shared_ptr<const Block> block(Index i) const;
};

/// How many columns each molecule has at the threshold or above, itself among them. (engine.cpp)
std::vector<Index> count_neighbours(const Fingerprints& molecules, const SearchOptions& options);

/// All blocks at once, in memory. @throws as Impl::block
std::vector<std::shared_ptr<const Block>> load_blocks(const Fingerprints& fingerprints, Order order, int threads);

}  // namespace quarry::similar
