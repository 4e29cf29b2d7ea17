/// From a packed chunk to the bytes that a library stores.
#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <memory>

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

/// Most bytes of a gap.
constexpr Index kMaxGapBytes = 2;

/// Writes the gap before each position of a set into room that is large enough.
class GapWriter {
 public:
  explicit GapWriter(std::uint8_t* end) : end_(end) {}
  std::uint8_t* end() const { return end_; }

  /// PERF: both bytes are written, and the second one is overwritten where one is enough, so that there is no branch.
  void add(Index position) {
    const auto gap = static_cast<std::uint32_t>(position - next_);
    const bool two = gap >= kOneByteGaps;
    const std::uint32_t above = gap - kOneByteGaps;
    end_[0] = static_cast<std::uint8_t>(two ? kOneByteGaps + above / 256 : gap);
    end_[1] = static_cast<std::uint8_t>(above);
    end_ += two ? 2 : 1;
    next_ = position + 1;
  }

 private:
  std::uint8_t* end_;
  Index next_ = 0;
};

/// The sets of a chunk as they are stored, one after the other.
class SetWriter {
 public:
  explicit SetWriter(const PackedView& chunk)
      : chunk_(chunk),
        bitmap_bytes_((chunk.num_molecules + 7) / 8),
        room_(std::make_unique_for_overwrite<std::uint8_t[]>(most_bytes())),
        end_(room_.get()) {}

  /// Appends a set, as gaps if these are fewer bytes than its bitmap. @return its bytes
  std::size_t put(Index set) {
    std::uint8_t* const begin = end_;
    const Index list = set - chunk_.num_bitmaps;
    const Index most = list >= 0 ? kMaxGapBytes * (chunk_.list_offsets[list + 1] - chunk_.list_offsets[list])
                                 : bitmap_bytes_ + kMaxGapBytes * 64;
    QUARRY_CHECK(most < room_.get() + most_bytes() - begin, "each set of a packed chunk belongs to one feature");
    GapWriter gaps(begin);
    if (list >= 0) {
      for (Index i = chunk_.list_offsets[list]; i < chunk_.list_offsets[list + 1]; ++i) gaps.add(chunk_.entries[i]);
      end_ = gaps.end();
    } else {
      const auto bitmap = chunk_.bitmap(set);
      for (Index word = 0; word < bitmap.size() && gaps.end() - begin < bitmap_bytes_; ++word) {
        for (std::uint64_t rest = bitmap[word]; rest != 0; rest &= rest - 1) gaps.add(64 * word + lowest_bit(rest));
      }
      end_ = gaps.end();
      if (end_ - begin >= bitmap_bytes_) {
        std::memcpy(begin, bitmap.data(), bitmap_bytes_);
        end_ = begin + bitmap_bytes_;
      }
    }
    return end_ - begin;
  }
  std::span<const std::uint8_t> bytes() const { return {room_.get(), end_}; }

 private:
  /// The gaps of a bitmap are given up with the word at which they take as many bytes as it does.
  std::size_t most_bytes() const {
    return kMaxGapBytes * chunk_.entries.size() + chunk_.num_bitmaps * (bitmap_bytes_ + kMaxGapBytes * 64) + 1;
  }

  const PackedView& chunk_;
  Index bitmap_bytes_;
  std::unique_ptr<std::uint8_t[]> room_;
  std::uint8_t* end_;
};

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
  Bytes keys, lengths;
  SetWriter sets(chunk);
  for (Index key = 0; key < chunk.keys.size(); ++key) {
    put_number(chunk.keys[key] - (key == 0 ? 0 : chunk.keys[key - 1]), keys);
    const Index end = chunk.first_feature[key + 1];
    for (Index feature = chunk.first_feature[key]; feature < end; ++feature) {
      put_number(2 * sets.put(chunk.sets[feature]) + (feature + 1 < end ? 1 : 0), lengths);
    }
  }
  header.key_bytes = checked_cast<std::uint32_t>(keys.size());
  header.length_bytes = checked_cast<std::uint32_t>(lengths.size());
  header.set_bytes = checked_cast<std::uint32_t>(sets.bytes().size());
  std::vector<std::byte> bytes(sizeof header);
  std::memcpy(bytes.data(), &header, sizeof header);
  for (const std::span<const std::uint8_t> column :
       std::initializer_list<std::span<const std::uint8_t>>{magnitudes, keys, lengths, sets.bytes()}) {
    const auto of_column = std::as_bytes(column);
    bytes.insert(bytes.end(), of_column.begin(), of_column.end());
  }
  return bytes;
}

}  // namespace quarry::similar
