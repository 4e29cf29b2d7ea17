/// The inside of a Library: a directory, and chunks that are checked when they are first used.
///
/// The chunks borrow either a mapped file or buffers held here. Opening reads nothing but the directory, so its time
/// hardly depends on the size of the library. Each use of a chunk of a file asks whether the file is still the same.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "library/chunk_codec.hpp"
#include "library/library_format.hpp"
#include "quarry/library.hpp"
#include "util/files/mapped_file.hpp"

namespace quarry {

/// What messages call a library that has no file.
inline constexpr const char* kInMemory = "library in memory";

/// One chunk: its bytes, what the directory says of it, and its parsed form after its first use.
struct ChunkSlot {
  std::span<const std::byte> bytes;
  ChunkCounts counts;
  Index first_molecule = 0;
  // Not a once_flag: a damaged chunk throws at every use, and the thread sanitizer reports false errors after an
  // exception has left call_once.
  std::mutex mutex;
  std::atomic<bool> checked{false};  ///< `parsed` is filled and will not change
  std::optional<ParsedChunk> parsed;
};

struct Library::Impl {
  std::string name;  ///< in messages: the file, or kInMemory
  std::string rows;  ///< of a chunk that a file of rows became: those rows, in messages; empty for other libraries
  Provenance provenance;
  Report report;
  Index num_molecules = 0, num_atoms = 0, num_bonds = 0;
  std::optional<MappedFile> file;
  std::vector<std::vector<std::byte>> buffers;     ///< where there is no file
  std::vector<std::unique_ptr<ChunkSlot>> chunks;  ///< a mutex cannot move

  Checksums checksums = Checksums::verify;

  void add_chunk(std::span<const std::byte> bytes, const ChunkCounts& counts);
  /// Takes header and directory of a whole `.qlib` file.
  void read(std::span<const std::byte> bytes);
  /// For messages: "lib.qlib: chunk 3", or "molecules.smi, rows 1 to 100".
  std::string where(Index chunk) const;
  /// @throws InputError  something has written to the file since it was opened
  void check_unchanged() const {
    if (file) file->check_unchanged();
  }
  ChunkSlot& slot(Index chunk) const;
  /// The bytes of a section, with its checksum verified; empty where the chunk has none.
  std::span<const std::byte> section(Index chunk, SectionId id) const;
  /// The same without verifying, to see what there is.
  std::span<const std::byte> unverified_section(Index chunk, SectionId id) const;
  /// Parses and checks a chunk at its first use.
  const ParsedChunk& parsed(Index chunk) const;
};

/// The inside of a Library, for the code of this project and its tests.
struct LibraryAccess {
  using Impl = Library::Impl;
  static const Impl& impl(const Library& library) { return *library.impl_; }
  static Library make(std::unique_ptr<Impl> impl) { return Library(std::move(impl)); }
};

/// The rows of a file that became a chunk: where they are, for messages.
struct RowPlace {
  std::string file;
  Index rows_before = 0;
};

/// A library of one chunk made by `encode_chunk`. @throws InputError  the chunk is damaged
Library library_from_chunk(std::vector<std::byte> bytes, Provenance provenance,
                           const std::optional<RowPlace>& place = {});

/// Opens the bytes of a `.qlib` file, which must stay valid as long as the library.
/// @param bytes  8-byte aligned
/// @param name   begins every message
Library library_from_bytes(std::span<const std::byte> bytes, const std::string& name,
                           Checksums checksums = Checksums::verify);

}  // namespace quarry
