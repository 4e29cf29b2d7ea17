/// With one thread: that of several in liblzma 5.4.1 uses memory that it has freed where a file is damaged
/// (CVE-2025-31115).
#include <fmt/format.h>
#include <lzma.h>

#include <new>

#include "util/files/compression/decoders.hpp"

namespace quarry {
namespace {

constexpr std::uint64_t kMaxMemoryBytes = std::uint64_t{256} << 20;

class XzBytes final : public CompressedBytes {
 public:
  explicit XzBytes(std::unique_ptr<ByteSource> stored) : CompressedBytes(std::move(stored)) {
    if (lzma_stream_decoder(&stream_, kMaxMemoryBytes, LZMA_CONCATENATED) != LZMA_OK) throw std::bad_alloc();
  }
  XzBytes(const XzBytes&) = delete;
  XzBytes& operator=(const XzBytes&) = delete;
  ~XzBytes() override { lzma_end(&stream_); }

  std::size_t read(char* bytes, std::size_t size) override {
    stream_.next_out = reinterpret_cast<std::uint8_t*>(bytes);
    stream_.avail_out = size;
    while (stream_.avail_out == size && !ended_) {
      if (stream_.avail_in == 0) {
        stream_.avail_in = refill();
        stream_.next_in = reinterpret_cast<const std::uint8_t*>(buffer_.data());
      }
      accept(lzma_code(&stream_, stream_.avail_in == 0 ? LZMA_FINISH : LZMA_RUN));
    }
    return size - stream_.avail_out;
  }

 private:
  void accept(lzma_ret status) {
    if (status == LZMA_OK) return;
    if (status == LZMA_STREAM_END) {
      ended_ = true;
    } else if (status == LZMA_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (status == LZMA_MEMLIMIT_ERROR) {
      throw DamagedBytes(fmt::format("the xz data needs {} MiB of memory, more than the {} that are given",
                                     lzma_memusage(&stream_) >> 20, kMaxMemoryBytes >> 20));
    } else if (status == LZMA_OPTIONS_ERROR) {
      throw DamagedBytes("the xz data was made with options that liblzma does not know");
    } else if (status == LZMA_BUF_ERROR) {
      throw DamagedBytes("the xz data is cut short");
    } else {
      throw DamagedBytes("the xz data is damaged");
    }
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> xz_source(std::unique_ptr<ByteSource> stored) {
  return std::make_unique<XzBytes>(std::move(stored));
}

}  // namespace quarry
