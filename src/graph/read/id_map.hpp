/// From the ids of a file to vertices 0 to n - 1, in ascending order of the ids.
///
/// Consecutive ids need one subtraction. Else a bitmap with a running count finds the rank of an id; where the ids lie
/// too far apart for a bitmap, they are sorted and found by their upper bits, then by bisection.
#pragma once
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/read/graph_text.hpp"

namespace quarry {

/// The ids of blocks, those of vertices with a label included.
struct IdRange {
  std::uint64_t lowest = kHighestId, highest = 0;
  Index num_rows = 0;  ///< no ids where it is 0
  static IdRange of(std::span<const ParsedBlock> blocks);
  /// May a bitmap find their ranks?
  bool is_dense() const;
};

class IdMap {
 public:
  /// Every id from `first` on.
  static IdMap consecutive(std::uint64_t first, Index size);
  /// Exactly the ids of the blocks. @param range  theirs
  static IdMap of(std::span<const ParsedBlock> blocks, const IdRange& range, int threads);
  /// What `of` takes at the most while it works.
  static Index peak_bytes(const IdRange& range);

  Index size() const { return size_; }
  std::uint64_t first() const { return first_; }
  bool is_consecutive() const { return words_.empty() && sorted_.empty(); }
  /// Ascending; empty where they are consecutive.
  std::vector<std::uint64_t> ids() const;

  /// @param id  one that the map was made of
  std::uint32_t operator()(std::uint64_t id) const {
    const std::uint64_t distance = id - first_;
    if (!words_.empty()) {
      const std::uint64_t below = words_[distance / 64] & ((std::uint64_t{1} << distance % 64) - 1);
      return ranks_[distance / 64] + static_cast<std::uint32_t>(std::popcount(below));
    }
    return sorted_.empty() ? static_cast<std::uint32_t>(distance) : find(id);
  }

 private:
  void mark(std::span<const ParsedBlock> blocks, std::uint64_t range, int threads);
  void sort(std::span<const ParsedBlock> blocks, int threads);
  void index();
  std::uint32_t find(std::uint64_t id) const;

  std::uint64_t first_ = 0;
  Index size_ = 0;
  std::vector<std::uint64_t> words_;  // bit d: there is an id first_ + d
  std::vector<std::uint32_t> ranks_;  // [words] ids before each word
  std::vector<std::uint64_t> sorted_;
  std::vector<std::uint32_t> begins_;  // where in `sorted_` the ids of each value of the upper bits begin
  int shift_ = 0;                      // distance >> shift_ is those bits
};

}  // namespace quarry
