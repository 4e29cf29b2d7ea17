#include "match/collect.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "match/steps.hpp"
#include "match/unique_embeddings.hpp"

namespace quarry::match {
namespace {

// Bytes of embeddings that one launch on a device writes: larger launches are not faster.
constexpr Index kMaxDeviceBytes = Index{256} << 20;
// Embeddings that the first search of a pair in mode unique finds for each set of atoms that is wanted, and beside them.
constexpr Index kEmbeddingsPerSet = 64, kMoreEmbeddings = 1024;

bool is_capped_unique(const Options& options) { return options.mode == Mode::unique && options.max_matches > 0; }

/// Caps what the join counted for a pair as the options say.
/// @param storable  how many embeddings of the pair may be stored
void apply_cap(const Options& options, Index storable, PairResult& result) {
  if (options.mode == Mode::first) {
    result.embeddings = std::min<Index>(result.embeddings, 1);
  } else if (options.mode != Mode::unique && options.max_matches > 0 && result.embeddings > options.max_matches) {
    result.embeddings = options.max_matches;
    result.truncated = true;
  }
  // With a cap on their sets, some of the embeddings may be enough.
  result.overflow = stores_mappings(options.mode) && !is_capped_unique(options) && result.embeddings > storable;
}

/// Embeddings of a pair that are stored, before those of equal sets are dropped.
Index num_stored(const PlanView& plan, const Pair& pair, const PairResult& result) {
  return result.overflow ? 0 : std::min(result.embeddings, max_stored_bytes / 4 / plan.query(pair.query).num_atoms);
}

/// Those of a pair that the join has written, which are all that are stored; nothing where it has written fewer.
std::span<std::uint32_t> first_mappings(const PlanView& plan, const FoundPairs& found, Index i) {
  if (found.first_offsets.empty()) return {};
  const Index first = found.first_offsets[i], room = found.first_offsets[i + 1] - first;
  const Index wanted = num_stored(plan, found.pairs[i], found.results[i]) * plan.query(found.pairs[i].query).num_atoms;
  return wanted <= room ? found.first_mappings.subspan(first, wanted) : std::span<std::uint32_t>();
}

/// In mode all everything that is stored is kept, so that it is bounded for each molecule.
void bound_molecule(const PlanView& plan, const FoundPairs& found, std::size_t first, std::size_t last) {
  const auto bytes_of = [&](std::size_t i) {
    return 4 * num_stored(plan, found.pairs[i], found.results[i]) * plan.query(found.pairs[i].query).num_atoms;
  };
  Index sum = 0;
  for (std::size_t i = first; i < last; ++i) sum += bytes_of(i);
  while (sum > max_stored_bytes) {
    std::size_t largest = first;
    for (std::size_t i = first; i < last; ++i) largest = bytes_of(i) > bytes_of(largest) ? i : largest;
    sum -= bytes_of(largest);
    found.results[largest].overflow = true;
  }
}

/// The mappings of consecutive pairs that the join has not written while it counted.
struct Stored {
  std::vector<Index> offsets;  ///< [pairs + 1] into `mappings`
  std::vector<std::uint32_t> mappings;
};

/// Writes the embeddings of the pairs `[first, last)`.
void store_mappings(Queue& queue, const PlanView& device_plan, const FoundPairs& found, Index first, Index last,
                    Stored& stored) {
  BatchView batch = found.batch;
  batch.pairs = batch.pairs.part(first, last - first);
  stored.mappings.resize(stored.offsets.back());
  if (queue.on_host()) {
    write_embeddings(queue, device_plan, batch, view_of(stored.offsets), view_of(stored.mappings));
    return;
  }
  Buffer<Index> offsets;
  Buffer<std::uint32_t> mappings;
  offsets.upload(queue, stored.offsets);
  mappings.resize(queue, stored.offsets.back());
  write_embeddings(queue, device_plan, batch, offsets.view(), mappings.view());
  mappings.download(queue, std::span(stored.mappings));
}

Index launch_bytes(const Queue& queue, const FoundPairs& found) {
  return queue.on_host() ? max_stored_bytes : std::min(kMaxDeviceBytes, found.room_bytes);
}

/// Stores the mappings of the pairs from `first` on whose embeddings one launch may write, at least one pair.
/// @return  the end of these pairs
Index store_some(Queue& queue, const PlanView& plan, const PlanView& device_plan, const FoundPairs& found, Index first,
                 Stored& stored) {
  const Index most = launch_bytes(queue, found) / 4;
  stored.offsets.assign(1, 0);
  Index last = first;
  for (; last < std::ssize(found.pairs); ++last) {
    const Pair& pair = found.pairs[last];
    const bool is_written = !first_mappings(plan, found, last).empty();
    const Index more = is_written ? 0 : num_stored(plan, pair, found.results[last]) * plan.query(pair.query).num_atoms;
    if (last > first && stored.offsets.back() + more > most) break;
    stored.offsets.push_back(stored.offsets.back() + more);
  }
  if (stored.offsets.back() > 0) store_mappings(queue, device_plan, found, first, last, stored);
  return last;
}

/// Appends the mappings of one pair. In mode unique this is where embeddings become unique and the cap applies.
/// @param mappings  that were stored, all or the first
/// @param limit     at which the join stopped
/// @return  false where they do not tell how many sets there are, and more embeddings would
bool append_mappings(const Options& options, UniqueEmbeddings& unique, std::span<std::uint32_t> mappings,
                     Index num_atoms, Index limit, Hit& hit, Result& result) {
  if (options.mode == Mode::unique && hit.overflow) {
    hit.embeddings = 1;
  } else if (options.mode == Mode::unique && hit.embeddings > 0) {
    const Index stored = std::ssize(mappings) / num_atoms, found = std::exchange(hit.embeddings, 0);
    hit.embeddings = unique.keep(mappings, num_atoms);
    const bool enough = options.max_matches > 0 && hit.embeddings > options.max_matches;
    if (enough) {
      hit.embeddings = options.max_matches;
      hit.truncated = true;
    } else if (stored < found) {
      hit.embeddings = 1;
      hit.overflow = true;
    } else if (found >= limit) {
      return false;
    }
  }
  if (!hit.overflow) {
    result.mappings.insert(result.mappings.end(), mappings.begin(), mappings.begin() + hit.embeddings * num_atoms);
  }
  result.mapping_offsets.push_back(std::ssize(result.mappings));
  return true;
}

/// Takes back what was added after the first `num_molecules` molecules.
void cut(Index num_molecules, Result& result) {
  result.hit_offsets.resize(num_molecules + 1);
  result.hits.resize(result.hit_offsets.back());
  result.mapping_offsets.resize(result.hits.size() + 1);
  result.mappings.resize(result.mapping_offsets.back());
}

}  // namespace

Index search_limit(const Options& options) {
  constexpr Index kAll = std::numeric_limits<Index>::max();
  if (options.mode == Mode::first) return 1;
  if (options.max_matches == 0) return kAll;
  if (options.mode != Mode::unique) return options.max_matches + (options.max_matches < kAll ? 1 : 0);
  if (options.max_matches > kAll / kEmbeddingsPerSet - kMoreEmbeddings) return kAll;
  return options.max_matches * kEmbeddingsPerSet + kMoreEmbeddings;
}

void apply_caps(const Options& options, const PlanView& plan, const FoundPairs& found) {
  for (std::size_t i = 0; i < found.pairs.size(); ++i) {
    apply_cap(options, max_stored_bytes / 4 / plan.query(found.pairs[i].query).num_atoms, found.results[i]);
  }
  if (options.mode != Mode::all) return;
  for (std::size_t first = 0, last = 0; first < found.pairs.size(); first = last) {
    while (last < found.pairs.size() && found.pairs[last].molecule == found.pairs[first].molecule) ++last;
    bound_molecule(plan, found, first, last);
  }
}

bool fits_on_device(const Options& options, const PlanView& plan, const FoundPairs& found) {
  if (!stores_mappings(options.mode)) return true;
  for (std::size_t i = 0; i < found.pairs.size(); ++i) {
    const Index bytes =
        4 * num_stored(plan, found.pairs[i], found.results[i]) * plan.query(found.pairs[i].query).num_atoms;
    if (bytes > std::min(kMaxDeviceBytes, found.room_bytes)) return false;
  }
  return true;
}

bool collect_hits(Queue& queue, const PlanView& plan, const PlanView& device_plan, const Options& options,
                  const FoundPairs& found, Index limit, Result& result) {
  const bool store = stores_mappings(options.mode);
  const Index molecules_before = result.num_molecules();
  Stored stored;
  UniqueEmbeddings unique;
  if (!queue.on_host()) result.hits.reserve(result.hits.size() + found.pairs.size());
  Index i = 0, first_stored = 0, last_stored = 0;
  for (Index molecule = 0; molecule < found.batch.num_molecules(); ++molecule) {
    for (; i < std::ssize(found.pairs) && found.pairs[i].molecule == molecule; ++i) {
      if (store && i == last_stored) {
        first_stored = i;
        last_stored = store_some(queue, plan, device_plan, found, i, stored);
      }
      const PairResult& pair = found.results[i];
      if (!is_hit(pair)) continue;
      const std::uint32_t query = found.pairs[i].query;
      Hit hit{query, pair.truncated, pair.timeout, pair.overflow, pair.embeddings};
      if (store) {
        const auto offset = stored.offsets.begin() + (i - first_stored);
        auto mappings = first_mappings(plan, found, i);
        if (mappings.empty()) mappings = std::span(stored.mappings).subspan(offset[0], offset[1] - offset[0]);
        if (!append_mappings(options, unique, mappings, plan.query(query).num_atoms, limit, hit, result)) {
          cut(molecules_before, result);
          return false;
        }
      }
      result.hits.push_back(hit);
    }
    result.hit_offsets.push_back(std::ssize(result.hits));
  }
  return true;
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

void restart(Result& result, Mode mode, Index first_molecule) {
  result.first_molecule = first_molecule;
  result.hit_offsets.assign(1, 0);
  result.hits.clear();
  result.mapping_offsets = {};
  result.mappings = {};
  if (stores_mappings(mode)) result.mapping_offsets.push_back(0);
}

Result empty_result(Mode mode, Index first_molecule) {
  Result result;
  restart(result, mode, first_molecule);
  return result;
}

void add_counts(const Result& result, Statistics& statistics) {
  statistics.molecules += result.num_molecules();
  for (const Hit& hit : result.hits) {
    statistics.hits += hit.matched() ? 1 : 0;
    statistics.embeddings += hit.embeddings;
    statistics.truncated += hit.truncated ? 1 : 0;
    statistics.timeouts += hit.timeout ? 1 : 0;
    statistics.overflows += hit.overflow ? 1 : 0;
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
  overflows += other.overflows;
  stereo_resolved += other.stereo_resolved;
  queries = other.queries;
  stages += other.stages;
  seconds += other.seconds;
  device = other.device;
  threads = other.threads;
  return *this;
}

}  // namespace quarry::match
