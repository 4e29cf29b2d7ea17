/// Which predicates each atom kind fulfils: computed once per distinct kind and shared by all chunks and threads.
#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "match/plan.hpp"
#include "molecule/chunk.hpp"

namespace quarry::match {

class KindRows {
 public:
  explicit KindRows(const Plan& plan) : plan_(plan) {}

  /// Rows of a chunk's kinds, [kinds, row_words].
  void collect(const Chunk& chunk, std::vector<std::uint64_t>& rows);

 private:
  using Row = std::vector<std::uint64_t>;
  Row compute(const AtomKind& kind) const;

  const Plan& plan_;
  std::mutex mutex_;
  std::map<AtomKind, Row> rows_;
};

}  // namespace quarry::match
