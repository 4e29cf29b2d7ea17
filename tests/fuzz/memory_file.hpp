/// A file without a name on disk, for readers that open files.
#pragma once
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <utility>

namespace quarry::test {

/// An anonymous file, which ends with this object.
class MemoryFile {
 public:
  MemoryFile(const void* bytes, std::size_t size) : descriptor_(::memfd_create("rows", 0)) {
    if (descriptor_ < 0 || std::cmp_not_equal(::write(descriptor_, bytes, size), size)) std::abort();
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(descriptor_); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace quarry::test
