/// Molecule libraries: from SMILES, CSV and SDF files to packed chunks, in memory or in a `.qlib` file.
///
/// A library is a sequence of self-contained chunks of at most `kChunkMolecules` molecules; format in
/// docs/library-format.md. A library in memory and a mapped file are the same bytes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quarry/error.hpp"
#include "quarry/files/distinct_ids.hpp"
#include "quarry/index.hpp"
#include "quarry/molecule.hpp"
#include "quarry/report.hpp"

#pragma GCC visibility push(default)
namespace quarry {

/// Most molecules in a chunk.
inline constexpr Index kChunkMolecules = 16384;

/// The text kept beside each molecule.
enum class RecordFormat : std::uint8_t { smiles, sdf };

/// Views of strings in one piece of memory. They are valid as long as the column or a copy of it.
class TextColumn {
 public:
  TextColumn() = default;
  /// @param strings  parts of `bytes`
  TextColumn(std::vector<std::string_view> strings, std::shared_ptr<const std::byte[]> bytes)
      : strings_(std::move(strings)), bytes_(std::move(bytes)) {}

  bool empty() const { return strings_.empty(); }
  std::size_t size() const { return strings_.size(); }
  std::string_view operator[](std::size_t index) const { return strings_[index]; }
  auto begin() const { return strings_.begin(); }
  auto end() const { return strings_.end(); }

 private:
  std::vector<std::string_view> strings_;
  std::shared_ptr<const std::byte[]> bytes_;
};

/// Ids and source records of one chunk.
struct ChunkText {
  TextColumn ids;
  TextColumn records;  ///< SMILES as written, or the whole SDF record without its `$$$$`
};

/// Who made a library, from what.
struct Provenance {
  std::string source;   ///< the input, as the user named it
  std::string command;  ///< the options that shaped the content, as ReadOptions::command gives them
  std::string created;  ///< UTC, ISO 8601
  std::string version;  ///< of Quarry and RDKit
  bool explicit_hydrogens = false;
  RecordFormat format = RecordFormat::smiles;
  bool stereo = true;         ///< false: stereo marks of molecules are in their records alone, not resolved
  std::string identity = {};  ///< of a part of a collection: identity_of_file of its source, empty for a stream
  Index first_row = 0;        ///< of a part of a collection: rows of its source before its first
  bool distinct_ids = false;  ///< no two molecules have the same id; false: nobody knows
};

/// A packed molecule library, in files that are mapped or held in memory. Move-only; reading is thread-safe.
class Library {
 public:
  /// Maps a `.qlib` file, or opens a collection: a folder of such files, of which a few are mapped at a time. Checks
  /// header and directory, or the manifest, now, the rest when it is first used.
  /// @throws InputError  not a library, truncated, damaged (names the section) or written by a newer version
  [[nodiscard]] static Library open(const std::string& path);
  /// The molecules of several files and collections, in this order. @throws InputError  there is none; as `open`; their
  /// hydrogens, records or stereo marks differ
  [[nodiscard]] static Library open(std::span<const std::string> paths);

  /// Packs molecules into memory; ids default to "1", "2", ..., records to empty text.
  /// @throws InputError  a bond names an atom that does not exist, or an atom has more than 255 bonds
  [[nodiscard]] static Library from_molecules(std::span<const Molecule> molecules,
                                              std::span<const std::string> ids = {},
                                              std::span<const std::string> records = {});

  Library(Library&&) noexcept;
  Library& operator=(Library&&) noexcept;
  ~Library();

  Index num_molecules() const;
  Index num_atoms() const;
  Index num_bonds() const;
  Report report() const;  ///< rows of the input that made it
  const Provenance& provenance() const;
  Index num_sources() const;                     ///< files that its rows are from
  const std::string& source(Index chunk) const;  ///< file that the rows of a chunk are from

  Index num_chunks() const;
  Index num_molecules(Index chunk) const;   ///< without reading the chunk
  Index first_molecule(Index chunk) const;  ///< without reading the chunk
  Index chunk_with(Index molecule) const;   ///< that holds a molecule, 0 to num_molecules() - 1
  /// Calls `work`, which uses a chunk. InputError, CapacityError and std::bad_alloc (then OutOfMemory) that it throws
  /// begin with the file and the chunk: "lib.qlib: chunk 3: out of memory". Those that do so already stay as they are.
  void in_chunk(Index chunk, const std::function<void()>& work) const;
  /// Ids, and the records where `with_records`. @throws InputError  the chunk is damaged (names chunk and section)
  ChunkText text(Index chunk, bool with_records) const;
  std::vector<RejectedRow> rejected(Index chunk) const;
  /// Returns the memory of a chunk of a mapped file to the system, so that a run over a large library needs little.
  /// The chunk can still be used, even during this call: its pages are then read again. Does nothing for a library in
  /// memory.
  void release(Index chunk) const;
  /// One molecule unpacked, with what stereo marks the library has resolved.
  Molecule molecule(Index index) const;
  /// The bytes of a chunk, as LibraryWriter::append_chunk takes them; of a library of several files, until another chunk
  /// is used.
  std::string_view chunk_bytes(Index chunk) const;

  /// A section, summed over the chunks. Those that matching reads come first.
  struct Section {
    std::string name;
    Index bytes = 0;
    bool matching = false;  ///< read by `match`
  };
  std::vector<Section> sections() const;
  /// Checks every checksum and every value. @throws InputError  names the first damaged section
  void verify() const;

 private:
  friend struct LibraryAccess;  // for the library's own code
  struct Impl;
  explicit Library(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Molecules with more atoms than this are rejected where the caller says nothing else.
inline constexpr Index kDefaultMaxAtoms = 10'000;

/// How molecules are read.
struct ReadOptions {
  bool explicit_hydrogens = false;  ///< every hydrogen becomes an atom (RDKit's addHs)
  /// Resolve stereo marks, which RDKit does. False leaves those of SMILES in the records, and most rows are read without
  /// RDKit; `match` with chirality resolves them when it needs them. SDF and molecules with explicit hydrogens have theirs.
  bool stereo = true;
  std::string smiles_column = {};  ///< CSV: name of the SMILES column; empty: smiles, canonical or isomeric smiles
  /// Name of the id column of a CSV file or a SMILES file with a header, or of the data item of an SDF file that holds
  /// ids. Empty: CSV, a column with a name that ids have; SDF, the title, or a data item with such a name.
  std::string id_column = {};
  bool whole_ids = false;   ///< SMILES: all that follows a SMILES in its line is its id
  std::string format = {};  ///< "smi", "csv", "sdf"; empty: by the file's extension
  /// A row with more atoms is rejected; hydrogens count where they are written, not where `explicit_hydrogens` makes them.
  /// 0: no limit.
  Index max_atoms = kDefaultMaxAtoms;
  int threads = 0;  ///< 0: all cores
  /// Go on while the caller is busy with a chunk, on `threads` - 1 threads: for a caller who needs one thread for that.
  bool read_on = false;
  /// Share of the rows read without RDKit that RDKit reads as well, in [0, 1]; MoleculeReader::audit says what came of it.
  double audit = 0;
  bool whole_rows = false;  ///< SMILES and CSV: the record of a molecule is its whole row, as written
  /// SMILES and CSV: after the SMILES, the record of a molecule has a tab and the value of each of
  /// MoleculeReader::columns.
  bool keep_columns = false;
  /// Takes note of the ids of all rows, also of those that are rejected; nullptr: nobody does. Must outlive the reader, which
  /// with `read_on` uses it also between calls of `next`.
  DistinctIds* distinct_ids = nullptr;
  std::string name = {};     ///< of the input in messages, and as Provenance::source; empty: its path
  std::string command = {};  ///< kept as Provenance::command
  int conformers = 0;        ///< embedded and stored for each molecule without 3D coordinates, for docking; 0: none
  int stereoisomers = 1;     ///< most of a molecule with unspecified centres that are stored, each with its conformers
  /// Makes the section `fingerprints` of a chunk from its records (similar::pack_section); empty: the chunk has none. Called
  /// from several threads at a time.
  std::function<std::vector<std::byte>(std::span<const std::string_view>)> similar_section = {};
};

/// Rows that were read without RDKit, and then by RDKit too.
struct Audit {
  Index rows = 0, differences = 0;
  std::string first_difference = {};  ///< "line 7 (id): SMILES"; empty where there is none
  Audit& operator+=(const Audit& more);
};

/// Reads molecules from a file, chunk by chunk, in parallel, in order.
class MoleculeReader {
 public:
  /// @param path  `.smi .smiles .cxsmiles .txt .csv .tsv .sdf .sd`, each also .gz, .zst, .bz2 or .xz; "-" is standard input
  /// @throws InputError  missing file, unknown format, no SMILES column
  MoleculeReader(const std::string& path, const ReadOptions& options = {});
  ~MoleculeReader();

  /// The next rows as a library of one chunk (with `rejected(0)` filled), or nothing at the end. Chunks before damage in
  /// the file are delivered.
  /// @throws InputError  the rest of the file cannot be read; each later call throws it again
  [[nodiscard]] std::optional<Library> next();
  /// With ReadOptions::distinct_ids, the molecules of that library which have the id of an earlier row, ascending.
  const std::vector<NamedMolecule>& named() const;
  /// Goes on behind rows that another reader of the same file and options has delivered in whole chunks, `done` in all.
  /// They are read, and not parsed. To be called before `next`.
  /// @throws InputError  no chunk ends there: the file is another one
  void skip(const Report& done);
  const Provenance& provenance() const;
  /// Rows so far.
  const Report& report() const;
  /// Of the rows so far.
  const Audit& audit() const;
  /// Of the rows so far.
  ReadNotes notes() const;
  /// The header line of a table, or of a SMILES file that has one, as written; empty where there is none.
  std::string header() const;
  /// The columns that ReadOptions::keep_columns keeps: all but that of the SMILES, and of a SMILES file those after the
  /// id. A row of a SMILES file may have more, or fewer.
  std::vector<std::string> columns() const;
  /// Bytes of the file read so far and in all (0 where unknown), for progress.
  Index bytes_read() const;
  Index bytes_total() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A chunk of a library whose stereo marks are in its records alone, with the marks resolved by RDKit: the same bytes as if
/// the rows had been read with ReadOptions::stereo. @throws InputError  it is damaged, or a record cannot be read again
[[nodiscard]] Library resolved_chunk(const Library& library, Index chunk, int threads = 0);

/// Writes a `.qlib` file chunk by chunk, atomically: nothing is at `path` until `finish` has succeeded.
class LibraryWriter {
 public:
  /// @throws SystemError  the folder cannot be written
  LibraryWriter(const std::string& path, const Provenance& provenance);
  ~LibraryWriter();  ///< without `finish`, leaves no file behind
  /// Appends every chunk of a library. @throws SystemError  disk full or write failed
  void append(const Library& library);
  /// Appends a chunk of `Library::chunk_bytes`. @throws InputError  it is damaged. @throws SystemError
  void append_chunk(std::string_view bytes);
  /// Says that no two molecules of those so far have the same id. Whoever appends more has to say it again; the provenance
  /// that the writer was made with does not count.
  void set_distinct_ids();
  /// Writes the directory, flushes to disk and renames. @throws SystemError
  void finish();
  /// As `finish`, and not held by `hold_outputs`.
  void finish_at_once();
  /// Of the file so far; after `finish` its size.
  Index bytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace quarry
#pragma GCC visibility pop
