/// Write, fsync, rename: the order that leaves either the whole file or none, even after a power cut.
#include "util/files/temporary_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "util/files/temporary_list.hpp"

namespace quarry {
namespace {

constexpr std::size_t kWriteBufferBytes = std::size_t{1} << 18;

/// Short and unlike any other, however long the name of the target is.
std::string hidden_name(const std::filesystem::path& folder) {
  static std::atomic<int> counter{0};
  return (folder / (".quarry-" + std::to_string(::getpid()) + "-" + std::to_string(counter++) + ".part")).string();
}

}  // namespace

TemporaryFile::TemporaryFile(const std::string& path) : path_(path) {
  buffer_.reserve(kWriteBufferBytes);
  if (path == "-") {
    descriptor_ = STDOUT_FILENO;
    return;
  }
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail(EISDIR);
  if (exists && !S_ISREG(status.st_mode)) {
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail(errno);
    return;
  }
  if (exists && ::access(path.c_str(), W_OK) != 0) fail(errno);  // a rename would replace a write-protected file
  std::error_code ignored;
  const auto target = exists ? std::filesystem::canonical(path, ignored) : std::filesystem::path(path);
  open_hidden(target.empty() ? path : target.string());
  if (exists) (void)::fchmod(descriptor_, status.st_mode & 07777);  // a replaced file keeps its mode
}

void TemporaryFile::open_hidden(const std::string& target) {
  const auto folder = std::filesystem::path(target).parent_path();
  do {
    if (slot_ >= 0) release_temporary(slot_);
    hidden_ = hidden_name(folder);
    slot_ = register_temporary(hidden_);  // before the file exists: no signal may fall in between
    descriptor_ = ::open(hidden_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ < 0) {
    const int error = errno;
    release_temporary(slot_);
    fail(error);
  }
  target_ = target;
}

TemporaryFile::~TemporaryFile() {
  close_descriptor();
  if (slot_ < 0) return;
  ::unlink(hidden_.c_str());
  release_temporary(slot_);
}

void TemporaryFile::write(const void* bytes, std::size_t size) {
  const char* first = static_cast<const char*>(bytes);
  position_ += size;
  if (buffer_.size() + size > kWriteBufferBytes) flush();
  if (size >= kWriteBufferBytes) {
    write_through(first, size);
  } else {
    buffer_.insert(buffer_.end(), first, first + size);
  }
}

void TemporaryFile::commit() {
  flush();
  // Pipes and some devices know no fsync: EINVAL, EROFS or ENOTSUP there is no failed write.
  if (::fsync(descriptor_) != 0 && !target_.empty()) fail(errno);
  if (descriptor_ == STDOUT_FILENO) return;
  const int closed = ::close(descriptor_);  // network disks report a full disk only here
  descriptor_ = -1;
  if (closed != 0) fail(errno);
  if (target_.empty()) return;
  if (::rename(hidden_.c_str(), target_.c_str()) != 0) fail(errno);
  release_temporary(slot_);
  slot_ = -1;
  const auto folder = std::filesystem::path(target_).parent_path();
  const int folder_descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder_descriptor < 0) return;  // the file is complete; only the rename may be lost in a power cut
  ::fsync(folder_descriptor);
  ::close(folder_descriptor);
}

void TemporaryFile::flush() {
  write_through(buffer_.data(), buffer_.size());
  buffer_.clear();
}

void TemporaryFile::write_through(const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(descriptor_, bytes, size);
    if (written < 0 && errno != EINTR) fail(errno);
    if (written <= 0) continue;
    bytes += written;
    size -= written;
  }
}

void TemporaryFile::close_descriptor() {
  if (descriptor_ >= 0 && descriptor_ != STDOUT_FILENO) ::close(descriptor_);
  descriptor_ = -1;
}

void TemporaryFile::fail(int error) const {
  throw SystemError("cannot write " + (path_ == "-" ? "standard output" : path_) + ": " +
                    std::generic_category().message(error));
}

}  // namespace quarry
