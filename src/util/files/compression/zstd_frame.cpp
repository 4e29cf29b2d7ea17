#include "util/files/compression/zstd_frame.hpp"

#include <zstd.h>

#include <algorithm>
#include <memory>
#include <new>
#include <string>

#include "util/check.hpp"
#include "util/files/zstd_result.hpp"

namespace quarry {

std::vector<std::byte> zstd_frame(std::span<const std::byte> bytes) {
  constexpr int kLevel = 3;
  std::vector<std::byte> frame(ZSTD_compressBound(bytes.size()));
  const std::size_t size = ZSTD_compress(frame.data(), frame.size(), bytes.data(), bytes.size(), kLevel);
  QUARRY_CHECK(!zstd_failed(size), ZSTD_getErrorName(size));
  frame.resize(size);
  return frame;
}

std::vector<std::byte> bytes_of_zstd_frame(std::span<const std::byte> frame, std::size_t most_bytes) {
  const std::unique_ptr<ZSTD_DStream, decltype([](ZSTD_DStream* stream) { ZSTD_freeDStream(stream); })> stream(
      ZSTD_createDStream());
  if (!stream) throw std::bad_alloc();
  std::vector<std::byte> bytes;
  ZSTD_inBuffer input{frame.data(), frame.size(), 0};
  std::size_t left = 1;
  while (left != 0) {
    const std::size_t size = bytes.size();
    if (size > most_bytes) throw DamagedBytes("the zstd data holds more than it may");
    bytes.resize(std::max<std::size_t>(2 * size, std::size_t{1} << 16));
    ZSTD_outBuffer output{bytes.data(), bytes.size(), size};
    left = ZSTD_decompressStream(stream.get(), &output, &input);
    if (zstd_failed(left))
      throw DamagedBytes(std::string("the zstd data is damaged (") + ZSTD_getErrorName(left) + ")");
    const bool is_full = output.pos == output.size;
    bytes.resize(output.pos);
    if (left != 0 && !is_full && input.pos == input.size) throw DamagedBytes("the zstd data is cut short");
  }
  if (input.pos != input.size) throw DamagedBytes("bytes follow the zstd data");
  if (bytes.size() > most_bytes) throw DamagedBytes("the zstd data holds more than it may");
  return bytes;
}

}  // namespace quarry
