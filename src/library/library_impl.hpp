/// The inside of a Library: chunks, one after the other, in one part or in many.
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "library/parts/library_part.hpp"
#include "library/parts/part_table.hpp"
#include "quarry/library.hpp"

namespace quarry {

/// What messages call a library that has no file.
inline constexpr const char* kInMemory = "library in memory";

/// A chunk and the part that holds it, which stays open as long as this lives.
struct HeldChunk {
  SharedPart part;
  Index chunk = 0;  ///< in the part

  std::string where() const { return part->where(chunk); }
  ChunkSlot& slot() const { return part->slot(chunk); }
  std::span<const std::byte> section(SectionId id) const { return part->section(chunk, id); }
  /// The same without verifying, to see what there is.
  std::span<const std::byte> unverified_section(SectionId id) const { return layout()[id].bytes; }
  /// Where sections are, without a look into them.
  ChunkLayout layout() const { return part->layout(chunk); }
  const ParsedChunk& parsed() const { return part->parsed(chunk); }
};

struct Library::Impl {
  /// A library of one part that stays open.
  explicit Impl(SharedPart part);
  /// A library of files that are opened when they are used. @param library_name  in messages
  /// @param files         that the rows are from
  Impl(std::string library_name, std::vector<PartPlace> places, const Provenance& made, Index files);

  std::string name;  ///< in messages: the file, or kInMemory
  Provenance provenance;
  Report report;
  Index num_atoms = 0, num_bonds = 0;
  Index num_sources = 1;
  std::vector<Index> first_molecules{0};  ///< [chunks + 1]
  std::vector<Index> first_chunks{0};     ///< [parts + 1]
  PartTable parts;

  Index num_molecules() const { return first_molecules.back(); }
  Index num_chunks() const { return std::ssize(first_molecules) - 1; }
  /// Of a chunk.
  Index part_of(Index chunk) const;
  HeldChunk hold(Index chunk) const;
  /// @throws InputError  something has written to a file since it was opened
  void check_unchanged() const { parts.check_unchanged(); }

 private:
  void add_part(const ChunkCounts& counts);
};

/// The inside of a Library, for the code of this project and its tests.
struct LibraryAccess {
  using Impl = Library::Impl;
  static const Impl& impl(const Library& library) { return *library.impl_; }
  static HeldChunk hold(const Library& library, Index chunk) { return library.impl_->hold(chunk); }
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
