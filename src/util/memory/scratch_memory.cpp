#include "util/memory/scratch_memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <system_error>
#include <unordered_set>

#include "quarry/error.hpp"
#include "quarry/index.hpp"

namespace quarry {
namespace {

std::mutex mutex;
std::string current_folder;        // empty: none
std::unordered_set<void*> mapped;  // arrays in files
std::atomic<Index> num_mapped = 0;

[[noreturn]] void fail(const std::string& folder, int error) {
  throw SystemError(
      fmt::format("cannot write a scratch file in '{}': {}", folder, std::generic_category().message(error)));
}

/// A file without a name, of which every byte has its place on the disk.
int open_file(const std::string& folder, std::size_t bytes) {
  std::string name = folder + "/.quarry-scratch-XXXXXX";
  int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0 && errno != ENOENT && errno != ENOTDIR) {  // the file system has no such files
    file = ::mkostemp(name.data(), O_CLOEXEC);
    if (file >= 0) ::unlink(name.c_str());
  }
  if (file < 0) fail(folder, errno);
  if (const int error = ::posix_fallocate(file, 0, static_cast<off_t>(bytes)); error != 0) {
    ::close(file);
    fail(folder, error);
  }
  return file;
}

}  // namespace

ScratchFolder::ScratchFolder(const std::string& folder) {
  if (folder.empty()) return;
  ::close(open_file(folder, 1));
  const std::lock_guard lock(mutex);
  current_folder = folder;
}

ScratchFolder::~ScratchFolder() {
  const std::lock_guard lock(mutex);
  current_folder.clear();
}

void* allocate_big(std::size_t bytes) {
  if (bytes < scratch_array_bytes) return ::operator new(bytes);
  std::unique_lock lock(mutex);
  const std::string folder = current_folder;
  lock.unlock();
  if (folder.empty()) return ::operator new(bytes);
  const int file = open_file(folder, bytes);
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  lock.lock();
  mapped.insert(memory);
  num_mapped = std::ssize(mapped);
  return memory;
}

void free_big(void* memory, std::size_t bytes) noexcept {
  if (num_mapped > 0) {
    const std::lock_guard lock(mutex);
    if (mapped.erase(memory) > 0) {
      num_mapped = std::ssize(mapped);
      ::munmap(memory, bytes);
      return;
    }
  }
  ::operator delete(memory);
}

}  // namespace quarry
