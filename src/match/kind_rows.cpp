#include "match/kind_rows.hpp"

namespace quarry::match {

void KindRows::collect(std::span<const AtomKind> kinds, std::vector<std::uint64_t>& rows) {
  rows.clear();
  const std::lock_guard lock(mutex_);
  for (const AtomKind& kind : kinds) {
    auto known = rows_.find(kind);
    if (known == rows_.end()) known = rows_.emplace(kind, plan_.kind_row(kind)).first;
    rows.insert(rows.end(), known->second.begin(), known->second.end());
  }
}

}  // namespace quarry::match
