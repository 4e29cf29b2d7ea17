/// What the machine has to spare, and what is said where that is too little.
#include <gtest/gtest.h>
#include <unistd.h>

#include "quarry/error.hpp"
#include "support/temporary_folder.hpp"
#include "util/memory/available_memory.hpp"
#include "util/memory/memory_budget.hpp"

namespace quarry {
namespace {

TEST(Memory, IsLessThanTheMachineHas) {
  const Index all = ::sysconf(_SC_PHYS_PAGES) * ::sysconf(_SC_PAGESIZE);
  EXPECT_GT(available_memory_bytes(), Index{1} << 20);
  EXPECT_LT(available_memory_bytes(), all);
}

TEST(Memory, ABudgetHoldsUpToItsLimit) {
  const MemoryBudget budget(2'000'000);
  EXPECT_NO_THROW(budget.require(2'000'000, "it"));
  EXPECT_EQ(test::message_of<CapacityError>([&] { budget.require(2'100'000, "the graph 'x'"); }),
            "bytes of memory for the graph 'x': the limit is 2000000, the job needs 2100000; raise memory_bytes");
  EXPECT_THROW(budget.require(2'000'001, "it"), CapacityError);
  EXPECT_THROW(MemoryBudget(0).require(Index{1} << 60, "it"), CapacityError);
}

TEST(Memory, TheBudgetOfADeviceNamesIt) {
  const MemoryBudget budget(1000, "cuda:1");
  EXPECT_EQ(budget.bytes(), 1000);
  EXPECT_EQ(test::message_of<CapacityError>([&] { budget.require(1001, "one row"); }),
            "bytes of memory for one row on cuda:1 (or use the host): the limit is 1000, the job needs 1001; raise "
            "device_bytes");
  EXPECT_THROW(MemoryBudget(0, "cuda:1").require(1, "it"), CapacityError) << "a device has no other limit";
}

}  // namespace
}  // namespace quarry
