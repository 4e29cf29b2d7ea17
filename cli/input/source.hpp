/// Molecules of a library or a text file as a sequence of libraries, and the file for rejected rows.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "input/read_notes.hpp"
#include "quarry/files/output.hpp"
#include "quarry/library.hpp"

namespace quarry::cli {

/// Whether it is a collection, or a file that is named `.qlib` or starts as one. Never reads from a pipe.
bool is_library_file(const std::string& path);

/// Whether it is a library, or its name ends as that of a file of molecules: .smi, .cxsmiles or .sdf, compressed or not.
bool is_molecule_file(const std::string& path);

/// One file after the other. A `.qlib` file is one library, and so is a collection; a text file is a sequence of
/// libraries of one chunk each.
class MoleculeSource {
 public:
  /// Opens the first file. @throws InputError  as Library::open and MoleculeReader, or options that contradict a library
  MoleculeSource(std::vector<std::string> paths, const ReadOptions& options);
  MoleculeSource(const std::string& path, const ReadOptions& options)
      : MoleculeSource(std::vector<std::string>{path}, options) {}

  /// The next library, valid until the next call; nullptr at the end.
  /// @throws InputError  as the constructor, of the next file
  const Library* next();
  /// Goes on behind what a stopped run had done: of each file until the current one the rows of whole libraries. To be
  /// called before `next`. @throws InputError  as `next`, or another file stands where one of these was
  void skip(const std::vector<Report>& done);
  std::size_t num_files() const { return paths_.size(); }
  /// Which file the last library is from.
  std::size_t file() const { return current_; }
  /// The header line of the current file, as MoleculeReader::header.
  std::string header() const { return reader_ ? reader_->header() : std::string(); }
  /// The columns of the current file, as MoleculeReader::columns.
  std::vector<std::string> columns() const { return reader_ ? reader_->columns() : std::vector<std::string>{}; }
  /// With ReadOptions::distinct_ids: as MoleculeReader::named, of a text file.
  const std::vector<NamedMolecule>& named() const { return reader_->named(); }
  /// Of a `.qlib` file, those must be found with these ids; nullptr: there are none, as no two molecules have the same id.
  DistinctIds* distinct_ids() const {
    return num_files() == 1 && provenance().distinct_ids ? nullptr : options_.distinct_ids;
  }
  /// Rows read so far; of a `.qlib` file all its rows.
  Report report() const;
  /// Of the rows of text so far.
  Audit audit() const;
  /// The file of the last library where there are several; else empty.
  std::string name_among_several() const { return paths_.size() > 1 ? paths_[current_] : ""; }
  /// Says on standard error where ids come from, what was ignored or rejected, and which files have no rows. To be called
  /// at the end.
  void say_notes(bool quiet) const;
  /// To be called at the end. @throws InputError  the whole input had rows, and none of them is a molecule
  void require_molecules() const;
  /// To be called at the end, where nothing can be made of no molecules. @throws InputError  the whole input had none
  void require_rows() const;

  bool is_library() const { return !reader_; }
  /// Of the current file. @throws InputError  as `next`
  const Provenance& provenance() const { return reader_ ? reader_->provenance() : library_->provenance(); }
  /// Is every hydrogen an atom of its molecule?
  bool has_explicit_hydrogens() const { return explicit_hydrogens_; }
  Index bytes_read() const { return reader_ ? reader_->bytes_read() : 0; }
  Index bytes_total() const { return reader_ ? reader_->bytes_total() : 0; }
  double open_seconds() const { return open_seconds_; }
  double read_seconds() const { return read_seconds_; }  ///< opening included

 private:
  void open(const std::string& path);
  void open_next();
  const Library* next_of_file();
  void look_for_smiles_second(const Library& first);
  std::string input_names() const;
  /// Of the current file, in messages.
  const std::string& shown_name() const { return options_.name.empty() ? paths_[current_] : options_.name; }
  Report report_of_file() const { return reader_ ? reader_->report() : library_->report(); }

  std::vector<std::string> paths_;
  std::size_t current_ = 0;  // of these
  ReadOptions options_;
  Report before_;                                                // of the files before it
  Audit audit_before_;                                           // of those
  std::vector<std::pair<std::string, ReadNotes>> notes_before_;  // of those that are text, by path
  bool explicit_hydrogens_ = false;
  std::optional<MoleculeReader> reader_;
  std::optional<Library> library_;
  bool delivered_ = false;  // `next` has returned the library of a .qlib file
  MissingMolecules missing_;
  std::vector<std::string> smiles_second_;  // files whose ids seem to be SMILES, and their SMILES ids
  double open_seconds_ = 0, read_seconds_ = 0;
};

/// Rows of the file of --rejects.
/// @param file  where not empty, `line` becomes `file:line`, and so it does where the library has rows of several files
std::string rejected_rows(const Library& library, const std::string& file = "");

/// The file of --rejects: `line id reason`, between tabs, or commas in a .csv. With an empty path nothing is written.
class RejectsFile {
 public:
  explicit RejectsFile(const std::string& path);
  bool is_wanted() const { return output_.has_value(); }
  void add(const std::string& rows);
  void finish();

 private:
  std::string path_;
  std::optional<Output> output_;
};

}  // namespace quarry::cli
