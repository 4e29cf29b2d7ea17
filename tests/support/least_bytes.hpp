/// The least memory with which a job is done: there every way to do with less is taken.
#pragma once
#include "quarry/error.hpp"
#include "quarry/index.hpp"
#include "support/random.hpp"

namespace quarry::test {

/// To the byte, or with a sanitizer to a hundredth.
/// @param enough  bytes with which `job(bytes)` does not throw CapacityError
template <class Job>
Index least_bytes(Index enough, Job&& job) {
  Index refused = 0;
  while (enough - refused > sized(Index{1}, enough / 100 + 1)) {
    const Index middle = refused + (enough - refused) / 2;
    try {
      job(middle);
      enough = middle;
    } catch (const CapacityError&) {
      refused = middle;
    }
  }
  return enough;
}

}  // namespace quarry::test
