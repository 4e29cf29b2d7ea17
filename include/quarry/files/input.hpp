/// Files as they were before compression.
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "quarry/error.hpp"

#pragma GCC visibility push(default)
namespace quarry {

/// Calls `sink` with the bytes of a file, plain, gzip or zstd, piece after piece.
/// @param path  "-" is standard input
/// @throws InputError  it is missing, unreadable, damaged or cut short
void read_pieces(const std::string& path, const std::function<void(std::string_view)>& sink);

}  // namespace quarry
#pragma GCC visibility pop
