/// Locks belong to open files and not to process numbers, which other machines that share the folder use too.
#include "util/files/temporary/temporary_name.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <string_view>
#include <system_error>

namespace quarry {
namespace {

constexpr std::string_view kBegin = ".quarry-", kEnd = ".part";

}  // namespace

std::string temporary_name(const std::filesystem::path& folder) {
  static std::atomic<int> counter{0};
  std::string name(kBegin);
  name.append(std::to_string(::getpid())).append("-").append(std::to_string(counter++)).append(kEnd);
  return (folder / name).string();
}

bool lock_temporary(int descriptor) {
  (void)::flock(descriptor, LOCK_EX);  // where there are no locks, nobody can lock and remove it either
  struct stat status {};
  return ::fstat(descriptor, &status) != 0 || status.st_nlink > 0;
}

void remove_dead_temporaries(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::directory_iterator entry(folder.empty() ? "." : folder, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename();
    if (!name.starts_with(kBegin) || !name.ends_with(kEnd)) continue;
    const int descriptor = ::open(entry->path().c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) continue;
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) ::unlink(entry->path().c_str());
    ::close(descriptor);
  }
}

}  // namespace quarry
