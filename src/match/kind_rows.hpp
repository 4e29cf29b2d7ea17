/// What is known of an atom by its kind (see Plan::kind_row), computed once per distinct kind and shared by all chunks and
/// threads.
#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "library/chunk.hpp"
#include "match/plan.hpp"

namespace quarry::match {

class KindRows {
 public:
  explicit KindRows(const Plan& plan) : plan_(plan) {}

  /// Rows of a chunk's kinds, [kinds, row_words + plain_demand_words].
  void collect(const Chunk& chunk, std::vector<std::uint64_t>& rows);

 private:
  const Plan& plan_;
  std::mutex mutex_;
  std::map<AtomKind, std::vector<std::uint64_t>> rows_;
};

}  // namespace quarry::match
