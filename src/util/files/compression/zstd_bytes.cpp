#include <zstd.h>

#include <new>
#include <string>

#include "util/files/compression/decoders.hpp"
#include "util/files/zstd_result.hpp"

namespace quarry {
namespace {

class ZstdBytes final : public CompressedBytes {
 public:
  explicit ZstdBytes(std::unique_ptr<ByteSource> stored)
      : CompressedBytes(std::move(stored)), stream_(ZSTD_createDStream()) {
    if (!stream_) throw std::bad_alloc();
  }

  std::size_t read(char* bytes, std::size_t size) override {
    ZSTD_outBuffer output{bytes, size, 0};
    while (output.pos == 0) {
      if (input_.pos == input_.size && !output_waits_) {
        input_ = {buffer_.data(), refill(), 0};
        if (input_.size == 0) {
          if (inside_frame_) throw DamagedBytes("the zstd data is cut short");
          return 0;
        }
      }
      // The first byte of a frame goes in alone: a frame that is whole in memory is decoded in another way, which answers
      // otherwise where the frame states a wrong size.
      const std::size_t size_at_hand = input_.size;
      if (!inside_frame_) input_.size = input_.pos + 1;
      const std::size_t hint = ZSTD_decompressStream(stream_.get(), &output, &input_);
      input_.size = size_at_hand;
      if (zstd_failed(hint)) {
        throw DamagedBytes(std::string("the zstd data is damaged (") + ZSTD_getErrorName(hint) + ")");
      }
      inside_frame_ = hint != 0;
      // The decoder may hold more without new input, but not behind the end of a frame: there it would begin another.
      output_waits_ = inside_frame_ && output.pos == output.size;
    }
    return output.pos;
  }

 private:
  std::unique_ptr<ZSTD_DStream, decltype([](ZSTD_DStream* stream) { ZSTD_freeDStream(stream); })> stream_;
  ZSTD_inBuffer input_{nullptr, 0, 0};
  bool inside_frame_ = false, output_waits_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> zstd_source(std::unique_ptr<ByteSource> stored) {
  return std::make_unique<ZstdBytes>(std::move(stored));
}

}  // namespace quarry
