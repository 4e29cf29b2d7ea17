/// The bytes of one file descriptor, and what decompresses them.
#include "util/files/byte_source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>
#include <system_error>

#include "util/files/compression/decoders.hpp"
#include "util/files/compression/parallel_bytes.hpp"
#include "util/files/compression/read_ahead.hpp"
#include "util/files/file_state.hpp"

namespace quarry {
namespace {

std::string system_message() { return std::generic_category().message(errno); }

/// The formats of compressed files, by their first bytes.
constexpr std::string_view kGzip = "\x1f\x8b", kZstd = "\x28\xb5\x2f\xfd", kXz{"\xfd\x37zXZ\0", 6};
/// Of a skippable frame of zstd, after its first byte.
constexpr std::string_view kSkippable = "\x2a\x4d\x18";
/// `BZh`, a digit, and the start of a block, or of the end where there is none.
constexpr std::string_view kBzip2 = "BZh", kBzip2Block = "1AY&SY", kBzip2End = "\x17\x72\x45\x38\x50\x90";
constexpr std::size_t kMarkBytes = 10;
/// A file with fewer bytes has no parts that several threads would decompress faster.
constexpr Index kLargeFileBytes = Index{1} << 20;

bool is_gzip(std::string_view first) { return first.starts_with(kGzip); }
bool is_xz(std::string_view first) { return first.size() > 4 && kXz.starts_with(first.substr(0, kXz.size())); }

/// A zstd frame, or one of the sixteen skippable frames that may come before it.
bool is_zstd(std::string_view first) {
  if (first.size() < 4) return false;
  return first.starts_with(kZstd) || ((first[0] & 0xf0) == 0x50 && first.substr(1, 3) == kSkippable);
}

/// Also where the file ends within its first bytes.
bool is_bzip2(std::string_view first) {
  if (first.size() <= 4 || !first.starts_with(kBzip2) || first[3] < '1' || first[3] > '9') return false;
  const std::string_view block = first.substr(4, kBzip2Block.size());
  return kBzip2Block.starts_with(block) || kBzip2End.starts_with(block);
}

/// Whether more bytes could tell: a line that comes alone through a pipe is not held back.
bool may_become_compressed(std::string_view first) {
  if (first.empty()) return true;
  if (is_gzip(first) || is_zstd(first)) return false;
  const auto begins = [&](std::string_view mark) { return mark.starts_with(first); };
  if ((first[0] & 0xf0) == 0x50) return kSkippable.starts_with(first.substr(1));
  return begins(kGzip) || begins(kZstd) || begins(kXz) || begins(kBzip2) || is_bzip2(first) ||
         (first.starts_with(kBzip2) && first.size() == 4);
}

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

  /// The first bytes of the file, as many as say whether it is compressed.
  std::string_view first_bytes() {
    while (num_first_ < first_.size() && may_become_compressed({first_.data(), num_first_})) {
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
  std::array<char, kMarkBytes> first_{};
  std::size_t num_first_ = 0, first_used_ = 0;
  Index bytes_read_ = 0, bytes_total_ = 0;
};

}  // namespace

std::string input_name(const std::string& path) { return path == "-" ? "standard input" : path; }

std::unique_ptr<ByteSource> open_byte_source(const std::string& path, int threads) {
  auto file = std::make_unique<FileBytes>(path);
  std::string_view first;
  try {
    first = file->first_bytes();
  } catch (const DamagedBytes& damage) {
    throw InputError("cannot read " + input_name(path) + ": " + damage.what());
  }
  // A pipe may give its bytes slowly, and they are wanted as soon as they are there.
  const bool in_parallel = threads > 1 && file->bytes_total() >= kLargeFileBytes;
  std::unique_ptr<ByteSource> bytes;
  if (in_parallel && is_gzip(first))
    bytes = parallel_source(std::move(file), PartFormat::gzip, threads);
  else if (in_parallel && is_zstd(first))
    bytes = parallel_source(std::move(file), PartFormat::zstd, threads);
  else if (is_gzip(first))
    bytes = gzip_source(std::move(file));
  else if (is_zstd(first))
    bytes = zstd_source(std::move(file));
  else if (is_bzip2(first))
    bytes = bzip2_source(std::move(file));
  else if (is_xz(first))
    bytes = xz_source(std::move(file));
  else
    return file;
  return read_ahead(std::move(bytes));
}

}  // namespace quarry
