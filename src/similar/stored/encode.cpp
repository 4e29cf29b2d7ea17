/// From a packed chunk to the bytes that a library stores.
#include <algorithm>
#include <cstring>
#include <initializer_list>

#include "exec/simd/bits.hpp"
#include "similar/stored/stored_chunk.hpp"
#include "util/cast.hpp"
#include "util/check.hpp"

namespace quarry::similar {
namespace {

using Bytes = std::vector<std::uint8_t>;

void put_number(std::uint64_t value, Bytes& bytes) {
  for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<std::uint8_t>(value | 0x80));
  bytes.push_back(static_cast<std::uint8_t>(value));
}

/// Appends the gap before each position of a set.
class GapWriter {
 public:
  explicit GapWriter(Bytes& bytes) : bytes_(bytes) {}
  void add(Index position) {
    const auto gap = static_cast<std::uint32_t>(position - next_);
    if (gap < kOneByteGaps) {
      bytes_.push_back(static_cast<std::uint8_t>(gap));
    } else {
      bytes_.push_back(static_cast<std::uint8_t>(kOneByteGaps + (gap - kOneByteGaps) / 256));
      bytes_.push_back(static_cast<std::uint8_t>((gap - kOneByteGaps) % 256));
    }
    next_ = position + 1;
  }

 private:
  Bytes& bytes_;
  Index next_ = 0;
};

/// Appends a set, as gaps if these are fewer bytes than its bitmap. @return its bytes
std::size_t put_set(const PackedView& chunk, Index set, Bytes& bytes) {
  const std::size_t before = bytes.size(), bitmap_bytes = (chunk.num_molecules + 7) / 8;
  GapWriter gaps(bytes);
  if (set >= chunk.num_bitmaps) {
    const Index list = set - chunk.num_bitmaps;
    for (Index i = chunk.list_offsets[list]; i < chunk.list_offsets[list + 1]; ++i) gaps.add(chunk.entries[i]);
  } else {
    const auto bitmap = chunk.bitmap(set);
    for (Index word = 0; word < bitmap.size() && bytes.size() - before < bitmap_bytes; ++word) {
      for (std::uint64_t rest = bitmap[word]; rest != 0; rest &= rest - 1) gaps.add(64 * word + lowest_bit(rest));
    }
    if (bytes.size() - before >= bitmap_bytes) {
      bytes.resize(before + bitmap_bytes);
      std::memcpy(bytes.data() + before, bitmap.data(), bitmap_bytes);
    }
  }
  return bytes.size() - before;
}

/// What the magnitude of each molecule, in order of input, is above the least one.
Bytes magnitudes_of(const PackedView& chunk, StoredHeader& header) {
  const auto& magnitudes = chunk.magnitudes;  // ascending
  header.least_magnitude = chunk.num_molecules == 0 ? 0 : magnitudes[0];
  const Index most = chunk.num_molecules == 0 ? 0 : magnitudes[chunk.num_molecules - 1] - header.least_magnitude;
  header.magnitude_bytes = most < 256 ? 1 : 2;
  Bytes bytes(chunk.num_molecules * header.magnitude_bytes);
  for (Index position = 0; position < chunk.num_molecules; ++position) {
    const auto above = static_cast<std::uint16_t>(magnitudes[position] - header.least_magnitude);
    std::memcpy(bytes.data() + chunk.order[position] * header.magnitude_bytes, &above, header.magnitude_bytes);
  }
  return bytes;
}

}  // namespace

std::vector<std::byte> encode_stored(std::span<const std::byte> packed) {
  const PackedHeader from = header_of(packed, "packed chunk");
  const PackedView chunk = view_packed(packed);
  QUARRY_CHECK(from.by_magnitude == 1, "a stored chunk is in order of magnitude");
  StoredHeader header;
  header.metric = from.metric;
  header.q = from.q;
  header.fold_halogens = from.fold_halogens;
  header.num_molecules = from.num_molecules;
  header.num_keys = from.num_keys;
  header.num_features = from.num_features;
  header.num_bitmaps = from.num_bitmaps;
  header.num_entries = from.num_entries;
  const Bytes magnitudes = magnitudes_of(chunk, header);
  Bytes keys, lengths, sets;
  sets.reserve(packed.size());
  for (Index key = 0; key < chunk.keys.size(); ++key) {
    put_number(chunk.keys[key] - (key == 0 ? 0 : chunk.keys[key - 1]), keys);
    const Index end = chunk.first_feature[key + 1];
    for (Index feature = chunk.first_feature[key]; feature < end; ++feature) {
      put_number(2 * put_set(chunk, chunk.sets[feature], sets) + (feature + 1 < end ? 1 : 0), lengths);
    }
  }
  header.key_bytes = checked_cast<std::uint32_t>(keys.size());
  header.length_bytes = checked_cast<std::uint32_t>(lengths.size());
  header.set_bytes = checked_cast<std::uint32_t>(sets.size());
  std::vector<std::byte> bytes(sizeof header);
  std::memcpy(bytes.data(), &header, sizeof header);
  for (const Bytes* const column : std::initializer_list<const Bytes*>{&magnitudes, &keys, &lengths, &sets}) {
    const auto* const first = reinterpret_cast<const std::byte*>(column->data());
    bytes.insert(bytes.end(), first, first + column->size());
  }
  return bytes;
}

}  // namespace quarry::similar
