#include "output/alerts/alert_output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "output/text.hpp"

namespace quarry::cli {
namespace {

constexpr std::size_t kMuch = std::size_t{1} << 18;
/// Rows of another thread that are not copied first.
constexpr std::size_t kPiece = std::size_t{1} << 14;

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw SystemError(fmt::format("'{}' cannot be {}: {}", path, what, std::strerror(errno)));
}

}  // namespace

AlertOutput::AlertOutput(std::string path, Index keep) : path_(std::move(path)) {
  if (!is_wanted() || path_ == "-") return;
  if (keep < 0) {
    whole_.emplace(path_);
    return;
  }
  if (name_without_compression(path_).size() != path_.size())
    throw InputError(fmt::format("'{}': the rows of a run with --checkpoint are not compressed", path_));
  if (keep > 0 && access(path_.c_str(), F_OK) != 0)
    throw InputError(fmt::format("'{}', of which the checkpoint has {} bytes, is missing", path_, keep));
  file_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (file_ < 0) fail(path_, "opened");
  if (lseek(file_, 0, SEEK_END) < keep)
    throw InputError(fmt::format("'{}' is shorter than it was at the checkpoint, {} bytes", path_, keep));
  if (ftruncate(file_, keep) != 0 || lseek(file_, keep, SEEK_SET) < 0) fail(path_, "cut");
  length_ = keep;
}

AlertOutput::~AlertOutput() {
  if (file_ >= 0) close(file_);
}

void AlertOutput::write(bool now) {
  if (text_.empty() || (text_.size() < kMuch && !now)) return;
  put(text_);
  text_.clear();
}

void AlertOutput::take(std::string_view rows, bool now) {
  if (rows.size() < kPiece) {
    text_ += rows;
    return write(now);
  }
  write(true);
  put(rows);
}

void AlertOutput::put(std::string_view text) {
  if (!is_wanted()) {
    // the header alone
  } else if (whole_) {
    whole_->write(text);
  } else if (file_ >= 0) {
    write_in_place(text);
  } else {
    print(text);
  }
  length_ += std::ssize(text);
}

void AlertOutput::write_in_place(std::string_view text) {
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t size = ::write(file_, text.data() + written, text.size() - written);
    if (size < 0 && errno != EINTR) fail(path_, "written");
    if (size > 0) written += size;
  }
}

Index AlertOutput::sync() {
  write(true);
  if (file_ >= 0 && fdatasync(file_) != 0) fail(path_, "written");
  return length_;
}

void AlertOutput::finish() {
  write(true);
  if (whole_) whole_->finish();
}

}  // namespace quarry::cli
