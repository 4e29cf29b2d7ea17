/// A shard of `quarry match`, and totals of all shards.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "jobs/sharded.hpp"
#include "match_run.hpp"

namespace quarry::cli {

void visit_totals(QueryTotals& totals, const std::function<void(const char*, Index&)>& visit) {
  visit("molecules", totals.molecules);
  visit("embeddings", totals.embeddings);
  visit("truncated", totals.truncated);
  visit("timeout", totals.timeout);
  visit("overflow", totals.overflow);
}

void MatchRun::visit_statistics(const std::function<void(const char*, Index&)>& visit) {
  match::Statistics& statistics = totals_.statistics;
  visit("pairs", statistics.pairs);
  visit("hits", statistics.hits);
  visit("embeddings", statistics.embeddings);
  visit("truncated", statistics.truncated);
  visit("timeouts", statistics.timeouts);
  visit("overflows", statistics.overflows);
  visit("flagged", totals_.flagged);
}

void MatchRun::search(match::Matcher& matcher, const MoleculeRange& range) {
  columns_ = range.columns;
  TextCursor text(*range.library,
                  std::ranges::any_of(sinks_, [](const Sink& sink) { return sink.format->needs_records(); }));
  text.set_named(range.named);
  const auto take_result = [&](const match::Result& result) { take(*range.library, text, result); };
  matcher.run(*range.library, take_result, range.first, range.last);
}

/// After the texts of the outputs one with the names of pairs that overflowed. Totals of queries are a list of numbers.
void MatchRun::finish_shard(ShardSink& shard) {
  finish();
  std::string totals;
  for (QueryTotals& query : totals_.queries)
    visit_totals(query, [&](const char*, Index& number) { totals += std::to_string(number) + ' '; });
  shard.set("queries", totals);
  shard.write(num_texts(), overflowed_);
  visit_statistics([&](const char* name, Index& number) { shard.set(name, std::to_string(number)); });
}

void MatchRun::add_shards(const Job& job, const std::vector<ShardRecord>& shards, int output) {
  visit_statistics([&](const char* name, Index& number) { number = sum_of(shards, name); });
  std::vector<Index*> numbers;
  for (QueryTotals& totals : totals_.queries)
    visit_totals(totals, [&](const char*, Index& number) { numbers.push_back(&number); });
  for (const ShardRecord& shard : shards) {
    const auto totals = shard.numbers.find("queries");
    if (totals == shard.numbers.end() || std::ranges::count(totals->second, ' ') != std::ssize(numbers))
      throw InputError(fmt::format("a shard in '{}' has no totals of its queries", job.folder()));
    const char *at = totals->second.data(), *const end = at + totals->second.size();
    for (Index* const sum : numbers) {
      Index number = 0;
      at = std::min(std::from_chars(at, end, number).ptr + 1, end);
      *sum += number;
    }
  }
  std::string overflowed;
  job.read(output, [&](std::string_view piece) { overflowed += piece; });
  take_overflows(overflowed);
}

}  // namespace quarry::cli
