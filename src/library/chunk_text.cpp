/// Packing and unpacking of text columns. A stated size is checked before anything is allocated: it is below 2^32, and
/// at most what zstd can make of the stored bytes.
#include "library/chunk_text.hpp"

#include <fmt/format.h>
#include <zstd.h>

#include <limits>
#include <memory>
#include <span>
#include <string_view>

#include "quarry/error.hpp"
#include "util/bytes.hpp"
#include "util/files/zstd_result.hpp"

namespace quarry {
namespace {

/// PERF: at level 3, SMILES and ids of drug-like molecules take half a byte less, and indexing them 2 % more time.
constexpr int kZstdLevel = 1;
constexpr std::uint64_t kMaxTextBytes = std::numeric_limits<std::uint32_t>::max();
/// A zstd block holds at most 128 KiB and takes at least 4 bytes.
constexpr std::uint64_t kMaxExpansion = 128 * 1024 / 4;

PackedText compress(const ByteWriter& raw) {
  PackedText packed;
  packed.raw_bytes = raw.size();
  const std::size_t most_bytes = ZSTD_compressBound(raw.size());
  const auto room = std::make_unique_for_overwrite<std::byte[]>(most_bytes);
  const std::size_t bytes = ZSTD_compress(room.get(), most_bytes, raw.bytes().data(), raw.size(), kZstdLevel);
  if (zstd_failed(bytes)) throw SystemError(std::string("zstd cannot compress: ") + ZSTD_getErrorName(bytes));
  packed.compressed.assign(room.get(), room.get() + bytes);
  return packed;
}

/// A column before its strings are taken.
struct RawText {
  std::shared_ptr<std::byte[]> bytes;
  std::size_t size = 0;
  std::span<const std::byte> view() const { return {bytes.get(), size}; }
};

RawText decompress(const StoredSection& section, const std::string& at, Checksums checksums) {
  if (checksums == Checksums::verify && checksum_of(section.bytes) != section.checksum) {
    throw InputError(at + "the data is damaged (checksum)");
  }
  if (section.raw_bytes > kMaxTextBytes || section.raw_bytes > section.bytes.size() * kMaxExpansion) {
    throw InputError(
        fmt::format("{}{} bytes cannot become the {} that are stated", at, section.bytes.size(), section.raw_bytes));
  }
  const RawText raw{std::make_shared_for_overwrite<std::byte[]>(section.raw_bytes), section.raw_bytes};
  const std::size_t bytes = ZSTD_decompress(raw.bytes.get(), raw.size, section.bytes.data(), section.bytes.size());
  if (zstd_failed(bytes)) throw InputError(at + "it cannot be decompressed: " + ZSTD_getErrorName(bytes));
  if (bytes != raw.size) throw InputError(fmt::format("{}it holds {} bytes, but states {}", at, bytes, raw.size));
  return raw;
}

template <class Items, class Text>
void append_strings(ByteWriter& raw, const Items& items, SectionId id, Text text) {
  std::uint64_t total = raw.size() + 4 * items.size();
  for (const auto& item : items) total += text(item).size();
  if (total > kMaxTextBytes) {
    throw CapacityError(fmt::format("bytes in section {} of a chunk", section_name(id)), kMaxTextBytes, total);
  }
  raw.reserve(total);
  for (const auto& item : items) raw.put<std::uint32_t>(text(item).size());
  for (const auto& item : items) raw.append_text(text(item));
}

std::vector<std::string_view> take_strings(ByteReader& column, std::uint64_t count, const std::string& at) {
  ByteReader lengths(column.take_bytes(4 * count), at);
  std::vector<std::string_view> strings;
  strings.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto bytes = column.take_bytes(lengths.take<std::uint32_t>());
    strings.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return strings;
}

std::string prefix_of(const StoredSection& section, const std::string& where) {
  return fmt::format("{}, section {}: ", where, section_name(section.id));
}

}  // namespace

PackedText pack_strings(std::span<const std::string_view> strings, SectionId id) {
  ByteWriter raw;
  append_strings(raw, strings, id, [](std::string_view text) { return text; });
  return compress(raw);
}

PackedText pack_rejected(const std::vector<RejectedRow>& rows) {
  ByteWriter raw;
  for (const RejectedRow& row : rows) raw.put<std::int64_t>(row.line);
  const auto id = [](const RejectedRow& row) -> const std::string& { return row.id; };
  const auto reason = [](const RejectedRow& row) -> const std::string& { return row.reason; };
  append_strings(raw, rows, SectionId::rejected, id);
  append_strings(raw, rows, SectionId::rejected, reason);
  return compress(raw);
}

TextColumn unpack_strings(const StoredSection& section, Index count, const std::string& where, Checksums checksums) {
  const std::string at = prefix_of(section, where);
  const RawText raw = decompress(section, at, checksums);
  ByteReader column(raw.view(), at);
  TextColumn strings(take_strings(column, count, at), raw.bytes);
  column.finish();
  return strings;
}

std::vector<RejectedRow> unpack_rejected(const StoredSection& section, Index count, const std::string& where,
                                         Checksums checksums) {
  if (count == 0 && section.bytes.empty()) return {};
  const std::string at = prefix_of(section, where);
  const RawText raw = decompress(section, at, checksums);
  ByteReader column(raw.view(), at);
  ByteReader lines(column.take_bytes(8 * count), at);
  const auto ids = take_strings(column, count, at);
  const auto reasons = take_strings(column, count, at);
  column.finish();
  std::vector<RejectedRow> rows(count);
  for (Index i = 0; i < count; ++i) {
    rows[i] = {lines.take<std::int64_t>(), std::string(ids[i]), std::string(reasons[i])};
  }
  return rows;
}

}  // namespace quarry
