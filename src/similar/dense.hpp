/// Columns that whole rows of similarities are computed against, in order of input.
#pragma once
#include <memory>
#include <vector>

#include "similar/group.hpp"

namespace quarry::similar {

class DenseColumns {
 public:
  /// Loads every block.
  DenseColumns(const Fingerprints& columns, int threads);

  Index size() const { return first_.back(); }
  Index num_blocks() const { return static_cast<Index>(blocks_.size()); }
  Index first(Index block) const { return first_[static_cast<std::size_t>(block)]; }
  const BlockView& block(Index i) const { return blocks_[static_cast<std::size_t>(i)]->view; }

  /// Of each block: places_in of the features of the rows' block.
  using Places = std::vector<std::vector<std::uint32_t>>;
  Places places_of(const BlockView& rows, int threads) const;
  /// Similarities of every row of the group with every column: `values[row][column]`.
  void fill(const Group& group, const Places& places, View<float> values, int threads) const;

 private:
  std::vector<std::shared_ptr<const Block>> blocks_;
  std::vector<Index> first_;
};

}  // namespace quarry::similar
