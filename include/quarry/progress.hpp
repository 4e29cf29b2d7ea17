/// Progress of long work, as a callback: the library never prints.
#pragma once
#include <functional>

#include "quarry/index.hpp"

#pragma GCC visibility push(default)
namespace quarry {

/// Called from one thread at a time with the units done so far; `total` is 0 where it is not known.
using Progress = std::function<void(Index done, Index total)>;

}  // namespace quarry
#pragma GCC visibility pop
