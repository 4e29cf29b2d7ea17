/// Bytes of a file as they were before compression: plain, gzip, zstd, bzip2 or xz (compression/decoders.hpp).
///
/// The first bytes say which compression it is, never the name, so standard input may be compressed too.
#pragma once
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>

#include "quarry/error.hpp"

namespace quarry {

/// What is wrong with the bytes, as a phrase; whoever knows the file and the line turns it into an InputError.
class DamagedBytes : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills up to `size` bytes. @return how many, 0 only at the end
  /// @throws DamagedBytes  reading failed, compressed data is damaged or cut short, or, at the end, something has written
  ///                       to the file since it was opened
  virtual std::size_t read(char* bytes, std::size_t size) = 0;
  /// Bytes of the file as stored, read so far and in all (0 where unknown).
  virtual Index bytes_read() const = 0;
  virtual Index bytes_total() const = 0;
};

/// @param path     a file, or "-" for standard input
/// @param threads  that may decompress parts of a file (compression/parallel_bytes.hpp), at least 1
/// @throws InputError  the file is missing, a directory or unreadable
std::unique_ptr<ByteSource> open_byte_source(const std::string& path, int threads = 1);

/// "standard input" for "-", else the path: how messages name an input.
std::string input_name(const std::string& path);

}  // namespace quarry
