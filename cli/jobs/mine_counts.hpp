/// What plan, shards and merge of a job of `mine` tell each other.
#pragma once
#include <span>
#include <vector>

#include "quarry/job.hpp"
#include "quarry/mine.hpp"

namespace quarry::cli {

/// Notes where shards begin, and reads it again: mine::Options::shard_begins.
void note_begins(const std::vector<std::vector<Index>>& begins, JobPlan& plan);
std::vector<std::vector<Index>> noted_begins(const JobPlan& plan);

/// Numbers of a shard: the counts of each pattern.
void set_counts(std::span<const mine::Result> results, ShardSink& shard);

/// Counts of all shards together, without what the runs took. What overflows says so.
/// @throws InputError  a shard has no count of a pattern
std::vector<mine::Result> sums_of_counts(const Job& job, const std::vector<ShardRecord>& shards,
                                         std::span<const GraphPattern> patterns, mine::Semantics semantics);

}  // namespace quarry::cli
