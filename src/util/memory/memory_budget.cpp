/// The message of MemoryBudget.
#include "util/memory/memory_budget.hpp"

#include "quarry/error.hpp"
#include "util/memory/available_memory.hpp"

namespace quarry {

MemoryBudget::MemoryBudget(Index bytes)
    : bytes_(bytes > 0 ? bytes : available_memory_bytes()), option_(bytes > 0 ? "memory_bytes" : "") {}

MemoryBudget::MemoryBudget(Index bytes, const std::string& name)
    : bytes_(bytes), where_(" on " + name + " (or use the host)"), option_("device_bytes") {}

void MemoryBudget::require(Index bytes, const std::string& what) const {
  if (bytes > bytes_) throw CapacityError("bytes of memory for " + what + where_, bytes_, bytes, option_);
}

}  // namespace quarry
