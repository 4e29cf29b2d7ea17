#include <zlib.h>

#include <algorithm>
#include <new>
#include <string>

#include "util/files/compression/decoders.hpp"

namespace quarry {
namespace {

class GzipBytes final : public CompressedBytes {
 public:
  explicit GzipBytes(std::unique_ptr<ByteSource> stored) : CompressedBytes(std::move(stored)) {
    constexpr int kGzipOnly = 15 + 16;  // largest window, gzip header required (zlib manual, inflateInit2)
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  GzipBytes(const GzipBytes&) = delete;
  GzipBytes& operator=(const GzipBytes&) = delete;
  ~GzipBytes() override { inflateEnd(&stream_); }

  std::size_t read(char* bytes, std::size_t size) override {
    stream_.next_out = reinterpret_cast<Bytef*>(bytes);
    stream_.avail_out = std::min<std::size_t>(size, 1u << 30);
    const uInt wanted = stream_.avail_out;
    while (stream_.avail_out == wanted) {
      if (stream_.avail_in == 0 && !refill_stream()) {
        if (inside_member_) throw DamagedBytes("the gzip data is cut short");
        return 0;
      }
      if (!inside_member_ && !start_member()) return 0;
      const int status = inflate(&stream_, Z_NO_FLUSH);
      if (status == Z_MEM_ERROR) throw std::bad_alloc();
      if (status == Z_STREAM_END) {
        inside_member_ = false;
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        throw DamagedBytes(std::string("the gzip data is damaged (") + (stream_.msg ? stream_.msg : "bad data") + ")");
      }
    }
    return wanted - stream_.avail_out;
  }

 private:
  bool refill_stream() {
    stream_.avail_in = refill();
    stream_.next_in = reinterpret_cast<Bytef*>(buffer_.data());
    return stream_.avail_in != 0;
  }

  /// Members follow one another; zeros after the last are padding, as gzip itself reads them.
  bool start_member() {
    while (*stream_.next_in == 0) {
      ++stream_.next_in;
      if (--stream_.avail_in == 0 && !refill_stream()) return false;
    }
    inflateReset(&stream_);
    inside_member_ = true;
    return true;
  }

  z_stream stream_{};
  bool inside_member_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> gzip_source(std::unique_ptr<ByteSource> stored) {
  return std::make_unique<GzipBytes>(std::move(stored));
}

}  // namespace quarry
