/// Fuzzes what `similar` reads from outside: a stored chunk, in the form of today and in that of an earlier version, and
/// the text of a SMILES.
///
/// What is decoded must pass the checks of a packed chunk. A chunk that passes its checks must be safe to use in every way:
/// unpacked, packed and stored again with the same multisets, and compared with its own molecules.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "require.hpp"
#include "seeded_mutator.hpp"
#include "similar/feature_map.hpp"
#include "similar/pack.hpp"
#include "similar/steps.hpp"
#include "similar/stored/stored_chunk.hpp"

namespace {

using namespace quarry;
using namespace quarry::similar;
using test::require;

const std::vector<std::string> seed_smiles = {"CCO", "c1ccccc1", "C", "CCCCCCCCCCCC", "CC(=O)Oc1ccccc1C(=O)O"};

std::vector<std::byte> packed_copy(const Multisets& multisets) {
  const auto bytes = pack(multisets, {}, Order::magnitude);
  return {bytes.view().begin(), bytes.view().end()};
}

std::vector<std::byte> stored_of(const Multisets& multisets) {
  std::vector<std::byte> bytes;
  append_stored(feature_sets_of(multisets, Order::magnitude), {}, bytes);
  return bytes;
}

/// @param packed  of the same multisets
void require_kept(const std::vector<std::byte>& packed, const Multisets& multisets) {
  const Multisets kept = multisets_of(view_packed(packed), "chunk");
  require(kept.offsets == multisets.offsets);
  require(packed == packed_copy(kept));
}

void compare(const PackedView& chunk, const Rows& rows) {
  const FeatureMap map = map_features(chunk, chunk);
  const Comparison job{rows.view(), view_of(map), chunk, whole(chunk)};
  const Index size = chunk.num_molecules;
  Queue queue;
  Buffer<float> values(queue, size * size);
  fill(queue, job, 0, size, values.view(), size);
  const std::vector<MinSimilarity> min_similarities(size, MinSimilarity{0.5, false});
  Buffer<Candidate> candidates(queue, size * size);
  Buffer<Index> num_candidates(queue, size);
  num_candidates.fill_zero(queue);
  similar::select(queue, job, 0, view_of(min_similarities), candidates.view(), num_candidates.view());
}

void read_chunk(const std::vector<std::byte>& bytes) {
  const PackedView chunk = check_packed(bytes, "fuzz");
  if (chunk.num_molecules > 100 || chunk.sets.size() > 10000) return;  // to save time
  const Rows rows = rows_of(chunk, "chunk");
  const Multisets multisets = multisets_of(chunk, "chunk");
  require(multisets.size() == chunk.num_molecules);
  require_kept(packed_copy(multisets), multisets);
  const auto decoded = decode_stored(stored_of(multisets), "again");
  require_kept({decoded.view().begin(), decoded.view().end()}, multisets);
  compare(chunk, rows);
}

/// What is accepted is a packed chunk.
void read_stored(const std::vector<std::byte>& bytes) {
  const auto packed = decode_stored(bytes, "fuzz");
  read_chunk({packed.view().begin(), packed.view().end()});
}

void read_text(const std::string& text) {
  for (const bool fold : {false, true}) {
    const std::string lingos = lingo_text(text, fold);
    require(lingos.size() <= text.size());
    for (int q = 1; q <= kMaxLingo; ++q) require(!features(text, {Metric::lingo, q, fold}).empty());
  }
}

}  // namespace

test::Seed test::make_seed(unsigned number) {
  if (number % 2 == 0) return {1, test::text_of(packed_copy(multisets_of(seed_smiles, {}, 0)))};
  return {3, test::text_of(stored_of(multisets_of(seed_smiles, {}, 0)))};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    if (data[0] % 4 == 0) {
      read_text(std::string(reinterpret_cast<const char*>(data + 1), size - 1));
    } else if (data[0] % 4 == 3) {
      read_stored(test::bytes_after_choice(data, size));
    } else {
      read_chunk(test::bytes_after_choice(data, size));
    }
  } catch (const InputError&) {
  }
  return 0;
}
