/// From the sets of a chunk to the bytes that a library stores.
#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <memory>

#include "similar/stored/stored_chunk.hpp"
#include "util/bytes.hpp"
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
  explicit SetWriter(const FeatureSets& chunk)
      : chunk_(chunk),
        bitmap_bytes_((chunk.order.size() + 7) / 8),
        // A bitmap is written only where the gaps take as many bytes. One more for the second byte of the last gap.
        room_(std::make_unique_for_overwrite<std::uint8_t[]>(kMaxGapBytes * chunk.positions.size() + 1)),
        end_(room_.get()) {}

  /// Appends a set, as gaps if these are fewer bytes than its bitmap. @return its bytes
  std::size_t put(Index set) {
    std::uint8_t* const begin = end_;
    const auto positions = chunk_.positions_of(set);
    if (positions.size() < bitmap_bytes_) {
      GapWriter gaps(begin);
      for (const std::uint16_t position : positions) gaps.add(position);
      end_ = gaps.end();
    }
    if (positions.size() >= bitmap_bytes_ || std::size_t(end_ - begin) >= bitmap_bytes_) {
      end_ = std::fill_n(begin, bitmap_bytes_, std::uint8_t{0});
      for (const std::uint16_t position : positions) begin[position / 8] |= 1 << position % 8;
    }
    return end_ - begin;
  }
  std::span<const std::uint8_t> bytes() const { return {room_.get(), end_}; }

 private:
  const FeatureSets& chunk_;
  std::size_t bitmap_bytes_;
  std::unique_ptr<std::uint8_t[]> room_;
  std::uint8_t* end_;
};

/// What the magnitude of each molecule, in order of input, is above the least one.
Bytes magnitudes_of(const FeatureSets& chunk, StoredHeader& header) {
  const auto& magnitudes = chunk.magnitudes;
  QUARRY_CHECK(std::ranges::is_sorted(magnitudes), "a stored chunk is in order of magnitude");
  header.least_magnitude = magnitudes.empty() ? 0 : magnitudes.front();
  const Index most = magnitudes.empty() ? 0 : magnitudes.back() - header.least_magnitude;
  header.magnitude_bytes = most < 256 ? 1 : 2;
  Bytes bytes(magnitudes.size() * header.magnitude_bytes);
  for (std::size_t position = 0; position < magnitudes.size(); ++position) {
    const auto above = static_cast<std::uint16_t>(magnitudes[position] - header.least_magnitude);
    std::memcpy(bytes.data() + chunk.order[position] * header.magnitude_bytes, &above, header.magnitude_bytes);
  }
  return bytes;
}

}  // namespace

void append_stored(const FeatureSets& chunk, const Definition& definition, std::vector<std::byte>& bytes) {
  auto header = header_of_sets<StoredHeader>(chunk, definition);
  const Bytes magnitudes = magnitudes_of(chunk, header);
  Bytes keys, lengths;
  SetWriter sets(chunk);
  for (std::size_t key = 0; key < chunk.keys.size(); ++key) {
    put_number(chunk.keys[key] - (key == 0 ? 0 : chunk.keys[key - 1]), keys);
    const Index end = chunk.first_feature[key + 1];
    for (Index feature = chunk.first_feature[key]; feature < end; ++feature) {
      put_number(2 * sets.put(chunk.sets[feature]) + (feature + 1 < end ? 1 : 0), lengths);
    }
  }
  header.key_bytes = checked_cast<std::uint32_t>(keys.size());
  header.length_bytes = checked_cast<std::uint32_t>(lengths.size());
  header.set_bytes = checked_cast<std::uint32_t>(sets.bytes().size());
  const auto of_header = bytes_of(header);
  bytes.reserve(bytes.size() + of_header.size() + magnitudes.size() + keys.size() + lengths.size() +
                sets.bytes().size());
  bytes.insert(bytes.end(), of_header.begin(), of_header.end());
  for (const std::span<const std::uint8_t> column :
       std::initializer_list<std::span<const std::uint8_t>>{magnitudes, keys, lengths, sets.bytes()}) {
    const auto of_column = std::as_bytes(column);
    bytes.insert(bytes.end(), of_column.begin(), of_column.end());
  }
}

}  // namespace quarry::similar
