/// A whole file mapped read-only into memory.
///
/// Whoever writes to the file changes the mapped bytes, and where it is cut their pages are gone. So a mapping knows
/// whether its file is still the one that was opened; and in a program that has asked for it, a fault because of such a
/// change ends the process with a sentence.
#pragma once
#include <cstddef>
#include <span>
#include <string>

#include "util/files/file_state.hpp"

namespace quarry {

struct MappingEntry;

class MappedFile {
 public:
  /// @throws InputError  the file is missing, empty, a folder, not a regular file or cannot be mapped
  explicit MappedFile(const std::string& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return bytes_; }
  /// When it was opened.
  FileState state() const;
  /// @throws InputError  something has written to the file since it was opened
  void check_unchanged() const;
  /// Gives the memory of the whole pages inside `part` back to the system; they are read again when they are next used.
  /// @param part  lies in `bytes()`
  void release(std::span<const std::byte> part) const noexcept;

 private:
  void unmap() noexcept;

  std::span<const std::byte> bytes_;
  MappingEntry* entry_ = nullptr;  // nullptr where `bytes_` are empty
};

}  // namespace quarry
