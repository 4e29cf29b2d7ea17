/// A whole file mapped read-only into memory.
#pragma once
#include <cstddef>
#include <span>
#include <string>

namespace quarry {

class MappedFile {
 public:
  /// @throws InputError  the file is missing, empty, a folder, not a regular file or cannot be mapped
  explicit MappedFile(const std::string& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return bytes_; }
  /// Gives the memory of the whole pages inside `part` back to the system; they are read again when they are next used.
  /// @param part  lies in `bytes()`
  void release(std::span<const std::byte> part) const noexcept;

 private:
  void unmap() noexcept;

  std::span<const std::byte> bytes_;
};

}  // namespace quarry
