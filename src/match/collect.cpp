#include "match/collect.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

namespace quarry::match {
namespace {

// Embeddings of one batch that may be held while they are written out.
constexpr Index kMaxStoredBytes = Index{2} << 30;

/// Turns the counts of a pair into what the options promise.
void apply_cap(const Options& options, PairResult& result) {
  if (options.mode == Mode::first) {
    result.embeddings = std::min<Index>(result.embeddings, 1);
  } else if (options.mode != Mode::unique && options.max_matches > 0 && result.embeddings > options.max_matches) {
    result.embeddings = options.max_matches;
    result.truncated = 1;
  }
}

/// Keeps the first embedding of each atom set, in search order. @return  embeddings kept
Index keep_unique(std::span<std::uint32_t> mappings, Index num_atoms) {
  const Index count = static_cast<Index>(mappings.size()) / num_atoms;
  std::vector<std::uint32_t> sets(mappings.begin(), mappings.end());
  const auto set_of = [&](Index i) { return std::span(sets).subspan(i * num_atoms, num_atoms); };
  for (Index i = 0; i < count; ++i) std::ranges::sort(set_of(i));
  std::vector<Index> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(
      order, [&](Index a, Index b) { return std::ranges::lexicographical_compare(set_of(a), set_of(b)); });
  const auto same = [&](Index a, Index b) { return std::ranges::equal(set_of(a), set_of(b)); };
  order.erase(std::ranges::unique(order, same).begin(), order.end());
  std::ranges::sort(order);
  for (std::size_t kept = 0; kept < order.size(); ++kept) {
    std::copy_n(mappings.begin() + order[kept] * num_atoms, num_atoms,
                mappings.begin() + static_cast<Index>(kept) * num_atoms);
  }
  return static_cast<Index>(order.size());
}

/// The mappings of every pair of the batch, and where each pair's begin.
struct Stored {
  std::vector<Index> offsets;  ///< [pairs + 1]
  std::vector<std::uint32_t> mappings;
};

Stored store_mappings(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape,
                      View<PairResult> results) {
  Stored stored;
  stored.offsets.push_back(0);
  for (Index i = 0; i < results.size(); ++i) {
    const Index num_atoms = plan.query(batch.pairs[i].query).num_atoms;
    const Index bytes = (stored.offsets.back() + results[i].embeddings * num_atoms) * 4;
    if (results[i].embeddings > kMaxStoredBytes || bytes > kMaxStoredBytes) {
      throw CapacityError("bytes of stored embeddings in one batch of molecules (use mode count, or max_matches)",
                          kMaxStoredBytes, bytes);
    }
    stored.offsets.push_back(stored.offsets.back() + results[i].embeddings * num_atoms);
  }
  stored.mappings.resize(static_cast<std::size_t>(stored.offsets.back()));
  write_embeddings(queue, plan, batch, shape, view_of(stored.offsets), view_of(stored.mappings));
  return stored;
}

/// Appends the mappings of one pair. In mode unique this is where embeddings become unique and the cap applies.
void append_mappings(const Options& options, std::span<std::uint32_t> mappings, Index num_atoms, Hit& hit,
                     Result& result) {
  if (options.mode == Mode::unique && hit.embeddings > 0) {
    hit.embeddings = keep_unique(mappings, num_atoms);
    if (options.max_matches > 0 && hit.embeddings > options.max_matches) {
      hit.embeddings = options.max_matches;
      hit.truncated = true;
    }
  }
  result.mappings.insert(result.mappings.end(), mappings.begin(), mappings.begin() + hit.embeddings * num_atoms);
  result.mapping_offsets.push_back(static_cast<Index>(result.mappings.size()));
}

}  // namespace

Index search_limit(const Options& options) {
  if (options.mode == Mode::first) return 1;
  const bool capped = options.mode != Mode::unique && options.max_matches > 0;
  return capped ? options.max_matches + (options.max_matches < std::numeric_limits<Index>::max() ? 1 : 0)
                : std::numeric_limits<Index>::max();
}

void collect_hits(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape,
                  const Options& options, View<PairResult> results, Result& result) {
  for (PairResult& pair : results) apply_cap(options, pair);
  Stored stored;
  const bool store = stores_mappings(options.mode);
  if (store) stored = store_mappings(queue, plan, batch, shape, results);
  for (Index molecule = 0; molecule < shape.num_molecules; ++molecule) {
    for (Index i = batch.pair_offsets[molecule]; i < batch.pair_offsets[molecule + 1]; ++i) {
      if (results[i].embeddings == 0 && results[i].timeout == 0) continue;
      const std::uint32_t query = batch.pairs[i].query;
      Hit hit{query, results[i].truncated != 0, results[i].timeout != 0, results[i].embeddings};
      if (store) {
        const auto mappings =
            std::span(stored.mappings).subspan(stored.offsets[i], stored.offsets[i + 1] - stored.offsets[i]);
        append_mappings(options, mappings, plan.query(query).num_atoms, hit, result);
      }
      result.hits.push_back(hit);
    }
    result.hit_offsets.push_back(static_cast<Index>(result.hits.size()));
  }
}

void add_candidates(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape,
                    Statistics& statistics) {
  std::vector<Index> initial(static_cast<std::size_t>(shape.num_molecules)), refined(initial.size());
  count_candidates(queue, plan, batch, shape, view_of(initial), view_of(refined));
  statistics.candidates += std::reduce(initial.begin(), initial.end());
  statistics.refined += std::reduce(refined.begin(), refined.end());
}

void summarise(const Result& result, Statistics& statistics) {
  statistics.molecules += result.num_molecules();
  for (const Hit& hit : result.hits) {
    statistics.hits += hit.embeddings > 0 ? 1 : 0;
    statistics.embeddings += hit.embeddings;
    statistics.truncated += hit.truncated ? 1 : 0;
    statistics.timeouts += hit.timeout ? 1 : 0;
  }
}

void append_result(Result& whole, const Result& part) {
  const auto append_offsets = [](std::vector<Index>& offsets, const std::vector<Index>& more) {
    const Index base = offsets.back();
    for (std::size_t i = 1; i < more.size(); ++i) offsets.push_back(base + more[i]);
  };
  append_offsets(whole.hit_offsets, part.hit_offsets);
  if (!part.mapping_offsets.empty()) append_offsets(whole.mapping_offsets, part.mapping_offsets);
  whole.hits.insert(whole.hits.end(), part.hits.begin(), part.hits.end());
  whole.mappings.insert(whole.mappings.end(), part.mappings.begin(), part.mappings.end());
}

Statistics& Statistics::operator+=(const Statistics& other) {
  molecules += other.molecules;
  pairs += other.pairs;
  candidates += other.candidates;
  refined += other.refined;
  mapped_pairs += other.mapped_pairs;
  hits += other.hits;
  embeddings += other.embeddings;
  truncated += other.truncated;
  timeouts += other.timeouts;
  seconds.read += other.seconds.read;
  seconds.candidates += other.seconds.candidates;
  seconds.refine += other.seconds.refine;
  seconds.map += other.seconds.map;
  seconds.join += other.seconds.join;
  seconds.total += other.seconds.total;
  return *this;
}

}  // namespace quarry::match
