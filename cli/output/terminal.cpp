#include "output/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>

namespace quarry::cli {
namespace {

constexpr const char* kEraseLine = "\r\x1b[K";

std::mutex terminal;
bool drawn = false;

}  // namespace

int terminal_columns() {
  winsize size = {};
  constexpr int kUsual = 80;
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

void write_to_stderr(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno != EINTR) return;
    if (written > 0) text.remove_prefix(written);
  }
}

void draw_line(std::string_view line) {
  const std::lock_guard lock(terminal);
  if (line.empty() && !drawn) return;
  write_to_stderr(kEraseLine + std::string(line));
  drawn = !line.empty();
}

WithoutLine::WithoutLine() : lock_(terminal) {
  if (drawn) write_to_stderr(kEraseLine);
  drawn = false;
}

}  // namespace quarry::cli
