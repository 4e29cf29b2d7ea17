/// From what the join counted to the result a caller sees.
#pragma once
#include "exec/queue.hpp"
#include "match/batch_store.hpp"
#include "quarry/match.hpp"

namespace quarry::match {

inline bool stores_mappings(Mode mode) { return mode == Mode::all || mode == Mode::unique; }

/// How many embeddings the join must see of a pair before it may stop: one more than is wanted tells `truncated`.
Index search_limit(const Options& options);

/// Makes what was counted of each pair what the options promise.
void apply_caps(const Options& options, const FoundPairs& found);

/// May the embeddings of a batch be stored at once? If not, it must be cut.
/// @throws CapacityError  it is a single molecule
bool fits_in_memory(const PlanView& plan, const FoundPairs& found, Index num_molecules);

/// Appends the hits of a batch, and their mappings where the mode stores them, to `result`.
/// @param device_plan  `plan`, where the queue can read it
void collect_hits(Queue& queue, const PlanView& plan, const PlanView& device_plan, const BatchShape& shape,
                  const Options& options, const FoundPairs& found, Result& result);

/// Adds up candidates before and after refinement.
void add_candidates(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape,
                    Statistics& statistics);

/// Counts what a finished result holds.
void summarise(const Result& result, Statistics& statistics);

/// Appends `part`, which continues `whole`.
void append_result(Result& whole, const Result& part);

}  // namespace quarry::match
