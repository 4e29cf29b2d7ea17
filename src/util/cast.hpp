/// Casts of integers that are checked.
#pragma once
#include <utility>

#include "util/check.hpp"

namespace quarry {

/// The same number in another integer type. A number that does not fit is a bug: limits are checked where data enters.
template <class To, class From>
constexpr To checked_cast(From value) {
  QUARRY_CHECK(std::in_range<To>(value), "a number does not fit its type");
  return static_cast<To>(value);
}

}  // namespace quarry
