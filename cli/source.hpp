/// Molecules of any input, library or text file, as a sequence of libraries; and where its rejected rows go.
#pragma once
#include <optional>
#include <string>

#include "quarry/library.hpp"
#include "quarry/output.hpp"

namespace quarry::cli {

/// True for a file that starts like a `.qlib` or is named so. Never reads from a pipe.
bool is_library_file(const std::string& path);

/// A `.qlib` file gives itself once; a text file gives one chunk after the other.
class MoleculeSource {
 public:
  /// @throws InputError  as Library::open and MoleculeReader, or options that contradict a library
  MoleculeSource(const std::string& path, const ReadOptions& options);

  /// The next library with its molecules, valid until the next call; nullptr at the end.
  const Library* next();
  /// Rows so far; of a library all at once.
  Report report() const;
  /// @throws InputError  no molecule in the whole input; called at the end
  void require_molecules() const;

  bool is_library() const { return !reader_; }
  Index bytes_read() const { return reader_ ? reader_->bytes_read() : 0; }
  Index bytes_total() const { return reader_ ? reader_->bytes_total() : 0; }
  double read_seconds() const { return read_seconds_; }

 private:
  std::string path_;
  std::optional<MoleculeReader> reader_;
  std::optional<Library> library_;
  bool delivered_ = false;  // the library of a .qlib file
  std::optional<RejectedRow> first_rejected_;
  double read_seconds_ = 0;
};

/// The file of --rejects: `line id reason`, tab separated. Without a path it only passes the time.
class RejectsFile {
 public:
  explicit RejectsFile(const std::string& path);
  void add(const Library& library);
  void finish();

 private:
  std::optional<Output> output_;
};

}  // namespace quarry::cli
