#include "graph/read/name_table.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "graph/edge_batch.hpp"
#include "quarry/error.hpp"

namespace quarry {
namespace {

constexpr std::uint32_t kFree = ~std::uint32_t{0};
constexpr std::size_t kFewestSlots = 64;

}  // namespace

std::uint32_t& NameTable::slot_of(std::string_view name) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = std::hash<std::string_view>()(name) & mask;
  while (slots_[slot] != kFree && this->name(slots_[slot]) != name) slot = (slot + 1) & mask;
  return slots_[slot];
}

std::uint32_t NameTable::number(std::string_view name) {
  if (2 * (ends_.size() + 1) > slots_.size()) grow();
  std::uint32_t& slot = slot_of(name);
  if (slot != kFree) return slot;
  if (size() == kMaxVertices) throw CapacityError("vertices of a graph", kMaxVertices, kMaxVertices + 1);
  slot = static_cast<std::uint32_t>(size());
  text_ += name;
  ends_.push_back(text_.size());
  return slot;
}

void NameTable::grow() {
  slots_.assign(std::max(kFewestSlots, 2 * slots_.size()), kFree);
  for (std::uint32_t number = 0; number < size(); ++number) slot_of(name(number)) = number;
}

std::vector<std::uint32_t> NameTable::sorted() const {
  std::vector<std::uint32_t> numbers(size());
  std::iota(numbers.begin(), numbers.end(), 0U);
  std::ranges::sort(numbers, {}, [&](std::uint32_t number) { return name(number); });
  return numbers;
}

}  // namespace quarry
