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

/// After the texts of the outputs one with the totals of each query, and one with the names of pairs that overflowed.
void MatchRun::finish_shard(ShardSink& shard) {
  finish();
  const int output = static_cast<int>(sinks_.size());
  std::string table;
  for (QueryTotals& totals : totals_.queries) {
    visit_totals(totals, [&](const char*, Index& number) { table += std::to_string(number) + '\t'; });
    table.back() = '\n';
  }
  shard.write(output, table);
  shard.write(output + 1, overflowed_);
  visit_statistics([&](const char* name, Index& number) { shard.set(name, std::to_string(number)); });
}

void MatchRun::add_shards(const Job& job, const std::vector<ShardRecord>& shards, int output) {
  visit_statistics([&](const char* name, Index& number) { number = sum_of(shards, name); });
  std::vector<Index*> numbers;
  for (QueryTotals& totals : totals_.queries)
    visit_totals(totals, [&](const char*, Index& number) { numbers.push_back(&number); });
  std::size_t turn = 0;
  std::string text;
  job.read(output, [&](std::string_view piece) {
    text += piece;
    const auto whole = text.rfind('\n') + 1;  // rows; 0 where there is none
    for (const char *at = text.data(), *const end = at + whole; at < end && !numbers.empty(); ++at, ++turn) {
      Index number = 0;
      at = std::from_chars(at, end, number).ptr;
      *numbers[turn % numbers.size()] += number;
    }
    text.erase(0, whole);
  });
  std::string overflowed;
  job.read(output + 1, [&](std::string_view piece) { overflowed += piece; });
  take_overflows(overflowed);
}

}  // namespace quarry::cli
