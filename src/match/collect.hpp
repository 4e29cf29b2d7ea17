/// From what the join counted to the result that a caller gets.
#pragma once
#include "exec/queue.hpp"
#include "match/batch/batch_store.hpp"
#include "quarry/match.hpp"

namespace quarry::match {

inline bool stores_mappings(Mode mode) { return mode == Mode::all || mode == Mode::unique; }

/// The number of embeddings of a pair at which the join may stop: one more than is wanted shows that there are more.
Index search_limit(const Options& options);

/// Caps what the join counted for each pair as the options say.
void apply_caps(const Options& options, const FoundPairs& found);

/// May the embeddings of a batch be stored at once? If not, the batch must be cut.
/// @throws CapacityError  it cannot be cut, because it is a single molecule
bool fits_in_memory(const PlanView& plan, const FoundPairs& found, Index num_molecules);

/// Appends the hits of a batch, and their mappings where the mode stores them, to `result`.
/// @param device_plan  a copy of `plan` that the queue's device can read
void collect_hits(Queue& queue, const PlanView& plan, const PlanView& device_plan, const Options& options,
                  const FoundPairs& found, Result& result);

/// Adds the number of candidates before and after refinement.
void add_candidates(Queue& queue, const PlanView& plan, const BatchView& batch, Statistics& statistics);

/// A result without molecules, to which those from `first_molecule` on are appended.
Result empty_result(Mode mode, Index first_molecule);

/// Adds what a finished result holds.
void add_counts(const Result& result, Statistics& statistics);

/// Appends `part`, which continues `whole`.
void append_result(Result& whole, const Result& part);

}  // namespace quarry::match
