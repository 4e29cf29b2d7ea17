/// Timed runs of the engine and of RDKit's matcher over one workload, and the check that both say the same.
#pragma once
#include <functional>
#include <stdexcept>
#include <vector>

#include "bench/match/match_workload.hpp"
#include "chemistry/oracle.hpp"

namespace quarry::bench {

/// Ends the program, because a time measured for a wrong answer means nothing.
class WrongAnswer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct TimedRun {
  Seconds seconds;
  match::Statistics statistics;
};

using Sink = std::function<void(const match::Result&)>;

/// Opens the library, plans the queries and searches.
TimedRun timed_run(
    const Workload& workload, const QuerySet& queries, const match::Options& options,
    const Sink& sink = [](const match::Result&) {});

/// What was compared pair by pair; `statistics` are of the whole library.
struct Agreed {
  Index pairs = 0, matching = 0, not_comparable = 0;
  match::Statistics statistics;
};
Json to_json(const Agreed& agreed);

/// The first molecules of a workload, and its queries, as RDKit holds them.
class Oracle {
 public:
  Oracle(const Workload& workload, const QuerySet& queries, Index num_molecules);

  /// Every pair once, on one thread. @param counts  null, or out: embeddings of each pair
  Seconds search(match::Mode mode, std::vector<Index>* counts = nullptr) const;
  /// @throws WrongAnswer  Quarry and RDKit differ (names the pair)
  Agreed check(const Workload& workload, const QuerySet& queries, match::Mode mode) const;

  Index num_molecules() const { return std::ssize(molecules_); }
  Index num_pairs() const { return num_molecules() * std::ssize(queries_); }

 private:
  std::vector<OracleMolecule> molecules_;
  std::vector<OracleQuery> queries_;        // those that RDKit can answer
  std::vector<std::size_t> query_numbers_;  // of the query set
};

/// @throws WrongAnswer  hits or embeddings differ
void require_same(const match::Statistics& a, const match::Statistics& b);

/// Last line of what a command prints. @throws WrongAnswer  it fails
std::string last_line(const std::string& command);

}  // namespace quarry::bench
