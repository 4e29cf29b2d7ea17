/// Write, fsync, rename: the order that leaves either the whole file or none, even after a power cut.
///
/// Where the file system has unnamed files, the file gets its temporary name only when it is complete, so that a process
/// that is killed leaves nothing behind.
#include "util/files/temporary/temporary_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include "util/files/finished_file.hpp"
#include "util/files/temporary/temporary_list.hpp"
#include "util/files/temporary/temporary_name.hpp"

namespace quarry {
namespace {

constexpr std::size_t kWriteBufferBytes = std::size_t{1} << 18;
/// Bytes that are sent to the disk together.
/// PERF: fsync at the end then waits for the last of them, not for the whole file.
constexpr Index kSentBytes = Index{1} << 22;

/// The descriptor that a path such as /dev/stdout or /dev/fd/3 names; -1 for any other.
int named_descriptor(std::string_view path) {
  if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    const std::string_view digits = path.substr(folder.size());
    int descriptor = -1;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), descriptor);
    if (error == std::errc() && end == digits.data() + digits.size()) return descriptor;
  }
  return -1;
}

/// The file as a name that a link can be made from; there is none without /proc.
std::string unnamed_path(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

int open_unnamed(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (descriptor < 0 || ::access(unnamed_path(descriptor).c_str(), F_OK) == 0) return descriptor;
  ::close(descriptor);
  return -1;
}

}  // namespace

TemporaryFile::TemporaryFile(const std::string& path) : path_(path) {
  if (path.empty()) throw InputError("the name of an output file is empty");
  if (path.find('\0') != std::string::npos) throw InputError("the name of an output file holds a byte 0");
  buffer_.reserve(kWriteBufferBytes);
  if (const int descriptor = named_descriptor(path); descriptor >= 0) {
    descriptor_ = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);  // shares position and appending with what the caller opened
    if (descriptor_ < 0) fail(errno);
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
  remove_dead_temporaries(folder);
  take_name(folder);
  if (use_unnamed_files) descriptor_ = open_unnamed(folder);
  target_ = target;
  if (descriptor_ >= 0) {
    unnamed_ = true;
    lock_temporary(descriptor_);
    return;
  }
  for (bool locked = false; !locked; take_name(folder)) {
    descriptor_ = ::open(hidden_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    locked = descriptor_ >= 0 && lock_temporary(descriptor_);
    if (locked) return;
    if (descriptor_ < 0 && errno != EEXIST) break;
    close_descriptor();
  }
  const int error = errno;
  release_temporary(std::exchange(slot_, -1));
  fail(error);
}

/// Before the file exists: no signal may fall in between.
void TemporaryFile::take_name(const std::filesystem::path& folder) {
  if (slot_ >= 0) release_temporary(std::exchange(slot_, -1));
  hidden_ = temporary_name(folder);
  slot_ = register_temporary(hidden_);
}

TemporaryFile::~TemporaryFile() {
  close_descriptor();
  if (slot_ < 0) return;
  if (!unnamed_) ::unlink(hidden_.c_str());
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
  if (auto file = finished()) show_or_hold(std::move(file));
}

void TemporaryFile::commit_at_once() {
  FinishedFiles files;
  if (auto file = finished()) files.push_back(std::move(file));
  show(std::move(files));
}

std::unique_ptr<FinishedFile> TemporaryFile::finished() {
  flush();
  // Pipes and some devices know no fsync: EINVAL, EROFS or ENOTSUP there is no failed write. Standard output may be a file.
  if (::fsync(descriptor_) != 0 && (!target_.empty() || (errno != EINVAL && errno != EROFS && errno != ENOTSUP)))
    fail(errno);
  // Network disks report a full disk only when a file is closed; a second descriptor keeps the lock.
  const int second = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
  if (second >= 0 && ::close(second) != 0) fail(errno);
  if (target_.empty()) {
    close_descriptor();
    return nullptr;
  }
  while (unnamed_) {
    const int linked =
        ::linkat(AT_FDCWD, unnamed_path(descriptor_).c_str(), AT_FDCWD, hidden_.c_str(), AT_SYMLINK_FOLLOW);
    if (linked != 0 && errno != EEXIST) fail(errno);
    if (linked != 0) take_name(std::filesystem::path(target_).parent_path());
    unnamed_ = linked != 0;
  }
  auto file = std::make_unique<FinishedFile>();
  file->path = path_;
  file->target = target_;
  file->hidden = hidden_;
  file->descriptor = std::exchange(descriptor_, -1);
  file->slot = std::exchange(slot_, -1);
  return file;
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
    num_unsent_ += written;
  }
  if (num_unsent_ < kSentBytes || target_.empty()) return;
  (void)::sync_file_range(descriptor_, 0, 0, SYNC_FILE_RANGE_WRITE);  // only begins it; an error comes back from fsync
  num_unsent_ = 0;
}

void TemporaryFile::close_descriptor() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

void TemporaryFile::fail(int error) const {
  throw SystemError("cannot write " + (path_ == "-" ? "standard output" : path_) + ": " +
                    std::generic_category().message(error));
}

}  // namespace quarry
