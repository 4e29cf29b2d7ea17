/// Where the columns of a block lie, and checking those of a file.
#include "similar/block.hpp"

#include <fmt/format.h>

#include <cstring>
#include <vector>

namespace quarry::similar {
namespace {

/// Hands out columns one after the other, widest first, so that each is aligned.
class Layout {
 public:
  explicit Layout(const std::byte* base) : base_(base) {}
  template <class T>
  View<const T> take(Index count) {
    const Index begin = bytes_;
    bytes_ += count * static_cast<Index>(sizeof(T));
    return {base_ == nullptr ? nullptr : reinterpret_cast<const T*>(base_ + begin), count};
  }
  Index bytes() const { return (bytes_ + 7) / 8 * 8; }

 private:
  const std::byte* base_;
  Index bytes_ = sizeof(BlockHeader);
};

BlockView lay_out(const BlockHeader& header, Layout& layout) {
  BlockView view;
  view.num_molecules = header.num_molecules;
  view.num_bitmaps = header.num_bitmaps;
  view.num_words = words_of(view.num_molecules);
  view.bitmaps = layout.take<std::uint64_t>((view.num_bitmaps + 1) * view.num_words);
  view.keys = layout.take<std::uint64_t>(header.num_keys);
  view.first_feature = layout.take<std::uint32_t>(Index{header.num_keys} + 1);
  view.places = layout.take<std::uint32_t>(header.num_features);
  view.list_offsets = layout.take<std::uint32_t>(Index{header.num_lists} + 1);
  view.runs = layout.take<Run>(header.num_runs);
  view.entries = layout.take<std::uint16_t>(header.num_entries);
  view.order = layout.take<std::uint16_t>(header.num_molecules);
  view.magnitudes = layout.take<std::uint16_t>(header.num_molecules);
  return view;
}

/// Says no in the name of one block.
class Checker {
 public:
  explicit Checker(const std::string& where) : where_(where) {}
  void require(bool right, const char* what) const {
    if (!right) throw InputError(fmt::format("{}: {}", where_, what));
  }
  void header(const BlockHeader& header) const {
    require(header.metric <= 1 && header.q >= 1 && header.q <= kMaxLingo && header.fold_halogens <= 1,
            "it was made by an unknown definition");
    require(header.by_magnitude <= 1 && header.num_molecules <= kChunkMolecules, "it has more molecules than a chunk");
    require(header.num_bitmaps + std::uint64_t{header.num_lists} == header.num_features,
            "its features are neither bitmaps nor lists");
  }
  /// Offsets that begin at 0, never fall, and end at `end`.
  void offsets(View<const std::uint32_t> offsets, Index end, const char* what) const {
    bool right = offsets[0] == 0 && offsets[offsets.size() - 1] == end;
    for (Index i = 0; i + 1 < offsets.size(); ++i) right = right && offsets[i] <= offsets[i + 1];
    require(right, what);
  }
  /// Every value below the size, each once.
  template <class T>
  void permutation(View<const T> values, const char* what) const {
    std::vector<bool> seen(static_cast<std::size_t>(values.size()), false);
    for (const T value : values) {
      require(value < values.size() && !seen[value], what);
      seen[value] = true;
    }
  }
  void bitmaps(const BlockView& view) const {
    bool right = true;
    for (Index i = 0; i <= view.num_bitmaps; ++i) {
      const Index used = i == view.num_bitmaps ? 0 : view.num_molecules;
      const auto row = view.bitmap(i);
      for (Index word = used / 64; word < view.num_words; ++word) {
        const Index bits = word == used / 64 ? used % 64 : 0;
        right = right && row[word] >> bits == 0;
      }
    }
    require(right, "a bitmap names molecules that are not there");
  }
  void lists(const BlockView& view) const {
    offsets(view.list_offsets, view.entries.size(), "the offsets of its lists are wrong");
    bool right = true;
    for (Index list = 0; list + 1 < view.list_offsets.size(); ++list) {
      for (Index i = view.list_offsets[list]; i < view.list_offsets[list + 1]; ++i) {
        const bool ascending = i == view.list_offsets[list] || view.entries[i - 1] < view.entries[i];
        right = right && ascending && view.entries[i] < view.num_molecules;
      }
    }
    require(right, "a list names molecules that are not there or not in order");
  }
  void runs(const BlockView& view, bool by_magnitude) const {
    Index position = 0;
    bool right = true;
    for (Index i = 0; i < view.runs.size() && right; ++i) {
      const Index end = i + 1 < view.runs.size() ? Index{view.runs[i + 1].first} : view.num_molecules;
      right = view.runs[i].first == position && end > position && end <= view.num_molecules &&
              (!by_magnitude || i == 0 || view.runs[i - 1].magnitude < view.runs[i].magnitude);
      for (; right && position < end; ++position) right = view.magnitudes[position] == view.runs[i].magnitude;
    }
    require(right && position == view.num_molecules, "its magnitudes are not in order");
  }
  void keys(const BlockView& view) const {
    bool right = true;
    for (Index i = 0; i + 1 < view.keys.size(); ++i) right = right && view.keys[i] < view.keys[i + 1];
    require(right, "its keys are not in order");
    offsets(view.first_feature, view.places.size(), "the features of its keys are wrong");
  }

 private:
  const std::string& where_;
};

}  // namespace

BlockHeader header_of(std::span<const std::byte> bytes, const std::string& where) {
  if (bytes.size() < sizeof(BlockHeader)) throw InputError(where + ": it is too short");
  BlockHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  return header;
}

Index block_bytes(const BlockHeader& header) {
  Layout layout(nullptr);
  lay_out(header, layout);
  return layout.bytes();
}

BlockView view_block(std::span<const std::byte> bytes) {
  Layout layout(bytes.data());
  return lay_out(header_of(bytes, "block"), layout);
}

BlockView check_block(std::span<const std::byte> bytes, const std::string& where) {
  const Checker checker(where);
  const BlockHeader header = header_of(bytes, where);
  checker.header(header);
  checker.require(block_bytes(header) == static_cast<Index>(bytes.size()), "its size is not what its counts say");
  const BlockView view = view_block(bytes);
  checker.bitmaps(view);
  checker.keys(view);
  checker.permutation(view.places, "two of its features share a place");
  checker.permutation(view.order, "two of its molecules share a position");
  checker.lists(view);
  checker.runs(view, header.by_magnitude != 0);
  return view;
}

Definition definition_of(const BlockHeader& header) {
  return {header.metric == 0 ? Metric::lingo : Metric::ecfp4, static_cast<int>(header.q), header.fold_halogens != 0};
}

}  // namespace quarry::similar
