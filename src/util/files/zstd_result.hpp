/// What the functions of zstd return.
#pragma once
#include <zstd.h>
#include <zstd_errors.h>

#include <cstddef>
#include <new>

namespace quarry {

/// True if a call of zstd failed.
/// @throws std::bad_alloc  it had no memory
inline bool zstd_failed(std::size_t result) {
  if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation) throw std::bad_alloc();
  return ZSTD_isError(result) != 0;
}

}  // namespace quarry
