#include "util/files/compression/parallel_bytes.hpp"

#include <zstd.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <future>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "util/files/compression/decoders.hpp"

namespace quarry {
namespace {

/// A piece with at least this number of stored bytes is worth a thread.
constexpr std::size_t kPieceBytes = std::size_t{1} << 18;
constexpr std::size_t kMaxStoredBytes = std::size_t{8} << 20, kMaxBytes = std::size_t{32} << 20;

/// Bytes in memory, and after them those of another source, which may be null.
class JoinedBytes final : public ByteSource {
 public:
  JoinedBytes(std::string bytes, ByteSource* rest) : bytes_(std::move(bytes)), rest_(rest) {}
  std::size_t read(char* bytes, std::size_t size) override {
    const std::size_t got = bytes_.copy(bytes, size, used_);
    used_ += got;
    return got == 0 && rest_ != nullptr ? rest_->read(bytes, size) : got;
  }
  Index bytes_read() const override { return 0; }
  Index bytes_total() const override { return 0; }

 private:
  std::string bytes_;
  std::size_t used_ = 0;
  ByteSource* rest_;
};

/// Cuts stored bytes behind whole members or frames.
class Splitter {
 public:
  Splitter(ByteSource& stored, PartFormat format) : stored_(stored), format_(format) {}

  /// Whole members or frames; empty where the next says no size or has too many bytes, and at the end.
  std::string next() {
    std::size_t size = 0;
    while (size < kPieceBytes) {
      const std::size_t more = format_ == PartFormat::gzip ? member_size(size) : frame_size(size);
      if (more == 0) break;
      size += more;
    }
    std::string piece = buffer_.substr(0, size);
    buffer_.erase(0, size);
    return piece;
  }
  /// What is left when there is no next piece.
  std::string rest() { return std::move(buffer_); }

 private:
  /// Reads until there are `size` bytes. @return false where the file ends before
  bool need(std::size_t size) {
    while (buffer_.size() < size) {
      const std::size_t before = buffer_.size();
      buffer_.resize(std::max(size, before + kPieceBytes));
      const std::size_t got = stored_.read(buffer_.data() + before, buffer_.size() - before);
      buffer_.resize(before + got);
      if (got == 0) return false;
    }
    return true;
  }

  std::size_t byte(std::size_t offset) const { return static_cast<unsigned char>(buffer_[offset]); }
  std::size_t two_bytes(std::size_t offset) const { return byte(offset) | byte(offset + 1) << 8; }

  /// Of the whole member at `offset`; 0 where its header does not have it.
  std::size_t member_size(std::size_t offset) {
    constexpr std::size_t kHeaderBytes = 12, kSubfieldBytes = 4;
    constexpr std::string_view kWithExtraField = "\x1f\x8b\x08\x04";
    if (!need(offset + kHeaderBytes) || buffer_.compare(offset, kWithExtraField.size(), kWithExtraField) != 0) return 0;
    const std::size_t end = offset + kHeaderBytes + two_bytes(offset + 10);
    if (!need(end)) return 0;
    for (std::size_t at = offset + kHeaderBytes; at + kSubfieldBytes <= end; at += kSubfieldBytes + two_bytes(at + 2)) {
      if (buffer_.compare(at, 2, "BC") != 0 || two_bytes(at + 2) != 2 || at + kSubfieldBytes + 2 > end) continue;
      const std::size_t size = two_bytes(at + kSubfieldBytes) + 1;
      return size > end - offset && need(offset + size) ? size : 0;
    }
    return 0;
  }

  /// Of the whole frame at `offset`; 0 where it is larger than a piece may be, or cut short.
  std::size_t frame_size(std::size_t offset) {
    std::size_t wanted = kPieceBytes;
    while (need(offset + 1)) {
      const bool whole = need(offset + wanted);
      const std::size_t size = ZSTD_findFrameCompressedSize(buffer_.data() + offset, buffer_.size() - offset);
      if (ZSTD_isError(size) == 0) return offset + size <= kMaxStoredBytes ? size : 0;
      if (!whole || wanted >= kMaxStoredBytes) return 0;
      wanted *= 2;
    }
    return 0;
  }

  ByteSource& stored_;
  PartFormat format_;
  std::string buffer_;
};

class ParallelBytes final : public ByteSource {
 public:
  ParallelBytes(std::unique_ptr<ByteSource> stored, PartFormat format, int threads)
      : stored_(std::move(stored)), format_(format), threads_(threads), splitter_(*stored_, format) {}

  std::size_t read(char* bytes, std::size_t size) override {
    if (error_) std::rethrow_exception(error_);
    for (;;) {
      if (const std::size_t got = piece_.bytes.copy(bytes, size, used_)) {
        used_ += got;
        return got;
      }
      if (stream_) {
        if (const std::size_t got = stream_->read(bytes, size)) return got;
        if (in_rest_) return 0;
        stream_.reset();
      }
      next_piece();
    }
  }

  Index bytes_read() const override { return stored_->bytes_read(); }
  Index bytes_total() const override { return stored_->bytes_total(); }

 private:
  struct Decompressed {
    std::string bytes;
    bool too_large = false;  ///< then there are no bytes
  };
  struct Job {
    std::unique_ptr<std::string> stored;
    std::future<Decompressed> result;  ///< after what it uses, so that it ends before
  };

  static std::unique_ptr<ByteSource> decoder(PartFormat format, std::string stored, ByteSource* rest) {
    auto bytes = std::make_unique<JoinedBytes>(std::move(stored), rest);
    return format == PartFormat::gzip ? gzip_source(std::move(bytes)) : zstd_source(std::move(bytes));
  }

  static Decompressed decompress(PartFormat format, const std::string& stored) {
    const auto source = decoder(format, stored, nullptr);
    Decompressed result;
    for (std::size_t size = 0;;) {
      result.bytes.resize(std::max(2 * size, 4 * kPieceBytes));
      const std::size_t got = source->read(result.bytes.data() + size, result.bytes.size() - size);
      size += got;
      if (size > kMaxBytes) return {.bytes = {}, .too_large = true};
      if (got > 0) continue;
      result.bytes.resize(size);
      return result;
    }
  }

  void start_jobs() {
    while (!splitter_ended_ && std::ssize(jobs_) < threads_) {
      std::string stored = splitter_.next();
      splitter_ended_ = stored.empty();
      if (splitter_ended_) return;
      Job& job = jobs_.emplace_back(Job{std::make_unique<std::string>(std::move(stored)), {}});
      const auto work = [format = format_, &piece = *job.stored] { return decompress(format, piece); };
      try {
        job.result = std::async(std::launch::async, work);
      } catch (const std::system_error&) {  // no thread is available
        job.result = std::async(std::launch::deferred, work);
      }
    }
  }

  void next_piece() {
    start_jobs();
    used_ = 0;
    piece_.bytes.clear();
    if (jobs_.empty()) return go_on_alone("");
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    try {
      piece_ = job.result.get();
    } catch (const DamagedBytes&) {
      // The header of a gzip member may state a wrong size: then what is wrong is not known before one has read on.
      if (format_ == PartFormat::gzip) return go_on_alone(std::move(*job.stored));
      error_ = std::current_exception();
      throw;
    } catch (...) {
      error_ = std::current_exception();  // what follows must not look like the rest
      throw;
    }
    if (!piece_.too_large) return;
    // Of a gzip member one thread reads on behind its end, wherever its header says that is.
    if (format_ == PartFormat::gzip) return go_on_alone(std::move(*job.stored));
    stream_ = decoder(format_, std::move(*job.stored), nullptr);
  }

  /// From here on one stream: `stored`, the pieces behind it, and the rest of the file.
  void go_on_alone(std::string stored) {
    try {
      for (const Job& job : jobs_) stored += *job.stored;
      jobs_.clear();
      stored += splitter_.rest();
      in_rest_ = true;
      stream_ = decoder(format_, std::move(stored), stored_.get());
    } catch (...) {
      error_ = std::current_exception();
      throw;
    }
  }

  std::unique_ptr<ByteSource> stored_;
  PartFormat format_;
  int threads_;
  Splitter splitter_;
  bool splitter_ended_ = false, in_rest_ = false;
  Decompressed piece_;
  std::size_t used_ = 0;                // of it
  std::unique_ptr<ByteSource> stream_;  // after it: a piece that is too large, or the rest of the file
  std::exception_ptr error_;
  std::deque<Job> jobs_;
};

}  // namespace

std::unique_ptr<ByteSource> parallel_source(std::unique_ptr<ByteSource> stored, PartFormat format, int threads) {
  return std::make_unique<ParallelBytes>(std::move(stored), format, threads);
}

}  // namespace quarry
