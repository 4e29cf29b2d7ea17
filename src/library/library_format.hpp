/// The bytes of a `.qlib` file around its chunks: header, directory, footer. All little-endian.
///
/// ```
/// FileHeader | chunk 0 | chunk 1 | ... | DirectoryEntry per chunk, provenance | Footer
/// ```
/// A reader starts at the footer, the last bytes of the file, because a writer knows the directory only at the end.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "library/chunk_format.hpp"
#include "quarry/library.hpp"

namespace quarry {

inline constexpr std::array<char, 8> kFileMagic{'Q', 'U', 'A', 'R', 'R', 'Y', 'L', 'B'};
inline constexpr std::array<char, 8> kFooterMagic{'Q', 'R', 'Y', 'F', 'O', 'O', 'T', 'R'};
inline constexpr std::uint32_t kFormatVersion = 2;
inline constexpr std::uint32_t kEndianMark = 0x01020304;

struct FileHeader {
  std::array<char, 8> magic = kFileMagic;
  std::uint32_t endian_mark = kEndianMark;
  std::uint32_t version = kFormatVersion;
  std::uint64_t checksum = 0;  ///< of the fields above
};
static_assert(sizeof(FileHeader) == 24);

struct DirectoryEntry {
  std::uint64_t offset = 0;  ///< of the chunk in the file: the end of the one before it
  std::uint64_t bytes = 0;
  ChunkCounts counts;
};
static_assert(sizeof(DirectoryEntry) == 56);

struct Footer {
  std::uint64_t directory_offset = 0;
  std::uint64_t num_chunks = 0;
  std::uint64_t provenance_bytes = 0;    ///< after the directory entries, then zeros up to a multiple of 8
  std::uint64_t directory_checksum = 0;  ///< from directory_offset to the footer
  std::uint64_t checksum = 0;            ///< of the fields above
  std::array<char, 8> magic = kFooterMagic;
};
static_assert(sizeof(Footer) == 48);

std::uint64_t checksum_of(const FileHeader& header);
std::uint64_t checksum_of(const Footer& footer);

/// Everything that opening reads.
struct Directory {
  std::vector<DirectoryEntry> entries;
  Provenance provenance;
};

/// Header of a new file.
std::vector<std::byte> encode_header();
/// Directory and footer of a file whose chunks end at `offset`.
std::vector<std::byte> encode_directory(const Directory& directory, std::uint64_t offset);
/// Checks header, footer and directory of a whole file; the chunks themselves are not touched.
/// @param name  begins every message
/// @throws InputError  not a library, another version, truncated or damaged (names the part)
Directory read_directory(std::span<const std::byte> file, const std::string& name, bool verify_checksums = true);

}  // namespace quarry
