/// Exact substructure matching of many SMARTS queries against many molecules, in batches.
///
/// Source: Decaro et al., SIGMo: High-Throughput Batched Subgraph Isomorphism on GPUs for Molecular Matching, SC'25;
/// docs/engines/match.md says where this differs.
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "quarry/error.hpp"
#include "quarry/library.hpp"
#include "quarry/query.hpp"
#include "quarry/run.hpp"

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

/// `progress` counts molecules.
struct Options : RunOptions {
  Mode mode = Mode::first;
  Index max_matches = 0;  ///< embeddings per pair; 0 is all. A pair with more is marked `truncated`
  Index pair_budget = 0;  ///< atoms that the search of a pair may place; 0 is no limit. A pair that ran out is marked
                          ///< `timeout`
  /// Radius of signature refinement, 0..kMaxRefine. Never changes an answer; with a `pair_budget` it may decide whether
  /// a pair finishes. The default is the measured best (bench/run.sh match).
  int refine = 0;
  bool count_candidates = false;  ///< fill Statistics::candidates and ::refined, which costs time
  bool chirality = false;         ///< honour tetrahedral and double-bond marks of the queries
};

/// A pair of molecule and query that matched, or that ran out of budget.
struct Hit {
  std::uint32_t query = 0;  ///< index into QuerySet::accepted
  bool truncated = false;   ///< stopped at `max_matches`; there are more
  /// Stopped at `pair_budget`, or at a count of more than 2 x 10^18. `embeddings` were found until then, perhaps 0.
  bool timeout = false;
  /// Its embeddings take more than 2 GiB, so that none is stored. `embeddings` is their number; in mode unique it is 1, and 0
  /// for a query that asks for a number of matches, which is then not known.
  bool overflow = false;
  Index embeddings = 0;  ///< mode first: 1, or 0 for a query that matches where it does not occur
  /// False where it is not known whether the query matches, because the search was given up.
  bool matched() const { return embeddings > 0 || !(timeout || overflow); }
  bool operator==(const Hit&) const = default;
};

/// Seconds of work on each stage of a run, summed over threads and devices.
struct StageSeconds {
  double read = 0, candidates = 0, refine = 0, map = 0, join = 0;
  StageSeconds& operator+=(const StageSeconds& other);
};

/// What each stage left, and where the time went.
struct Statistics : RunStatistics {
  Index molecules = 0, queries = 0, pairs = 0;
  Index candidates = 0;    ///< (query atom, data atom) candidates after the initial filter, where counted
  Index refined = 0;       ///< and after refinement, where counted
  Index mapped_pairs = 0;  ///< pairs that reached the join; of equal queries that are searched once, those of one
  Index hits = 0;          ///< pairs with at least one embedding
  Index embeddings = 0;
  Index truncated = 0, timeouts = 0, overflows = 0;
  /// Records that RDKit read for the stereo marks that chirality asks for, of a library that has them in its records alone.
  /// The library keeps the marks in memory, so that a later run does not read these records again.
  Index stereo_resolved = 0;
  StageSeconds stages;
  /// Adds another run of the same matcher.
  Statistics& operator+=(const Statistics& other);
};

/// Hits of consecutive molecules, in order of molecule and then of query, for any number of threads.
struct Result {
  Index first_molecule = 0;        ///< library index of row 0
  std::vector<Index> hit_offsets;  ///< [num_molecules + 1] into `hits`
  std::vector<Hit> hits;
  std::vector<Index> mapping_offsets;   ///< [hits + 1] into `mappings`; empty in modes first and count
  std::vector<std::uint32_t> mappings;  ///< data atom per query atom, embeddings end to end, in search order
  Index num_molecules() const { return hit_offsets.empty() ? 0 : std::ssize(hit_offsets) - 1; }
};

/// The hits of a whole library, and what the run took.
struct RunResult : Result {
  Statistics statistics;
};

/// A query set made ready to search many libraries, one after the other. One thread at a time may use a matcher.
class Matcher {
 public:
  /// @throws InputError     no query, or an option out of range (names it)
  /// @throws CapacityError  a query has more than kMaxPatternAtoms atoms
  /// @throws DeviceError    the device is not available
  Matcher(const QuerySet& queries, const Options& options);
  Matcher(Matcher&&) noexcept;
  ~Matcher();

  /// Searches a library. `sink` is called with consecutive results, in order, one call at a time.
  /// Memory does not grow with the library: each thread has one small batch in flight.
  /// @throws InputError     the library is damaged, or a record with stereo marks that chirality asks for cannot be read again
  /// @throws CapacityError  one molecule exceeds a device
  /// @throws DeviceError    a device failed
  /// @param first_molecule  those before it are not searched, as for a run that goes on where another one stopped
  /// @param last_molecule   nor are this one and those after it
  Statistics run(const Library& library, const std::function<void(const Result&)>& sink, Index first_molecule = 0,
                 Index last_molecule = std::numeric_limits<Index>::max());

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Searches one library, with the whole result in memory. @throws  as Matcher and Matcher::run
[[nodiscard]] RunResult run(const Library& library, const QuerySet& queries, const Options& options = {});

/// Agreement of a result with RDKit's own parsers and matcher on a sample of its pairs, hits and non-hits alike.
struct Agreement {
  Index checked = 0, agreed = 0;
  Index not_comparable = 0;          ///< pairs of queries that RDKit 2022.09 cannot read, that were given up, or for
                                     ///< which RDKit would search too long
  Index rows = 0;                    ///< molecules whose text RDKit read again
  Index rows_agreed = 0;             ///< of them, those that the library holds as RDKit reads them
  std::vector<std::string> misread;  ///< the first 100 others
  std::vector<bool> queries_read;    ///< [queries] whether RDKit read the text again
  struct Disagreement {
    std::string molecule, query;
    Index embeddings = 0, oracle_embeddings = 0;
  };
  std::vector<Disagreement> disagreements;  ///< the first 100
};

/// Rechecks a pseudo-random `percent` of the pairs of `result` with RDKit, which reads the text of rows and queries itself.
/// @throws InputError  the library keeps no records
[[nodiscard]] Agreement verify(const Library& library, const QuerySet& queries, const Options& options,
                               const Result& result, double percent, std::uint64_t seed);

/// Agreement of a set of alerts with RDKit's own FilterCatalog.
struct AlertAgreement {
  Index molecules = 0, both = 0, ours = 0, theirs = 0;  ///< molecules flagged by both, by Quarry alone, by RDKit alone
  Index differing = 0;                                  ///< pairs of molecule and alert that one of the two finds
  std::vector<std::string> differences;                 ///< a sentence for each of the first 100
  AlertAgreement& operator+=(const AlertAgreement& other);
};

/// Compares a set of RDKit's alerts, molecule by molecule and alert by alert, with what RDKit's FilterCatalog answers.
class AlertCheck {
 public:
  /// @param options  `mode` and limits are not used; `progress` counts molecules compared
  /// @throws InputError  RDKit does not have the set
  AlertCheck(const std::string& set, const Options& options);
  AlertCheck(AlertCheck&&) noexcept;
  ~AlertCheck();
  /// Alerts of the set that Quarry refuses; those that RDKit finds count as differences.
  const std::vector<RejectedRow>& refused() const;
  /// @throws InputError  the library keeps no records
  [[nodiscard]] AlertAgreement compare(const Library& library);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace quarry::match
#pragma GCC visibility pop
