/// What the machine has to spare, and what is said where that is too little.
#include "util/memory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "graph/memory_budget.hpp"
#include "support/temporary_folder.hpp"

namespace quarry {
namespace {

TEST(Memory, IsLessThanTheMachineHas) {
  const Index all = static_cast<Index>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE);
  EXPECT_GT(available_memory_bytes(), Index{1} << 20);
  EXPECT_LT(available_memory_bytes(), all);
}

TEST(Memory, ABudgetHoldsUpToItsLimit) {
  const MemoryBudget budget(2'000'000);
  EXPECT_NO_THROW(budget.require(2'000'000, "it"));
  EXPECT_EQ(test::message_of<CapacityError>([&] { budget.require(2'100'000, "the graph 'x'"); }),
            "the graph 'x' needs 2.1 MB of memory, more than the 2.0 MB there are");
  EXPECT_THROW(budget.require(2'000'001, "it"), CapacityError);
  EXPECT_THROW(MemoryBudget(0).require(Index{1} << 60, "it"), CapacityError);
}

}  // namespace
}  // namespace quarry
