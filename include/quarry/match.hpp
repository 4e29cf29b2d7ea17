/// Exact substructure matching of many SMARTS queries against many molecules, in batches.
///
/// Source: Decaro et al., SIGMo: High-Throughput Batched Subgraph Isomorphism on GPUs for Molecular Matching, SC'25;
/// docs/engines/match.md says where this differs.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "quarry/library.hpp"
#include "quarry/progress.hpp"
#include "quarry/query.hpp"

#pragma GCC visibility push(default)
namespace quarry::match {

enum class Mode {
  first,   ///< which pairs match
  all,     ///< every embedding, stored
  count,   ///< embeddings counted, not stored
  unique,  ///< embeddings that differ in their set of atoms, stored
};

/// Largest radius of signature refinement.
inline constexpr int kMaxRefine = 6;

struct Options {
  Mode mode = Mode::first;
  Index max_matches = 0;  ///< per pair; 0 is all. A pair cut short is marked `truncated`
  Index pair_budget = 0;  ///< search nodes per pair; 0 is no limit. A pair that ran out is marked `timeout`
  /// Radius of signature refinement, 0..kMaxRefine. Never changes an answer; with a `pair_budget` it may decide whether
  /// a pair finishes. The default is the measured best (bench/run.sh match).
  int refine = 0;
  bool count_candidates = false;  ///< fill Statistics::candidates and ::refined, which costs time
  bool chirality = false;         ///< honour tetrahedral and double-bond marks of the queries
  int threads = 0;                ///< 0: all cores
  std::string device = "host";    ///< where to search, see quarry/device.hpp; never changes an answer
  Index device_bytes = 0;         ///< memory of each device that a run may use; 0 is three quarters of what is free
  Progress progress = {};         ///< molecules done of all
};

/// A pair of molecule and query that matched, or that ran out of budget.
struct Hit {
  std::uint32_t query = 0;
  bool truncated = false;  ///< stopped at `max_matches`; there are more
  bool timeout = false;    ///< stopped at `pair_budget`; `embeddings` is what was found until then, perhaps 0
  Index embeddings = 0;    ///< mode first: 1
  bool operator==(const Hit&) const = default;
};

/// Where the time went and what each stage left.
struct Statistics {
  Index molecules = 0, queries = 0, pairs = 0;
  Index candidates = 0;    ///< (query atom, data atom) candidates after the initial filter, where counted
  Index refined = 0;       ///< and after refinement, where counted
  Index mapped_pairs = 0;  ///< pairs that reached the join
  Index hits = 0;          ///< pairs with at least one embedding
  Index embeddings = 0;
  Index truncated = 0, timeouts = 0;
  /// Seconds of work summed over threads, by stage.
  struct Seconds {
    double read = 0, candidates = 0, refine = 0, map = 0, join = 0, total = 0;
  } seconds;
  Statistics& operator+=(const Statistics& other);
};

/// Hits of a run of consecutive molecules, in order of molecule and then of query, whatever the thread count.
struct Result {
  Index first_molecule = 0;        ///< library index of row 0
  std::vector<Index> hit_offsets;  ///< [num_molecules + 1] into `hits`
  std::vector<Hit> hits;
  std::vector<Index> mapping_offsets;   ///< [hits + 1] into `mappings`; empty in modes first and count
  std::vector<std::uint32_t> mappings;  ///< data atom per query atom, embeddings end to end, in search order
  Index num_molecules() const { return hit_offsets.empty() ? 0 : static_cast<Index>(hit_offsets.size()) - 1; }
};

/// A query set made ready to search; reusable over many libraries. Not for use by several threads at once.
class Matcher {
 public:
  /// @throws InputError     no query, or an option out of range (names it)
  /// @throws CapacityError  a query has more than kMaxPatternAtoms atoms
  /// @throws DeviceError    the device is not to be had
  Matcher(const QuerySet& queries, const Options& options);
  Matcher(Matcher&&) noexcept;
  ~Matcher();

  /// Searches a library; `sink` receives consecutive results, in order, from one thread at a time.
  /// Memory stays flat: one small batch per thread is in flight.
  /// @throws InputError     the library is damaged
  /// @throws CapacityError  the stored embeddings of one molecule exceed memory (use count or max_matches), or one
  ///                        molecule exceeds a device
  /// @throws DeviceError    a device failed
  Statistics run(const Library& library, const std::function<void(const Result&)>& sink);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// One call for one library: the whole result in memory.
Result run(const Library& library, const QuerySet& queries, const Options& options = {},
           Statistics* statistics = nullptr);

/// Agreement of a result with RDKit's own matcher on a sample of its pairs, hits and non-hits alike.
struct Agreement {
  Index checked = 0, agreed = 0;
  Index not_comparable = 0;  ///< pairs that RDKit 2022.09 cuts short (recursive matches beyond 1,000) or that timed out
  struct Disagreement {
    std::string molecule, query;
    Index embeddings = 0, oracle_embeddings = 0;
  };
  std::vector<Disagreement> disagreements;  ///< the first 100
};

/// Rechecks a pseudo-random `percent` of the pairs of `result` with RDKit, from the molecules' source records.
/// @throws InputError  the library keeps no records
Agreement verify(const Library& library, const QuerySet& queries, const Options& options, const Result& result,
                 double percent, std::uint64_t seed);

}  // namespace quarry::match
#pragma GCC visibility pop
