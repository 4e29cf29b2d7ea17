/// Puts the sections of a chunk one after the other and adds their checksums.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
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
  void add(SectionId id, std::span<const std::byte> bytes) { add(id, bytes, bytes.size()); }
  void add(SectionId id, std::span<const std::byte> bytes, std::uint64_t raw_bytes) {
    table_.push_back({index_of(id), body_.size(), bytes.size(), raw_bytes, checksum_of(bytes)});
    body_.append(bytes);
    body_.align(8);
  }
  std::vector<std::byte> finish(const ChunkCounts& counts) {
    const std::uint64_t start = sizeof(ChunkHeader) + table_.size() * sizeof(SectionEntry);
    for (SectionEntry& entry : table_) entry.offset += start;
    const auto table = std::as_bytes(std::span(table_));
    ChunkHeader header;
    header.bytes = start + body_.size();
    header.counts = counts;
    header.num_sections = table_.size();
    header.checksum = checksum_of(header, table);
    ByteWriter chunk;
    chunk.reserve(header.bytes);
    chunk.append(bytes_of(header));
    chunk.append(table);
    chunk.append(body_.bytes());
    return chunk.take();
  }

 private:
  std::vector<SectionEntry> table_;
  ByteWriter body_;
};

}  // namespace quarry
