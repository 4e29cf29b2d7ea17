/// Bytes as they were before compression. Members, frames and streams that follow one another are read as one, and all
/// say when the data is damaged or cut short.
///
/// Formats: RFC 1952 (gzip), RFC 8878 (zstd), bzip2 1.0, and xz as `The .xz File Format` 1.1 has it. Memory: 128 MiB of
/// window at most for zstd, 256 MiB for xz (`xz -9` needs 65), 4 MiB for bzip2, 32 KiB for gzip.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "util/files/byte_source.hpp"

namespace quarry {

/// What all have: a buffer of stored bytes, refilled from the file.
class CompressedBytes : public ByteSource {
 public:
  explicit CompressedBytes(std::unique_ptr<ByteSource> stored)
      : stored_(std::move(stored)), buffer_(kStoredBufferBytes) {}
  Index bytes_read() const override { return stored_->bytes_read(); }
  Index bytes_total() const override { return stored_->bytes_total(); }

 protected:
  /// @return the number of stored bytes now in `buffer_`, 0 at the end of the file
  std::size_t refill() { return stored_->read(buffer_.data(), buffer_.size()); }

  std::unique_ptr<ByteSource> stored_;
  std::vector<char> buffer_;

 private:
  static constexpr std::size_t kStoredBufferBytes = std::size_t{1} << 17;
};

std::unique_ptr<ByteSource> gzip_source(std::unique_ptr<ByteSource> stored);
std::unique_ptr<ByteSource> zstd_source(std::unique_ptr<ByteSource> stored);
std::unique_ptr<ByteSource> bzip2_source(std::unique_ptr<ByteSource> stored);
std::unique_ptr<ByteSource> xz_source(std::unique_ptr<ByteSource> stored);

}  // namespace quarry
