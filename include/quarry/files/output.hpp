/// Output files that appear whole or not at all.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "quarry/error.hpp"

#pragma GCC visibility push(default)
namespace quarry {

/// A file being written: under a temporary name beside `path` until `finish` renames it. Move-only.
class Output {
 public:
  /// @param path  a file, compressed where it ends in .gz, .zst, .bz2 or .xz; "-" and /dev/stdout are standard output
  /// @throws InputError  `path` is empty
  /// @throws SystemError  the folder cannot be written
  explicit Output(const std::string& path);
  Output(Output&&) noexcept;
  Output& operator=(Output&&) noexcept;
  ~Output();  ///< without `finish`, leaves no file behind

  /// Where the path names a terminal, such as /dev/tty, the text is `terminal_safe`; with "-" that is for the caller.
  /// @throws SystemError  disk full or write failed
  void write(std::string_view bytes);
  /// Writes what is still buffered, flushes to disk and renames. @throws SystemError
  void finish();
  /// As `finish`, and not held by `hold_outputs`: for files that say how far a run is.
  void finish_at_once();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The text with \xNN in place of what a terminal would obey: control characters other than tabs and line ends.
[[nodiscard]] std::string terminal_safe(std::string_view text);

/// From now on what this process finishes, libraries and graphs included, keeps its temporary name until `show_outputs`,
/// and is removed where the process ends before. For a program that writes several files in one run.
void hold_outputs();
/// Gives all that is held its name, or nothing where one cannot be renamed.
/// @throws InputError  something has written to a library or a graph since this process opened it
/// @throws SystemError
void show_outputs();

/// Makes SIGINT, SIGTERM, SIGHUP and SIGPIPE remove every unfinished output of this process, libraries included,
/// before they end it. A library or a graph that is cut or overwritten while it is read ends the process with a sentence
/// and status 2, instead of a bus error.
void remove_partial_outputs_on_signal();
/// Removes every unfinished output of this process: for a terminate handler, after which nothing else would.
void remove_partial_outputs() noexcept;

}  // namespace quarry
#pragma GCC visibility pop
