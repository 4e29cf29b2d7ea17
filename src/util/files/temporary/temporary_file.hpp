/// A file that appears under its name only when it is complete.
///
/// The bytes go to a hidden file in the same folder, which `commit` flushes to disk and renames; a file that is never
/// committed leaves nothing behind. Devices, pipes and what is open already, such as standard output, are written
/// directly, and never renamed over.
#pragma once
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "quarry/error.hpp"

namespace quarry {

struct FinishedFile;

/// Has a file no name until it is complete, where the file system can do that? Tests say no.
inline bool use_unnamed_files = true;

class TemporaryFile {
 public:
  /// @param path  where the file will be, or "-" or /dev/stdout for standard output, or /dev/fd/N
  /// @throws InputError  `path` is empty
  /// @throws SystemError  the folder cannot be written, or `path` is a folder
  explicit TemporaryFile(const std::string& path);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();  ///< without `commit`, leaves nothing behind

  /// Appends bytes, buffered. @throws SystemError  the disk is full or the write failed
  void write(const void* bytes, std::size_t size);
  /// Bytes appended so far: the offset of the next.
  Index position() const { return position_; }
  /// Flushes to disk and renames; where files of this process are held, `show_held` renames.
  /// @throws SystemError as `write`
  void commit();
  /// As `commit`, but renames in any case.
  void commit_at_once();
  /// As the user named it.
  const std::string& path() const { return path_; }

 private:
  void open_hidden(const std::string& target);
  void take_name(const std::filesystem::path& folder);
  /// Complete on disk; nullptr where the bytes went straight to `path_`.
  std::unique_ptr<FinishedFile> finished();
  void flush();
  void write_through(const char* bytes, std::size_t size);
  void close_descriptor();
  [[noreturn]] void fail(int error) const;

  std::string path_;
  std::string target_, hidden_;  // empty where the bytes go straight to `path_`
  bool unnamed_ = false;         // the file has no name until it is finished
  int descriptor_ = -1;
  int slot_ = -1;  // of the list that the signal handlers clear
  std::vector<char> buffer_;
  Index position_ = 0;
  Index num_unsent_ = 0;  // bytes written since the disk was last told to take them
};

/// From now on SIGINT, SIGTERM, SIGHUP and SIGPIPE remove every uncommitted TemporaryFile before the process ends with
/// status 128 + signal. A signal that the process was told to ignore stays ignored. Called once by a program, not a
/// library.
void remove_temporaries_on_signal();

}  // namespace quarry
