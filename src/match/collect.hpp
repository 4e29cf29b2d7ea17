/// From what the join counted to the result that a caller gets.
#pragma once
#include "exec/queue.hpp"
#include "match/batch/batch_store.hpp"
#include "quarry/match.hpp"

namespace quarry::match {

inline bool stores_mappings(Mode mode) { return mode == Mode::all || mode == Mode::unique; }

/// Most bytes that the stored embeddings of one pair may take. Tests set less.
inline Index max_stored_bytes = Index{2} << 30;

/// The number of embeddings of a pair at which the join may stop: one more than is wanted shows that there are more. In mode
/// unique with `max_matches` it is only a first try, for it is not known how many embeddings have one set of atoms.
Index search_limit(const Options& options);

/// Caps what the join counted for each pair as the options say, and marks the pairs that have too many embeddings to store
/// them: those of more than max_stored_bytes, and in mode all the largest of a molecule until the others together fit.
void apply_caps(const Options& options, const PlanView& plan, const FoundPairs& found);

/// Has a device room for the embeddings of each pair?
bool fits_on_device(const Options& options, const PlanView& plan, const FoundPairs& found);

/// Appends the hits of a batch, and their mappings where the mode stores them, to `result`.
/// @param device_plan  a copy of `plan` that the queue's device can read
/// @param limit        at which the join stopped
/// @return  false where a pair must be searched further than the limit; `result` is then as it was
bool collect_hits(Queue& queue, const PlanView& plan, const PlanView& device_plan, const Options& options,
                  const FoundPairs& found, Index limit, Result& result);

/// Adds the number of candidates before and after refinement.
void add_candidates(Queue& queue, const PlanView& plan, const BatchView& batch, Statistics& statistics);

/// A result without molecules, to which those from `first_molecule` on are appended.
Result empty_result(Mode mode, Index first_molecule);
/// Makes it so, and keeps the memory of its hits.
void restart(Result& result, Mode mode, Index first_molecule);

/// Adds what a finished result holds.
void add_counts(const Result& result, Statistics& statistics);

/// Appends `part`, which continues `whole`.
void append_result(Result& whole, const Result& part);

}  // namespace quarry::match
