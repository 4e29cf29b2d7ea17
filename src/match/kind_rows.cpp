#include "match/kind_rows.hpp"

#include "molecule/predicates.hpp"

namespace quarry::match {

void KindRows::collect(const Chunk& chunk, std::vector<std::uint64_t>& rows) {
  rows.clear();
  const std::lock_guard lock(mutex_);
  for (const AtomKind& kind : chunk.kind_table) {
    auto place = rows_.find(kind);
    if (place == rows_.end()) place = rows_.emplace(kind, compute(kind)).first;
    rows.insert(rows.end(), place->second.begin(), place->second.end());
  }
}

KindRows::Row KindRows::compute(const AtomKind& kind) const {
  const auto& predicates = plan_.predicates();
  Row row(static_cast<std::size_t>(words_for(static_cast<Index>(predicates.size()))), 0);
  for (std::size_t p = 0; p < predicates.size(); ++p) {
    row[p / 64] |= std::uint64_t{evaluate(predicates[p], kind)} << (p % 64);
  }
  return row;
}

}  // namespace quarry::match
