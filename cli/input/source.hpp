/// Molecules of a library or a text file as a sequence of libraries, and the file for rejected rows.
#pragma once
#include <optional>
#include <string>

#include "quarry/library.hpp"
#include "quarry/output.hpp"

namespace quarry::cli {

/// Whether the file is named `.qlib` or starts as one. Never reads from a pipe.
bool is_library_file(const std::string& path);

/// A `.qlib` file is one library; a text file is a sequence of libraries of one chunk each.
class MoleculeSource {
 public:
  /// @throws InputError  as Library::open and MoleculeReader, or options that contradict a library
  MoleculeSource(const std::string& path, const ReadOptions& options);

  /// The next library, valid until the next call; nullptr at the end.
  const Library* next();
  /// Rows read so far; of a `.qlib` file all its rows.
  Report report() const;
  /// To be called at the end. @throws InputError  the whole input had no molecule
  void require_molecules() const;

  bool is_library() const { return !reader_; }
  Index bytes_read() const { return reader_ ? reader_->bytes_read() : 0; }
  Index bytes_total() const { return reader_ ? reader_->bytes_total() : 0; }
  double read_seconds() const { return read_seconds_; }

 private:
  std::string path_;
  std::optional<MoleculeReader> reader_;
  std::optional<Library> library_;
  bool delivered_ = false;  // `next` has returned the library of a .qlib file
  std::optional<RejectedRow> first_rejected_;
  double read_seconds_ = 0;
};

/// The file of --rejects: `line id reason`, tab separated. With an empty path nothing is written.
class RejectsFile {
 public:
  explicit RejectsFile(const std::string& path);
  void add(const Library& library);
  void finish();

 private:
  std::optional<Output> output_;
};

}  // namespace quarry::cli
