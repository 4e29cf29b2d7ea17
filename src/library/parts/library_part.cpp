#include "library/parts/library_part.hpp"

#include <fmt/format.h>

#include "library/library_format.hpp"
#include "quarry/error.hpp"
#include "util/check.hpp"

namespace quarry {

LibraryPart::LibraryPart(const std::string& path) : LibraryPart(path, Checksums::verify) {
  file.emplace(path);
  read(file->bytes());
}

void LibraryPart::add_chunk(std::span<const std::byte> bytes, const ChunkCounts& counts) {
  auto added = std::make_unique<ChunkSlot>();
  added->bytes = bytes;
  added->counts = counts;
  chunks.push_back(std::move(added));
}

void LibraryPart::read(std::span<const std::byte> bytes) {
  Directory directory = read_directory(bytes, name, verifies());
  provenance = std::move(directory.provenance);
  for (const DirectoryEntry& entry : directory.entries) {
    add_chunk(bytes.subspan(entry.offset, entry.bytes), entry.counts);
  }
}

ChunkCounts LibraryPart::counts() const {
  ChunkCounts all;
  for (const auto& chunk : chunks) all += chunk->counts;
  return all;
}

std::string LibraryPart::where(Index chunk) const {
  return rows.empty() ? fmt::format("{}: chunk {}", name, chunk) : name + ", " + rows;
}

ChunkSlot& LibraryPart::slot(Index chunk) const {
  QUARRY_CHECK(chunk >= 0 && chunk < std::ssize(chunks), fmt::format("no chunk {}", chunk));
  return *chunks[chunk];
}

std::span<const std::byte> LibraryPart::section(Index chunk, SectionId id) const {
  check_unchanged();
  const ChunkLayout found = layout(chunk);
  if (verifies() && found[id].present && checksum_of(found[id].bytes) != found[id].checksum) {
    throw InputError(fmt::format("{}, section {}: the data is damaged (checksum)", where(chunk), section_name(id)));
  }
  return found[id].bytes;
}

const ParsedChunk& LibraryPart::parsed(Index chunk) const {
  check_unchanged();
  ChunkSlot& wanted = slot(chunk);
  if (!wanted.checked.load(std::memory_order_acquire)) {
    const std::lock_guard lock(wanted.mutex);
    if (!wanted.parsed) {
      ParsedChunk parsed = parse_chunk(wanted.bytes, where(chunk), checksums);
      if (parsed.counts != wanted.counts) throw InputError(where(chunk) + ": its counts differ from the directory");
      wanted.parsed = std::move(parsed);
    }
    wanted.checked.store(true, std::memory_order_release);
  }
  return *wanted.parsed;
}

}  // namespace quarry
