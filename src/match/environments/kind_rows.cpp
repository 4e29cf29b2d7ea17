#include "match/environments/kind_rows.hpp"

#include "util/cast.hpp"

namespace quarry::match {

void KindRows::collect(std::span<const AtomKind> kinds, std::vector<std::uint32_t>& numbers,
                       std::vector<std::uint64_t>& rows) {
  numbers.clear();
  rows.clear();
  const std::lock_guard lock(mutex_);
  for (const AtomKind& kind : kinds) {
    auto known = known_.find(kind);
    if (known == known_.end()) {
      const auto number = checked_cast<std::uint32_t>(known_.size());
      known = known_.emplace(kind, Known{number, plan_.kind_row(kind)}).first;
    }
    numbers.push_back(known->second.number);
    rows.insert(rows.end(), known->second.row.begin(), known->second.row.end());
  }
}

}  // namespace quarry::match
