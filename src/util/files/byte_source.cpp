/// Plain, gzip and zstd byte sources over one file descriptor.
#include "util/files/byte_source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "util/files/file_state.hpp"
#include "util/files/zstd_result.hpp"

namespace quarry {
namespace {

constexpr std::size_t kStoredBufferBytes = std::size_t{1} << 17;

std::string system_message() { return std::generic_category().message(errno); }

/// The bytes as stored. Keeps the first few so that the compression is known before anything is consumed.
class FileBytes final : public ByteSource {
 public:
  explicit FileBytes(const std::string& path) {
    descriptor_ = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    owned_ = path != "-";
    if (descriptor_ < 0) throw InputError("cannot open " + path + ": " + system_message());
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0) return;
    if (S_ISDIR(status.st_mode)) {
      close();
      throw InputError("cannot read " + input_name(path) + ": it is a folder");
    }
    if (!S_ISREG(status.st_mode)) return;
    opened_ = state_of(descriptor_);
    bytes_total_ = opened_->bytes;
  }
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;
  ~FileBytes() override { close(); }

  /// The first bytes of the file, up to four.
  std::string_view first_bytes() {
    while (num_first_ < first_.size()) {
      const std::size_t got = read_stored(first_.data() + num_first_, first_.size() - num_first_);
      if (got == 0) break;
      num_first_ += got;
    }
    return {first_.data(), num_first_};
  }

  std::size_t read(char* bytes, std::size_t size) override {
    std::size_t got = std::min(size, num_first_ - first_used_);
    std::copy_n(first_.data() + first_used_, got, bytes);
    first_used_ += got;
    if (got == 0) got = read_stored(bytes, size);
    bytes_read_ += got;
    return got;
  }

  Index bytes_read() const override { return bytes_read_; }
  Index bytes_total() const override { return bytes_total_; }

 private:
  std::size_t read_stored(char* bytes, std::size_t size) {
    for (;;) {
      const ssize_t got = ::read(descriptor_, bytes, size);
      if (got == 0 && opened_ && state_of(descriptor_) != *opened_) throw DamagedBytes(kChangedSinceOpened);
      if (got >= 0) return got;
      if (errno != EINTR) throw DamagedBytes("reading failed: " + system_message());
    }
  }
  void close() {
    if (owned_) ::close(descriptor_);
  }

  int descriptor_ = -1;
  bool owned_ = false;               // not standard input
  std::optional<FileState> opened_;  // of a regular file
  std::array<char, 4> first_{};
  std::size_t num_first_ = 0, first_used_ = 0;
  Index bytes_read_ = 0, bytes_total_ = 0;
};

/// What gzip and zstd share: a buffer of stored bytes, refilled from the file.
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
};

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
      const std::size_t hint = ZSTD_decompressStream(stream_.get(), &output, &input_);
      if (zstd_failed(hint)) {
        throw DamagedBytes(std::string("the zstd data is damaged (") + ZSTD_getErrorName(hint) + ")");
      }
      inside_frame_ = hint != 0;
      output_waits_ = output.pos == output.size;  // the decoder may hold more without new input
    }
    return output.pos;
  }

 private:
  std::unique_ptr<ZSTD_DStream, decltype([](ZSTD_DStream* stream) { ZSTD_freeDStream(stream); })> stream_;
  ZSTD_inBuffer input_{nullptr, 0, 0};
  bool inside_frame_ = false, output_waits_ = false;
};

bool is_gzip(std::string_view first) { return first.starts_with("\x1f\x8b"); }

/// A zstd frame, or one of the sixteen skippable frames that may come before it.
bool is_zstd(std::string_view first) {
  if (first.size() < 4) return false;
  return first == "\x28\xb5\x2f\xfd" || ((first[0] & 0xf0) == 0x50 && first.substr(1) == "\x2a\x4d\x18");
}

}  // namespace

std::string input_name(const std::string& path) { return path == "-" ? "standard input" : path; }

std::unique_ptr<ByteSource> open_byte_source(const std::string& path) {
  auto file = std::make_unique<FileBytes>(path);
  std::string_view first;
  try {
    first = file->first_bytes();
  } catch (const DamagedBytes& damage) {
    throw InputError("cannot read " + input_name(path) + ": " + damage.what());
  }
  if (is_gzip(first)) return std::make_unique<GzipBytes>(std::move(file));
  if (is_zstd(first)) return std::make_unique<ZstdBytes>(std::move(file));
  return file;
}

}  // namespace quarry
