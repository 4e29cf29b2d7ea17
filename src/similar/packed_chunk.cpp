/// Where the columns of a packed chunk lie, and how those from a file are checked.
#include "similar/packed_chunk.hpp"

#include <fmt/format.h>

#include <cstring>
#include <vector>

#include "exec/parcel.hpp"
#include "quarry/error.hpp"

namespace quarry::similar {
namespace {

/// The view of the columns that follow the header at `base`, widest first, so that each is aligned.
/// @param size  set to the bytes of the whole; `base` may be null where only that is wanted
PackedView lay_out(const PackedHeader& header, const std::byte* base, Index& size) {
  size = sizeof(PackedHeader);
  const auto take = [&]<class T>(View<const T>& column, Index count) {
    column = {base == nullptr ? nullptr : reinterpret_cast<const T*>(base + size), count};
    size += count * Index{sizeof(T)};
  };
  PackedView view;
  view.num_molecules = header.num_molecules;
  view.num_bitmaps = header.num_bitmaps;
  view.num_words = bitmap_words(view.num_molecules);
  take(view.bitmaps, (view.num_bitmaps + 1) * view.num_words);
  take(view.keys, header.num_keys);
  take(view.first_feature, Index{header.num_keys} + 1);
  take(view.sets, header.num_features);
  take(view.list_offsets, Index{header.num_lists} + 1);
  take(view.runs, header.num_runs);
  take(view.entries, header.num_entries);
  take(view.order, header.num_molecules);
  take(view.magnitudes, header.num_molecules);
  size = (size + 7) / 8 * 8;
  return view;
}

void require(bool correct, const std::string& where, const char* what) {
  if (!correct) throw InputError(fmt::format("{}: {}", where, what));
}

void check_header(const PackedHeader& header, const std::string& where) {
  require(header.metric <= 1 && header.q >= 1 && header.q <= kMaxLingo && header.fold_halogens <= 1, where,
          "its definition of similarity is not known");
  require(header.by_magnitude <= 1 && header.num_molecules <= kChunkMolecules, where,
          "it has more molecules than a chunk");
  require(header.num_bitmaps + std::uint64_t{header.num_lists} == header.num_features, where,
          "its features are neither bitmaps nor lists");
}

/// Do the offsets begin at 0, never fall, and end at `end`?
bool are_offsets(View<const std::uint32_t> offsets, Index end) {
  bool correct = offsets[0] == 0 && offsets[offsets.size() - 1] == end;
  for (Index i = 0; i + 1 < offsets.size(); ++i) correct = correct && offsets[i] <= offsets[i + 1];
  return correct;
}

/// Is every value below the number of values, and there once?
template <class T>
bool is_permutation(View<const T> values) {
  std::vector<bool> seen(values.size(), false);
  for (const T value : values) {
    if (value >= values.size() || seen[value]) return false;
    seen[value] = true;
  }
  return true;
}

/// Are all bits past the last molecule zero, and all bits of the last bitmap?
bool are_bitmaps(const PackedView& view) {
  bool correct = true;
  for (Index i = 0; i <= view.num_bitmaps; ++i) {
    const Index used = i == view.num_bitmaps ? 0 : view.num_molecules;
    const auto row = view.bitmap(i);
    for (Index word = used / 64; word < view.num_words; ++word) {
      const Index bits = word == used / 64 ? used % 64 : 0;
      correct = correct && row[word] >> bits == 0;
    }
  }
  return correct;
}

bool are_keys(View<const std::uint64_t> keys) {
  bool correct = true;
  for (Index i = 0; i + 1 < keys.size(); ++i) correct = correct && keys[i] < keys[i + 1];
  return correct;
}

/// Are the entries of each list positions of molecules, in ascending order?
bool are_lists(const PackedView& view) {
  bool correct = true;
  for (Index list = 0; list + 1 < view.list_offsets.size(); ++list) {
    for (Index i = view.list_offsets[list]; i < view.list_offsets[list + 1]; ++i) {
      const bool ascending = i == view.list_offsets[list] || view.entries[i - 1] < view.entries[i];
      correct = correct && ascending && view.entries[i] < view.num_molecules;
    }
  }
  return correct;
}

/// Do the runs cover all positions, and agree with the magnitudes?
bool are_runs(const PackedView& view, bool by_magnitude) {
  Index position = 0;
  bool correct = true;
  for (Index i = 0; i < view.runs.size() && correct; ++i) {
    const Index end = i + 1 < view.runs.size() ? Index{view.runs[i + 1].first} : view.num_molecules;
    correct = view.runs[i].first == position && end > position && end <= view.num_molecules &&
              (!by_magnitude || i == 0 || view.runs[i - 1].magnitude < view.runs[i].magnitude);
    for (; correct && position < end; ++position) correct = view.magnitudes[position] == view.runs[i].magnitude;
  }
  return correct && position == view.num_molecules;
}

}  // namespace

void add_to(Parcel& parcel, PackedView& columns) {
  parcel.add(columns.bitmaps);
  parcel.add(columns.list_offsets);
  parcel.add(columns.entries);
  parcel.add(columns.runs);
  parcel.add(columns.magnitudes);
}

void add_to(Parcel& parcel, RowsView& rows) {
  parcel.add(rows.offsets);
  parcel.add(rows.features);
  parcel.add(rows.magnitudes);
}

PackedHeader header_of(std::span<const std::byte> bytes, const std::string& where) {
  if (bytes.size() < sizeof(PackedHeader)) throw InputError(where + ": it is too short");
  PackedHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  return header;
}

Index packed_bytes(const PackedHeader& header) {
  Index size = 0;
  lay_out(header, nullptr, size);
  return size;
}

PackedView view_packed(std::span<const std::byte> bytes) {
  Index size = 0;
  return lay_out(header_of(bytes, "packed chunk"), bytes.data(), size);
}

PackedView check_packed(std::span<const std::byte> bytes, const std::string& where) {
  const PackedHeader header = header_of(bytes, where);
  check_header(header, where);
  require(packed_bytes(header) == std::ssize(bytes), where, "its size is not what its counts say");
  const PackedView view = view_packed(bytes);
  require(are_bitmaps(view), where, "a bitmap names molecules that do not exist");
  require(are_keys(view.keys), where, "its keys are not in order");
  require(are_offsets(view.first_feature, view.sets.size()), where, "the features of its keys are wrong");
  require(is_permutation(view.sets), where, "two of its features share a bitmap or a list");
  require(is_permutation(view.order), where, "two of its molecules share a position");
  require(are_offsets(view.list_offsets, view.entries.size()), where, "the offsets of its lists are wrong");
  require(are_lists(view), where, "a list names molecules that do not exist or are not in order");
  require(are_runs(view, header.by_magnitude != 0), where, "its magnitudes are not in order");
  return view;
}

Definition definition_of(const PackedHeader& header) {
  Definition definition;  // a header from a file may hold anything; then it equals no definition that is asked for
  definition.metric = header.metric == 0 ? Metric::lingo : Metric::ecfp4;
  definition.q = header.q;
  definition.fold_halogens = header.fold_halogens != 0;
  return definition;
}

}  // namespace quarry::similar
