/// Shows whether anything has written to an open file: a result must not be made of two files.
#pragma once
#include <string>

#include "quarry/index.hpp"

namespace quarry {

/// Size and time of the last write. Names and permissions may change: the open file stays the same.
struct FileState {
  Index bytes = 0, seconds = 0, nanoseconds = 0;
  bool operator==(const FileState&) const = default;
};

/// Of an open file; all zero where the system does not say. May be called by a signal handler.
FileState state_of(int descriptor);

/// What a message says of a file that has another state now, without its name.
inline constexpr const char* kChangedSinceOpened =
    "it has changed since it was opened: run this again when nothing writes to it";

}  // namespace quarry
