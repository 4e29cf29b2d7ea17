#include <bzlib.h>

#include <algorithm>
#include <new>

#include "util/files/compression/decoders.hpp"

namespace quarry {
namespace {

class Bzip2Bytes final : public CompressedBytes {
 public:
  explicit Bzip2Bytes(std::unique_ptr<ByteSource> stored) : CompressedBytes(std::move(stored)) {}
  Bzip2Bytes(const Bzip2Bytes&) = delete;
  Bzip2Bytes& operator=(const Bzip2Bytes&) = delete;
  ~Bzip2Bytes() override {
    if (inside_stream_) BZ2_bzDecompressEnd(&stream_);
  }

  std::size_t read(char* bytes, std::size_t size) override {
    const auto wanted = static_cast<unsigned>(std::min<std::size_t>(size, 1u << 30));
    stream_.next_out = bytes;
    stream_.avail_out = wanted;
    while (stream_.avail_out == wanted) {
      if (stream_.avail_in == 0 && !refill_stream()) {
        if (inside_stream_) throw DamagedBytes("the bzip2 data is cut short");
        return 0;
      }
      if (!inside_stream_) start_stream();
      const int status = BZ2_bzDecompress(&stream_);
      if (status == BZ_MEM_ERROR) throw std::bad_alloc();
      if (status == BZ_STREAM_END)
        end_stream();
      else if (status != BZ_OK)
        throw DamagedBytes("the bzip2 data is damaged");
    }
    return wanted - stream_.avail_out;
  }

 private:
  bool refill_stream() {
    stream_.avail_in = static_cast<unsigned>(refill());
    stream_.next_in = buffer_.data();
    return stream_.avail_in != 0;
  }

  void start_stream() {
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
    inside_stream_ = true;
  }

  void end_stream() {
    inside_stream_ = false;
    BZ2_bzDecompressEnd(&stream_);
  }

  bz_stream stream_{};
  bool inside_stream_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> bzip2_source(std::unique_ptr<ByteSource> stored) {
  return std::make_unique<Bzip2Bytes>(std::move(stored));
}

}  // namespace quarry
