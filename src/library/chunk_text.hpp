/// Text columns of a chunk: ids, source records and rejected rows, each one zstd frame.
///
/// A column of n strings is n 32-bit lengths and then the strings end to end, so that records may hold anything,
/// newlines included. Rejected rows are n 64-bit line numbers followed by the columns of their ids and reasons.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "library/chunk_codec.hpp"
#include "quarry/library.hpp"
#include "quarry/report.hpp"

namespace quarry {

/// A compressed text column, and its size before that.
struct PackedText {
  std::vector<std::byte> compressed;
  std::uint64_t raw_bytes = 0;
};

/// @throws CapacityError  the column has 2^32 bytes or more
PackedText pack_strings(std::span<const std::string_view> strings, SectionId id);
PackedText pack_rejected(const std::vector<RejectedRow>& rows);

/// Decompresses a column and checks its checksum, its stated size and its lengths.
/// @param count  number of strings that it must have
/// @param where  begins every message
/// @throws InputError  names `where`, the section and what is wrong
TextColumn unpack_strings(const StoredSection& section, Index count, const std::string& where,
                          Checksums checksums = Checksums::verify);
std::vector<RejectedRow> unpack_rejected(const StoredSection& section, Index count, const std::string& where,
                                         Checksums checksums = Checksums::verify);

}  // namespace quarry
