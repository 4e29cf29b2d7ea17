/// Decompresses parts of a file at the same time, where it says where they end before they are decompressed: members of
/// gzip whose header has their size, as bgzip writes them, and frames of zstd, of which `pzstd` writes many. All other
/// files, and what follows a part that is too large, are decompressed as ever.
///
/// Formats: RFC 1952; SAM format specification, section 4.1 (the subfield `BC`); RFC 8878.
#pragma once
#include <memory>

#include "util/files/byte_source.hpp"

namespace quarry {

enum class PartFormat { gzip, zstd };

/// The same bytes and errors as from gzip_source and zstd_source.
/// @param threads  how many parts may be in work. Each takes at most 8 MiB as stored, and 32 MiB decompressed
std::unique_ptr<ByteSource> parallel_source(std::unique_ptr<ByteSource> stored, PartFormat format, int threads);

}  // namespace quarry
