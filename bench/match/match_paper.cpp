/// The comparison with the paper on its own terms: labels are elements, and all bonds are the same.
///
/// Each query atom keeps the one element that it asks for, else it becomes any atom; each bond becomes any bond. The
/// reduced query is written as a SMARTS, so that RDKit answers the same question.
/// Source of the numbers raced with: Decaro et al., SIGMo, SC'25, find all on 114,901 molecules and 619 queries.
#include <fmt/format.h>

#include "bench/match/match_versus.hpp"
#include "chemistry/predicates.hpp"
#include "match/equal_queries.hpp"

namespace quarry::bench {
namespace {

constexpr int kNumElements = 118;
constexpr double kPaperV100S = 37, kPaperMI100 = 24;  // nanoseconds per pair

/// `[#6]` or `*`.
std::string reduced_atom(const AtomExpression& atom) {
  for (std::int16_t element = 1; element <= kNumElements; ++element) {
    if (implies(atom, {AtomProperty::element, element, element})) return fmt::format("[#{}]", element);
  }
  return "*";
}

/// Every atom a component of its own, every bond a ring closure: `[#6]~%(1).[#8]~%(1)`.
std::string reduced_smarts(const Pattern& pattern) {
  std::vector<std::string> atoms;
  for (const AtomExpression& atom : pattern.atoms) atoms.push_back(reduced_atom(atom));
  for (std::size_t i = 0; i < pattern.bonds.size(); ++i) {
    atoms[pattern.bonds[i].begin] += fmt::format("~%({})", i + 1);
    atoms[pattern.bonds[i].end] += fmt::format("~%({})", i + 1);
  }
  return fmt::format("{}", fmt::join(atoms, "."));
}

QuerySet reduced(const QuerySet& queries) {
  std::vector<std::string> smarts;
  for (const Query& query : queries.accepted) smarts.push_back(reduced_smarts(query.pattern) + " " + query.id);
  QuerySet result = compile_queries(smarts);
  if (result.rejected.empty()) return result;
  throw WrongAnswer(fmt::format("a reduced query is refused: {}", result.rejected.front().reason));
}

double nanoseconds(double seconds, Index pairs) { return 1e9 * seconds / pairs; }

/// Median times of one mode on one thread and on two.
Json timed_mode(const Workload& workload, const QuerySet& queries, match::Mode mode,
                const match::Statistics& expected) {
  Json json;
  for (const int threads : {1, 2}) {
    std::vector<Seconds> runs;
    for (int repeat = 0; repeat < (workload.effort.repeats + 1) / 2; ++repeat) {
      const TimedRun run = timed_run(workload, queries, options_for(mode, threads));
      require_same(run.statistics, expected);
      runs.push_back(run.seconds);
    }
    const Seconds seconds = median(runs);
    const double wall = nanoseconds(seconds.wall, expected.pairs), cpu = nanoseconds(seconds.cpu, expected.pairs);
    json[threads == 1 ? "one_thread" : "two_threads"] = {{"nanoseconds_per_pair", wall},
                                                         {"cpu_nanoseconds_per_pair", cpu}};
    fmt::print("  Quarry, {}, {} thread{:<2} {:>8.1f} ns per pair ({:.1f} of cpu time)\n",
               mode == match::Mode::first ? "find first" : "find all  ", threads, threads == 1 ? "" : "s", wall, cpu);
  }
  return json;
}

}  // namespace

Json paper_section(const Workload& workload) {
  const QuerySet queries = reduced(workload.queries);
  const Oracle oracle(workload, queries, workload.effort.oracle_molecules / 4);
  Json json = {{"paper_nanoseconds_per_pair", {{"V100S", kPaperV100S}, {"MI100", kPaperMI100}}}};
  const Index distinct = std::ssize(match::EqualQueries(queries, {}).distinct(queries).accepted);
  json["distinct_queries"] = distinct;
  fmt::print("\nlike for like with the paper: elements and connectivity only, find first, and find all, counted\n");
  fmt::print("  {} of the {} queries differ so; equal ones are searched once, and their pairs are counted all\n",
             distinct, std::ssize(queries.accepted));
  for (const match::Mode mode : {match::Mode::first, match::Mode::count}) {
    const Agreed agreed = oracle.check(workload, queries, mode);
    fmt::print("  {} of {} pairs equal to RDKit, {} hits, {} embeddings\n", agreed.pairs - agreed.not_comparable,
               agreed.pairs, agreed.statistics.hits, agreed.statistics.embeddings);
    Json& section = json[mode == match::Mode::first ? "first" : "count"];
    section = timed_mode(workload, queries, mode, agreed.statistics);
    section["checked"] = to_json(agreed);
    section["hits"] = agreed.statistics.hits;
    section["embeddings"] = agreed.statistics.embeddings;
  }
  fmt::print("  paper, V100S            {:>8.1f} ns per pair\n  paper, MI100            {:>8.1f} ns per pair\n",
             kPaperV100S, kPaperMI100);
  return json;
}

}  // namespace quarry::bench
