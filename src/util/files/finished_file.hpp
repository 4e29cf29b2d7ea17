/// Complete files that still have temporary names, and how they get their own: those of a run together, or none.
#pragma once
#include <memory>
#include <string>
#include <vector>

namespace quarry {

/// Flushed to disk. Its destructor removes what has not been shown.
struct FinishedFile {
  std::string path, target;  ///< as the user named it, and without symbolic links
  std::string hidden;        ///< its temporary name; empty as soon as it is shown
  int descriptor = -1;       ///< open, for it holds the lock of the temporary name
  int slot = -1;             ///< of the list that signal handlers clear

  FinishedFile() = default;
  FinishedFile(const FinishedFile&) = delete;
  FinishedFile& operator=(const FinishedFile&) = delete;
  ~FinishedFile();
};

using FinishedFiles = std::vector<std::unique_ptr<FinishedFile>>;

/// Renames all files. Where one cannot be renamed, those before it are put back as they were.
/// @throws SystemError  names that file
void show(FinishedFiles files);

/// Shows the file, or keeps it for `show_held` where `hold_finished` has been called. @throws SystemError as `show`
void show_or_hold(std::unique_ptr<FinishedFile> file);
/// From now on files of this process are held until `show_held`; those that are held when it ends are removed.
void hold_finished();
void show_held();

}  // namespace quarry
