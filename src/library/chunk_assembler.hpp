/// Lays the sections of a chunk one after the other and seals them with checksums.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "library/chunk_format.hpp"

namespace quarry {

class Assembler {
 public:
  template <class T>
  void add(SectionId id, const std::vector<T>& column) {
    const auto bytes = std::as_bytes(std::span<const T>(column));
    add(id, bytes, bytes.size());
  }
  void add(SectionId id, std::span<const std::byte> bytes, std::uint64_t raw_bytes) {
    table_.push_back({static_cast<std::uint64_t>(id), body_.size(), bytes.size(), raw_bytes, checksum_of(bytes)});
    body_.insert(body_.end(), bytes.begin(), bytes.end());
    body_.resize(round_up_to_8(body_.size()));
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
    std::vector<std::byte> bytes(header.bytes);
    std::memcpy(bytes.data(), &header, sizeof header);
    std::copy(table.begin(), table.end(), bytes.begin() + sizeof header);
    std::copy(body_.begin(), body_.end(), bytes.begin() + static_cast<std::ptrdiff_t>(start));
    return bytes;
  }

 private:
  std::vector<SectionEntry> table_;
  std::vector<std::byte> body_;
};

}  // namespace quarry
