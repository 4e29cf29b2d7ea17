/// mmap, with its errors in words.
#include "util/files/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>
#include <utility>

#include "quarry/error.hpp"
#include "util/files/mapping_list.hpp"

namespace quarry {
namespace {

/// Closes the descriptor, where nobody has taken it.
struct Descriptor {
  int number = -1;
  explicit Descriptor(int opened) : number(opened) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw InputError("cannot open " + path + ": " + why);
}

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (file.number < 0 || ::fstat(file.number, &status) != 0) refuse(path, std::generic_category().message(errno));
  if (S_ISDIR(status.st_mode)) refuse(path, "it is a folder");
  if (!S_ISREG(status.st_mode)) refuse(path, "it is not a regular file");
  if (status.st_size == 0) refuse(path, "it is empty");
  const std::size_t size = status.st_size;
  void* mapped = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number, 0);
  if (mapped == MAP_FAILED) refuse(path, std::generic_category().message(errno));
  bytes_ = {static_cast<const std::byte*>(mapped), size};
  entry_ = &list_mapping(path, bytes_, std::exchange(file.number, -1));
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : bytes_(std::exchange(other.bytes_, {})), entry_(std::exchange(other.entry_, nullptr)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  if (this != &other) {
    unmap();
    bytes_ = std::exchange(other.bytes_, {});
    entry_ = std::exchange(other.entry_, nullptr);
  }
  return *this;
}

MappedFile::~MappedFile() { unmap(); }

FileState MappedFile::state() const { return entry_->opened; }

void MappedFile::check_unchanged() const {
  if (!entry_->is_unchanged()) throw InputError(entry_->path + ": " + kChangedSinceOpened);
}

void MappedFile::release(std::span<const std::byte> part) const noexcept {
  const std::uintptr_t page = ::sysconf(_SC_PAGESIZE);
  const auto begin = reinterpret_cast<std::uintptr_t>(part.data());
  const std::uintptr_t first = (begin + page - 1) / page * page;
  const std::uintptr_t last = (begin + part.size()) / page * page;
  // Only advice: where the system does not take it, the pages stay, and nothing else is different.
  if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

void MappedFile::unmap() noexcept {
  if (bytes_.empty()) return;
  close_mapping(*entry_);
  ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace quarry
