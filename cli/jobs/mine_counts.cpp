#include "jobs/mine_counts.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "jobs/sharded.hpp"

namespace quarry::cli {
namespace {

/// Of the number-th order of the vertices.
std::string begins_note(std::size_t number) { return fmt::format("shards begin {}", number); }

}  // namespace

void note_begins(const std::vector<std::vector<Index>>& begins, JobPlan& plan) {
  for (std::size_t i = 0; i < begins.size(); ++i) plan.notes[begins_note(i)] = text_of(begins[i]);
}

std::vector<std::vector<Index>> noted_begins(const JobPlan& plan) {
  std::vector<std::vector<Index>> begins;
  for (;;) {
    const auto note = plan.notes.find(begins_note(begins.size()));
    if (note == plan.notes.end()) return begins;
    begins.push_back(numbers_of(note->second));
  }
}

void set_counts(std::span<const mine::Result> results, ShardSink& shard) {
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].subgraphs_overflow) throw InputError(fmt::format("'{}' overflowed", results[i].pattern.name));
    shard.set(fmt::format("subgraphs {}", i), mine::to_text(results[i].subgraphs));
    shard.set(fmt::format("automorphisms {}", i), std::to_string(results[i].automorphisms));
  }
}

std::vector<mine::Result> sums_of_counts(const Job& job, const std::vector<ShardRecord>& shards,
                                         std::span<const GraphPattern> patterns, mine::Semantics semantics) {
  std::vector<mine::Result> results;
  constexpr mine::Count kMost = ~mine::Count{0}, kMostSubgraphs = kMost / 2;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    mine::Result& result = results.emplace_back();
    result.pattern = patterns[i];
    result.semantics = semantics;
    result.method = mine::Method::search;
    for (const ShardRecord& shard : shards) {
      const auto subgraphs = shard.numbers.find(fmt::format("subgraphs {}", i));
      const auto automorphisms = shard.numbers.find(fmt::format("automorphisms {}", i));
      if (subgraphs == shard.numbers.end() || automorphisms == shard.numbers.end())
        throw InputError(fmt::format("a shard in '{}' has no count of '{}'", job.folder(), patterns[i].name));
      result.automorphisms = std::strtoll(automorphisms->second.c_str(), nullptr, 10);
      mine::Count count = 0;
      for (const char digit : subgraphs->second) count = 10 * count + (digit - '0');
      result.subgraphs_overflow = result.subgraphs_overflow || count > kMostSubgraphs - result.subgraphs;
      result.subgraphs = result.subgraphs_overflow ? 0 : result.subgraphs + count;
    }
    result.embeddings_overflow = result.subgraphs_overflow || result.subgraphs > kMost / result.automorphisms;
    result.embeddings = result.embeddings_overflow ? 0 : result.subgraphs * result.automorphisms;
  }
  return results;
}

}  // namespace quarry::cli
