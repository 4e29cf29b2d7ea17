#include "match/batch/batch_room.hpp"

#include <algorithm>

#include "exec/device/stream.hpp"
#include "match/batch/batch_store.hpp"
#include "util/memory/memory_budget.hpp"

namespace quarry::match {
namespace {

// Of the memory for a batch in flight, one share is for itself, two for buffers that earlier batches have made larger
// than it needs, and one for the embeddings that it stores.
constexpr Index kShares = 4;

}  // namespace

Index batches_in_flight(const RunOptions& options) {
  constexpr Index kFew = 2, kMost = 8, kPlenty = Index{1} << 30;
  for (const DeviceId& id : find_devices(options.device)) {
    if (id.api == Api::host || device_room(id, options.device_bytes) < kPlenty) return kFew;
  }
  return std::clamp<Index>(options.threads, kFew, kMost);
}

BatchRoom::BatchRoom(const DeviceId& device, Index limit_bytes, Index plan_bytes, Index bytes_in_flight,
                     Index num_in_flight)
    : device_(device),
      limit_bytes_(limit_bytes),
      plan_bytes_(plan_bytes),
      bytes_(bytes_in_flight / kShares),
      num_in_flight_(num_in_flight) {}

Index BatchRoom::molecule_bytes(const PlanView& plan, const Chunk& chunk, Index molecule) const {
  const Index atoms = chunk.num_atoms(molecule);
  if (on_host()) return 8 * region_words(plan, atoms);
  return device_bytes(plan, atoms, chunk.max_bonds(molecule));
}

Index BatchRoom::batch_size(const PlanView& plan, const Chunk& chunk, std::span<const Index> molecules) const {
  Index bytes = 0, size = 0;
  for (; size < std::ssize(molecules); ++size) {
    bytes += molecule_bytes(plan, chunk, molecules[size]);
    if (bytes > bytes_) break;
  }
  if (size == 0 && !on_host()) {
    MemoryBudget(limit_bytes_, name_of({device_}))
        .require(plan_bytes_ + bytes * num_in_flight_ * kShares, "the queries and one molecule at a time");
  }
  return std::max<Index>(size, 1);
}

}  // namespace quarry::match
