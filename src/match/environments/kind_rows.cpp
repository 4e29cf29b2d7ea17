#include "match/environments/kind_rows.hpp"

#include <utility>

#include "util/cast.hpp"

namespace quarry::match {
namespace {

std::uint32_t number_of(const std::vector<std::uint64_t>& bits,
                        std::map<std::vector<std::uint64_t>, std::uint32_t>& numbers) {
  return numbers.try_emplace(bits, checked_cast<std::uint32_t>(numbers.size())).first->second;
}

}  // namespace

void KindRows::collect(std::span<const AtomKind> kinds, std::vector<std::uint32_t>& numbers,
                       std::vector<std::uint64_t>& rows) {
  numbers.clear();
  rows.clear();
  const std::lock_guard lock(mutex_);
  for (const AtomKind& kind : kinds) {
    auto known = known_.find(kind);
    if (known == known_.end()) {
      std::vector<std::uint64_t> row = plan_.kind_row(kind);
      const auto demands = row.begin() + plan_.predicate_words();
      const std::uint32_t as_atom = number_of({row.begin(), demands}, as_atom_);
      const std::uint32_t as_neighbour = number_of({demands, row.end()}, as_neighbour_);
      known = known_.emplace(kind, Known{as_atom, as_neighbour, std::move(row)}).first;
    }
    numbers.insert(numbers.end(), {known->second.as_atom, known->second.as_neighbour});
    rows.insert(rows.end(), known->second.row.begin(), known->second.row.end());
  }
}

}  // namespace quarry::match
