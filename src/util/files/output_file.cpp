/// Gzip and zstd in front of a TemporaryFile.
#include "util/files/output_file.hpp"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <new>
#include <vector>

#include "util/check.hpp"
#include "util/files/zstd_result.hpp"

namespace quarry {

/// Takes text, hands compressed bytes to a file.
class Compressor {
 public:
  virtual ~Compressor() = default;
  virtual void compress(std::string_view text, bool last, TemporaryFile& file) = 0;
};

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

std::unique_ptr<Compressor> compressor_for(const std::string& path) {
  if (path.ends_with(".gz")) return std::make_unique<GzipCompressor>();
  if (path.ends_with(".zst")) return std::make_unique<ZstdCompressor>();
  return nullptr;
}

}  // namespace

OutputFile::OutputFile(const std::string& path)
    : file_(std::make_unique<TemporaryFile>(path)), compressor_(compressor_for(path)) {}
OutputFile::OutputFile(OutputFile&&) noexcept = default;
OutputFile& OutputFile::operator=(OutputFile&&) noexcept = default;
OutputFile::~OutputFile() = default;

void OutputFile::write(std::string_view text) {
  if (compressor_) {
    compressor_->compress(text, false, *file_);
  } else {
    file_->write(text.data(), text.size());
  }
}

void OutputFile::finish() {
  if (compressor_) compressor_->compress({}, true, *file_);
  file_->commit();
}

void OutputFile::finish_at_once() {
  if (compressor_) compressor_->compress({}, true, *file_);
  file_->commit_at_once();
}

}  // namespace quarry
