#include "match/collect.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

#include "match/steps.hpp"

namespace quarry::match {
namespace {

// Bytes of stored embeddings that one batch may have: more than that are cut into smaller batches.
constexpr Index kMaxStoredBytes = Index{2} << 30;
// Bytes of embeddings that one launch on a device writes: larger launches are not faster.
constexpr Index kMaxDeviceBytes = Index{256} << 20;

/// Caps what the join counted for a pair as the options say.
void apply_cap(const Options& options, PairResult& result) {
  if (options.mode == Mode::first) {
    result.embeddings = std::min<Index>(result.embeddings, 1);
  } else if (options.mode != Mode::unique && options.max_matches > 0 && result.embeddings > options.max_matches) {
    result.embeddings = options.max_matches;
    result.truncated = true;
  }
}

/// Keeps the first embedding of each atom set, in search order. @return  the number of embeddings kept
Index keep_unique(std::span<std::uint32_t> mappings, Index num_atoms) {
  const Index count = std::ssize(mappings) / num_atoms;
  std::vector<std::uint32_t> sets(mappings.begin(), mappings.end());
  const auto set_of = [&](Index i) { return std::span(sets).subspan(i * num_atoms, num_atoms); };
  for (Index i = 0; i < count; ++i) std::ranges::sort(set_of(i));
  std::vector<Index> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(
      order, [&](Index a, Index b) { return std::ranges::lexicographical_compare(set_of(a), set_of(b)); });
  const auto same = [&](Index a, Index b) { return std::ranges::equal(set_of(a), set_of(b)); };
  order.erase(std::unique(order.begin(), order.end(), same), order.end());
  std::ranges::sort(order);
  auto out = mappings.begin();
  for (const Index kept : order) out = std::copy_n(mappings.begin() + kept * num_atoms, num_atoms, out);
  return std::ssize(order);
}

/// The mappings of every pair that was found.
struct Stored {
  std::vector<Index> offsets;  ///< [pairs + 1] into `mappings`
  std::vector<std::uint32_t> mappings;
};

/// The end of the pairs from `first` on whose embeddings one launch on a device may write.
/// @param offsets  [pairs + 1] of the embeddings
/// @throws CapacityError  the embeddings of one pair take more than `room_bytes`
Index last_that_fits(const std::vector<Index>& offsets, Index first, Index room_bytes) {
  const auto bytes_until = [&](Index last) { return 4 * (offsets[last] - offsets[first]); };
  Index last = first;
  while (last + 1 < std::ssize(offsets) && bytes_until(last + 1) <= room_bytes) ++last;
  if (last > first) return last;
  throw CapacityError(
      "bytes of stored embeddings of one pair on a device (or use the host, mode count, or max_matches)", room_bytes,
      bytes_until(first + 1), "device_bytes");
}

void write_on_device(Queue& queue, const PlanView& plan, const FoundPairs& found, Stored& stored) {
  Buffer<Index> offsets;
  Buffer<std::uint32_t> mappings;
  Index last = 0;
  for (Index first = 0; first < std::ssize(found.pairs); first = last) {
    last = last_that_fits(stored.offsets, first, std::min(kMaxDeviceBytes, found.room_bytes));
    const Index base = stored.offsets[first];
    std::vector<Index> own(stored.offsets.begin() + first, stored.offsets.begin() + last + 1);
    for (Index& offset : own) offset -= base;
    offsets.upload(queue, own);
    mappings.resize(queue, own.back());
    BatchView batch = found.batch;
    batch.pairs = batch.pairs.part(first, last - first);
    batch.order = found.order->of(queue, plan, batch);
    write_embeddings(queue, plan, batch, offsets.view(), mappings.view());
    mappings.download(queue, std::span(stored.mappings).subspan(base, mappings.size()));
  }
}

Stored store_mappings(Queue& queue, const PlanView& plan, const PlanView& device_plan, const FoundPairs& found) {
  Stored stored;
  stored.offsets.reserve(found.pairs.size() + 1);
  stored.offsets.push_back(0);
  for (std::size_t i = 0; i < found.pairs.size(); ++i) {
    const Index num_atoms = plan.query(found.pairs[i].query).num_atoms;
    stored.offsets.push_back(stored.offsets.back() + found.results[i].embeddings * num_atoms);
  }
  stored.mappings.resize(stored.offsets.back());
  if (queue.on_host()) {
    write_embeddings(queue, device_plan, found.batch, view_of(stored.offsets), view_of(stored.mappings));
  } else {
    write_on_device(queue, device_plan, found, stored);
  }
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
  result.mapping_offsets.push_back(std::ssize(result.mappings));
}

}  // namespace

Index search_limit(const Options& options) {
  if (options.mode == Mode::first) return 1;
  const bool capped = options.mode != Mode::unique && options.max_matches > 0;
  return capped ? options.max_matches + (options.max_matches < std::numeric_limits<Index>::max() ? 1 : 0)
                : std::numeric_limits<Index>::max();
}

void apply_caps(const Options& options, const FoundPairs& found) {
  for (PairResult& result : found.results) apply_cap(options, result);
}

bool fits_in_memory(const PlanView& plan, const FoundPairs& found, Index num_molecules) {
  Index bytes = 0;
  for (std::size_t i = 0; i < found.pairs.size(); ++i) {
    const Index embeddings = found.results[i].embeddings;
    // Two steps, because the product may not fit in 64 bits.
    if (embeddings <= kMaxStoredBytes) bytes += 4 * embeddings * plan.query(found.pairs[i].query).num_atoms;
    if (embeddings <= kMaxStoredBytes && bytes <= kMaxStoredBytes) continue;
    if (num_molecules > 1) return false;
    throw CapacityError("bytes of stored embeddings of one molecule (use mode count, or max_matches)", kMaxStoredBytes,
                        std::max(bytes, embeddings));
  }
  return true;
}

void collect_hits(Queue& queue, const PlanView& plan, const PlanView& device_plan, const Options& options,
                  const FoundPairs& found, Result& result) {
  Stored stored;
  const bool store = stores_mappings(options.mode);
  if (store) stored = store_mappings(queue, plan, device_plan, found);
  std::size_t i = 0;
  for (Index molecule = 0; molecule < found.batch.num_molecules(); ++molecule) {
    for (; i < found.pairs.size() && found.pairs[i].molecule == molecule; ++i) {
      const PairResult& pair = found.results[i];
      if (!is_hit(pair)) continue;
      const std::uint32_t query = found.pairs[i].query;
      Hit hit{query, pair.truncated, pair.timeout, pair.embeddings};
      if (store) {
        const auto mappings =
            std::span(stored.mappings).subspan(stored.offsets[i], stored.offsets[i + 1] - stored.offsets[i]);
        append_mappings(options, mappings, plan.query(query).num_atoms, hit, result);
      }
      result.hits.push_back(hit);
    }
    result.hit_offsets.push_back(std::ssize(result.hits));
  }
}

void add_candidates(Queue& queue, const PlanView& plan, const BatchView& batch, Statistics& statistics) {
  const Index count = batch.num_molecules();
  Buffer<Index> initial_counts(queue, count), refined_counts(queue, count);
  count_candidates(queue, plan, batch, initial_counts.view(), refined_counts.view());
  std::vector<Index> initial(count), refined(count);
  initial_counts.download(queue, initial);
  refined_counts.download(queue, refined);
  statistics.candidates += std::reduce(initial.begin(), initial.end());
  statistics.refined += std::reduce(refined.begin(), refined.end());
}

Result empty_result(Mode mode, Index first_molecule) {
  Result result;
  result.first_molecule = first_molecule;
  result.hit_offsets.push_back(0);
  if (stores_mappings(mode)) result.mapping_offsets.push_back(0);
  return result;
}

void add_counts(const Result& result, Statistics& statistics) {
  statistics.molecules += result.num_molecules();
  for (const Hit& hit : result.hits) {
    statistics.hits += hit.matched() ? 1 : 0;
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

StageSeconds& StageSeconds::operator+=(const StageSeconds& other) {
  read += other.read;
  candidates += other.candidates;
  refine += other.refine;
  map += other.map;
  join += other.join;
  return *this;
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
  queries = other.queries;
  stages += other.stages;
  seconds += other.seconds;
  device = other.device;
  threads = other.threads;
  return *this;
}

}  // namespace quarry::match
