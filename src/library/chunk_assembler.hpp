/// Puts the sections of a chunk one after the other and adds their checksums.
///
/// It borrows the sections until it ends, so that each is copied once; those that are moved to it are its own.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "library/chunk_format.hpp"
#include "util/bytes.hpp"

namespace quarry {

class ChunkAssembler {
 public:
  template <class T>
  void add(SectionId id, const std::vector<T>& column) {
    add(id, std::as_bytes(std::span<const T>(column)));
  }
  template <class T>
  void add(SectionId id, std::vector<T>&& column) = delete;  // it would end before the assembler
  void add(SectionId id, std::vector<std::byte>&& bytes) { add(id, owned_.emplace_back(std::move(bytes))); }
  void add(SectionId id, std::span<const std::byte> bytes) { add(id, bytes, bytes.size()); }
  void add(SectionId id, std::span<const std::byte> bytes, std::uint64_t raw_bytes) {
    table_.push_back({index_of(id), 0, bytes.size(), raw_bytes, checksum_of(bytes)});
    sections_.push_back(bytes);
  }
  std::vector<std::byte> finish(const ChunkCounts& counts) {
    std::uint64_t end = sizeof(ChunkHeader) + table_.size() * sizeof(SectionEntry);
    for (SectionEntry& entry : table_) {
      entry.offset = end;
      end = (end + entry.bytes + kSectionAlignment - 1) / kSectionAlignment * kSectionAlignment;
    }
    const auto table = std::as_bytes(std::span(table_));
    ChunkHeader header;
    header.bytes = end;
    header.counts = counts;
    header.num_sections = table_.size();
    header.checksum = checksum_of(header, table);
    ByteWriter chunk;
    chunk.reserve(header.bytes);
    chunk.append(bytes_of(header));
    chunk.append(table);
    for (const auto bytes : sections_) {
      chunk.append(bytes);
      chunk.align(kSectionAlignment);
    }
    return chunk.take();
  }

 private:
  static constexpr std::uint64_t kSectionAlignment = 8;

  std::vector<SectionEntry> table_;
  std::vector<std::span<const std::byte>> sections_;
  std::deque<std::vector<std::byte>> owned_;
};

}  // namespace quarry
