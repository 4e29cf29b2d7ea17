/// Where the arrays of a job lie: one after the other in one piece of memory, so that what a batch takes is known before.
#pragma once
#include "dock/search.hpp"
#include "exec/queue.hpp"

namespace quarry::dock {

/// Sets the views of a job whose numbers are set: `num_ligands`, `poses.per_ligand` and what is most of a ligand.
/// @param memory  64-byte aligned; null where only the bytes are asked for
/// @return        bytes of all arrays
Index lay_out(const Queue& queue, PoseJob& job, std::byte* memory);

}  // namespace quarry::dock
