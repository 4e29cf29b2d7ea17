/// Quarry beside RDKit, one thread each, and Quarry on two threads.
///
/// RDKit gets molecules and queries parsed beforehand, in its faster order: molecule outer, query inner. Quarry's times
/// include opening the library, checking it and planning the queries. Both are run alternately, so that other work on
/// the machine slows both, and a ratio is the median over the rounds.
#include "bench/match/match_versus.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <utility>

namespace quarry::bench {

TimedRun timed_run(const Workload& workload, const QuerySet& queries, const match::Options& options, const Sink& sink) {
  TimedRun run;
  run.seconds = time_of([&] {
    const Library library = Library::open(workload.packed_path);
    match::Matcher matcher(queries, options);
    run.statistics = matcher.run(library, sink);
  });
  return run;
}

Oracle::Oracle(const Workload& workload, const QuerySet& queries, Index num_molecules) {
  for (Index i = 0; i < std::min(num_molecules, std::ssize(workload.records)); ++i) {
    molecules_.emplace_back(workload.records[i], RecordFormat::smiles, /*explicit_hydrogens=*/false);
  }
  for (std::size_t i = 0; i < queries.accepted.size(); ++i) {
    OracleQuery query(queries.accepted[i].smarts, queries.hydrogens);
    if (!query.comparable()) continue;
    queries_.push_back(std::move(query));
    query_numbers_.push_back(i);
  }
}

Seconds Oracle::search(match::Mode mode, std::vector<Index>* counts) const {
  const Index limit = mode == match::Mode::first ? 1 : std::numeric_limits<unsigned>::max();
  if (counts != nullptr) counts->clear();
  volatile Index sum = 0;  // so that no work is left out
  return time_of([&] {
    for (const OracleMolecule& molecule : molecules_) {
      for (const OracleQuery& query : queries_) {
        const Index found = oracle_count(molecule, query, /*chirality=*/false, limit, mode == match::Mode::unique);
        sum = sum + found;
        if (counts != nullptr) counts->push_back(found);
      }
    }
  });
}

Agreed Oracle::check(const Workload& workload, const QuerySet& queries, match::Mode mode) const {
  const std::size_t num_queries = queries.accepted.size();
  std::vector<Index> ours(molecules_.size() * num_queries), theirs;
  Agreed agreed;
  agreed.statistics = timed_run(workload, queries, options_for(mode, 1), [&](const match::Result& result) {
                        for (Index row = 0; row < result.num_molecules(); ++row) {
                          const Index molecule = result.first_molecule + row;
                          if (molecule >= num_molecules()) break;
                          const auto bounds = result.hit_offsets.begin() + row;
                          for (Index h = bounds[0]; h < bounds[1]; ++h) {
                            const match::Hit& hit = result.hits[h];
                            ours[molecule * num_queries + hit.query] = hit.embeddings;
                          }
                        }
                      }).statistics;
  search(mode, &theirs);
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    const std::size_t molecule = i / queries_.size(), query = i % queries_.size();
    ++agreed.pairs;
    agreed.matching += theirs[i] > 0 ? 1 : 0;
    const Index found = ours[molecule * num_queries + query_numbers_[query]];
    if (found == theirs[i]) continue;
    if (oracle_match(molecules_[molecule], queries_[query], false).recursion_filled) {
      ++agreed.not_comparable;
      continue;
    }
    throw WrongAnswer(fmt::format("molecule {} ({}), query {}: Quarry finds {}, RDKit {}", molecule + 1,
                                  workload.records[molecule], queries.accepted[query_numbers_[query]].smarts, found,
                                  theirs[i]));
  }
  return agreed;
}

Json to_json(const Agreed& agreed) {
  return {{"pairs", agreed.pairs}, {"matching", agreed.matching}, {"not_comparable", agreed.not_comparable}};
}

void require_same(const match::Statistics& a, const match::Statistics& b) {
  if (a.hits == b.hits && a.embeddings == b.embeddings) return;
  throw WrongAnswer(
      fmt::format("two runs differ: {} and {} hits, {} and {} embeddings", a.hits, b.hits, a.embeddings, b.embeddings));
}

std::string last_line(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  std::string line, last;
  std::array<char, 4096> piece{};
  while (pipe && std::fgets(piece.data(), piece.size(), pipe.get()) != nullptr) {
    line += piece.data();
    if (line.ends_with('\n')) last = std::exchange(line, {});
  }
  if (last.empty()) throw WrongAnswer("no answer from " + command);
  return last;
}

namespace {

/// Pairs per second, in wall and in processor time.
Json rates(const std::vector<Seconds>& runs, Index pairs) {
  const Seconds seconds = median(runs);
  const double count = pairs;
  return {{"pairs", pairs},
          {"seconds", seconds.wall},
          {"cpu_seconds", seconds.cpu},
          {"pairs_per_second", count / seconds.wall},
          {"pairs_per_cpu_second", count / seconds.cpu}};
}

/// How many times faster `fast` is per pair: the median over the rounds.
Json ratio(const std::vector<Seconds>& slow, Index slow_pairs, const std::vector<Seconds>& fast, Index fast_pairs) {
  std::vector<double> wall, cpu;
  const double pairs = 1.0 * fast_pairs / slow_pairs;
  for (std::size_t i = 0; i < slow.size(); ++i) {
    wall.push_back(slow[i].wall / fast[i].wall * pairs);
    cpu.push_back(slow[i].cpu / fast[i].cpu * pairs);
  }
  return {{"wall", median(wall)}, {"cpu", median(cpu)}};
}

void print_row(const char* what, const Json& rate) {
  fmt::print("  {:<28}{:>14.3f}{:>14.3f}{:>16.2f}{:>16.2f}\n", what, rate["seconds"].get<double>(),
             rate["cpu_seconds"].get<double>(), rate["pairs_per_second"].get<double>() / 1e6,
             rate["pairs_per_cpu_second"].get<double>() / 1e6);
}

Json compare(const Workload& workload, const Oracle& oracle, match::Mode mode, const std::string& name, double goal) {
  const Agreed agreed = oracle.check(workload, workload.queries, mode);
  std::vector<Seconds> one, two, rdkit;
  for (int repeat = 0; repeat < workload.effort.repeats; ++repeat) {
    rdkit.push_back(oracle.search(mode));
    // A virtual machine may take away memory that was not used for as long as RDKit ran, so the first run is not timed.
    timed_run(workload, workload.queries, options_for(mode, 1));
    for (const int threads : {1, 2}) {
      const TimedRun run = timed_run(workload, workload.queries, options_for(mode, threads));
      require_same(run.statistics, agreed.statistics);
      (threads == 1 ? one : two).push_back(run.seconds);
    }
  }
  const Index pairs = agreed.statistics.pairs;
  Json json = {{"checked", to_json(agreed)},
               {"hits", agreed.statistics.hits},
               {"embeddings", agreed.statistics.embeddings},
               {"quarry_one_thread", rates(one, pairs)},
               {"quarry_two_threads", rates(two, pairs)},
               {"rdkit_one_thread", rates(rdkit, oracle.num_pairs())},
               {"times_rdkit", ratio(rdkit, oracle.num_pairs(), one, pairs)},
               {"two_threads_times_one", ratio(one, pairs, two, pairs)["wall"]}};
  json["goal_times_rdkit"] = goal;
  fmt::print("\n{}: {} of {} pairs equal to RDKit ({} not comparable), {} hits, {} embeddings in all\n", name,
             agreed.pairs - agreed.not_comparable, agreed.pairs, agreed.not_comparable, agreed.statistics.hits,
             agreed.statistics.embeddings);
  fmt::print("  {:<28}{:>14}{:>14}{:>16}{:>16}\n", "", "seconds", "cpu seconds", "M pairs/s", "M pairs/cpu s");
  print_row("Quarry, 1 thread", json["quarry_one_thread"]);
  print_row("Quarry, 2 threads", json["quarry_two_threads"]);
  print_row(fmt::format("RDKit, {} molecules", oracle.num_molecules()).c_str(), json["rdkit_one_thread"]);
  fmt::print("  times RDKit: {:.1f} in wall time, {:.1f} in cpu time (goal {:.0f}); two threads are {:.2f} times one\n",
             json["times_rdkit"]["wall"].get<double>(), json["times_rdkit"]["cpu"].get<double>(), goal,
             json["two_threads_times_one"].get<double>());
  return json;
}

}  // namespace

Json versus_section(const Workload& workload) {
  const Oracle oracle(workload, workload.queries, workload.effort.oracle_molecules);
  constexpr double kFirstGoal = 150, kCountGoal = 120, kAllGoal = 80, kUniqueGoal = 80;
  return {{"first", compare(workload, oracle, match::Mode::first, "find first", kFirstGoal)},
          {"count", compare(workload, oracle, match::Mode::count, "find all, counted", kCountGoal)},
          {"all", compare(workload, oracle, match::Mode::all, "find all, listed", kAllGoal)},
          {"unique", compare(workload, oracle, match::Mode::unique, "sets of atoms, listed", kUniqueGoal)}};
}

}  // namespace quarry::bench
