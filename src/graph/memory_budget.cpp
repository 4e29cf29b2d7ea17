/// The message of MemoryBudget.
#include "graph/memory_budget.hpp"

#include <fmt/format.h>

#include "util/memory.hpp"

namespace quarry {
namespace {

std::string megabytes(Index bytes) { return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6); }

}  // namespace

MemoryBudget::MemoryBudget(Index bytes) : limit_bytes_(bytes > 0 ? bytes : available_memory_bytes()) {}

void MemoryBudget::require(Index bytes, const std::string& what) const {
  if (has(bytes)) return;
  throw CapacityError(fmt::format("{} needs {} of memory, more than the {} there are", what, megabytes(bytes),
                                  megabytes(limit_bytes_)));
}

}  // namespace quarry
