/// Fuzzes what `similar` reads from outside: a stored block, and the text of a SMILES.
///
/// A block that passes its checks must be safe to use in every way: unpacked, packed again to the same multisets, and
/// compared with rows of its own.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "similar/block_builder.hpp"
#include "similar/lingo.hpp"
#include "similar/plan.hpp"
#include "similar/steps.hpp"

namespace {

using namespace quarry;
using namespace quarry::similar;

void require(bool condition) {
  if (!condition) std::abort();
}

std::vector<std::byte> seed_block() {
  const std::vector<std::string> smiles = {"CCO", "c1ccccc1", "C", "CCCCCCCCCCCC", "CC(=O)Oc1ccccc1C(=O)O"};
  const auto block = build_block(multisets_of(smiles, {}, 0), {}, Order::magnitude);
  return {block.view().begin(), block.view().end()};
}

void compare(const BlockView& block, const Rows& rows) {
  const auto places = places_in(block, block);
  const RowsView view{view_of(rows.offsets), view_of(rows.features), view_of(rows.magnitudes), rows.max_features};
  const Comparison job{view, view_of(places), block, {0, block.num_words}};
  Queue queue;
  Buffer<float> values(queue, block.num_molecules * block.num_molecules);
  fill(queue, job, 0, block.num_molecules, values.view(), block.num_molecules);
  const std::vector<Floor> floors(static_cast<std::size_t>(block.num_molecules), Floor{0.5, false});
  Buffer<Candidate> candidates(queue, block.num_molecules * block.num_molecules);
  Buffer<Index> num_candidates(queue, block.num_molecules);
  num_candidates.fill_zero(queue);
  select(queue, job, 0, view_of(floors), candidates.view(), num_candidates.view());
}

void read_block(const std::vector<std::byte>& bytes) {
  const BlockView block = check_block(bytes, "fuzz");
  if (block.num_molecules > 100 || block.places.size() > 10000) return;  // time, not safety
  const Rows rows = rows_of(block);
  const Multisets multisets = multisets_of(block);
  require(multisets.size() == block.num_molecules);
  const auto again = build_block(multisets, {}, Order::magnitude);
  const auto kept = multisets_of(view_block({again.view().data(), static_cast<std::size_t>(again.size())}));
  require(kept.offsets == multisets.offsets);
  compare(block, rows);
}

void read_text(const std::string& text) {
  for (const bool fold : {false, true}) {
    const std::string lingos = lingo_text(text, fold);
    require(lingos.size() <= text.size());
    for (int q = 1; q <= kMaxLingo; ++q) require(!features(text, {Metric::lingo, q, fold}).empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    if (data[0] % 4 == 0) {
      read_text(std::string(reinterpret_cast<const char*>(data + 1), size - 1));
    } else {
      std::vector<std::byte> bytes(size - 1);  // aligned, and a heap block of its own for the address sanitizer
      if (size > 1) std::memcpy(bytes.data(), data + 1, size - 1);
      read_block(bytes);
    }
  } catch (const InputError&) {
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

/// Begins with a good block where there is nothing yet; everything else is libFuzzer's own mutation.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int) {
  const auto bytes = seed_block();
  if (size > sizeof(BlockHeader) || bytes.size() + 1 > max_size) return LLVMFuzzerMutate(data, size, max_size);
  data[0] = 1;
  std::memcpy(data + 1, bytes.data(), bytes.size());
  return bytes.size() + 1;
}
