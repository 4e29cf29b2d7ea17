/// From the ids of a file to vertices 0 to n - 1, in ascending order of the ids.
///
/// Consecutive ids need one subtraction. For others, a bitmap with running counts gives the rank of an id. Where the
/// ids are too far apart for a bitmap, they are sorted, and found by their upper bits and then by bisection.
#pragma once
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/read/graph_text.hpp"

namespace quarry {

/// The ids of parsed lines, those of vertices with a label included.
struct IdRange {
  std::uint64_t lowest = kHighestId, highest = 0;
  Index num_rows = 0;  ///< no ids where it is 0
  static IdRange of(std::span<const ParsedLines> parsed);
  /// Are they close enough for a bitmap?
  bool is_dense() const;
};

class IdMap {
 public:
  /// Every id from `first` on.
  static IdMap consecutive(std::uint64_t first, Index size);
  /// The ids of the parsed lines. @param range  of the same lines
  static IdMap of(std::span<const ParsedLines> parsed, const IdRange& range, int threads);
  /// Most bytes that `of` takes while it works.
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
      return ranks_[distance / 64] + std::popcount(below);
    }
    return sorted_.empty() ? static_cast<std::uint32_t>(distance) : find(id);
  }

 private:
  void build_bitmap(std::span<const ParsedLines> parsed, std::uint64_t range, int threads);
  void build_sorted(std::span<const ParsedLines> parsed, int threads);
  void index_sorted();
  std::uint32_t find(std::uint64_t id) const;

  std::uint64_t first_ = 0;
  Index size_ = 0;
  std::vector<std::uint64_t> words_;  // bit d: there is an id first_ + d
  std::vector<std::uint32_t> ranks_;  // [words] number of ids before each word
  BigVector<std::uint64_t> sorted_;
  std::vector<std::uint32_t> begins_;  // for each value of the upper bits: where in `sorted_` its ids begin
  int shift_ = 0;                      // distance >> shift_ is those bits
};

}  // namespace quarry
