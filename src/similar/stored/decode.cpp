/// From the bytes that a library stores to a packed chunk. The counts of the header are checked against the bytes there are
/// before memory is allocated for them, and against what was read at the end.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "quarry/error.hpp"
#include "similar/stored/stored_chunk.hpp"

namespace quarry::similar {
namespace {

using ByteSpan = std::span<const std::uint8_t>;

StoredHeader stored_header_of(std::span<const std::byte> bytes, const std::string& where) {
  if (bytes.size() < sizeof(StoredHeader)) throw InputError(where + ": it is too short");
  StoredHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.metric > 1 || header.q < 1 || header.q > kMaxLingo || header.fold_halogens > 1) {
    throw InputError(where + ": its definition of similarity is not known");
  }
  if (header.num_molecules > kChunkMolecules) throw InputError(where + ": it has more molecules than a chunk");
  if (header.magnitude_bytes != 1 && header.magnitude_bytes != 2) {
    throw InputError(where + ": its magnitudes have no known size");
  }
  return header;
}

template <class T>
T* writable(View<const T> column) {
  return const_cast<T*>(column.data());  // of the buffer that the decoder fills
}

class Decoder {
 public:
  Decoder(std::span<const std::byte> bytes, const std::string& where)
      : where_(where), header_(stored_header_of(bytes, where)) {
    ByteSpan rest(reinterpret_cast<const std::uint8_t*>(bytes.data()) + sizeof header_, bytes.size() - sizeof header_);
    magnitudes_ = take(rest, std::size_t{header_.num_molecules} * header_.magnitude_bytes);
    keys_ = take(rest, header_.key_bytes);
    lengths_ = take(rest, header_.length_bytes);
    sets_ = take(rest, header_.set_bytes);
    require(rest.empty() && header_.reserved == 0, "its size is not what its counts say");
    require(possible(), "its counts are more than it has bytes for");
  }

  /// @param wanted  rows, whose features alone are decoded, all of them to bitmaps; nullptr: everything
  Buffer<std::byte> run(const PackedView* wanted) {
    find_sets(wanted);
    const std::vector<std::uint16_t> magnitudes = read_magnitudes();
    std::vector<std::uint32_t> counts(kMaxMagnitude + 1, 0);
    for (const std::uint16_t magnitude : magnitudes) ++counts[magnitude];
    if (wanted != nullptr) {
      header_.num_bitmaps = static_cast<std::uint32_t>(found_.size());
      header_.num_entries = 0;
    }
    const auto num_runs = static_cast<std::uint32_t>(std::ranges::count_if(counts, [](auto n) { return n > 0; }));
    const PackedHeader header = packed_header(num_runs);
    Queue queue;
    Buffer<std::byte> packed(queue, packed_bytes(header));
    packed.fill_zero(queue);
    std::memcpy(packed.view().data(), &header, sizeof header);
    view_ = view_packed({packed.view().begin(), packed.view().end()});
    order_molecules(magnitudes, counts);
    std::ranges::copy(found_keys_, writable(view_.keys));
    std::ranges::copy(found_first_, writable(view_.first_feature));
    for (std::uint32_t feature = 0; feature < found_.size(); ++feature)
      read_set(found_[feature], feature, wanted != nullptr);
    require(num_bitmaps_ == header_.num_bitmaps && num_entries_ == header_.num_entries,
            "its counts are not those of its sets");
    return packed;
  }

 private:
  void require(bool correct, const char* what) const {
    if (!correct) throw InputError(fmt::format("{}: {}", where_, what));
  }

  ByteSpan take(ByteSpan& rest, std::size_t size) const {
    require(size <= rest.size(), "its size is not what its counts say");
    const ByteSpan column = rest.first(size);
    rest = rest.subspan(size);
    return column;
  }

  /// Could the columns hold as much as the header says? A set with a bitmap has a byte for every 64 molecules at least.
  bool possible() const {
    const std::uint64_t least_bytes = (header_.num_molecules + 63) / 64;
    return header_.num_keys <= header_.key_bytes && header_.num_features <= header_.length_bytes &&
           header_.num_keys <= header_.num_features && header_.num_bitmaps <= header_.num_features &&
           header_.num_entries <= sets_.size() && header_.num_bitmaps * least_bytes <= sets_.size();
  }

  PackedHeader packed_header(std::uint32_t num_runs) const {
    PackedHeader packed;
    packed.metric = header_.metric;
    packed.q = header_.q;
    packed.fold_halogens = header_.fold_halogens;
    packed.by_magnitude = 1;
    packed.num_molecules = header_.num_molecules;
    packed.num_keys = static_cast<std::uint32_t>(found_keys_.size());
    packed.num_features = static_cast<std::uint32_t>(found_.size());
    packed.num_bitmaps = header_.num_bitmaps;
    packed.num_lists = packed.num_features - header_.num_bitmaps;
    packed.num_entries = header_.num_entries;
    packed.num_runs = num_runs;
    return packed;
  }

  std::vector<std::uint16_t> read_magnitudes() const {
    std::vector<std::uint16_t> magnitudes(header_.num_molecules);
    for (std::size_t i = 0; i < magnitudes.size(); ++i) {
      std::uint64_t magnitude = header_.least_magnitude;
      if (header_.magnitude_bytes == 1)
        magnitude += magnitudes_[i];
      else
        magnitude += magnitudes_[2 * i] + 256U * magnitudes_[2 * i + 1];
      require(magnitude <= kMaxMagnitude, "a magnitude is above the limit");
      magnitudes[i] = static_cast<std::uint16_t>(magnitude);
    }
    return magnitudes;
  }

  /// Writes runs, order and magnitudes. @param counts  of molecules with each magnitude; becomes the next position
  void order_molecules(const std::vector<std::uint16_t>& magnitudes, std::vector<std::uint32_t>& counts) {
    MagnitudeRun* run = writable(view_.runs);
    std::uint32_t position = 0;
    for (std::uint32_t magnitude = 0; magnitude < counts.size(); ++magnitude) {
      const std::uint32_t count = std::exchange(counts[magnitude], position);
      if (count == 0) continue;
      *run++ = {position, magnitude};
      std::fill_n(writable(view_.magnitudes) + position, count, static_cast<std::uint16_t>(magnitude));
      position += count;
    }
    for (std::size_t molecule = 0; molecule < magnitudes.size(); ++molecule) {
      writable(view_.order)[counts[magnitudes[molecule]]++] = static_cast<std::uint16_t>(molecule);
    }
  }

  std::uint64_t take_number(ByteSpan& bytes) const {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      require(!bytes.empty(), "a number in it is cut short");
      const std::uint8_t byte = bytes.front();
      bytes = bytes.subspan(1);
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return value;
    }
    require(false, "a number in it is too long");
    return 0;
  }

  /// Sets `found_` and its keys: of each key, where `wanted` has it, as many occurrences as it has there.
  void find_sets(const PackedView* wanted) {
    std::uint64_t key = 0;
    std::uint32_t num_features = 0;
    Index next = 0;  // of the wanted keys
    for (std::uint32_t i = 0; i < header_.num_keys; ++i) {
      const std::uint64_t step = take_number(keys_);
      require(i == 0 || (step > 0 && key + step > key), "its keys are not in order");
      key += step;
      std::size_t most = sets_.size();
      if (wanted != nullptr) {
        while (next < wanted->keys.size() && wanted->keys[next] < key) ++next;
        const bool is_wanted = next < wanted->keys.size() && wanted->keys[next] == key;
        most = is_wanted ? wanted->first_feature[next + 1] - wanted->first_feature[next] : 0;
      }
      const std::size_t before = found_.size();
      for (bool more = true; more; ++num_features) {
        const std::uint64_t length = take_number(lengths_);
        more = (length & 1) != 0;
        require(length >= 2, "a set in it is empty");
        const ByteSpan set = take(sets_, length / 2);
        if (found_.size() - before < most) found_.push_back(set);
      }
      if (found_.size() == before) continue;
      found_keys_.push_back(key);
      found_first_.push_back(static_cast<std::uint32_t>(found_.size()));
    }
    require(keys_.empty() && lengths_.empty() && sets_.empty() && num_features == header_.num_features,
            "its counts are not those of its sets");
  }

  void read_set(ByteSpan set, std::uint32_t feature, bool as_bitmap) {
    const Index bitmap_bytes = (view_.num_molecules + 7) / 8;
    require(std::ssize(set) <= bitmap_bytes, "a set in it is longer than a bitmap");
    if (std::ssize(set) == bitmap_bytes) {
      std::memcpy(next_bitmap(feature), set.data(), set.size());
      require(view_.num_molecules % 8 == 0 || set.back() >> view_.num_molecules % 8 == 0,
              "a bitmap names molecules that do not exist");
      return;
    }
    const Index count = read_gaps(set);
    if (!as_bitmap && count * kBitmapShare < view_.num_molecules) {
      append_list(feature, count);
    } else {
      std::uint64_t* const bitmap = next_bitmap(feature);
      for (Index i = 0; i < count; ++i) bitmap[positions_[i] / 64] |= std::uint64_t{1} << positions_[i] % 64;
    }
  }

  /// Sets `positions_`. @return how many there are, fewer than a bitmap has bytes
  Index read_gaps(ByteSpan set) {
    Index count = 0;
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < set.size(); ++i) {
      std::uint32_t gap = set[i];
      if (gap >= kOneByteGaps) {
        require(++i < set.size(), "a list in it is cut short");
        gap = kOneByteGaps + (gap - kOneByteGaps) * 256 + set[i];
      }
      next += gap + 1;
      positions_[count++] = static_cast<std::uint16_t>(next - 1);
    }
    require(next <= view_.num_molecules, "a list names molecules that do not exist");
    return count;
  }

  std::uint64_t* next_bitmap(std::uint32_t feature) {
    require(num_bitmaps_ < header_.num_bitmaps, "its counts are not those of its sets");
    writable(view_.sets)[feature] = num_bitmaps_;
    return writable(view_.bitmaps) + num_bitmaps_++ * view_.num_words;
  }

  void append_list(std::uint32_t feature, Index count) {
    const std::uint32_t list = feature - num_bitmaps_;  // all features before it are lists or bitmaps
    require(list < view_.sets.size() - header_.num_bitmaps && count <= header_.num_entries - num_entries_,
            "its counts are not those of its sets");
    writable(view_.sets)[feature] = header_.num_bitmaps + list;
    std::copy_n(positions_.begin(), count, writable(view_.entries) + num_entries_);
    num_entries_ += static_cast<std::uint32_t>(count);
    writable(view_.list_offsets)[list + 1] = num_entries_;
  }

  const std::string& where_;
  StoredHeader header_;
  ByteSpan magnitudes_, keys_, lengths_, sets_;
  std::vector<ByteSpan> found_;                ///< sets that are decoded
  std::vector<std::uint64_t> found_keys_;      ///< their keys
  std::vector<std::uint32_t> found_first_{0};  ///< [keys + 1] into `found_`
  PackedView view_;
  std::uint32_t num_bitmaps_ = 0, num_entries_ = 0;
  std::array<std::uint16_t, kChunkMolecules / 8> positions_;
};

}  // namespace

Buffer<std::byte> decode_stored(std::span<const std::byte> bytes, const std::string& where, const PackedView* wanted) {
  return Decoder(bytes, where).run(wanted);
}

std::span<const std::byte> take_stored(std::span<const std::byte>& rest, const std::string& where) {
  const StoredHeader header = stored_header_of(rest, where);
  const std::uint64_t size = sizeof header + std::uint64_t{header.num_molecules} * header.magnitude_bytes +
                             header.key_bytes + header.length_bytes + header.set_bytes;
  if (size > rest.size()) throw InputError(where + ": its size is not what its counts say");
  const auto first = rest.first(size);
  rest = rest.subspan(size);
  return first;
}

Definition definition_of_stored(std::span<const std::byte> bytes, const std::string& where) {
  const StoredHeader header = stored_header_of(bytes, where);
  PackedHeader same;
  same.metric = header.metric;
  same.q = header.q;
  same.fold_halogens = header.fold_halogens;
  return definition_of(same);
}

}  // namespace quarry::similar
