/// Packing and unpacking of text columns. Stated sizes are bounded before anything is allocated: by what zstd can
/// make of the stored bytes at best, and by 32 bits.
#include "library/chunk_text.hpp"

#include <fmt/format.h>
#include <zstd.h>

#include <cstring>
#include <limits>
#include <string_view>

namespace quarry {
namespace {

constexpr int kZstdLevel = 3;
constexpr std::uint64_t kMaxTextBytes = std::numeric_limits<std::uint32_t>::max();
/// A zstd block holds at most 128 KiB and takes at least 4 bytes.
constexpr std::uint64_t kMaxExpansion = 128 * 1024 / 4;

PackedText compress(const std::string& raw) {
  PackedText packed;
  packed.raw_bytes = raw.size();
  packed.compressed.resize(ZSTD_compressBound(raw.size()));
  const std::size_t bytes =
      ZSTD_compress(packed.compressed.data(), packed.compressed.size(), raw.data(), raw.size(), kZstdLevel);
  if (ZSTD_isError(bytes)) throw DeviceError(std::string("zstd cannot compress: ") + ZSTD_getErrorName(bytes));
  packed.compressed.resize(bytes);
  return packed;
}

std::string decompress(const TextSection& section, const std::string& at, Checksums checksums) {
  if (checksums == Checksums::verify && checksum_of(section.compressed) != section.checksum) {
    throw InputError(at + "the data is damaged (checksum)");
  }
  const auto raw_bytes = static_cast<std::uint64_t>(section.raw_bytes);
  if (raw_bytes > kMaxTextBytes || raw_bytes > section.compressed.size() * kMaxExpansion) {
    throw InputError(
        fmt::format("{}{} bytes cannot become the {} that are stated", at, section.compressed.size(), raw_bytes));
  }
  std::string raw(raw_bytes, '\0');
  const std::size_t bytes =
      ZSTD_decompress(raw.data(), raw.size(), section.compressed.data(), section.compressed.size());
  if (ZSTD_isError(bytes)) throw InputError(at + "it cannot be decompressed: " + ZSTD_getErrorName(bytes));
  if (bytes != raw_bytes) throw InputError(fmt::format("{}it holds {} bytes, stated are {}", at, bytes, raw_bytes));
  return raw;
}

template <class T>
void append_value(std::string& raw, T value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  raw.append(bytes, sizeof value);
}

template <class Strings, class Text>
void append_strings(std::string& raw, const Strings& strings, SectionId id, Text text) {
  std::uint64_t total = raw.size() + 4 * strings.size();
  for (const auto& item : strings) total += text(item).size();
  if (total > kMaxTextBytes) {
    throw CapacityError(fmt::format("bytes in section {} of a chunk", section_name(id)), kMaxTextBytes,
                        static_cast<Index>(total));
  }
  raw.reserve(total);
  for (const auto& item : strings) append_value(raw, static_cast<std::uint32_t>(text(item).size()));
  for (const auto& item : strings) raw += text(item);
}

/// Takes values from the front of a column and refuses to run past its end.
struct Cursor {
  std::string_view rest;
  const std::string& at;

  std::string_view take(std::uint64_t bytes) {
    if (bytes > rest.size()) throw InputError(fmt::format("{}it ends {} bytes early", at, bytes - rest.size()));
    const std::string_view taken = rest.substr(0, bytes);
    rest.remove_prefix(bytes);
    return taken;
  }
  std::vector<std::string> take_strings(std::uint64_t count) {
    const std::string_view lengths = take(4 * count);
    std::vector<std::string> strings(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      std::uint32_t length = 0;
      std::memcpy(&length, lengths.data() + 4 * i, 4);
      strings[i] = take(length);
    }
    return strings;
  }
  void finish() const {
    if (!rest.empty()) throw InputError(fmt::format("{}{} bytes are left over", at, rest.size()));
  }
};

std::string place(const TextSection& section, const std::string& where) {
  return fmt::format("{}, section {}: ", where, section_name(section.id));
}

}  // namespace

PackedText pack_strings(const std::vector<std::string>& strings, SectionId id) {
  std::string raw;
  append_strings(raw, strings, id, [](const std::string& text) -> const std::string& { return text; });
  return compress(raw);
}

PackedText pack_rejected(const std::vector<RejectedRow>& rows) {
  std::string raw;
  for (const auto& row : rows) append_value(raw, static_cast<std::int64_t>(row.line));
  const auto id = [](const RejectedRow& row) -> const std::string& { return row.id; };
  const auto reason = [](const RejectedRow& row) -> const std::string& { return row.reason; };
  append_strings(raw, rows, SectionId::rejected, id);
  append_strings(raw, rows, SectionId::rejected, reason);
  return compress(raw);
}

std::vector<std::string> unpack_strings(const TextSection& section, Index count, const std::string& where,
                                        Checksums checksums) {
  const std::string at = place(section, where);
  const std::string raw = decompress(section, at, checksums);
  Cursor cursor{raw, at};
  auto strings = cursor.take_strings(static_cast<std::uint64_t>(count));
  cursor.finish();
  return strings;
}

std::vector<RejectedRow> unpack_rejected(const TextSection& section, Index count, const std::string& where,
                                         Checksums checksums) {
  if (count == 0 && section.compressed.empty()) return {};
  const std::string at = place(section, where);
  const std::string raw = decompress(section, at, checksums);
  Cursor cursor{raw, at};
  const auto num_rows = static_cast<std::uint64_t>(count);
  const std::string_view lines = cursor.take(8 * num_rows);
  auto ids = cursor.take_strings(num_rows);
  auto reasons = cursor.take_strings(num_rows);
  cursor.finish();
  std::vector<RejectedRow> rows(num_rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::memcpy(&rows[i].line, lines.data() + 8 * i, 8);
    rows[i].id = std::move(ids[i]);
    rows[i].reason = std::move(reasons[i]);
  }
  return rows;
}

}  // namespace quarry
