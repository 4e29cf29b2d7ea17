/// A sequence of chunks in one place: a mapped `.qlib` file, or buffers in memory. A library has one, or many.
///
/// Opening reads nothing but the directory, so its time hardly depends on the size of the file. Each use of a chunk of a
/// file asks whether the file is still the same.
#pragma once
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "library/chunk_codec.hpp"
#include "library/stereo/resolved_stereo.hpp"
#include "quarry/library.hpp"
#include "util/files/mapped_file.hpp"

namespace quarry {

/// One chunk: its bytes, what the directory says of it, and its parsed form after its first use.
struct ChunkSlot {
  std::span<const std::byte> bytes;
  ChunkCounts counts;
  // Not a once_flag: a damaged chunk throws at every use, and the thread sanitizer reports false errors after an
  // exception has left call_once.
  std::mutex mutex;
  std::atomic<bool> checked{false};  ///< `parsed` is filled and will not change
  std::optional<ParsedChunk> parsed;
  ResolvedStereo stereo;  ///< where the library keeps stereo marks as text
};

struct LibraryPart {
  LibraryPart(std::string part_name, Checksums check) : name(std::move(part_name)), checksums(check) {}
  /// Maps a `.qlib` file. @throws InputError  as Library::open
  explicit LibraryPart(const std::string& path);

  std::string name;  ///< in messages: the file, or what stands for it
  std::string rows;  ///< of a chunk that a file of rows became: those rows, in messages; empty for others
  Checksums checksums;
  Provenance provenance;
  std::optional<MappedFile> file;
  std::vector<std::vector<std::byte>> buffers;     ///< where there is no file
  std::vector<std::unique_ptr<ChunkSlot>> chunks;  ///< a mutex cannot move

  void add_chunk(std::span<const std::byte> bytes, const ChunkCounts& counts);
  /// Takes header and directory of a whole `.qlib` file.
  void read(std::span<const std::byte> bytes);
  ChunkCounts counts() const;  ///< of all chunks
  /// For messages: "lib.qlib: chunk 3", or "molecules.smi, rows 1 to 100".
  std::string where(Index chunk) const;
  /// @throws InputError  something has written to the file since it was opened
  void check_unchanged() const {
    if (file) file->check_unchanged();
  }
  ChunkSlot& slot(Index chunk) const;
  ChunkLayout layout(Index chunk) const { return read_layout(slot(chunk).bytes, where(chunk), verifies()); }
  /// The bytes of a section, with its checksum verified; empty where the chunk has none.
  std::span<const std::byte> section(Index chunk, SectionId id) const;
  /// Parses and checks a chunk at its first use.
  const ParsedChunk& parsed(Index chunk) const;

 private:
  bool verifies() const { return checksums == Checksums::verify; }
};

}  // namespace quarry
