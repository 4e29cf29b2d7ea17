/// The mapped files of this process, in memory that a signal handler may read.
#pragma once
#include <atomic>
#include <cstddef>
#include <span>
#include <string>

#include "util/files/file_state.hpp"

namespace quarry {

/// One file. Entries are never freed, and serve again when their file is closed.
struct MappingEntry {
  std::atomic<bool> taken{false};   ///< someone fills or has filled it
  std::atomic<bool> listed{false};  ///< all below is filled
  std::string path;
  std::span<const std::byte> bytes;
  int descriptor = -1;
  FileState opened;
  MappingEntry* next = nullptr;

  bool is_unchanged() const { return state_of(descriptor) == opened; }
};

/// @param descriptor  an open file, which the entry has from now on
MappingEntry& list_mapping(const std::string& path, std::span<const std::byte> bytes, int descriptor);
/// Closes the file of an entry, and remembers whether it had changed.
void close_mapping(MappingEntry& entry) noexcept;

/// What was made of the mapped files can be shown where none has changed, neither of those that are closed by now.
/// @throws InputError  names a file that has; one that is closed is named once
void check_all_mappings();

/// From now on a fault while a mapped file has changed or cannot be read ends the process with a sentence and status 2,
/// and removes unfinished files. Every other fault ends it as before. Called once by a program, not a library.
void explain_faults_of_mappings();

}  // namespace quarry
