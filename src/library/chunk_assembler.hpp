/// Puts the sections of a chunk one after the other and adds their checksums.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "library/chunk_format.hpp"
#include "util/bytes.hpp"

namespace quarry {

class ChunkAssembler {
 public:
  /// Sections may come in any order.
  template <class T>
  void add(SectionId id, const std::vector<T>& column) {
    add(id, std::as_bytes(std::span<const T>(column)));
  }
  void add(SectionId id, std::span<const std::byte> bytes) { add(id, bytes, bytes.size()); }
  void add(SectionId id, std::span<const std::byte> bytes, std::uint64_t raw_bytes) {
    sections_.push_back({id, {bytes.begin(), bytes.end()}, raw_bytes, checksum_of(bytes)});
  }
  std::vector<std::byte> finish(const ChunkCounts& counts) {
    std::ranges::sort(sections_, {}, &Section::id);
    std::vector<SectionEntry> table;
    std::uint64_t end = sizeof(ChunkHeader) + sections_.size() * sizeof(SectionEntry);
    for (const Section& section : sections_) {
      table.push_back({index_of(section.id), end, section.bytes.size(), section.raw_bytes, section.checksum});
      end += round_up_to_8(section.bytes.size());
    }
    ChunkHeader header;
    header.bytes = end;
    header.counts = counts;
    header.num_sections = table.size();
    header.checksum = checksum_of(header, std::as_bytes(std::span(table)));
    ByteWriter chunk;
    chunk.reserve(header.bytes);
    chunk.append(bytes_of(header));
    chunk.append(std::as_bytes(std::span(table)));
    for (const Section& section : sections_) {
      chunk.append(section.bytes);
      chunk.align(8);
    }
    return chunk.take();
  }

 private:
  struct Section {
    SectionId id;
    std::vector<std::byte> bytes;
    std::uint64_t raw_bytes, checksum;
  };
  std::vector<Section> sections_;
};

}  // namespace quarry
