/// One query over a mapped library, as the program searches it: molecules a second of processor time, start taken off.
///
/// Of the queries that at most 5 % of the molecules have, some are taken, evenly from the rarest to the most frequent. Each
/// must find what it finds among all queries.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "bench/match/match_versus.hpp"

namespace quarry::bench {
namespace {

constexpr Index kMolecules = 1'000'000, kQueries = 24;
constexpr double kMostFound = 0.05, kGoal = 5e6;

struct QueryHits {
  Index hits = 0;
  std::string smarts;
};

/// @param molecules  that will be searched: the workload's, all equally often
std::vector<QueryHits> rare_queries(const Workload& workload, Index molecules) {
  std::vector<QueryHits> all;
  const QuerySet queries = read_queries(workload.queries_path);
  for (const Query& query : queries.accepted) all.push_back({0, query.smarts});
  const auto add = [&](const match::Result& result) {
    for (const match::Hit& hit : result.hits) ++all[hit.query].hits;
  };
  const Index here = timed_run(workload, queries, options_for(match::Mode::first, 0), add).statistics.molecules;
  for (QueryHits& query : all) query.hits = query.hits * molecules / here;
  std::erase_if(all, [&](const QueryHits& query) { return query.hits > kMostFound * molecules; });
  std::ranges::stable_sort(all, {}, &QueryHits::hits);
  std::vector<QueryHits> some;
  for (Index i = 0; i < kQueries && !all.empty(); ++i) some.push_back(all[i * std::ssize(all) / kQueries]);
  return some;
}

/// As `quarry index` does, each molecule with an id of its own.
void index_copies(const Workload& workload, Index copies, const std::string& program, const WorkFolder& folder,
                  const std::string& library) {
  {
    std::ofstream rows(folder.file("copies.smi"));
    Index number = 0;
    for (Index copy = 0; copy < copies; ++copy)
      for (const std::string& record : workload.records)
        rows << record.substr(0, record.find('\t')) << ' ' << 'm' << ++number << '\n';
  }
  last_line(fmt::format("'{}' index '{}' -o '{}' --json --quiet", program, folder.file("copies.smi"), library));
}

struct Search {
  Index hits = 0;
  double cpu_seconds = 0;
};

Search search(const std::string& program, const std::string& library, const std::string& query) {
  const auto answer = Json::parse(
      last_line(fmt::format("'{}' match '{}' '{}' --threads 1 -o /dev/null --json --quiet", program, library, query)));
  return {answer["hits"], answer["cpu_seconds"]};
}

}  // namespace

Json one_query_section(const Workload& workload, const WorkFolder& folder, const std::string& program) {
  if (program.empty()) return nullptr;
  const Index wanted = workload.effort.num_chunks == 0 ? kMolecules : std::ssize(workload.records);
  const Index copies = (wanted + std::ssize(workload.records) - 1) / std::ssize(workload.records);
  const std::string library = folder.file("copies.qlib"), one = folder.file("one.qlib"),
                    query = folder.file("one.smarts");
  index_copies(workload, copies, program, folder, library);
  write_copies(first_molecules(Library::open(library), 1), one, 1);
  const Index molecules = copies * std::ssize(workload.records);
  fmt::print("\none query over {} molecules of a mapped library, one thread: molecules/s of processor time\n",
             molecules);
  std::vector<double> rates;
  Json rows = Json::array();
  for (const auto& [hits, smarts] : rare_queries(workload, molecules)) {
    std::ofstream(query) << smarts << '\n';
    std::vector<double> seconds;
    for (int repeat = 0; repeat < workload.effort.repeats; ++repeat) {
      const Search all = search(program, library, query);
      if (all.hits != hits)
        throw WrongAnswer(fmt::format("{} finds {} molecules alone, {} among others", smarts, all.hits, hits));
      seconds.push_back(all.cpu_seconds - search(program, one, query).cpu_seconds);
    }
    rates.push_back(static_cast<double>(molecules) / median(seconds));
    rows.push_back({{"smarts", smarts}, {"molecules", hits}, {"molecules_per_cpu_second", rates.back()}});
    fmt::print("  {:>8.2f} M{:>10} hits  {}\n", rates.back() / 1e6, hits, smarts.substr(0, 80));
  }
  fmt::print("  median {:.2f} M (goal {:.0f})\n", median(rates) / 1e6, kGoal / 1e6);
  return {{"molecules", molecules},
          {"molecules_per_cpu_second", median(rates)},
          {"goal_molecules_per_cpu_second", kGoal},
          {"queries", rows}};
}

}  // namespace quarry::bench
