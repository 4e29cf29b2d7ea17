#include "util/files/compression/compressors.hpp"

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <new>
#include <vector>

#include "util/check.hpp"
#include "util/files/zstd_result.hpp"

namespace quarry {
namespace {

constexpr std::size_t kOutputBufferBytes = std::size_t{1} << 16;

class GzipCompressor final : public Compressor {
 public:
  GzipCompressor() : buffer_(kOutputBufferBytes) {
    constexpr int kGzipHeader = 15 + 16, kDefaultMemory = 8;  // zlib manual, deflateInit2
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipHeader, kDefaultMemory, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
      throw std::bad_alloc();
    }
  }
  GzipCompressor(const GzipCompressor&) = delete;
  GzipCompressor& operator=(const GzipCompressor&) = delete;
  ~GzipCompressor() override { deflateEnd(&stream_); }

  void compress(std::string_view text, bool last, TemporaryFile& file) override {
    do {
      const auto piece = text.substr(0, std::numeric_limits<uInt>::max());
      text.remove_prefix(piece.size());
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
      stream_.avail_in = piece.size();
      deflate_piece(last && text.empty(), file);
    } while (!text.empty());
  }

 private:
  void deflate_piece(bool last, TemporaryFile& file) {
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
      stream_.avail_out = buffer_.size();
      deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH);
      file.write(buffer_.data(), buffer_.size() - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

  z_stream stream_{};
  std::vector<char> buffer_;
};

class ZstdCompressor final : public Compressor {
 public:
  ZstdCompressor() : stream_(ZSTD_createCStream()), buffer_(kOutputBufferBytes) {
    if (!stream_) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_checksumFlag, 1);
  }

  void compress(std::string_view text, bool last, TemporaryFile& file) override {
    ZSTD_inBuffer input{text.data(), text.size(), 0};
    bool done = false;
    while (!done) {
      ZSTD_outBuffer output{buffer_.data(), buffer_.size(), 0};
      const std::size_t left =
          ZSTD_compressStream2(stream_.get(), &output, &input, last ? ZSTD_e_end : ZSTD_e_continue);
      QUARRY_CHECK(!zstd_failed(left), ZSTD_getErrorName(left));
      file.write(buffer_.data(), output.pos);
      done = last ? left == 0 : input.pos == input.size;
    }
  }

 private:
  std::unique_ptr<ZSTD_CStream, decltype([](ZSTD_CStream* stream) { ZSTD_freeCStream(stream); })> stream_;
  std::vector<char> buffer_;
};

class Bzip2Compressor final : public Compressor {
 public:
  Bzip2Compressor() : buffer_(kOutputBufferBytes) {
    constexpr int kBlocksOf900k = 9, kQuiet = 0, kDefaultWork = 0;  // as the program bzip2
    if (BZ2_bzCompressInit(&stream_, kBlocksOf900k, kQuiet, kDefaultWork) != BZ_OK) throw std::bad_alloc();
  }
  Bzip2Compressor(const Bzip2Compressor&) = delete;
  Bzip2Compressor& operator=(const Bzip2Compressor&) = delete;
  ~Bzip2Compressor() override { BZ2_bzCompressEnd(&stream_); }

  void compress(std::string_view text, bool last, TemporaryFile& file) override {
    while (!text.empty()) {
      const auto piece = text.substr(0, std::numeric_limits<unsigned>::max());
      text.remove_prefix(piece.size());
      stream_.next_in = const_cast<char*>(piece.data());
      stream_.avail_in = static_cast<unsigned>(piece.size());
      while (stream_.avail_in > 0) step(BZ_RUN, file);
    }
    if (!last) return;
    while (step(BZ_FINISH, file) != BZ_STREAM_END) {
    }
  }

 private:
  int step(int action, TemporaryFile& file) {
    stream_.next_out = buffer_.data();
    stream_.avail_out = static_cast<unsigned>(buffer_.size());
    const int status = BZ2_bzCompress(&stream_, action);
    file.write(buffer_.data(), buffer_.size() - stream_.avail_out);
    return status;
  }

  bz_stream stream_{};
  std::vector<char> buffer_;
};

class XzCompressor final : public Compressor {
 public:
  XzCompressor() : buffer_(kOutputBufferBytes) {
    if (lzma_easy_encoder(&stream_, LZMA_PRESET_DEFAULT, LZMA_CHECK_CRC64) != LZMA_OK) throw std::bad_alloc();
  }
  XzCompressor(const XzCompressor&) = delete;
  XzCompressor& operator=(const XzCompressor&) = delete;
  ~XzCompressor() override { lzma_end(&stream_); }

  void compress(std::string_view text, bool last, TemporaryFile& file) override {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(text.data());
    stream_.avail_in = text.size();
    lzma_ret status = LZMA_OK;
    while (last ? status != LZMA_STREAM_END : stream_.avail_in > 0) {
      stream_.next_out = reinterpret_cast<std::uint8_t*>(buffer_.data());
      stream_.avail_out = buffer_.size();
      status = lzma_code(&stream_, last ? LZMA_FINISH : LZMA_RUN);
      if (status == LZMA_MEM_ERROR) throw std::bad_alloc();
      QUARRY_CHECK(status == LZMA_OK || status == LZMA_STREAM_END, "liblzma cannot compress");
      file.write(buffer_.data(), buffer_.size() - stream_.avail_out);
    }
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  std::vector<char> buffer_;
};

}  // namespace

std::unique_ptr<Compressor> compressor_for(const std::string& path) {
  if (path.ends_with(".gz")) return std::make_unique<GzipCompressor>();
  if (path.ends_with(".zst")) return std::make_unique<ZstdCompressor>();
  if (path.ends_with(".bz2")) return std::make_unique<Bzip2Compressor>();
  if (path.ends_with(".xz")) return std::make_unique<XzCompressor>();
  return nullptr;
}

}  // namespace quarry
