/// What each radius of refinement costs and leaves (the paper's figures 5 and 6), and where the time of a run goes.
#include <fmt/format.h>

#include <algorithm>

#include "bench/match/match_versus.hpp"

namespace quarry::bench {
namespace {

/// Medians of one radius in one mode.
struct StageTimes {
  double total = 0, refine = 0, join = 0;
  match::Statistics statistics;
};

StageTimes time_stages(const Library& library, const QuerySet& queries, const match::Options& options, int repeats) {
  std::vector<double> total, refine, join;
  StageTimes times;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    match::Matcher matcher(queries, options);
    times.statistics = matcher.run(library, [](const match::Result&) {});
    total.push_back(times.statistics.seconds);
    refine.push_back(times.statistics.stages.refine);
    join.push_back(times.statistics.stages.join);
  }
  times.total = median(total);
  times.refine = median(refine);
  times.join = median(join);
  return times;
}

/// One row of the table.
Json refine_row(const Workload& workload, const Library& library, int radius, match::Statistics& expected) {
  const QuerySet& queries = workload.queries;
  const int repeats = (workload.effort.repeats + 1) / 2;
  match::Options counting = options_for(match::Mode::first, 1, radius);
  counting.count_candidates = true;
  const match::Statistics counted = match::Matcher(queries, counting).run(library, [](const match::Result&) {});
  const auto first = time_stages(library, queries, options_for(match::Mode::first, 1, radius), repeats);
  const auto count = time_stages(library, queries, options_for(match::Mode::count, 1, radius), repeats);
  if (radius == 0) expected = count.statistics;
  require_same(expected, count.statistics);
  fmt::print("  {:>2}{:>16}{:>16}{:>14}{:>11.3f}{:>13.3f}{:>13.3f}{:>13.3f}{:>13.3f}\n", radius, counted.candidates,
             counted.refined, counted.mapped_pairs, first.refine, first.join, count.join, first.total, count.total);
  return {{"radius", radius},
          {"candidates_before", counted.candidates},
          {"candidates_after", counted.refined},
          {"mapped_pairs", counted.mapped_pairs},
          {"refine_seconds", first.refine},
          {"join_first_seconds", first.join},
          {"join_count_seconds", count.join},
          {"first_seconds", first.total},
          {"count_seconds", count.total}};
}

int best_radius(const Json& rows, const char* seconds) {
  const auto best = std::min_element(rows.begin(), rows.end(), [&](const Json& a, const Json& b) {
    return a[seconds].template get<double>() < b[seconds].template get<double>();
  });
  return (*best)["radius"];
}

}  // namespace

Json stages_section(const Workload& workload) {
  const Library whole = Library::open(workload.packed_path);
  const Library library = first_molecules(whole, workload.effort.stage_molecules);
  fmt::print("\nradius of refinement, {} molecules, one thread, seconds\n", library.num_molecules());
  fmt::print("  {:>2}{:>16}{:>16}{:>14}{:>11}{:>13}{:>13}{:>13}{:>13}\n", "k", "candidates", "after", "pairs to join",
             "refine", "join first", "join count", "all first", "all count");
  Json rows = Json::array();
  match::Statistics expected;
  for (int radius = 0; radius <= match::kMaxRefine; ++radius) {
    rows.push_back(refine_row(workload, library, radius, expected));
  }
  const int first = best_radius(rows, "first_seconds"), count = best_radius(rows, "count_seconds");
  fmt::print("  best k: {} for find first, {} for find all; the default is {}\n", first, count,
             match::Options{}.refine);
  return {{"molecules", library.num_molecules()},
          {"rows", rows},
          {"best_first", first},
          {"best_count", count},
          {"default", match::Options{}.refine}};
}

Json split_section(const Workload& workload, const std::string& program) {
  if (program.empty()) return nullptr;
  fmt::print("\nseconds by stage, one thread, hits as TSV to /dev/null (the program `quarry match`)\n");
  fmt::print("  {:<8}{:>10}{:>12}{:>10}{:>10}{:>10}{:>10}{:>10}{:>12}\n", "mode", "read", "candidates", "refine", "map",
             "join", "write", "total", "hits");
  Json split = Json::object();
  for (const std::string mode : {"first", "count", "all"}) {
    const auto answer =
        Json::parse(last_line(fmt::format("'{}' match '{}' '{}' --mode {} --threads 1 -o /dev/null "
                                          "--json --quiet",
                                          program, workload.packed_path, workload.queries_path, mode)));
    split[mode] = answer["seconds"];
    fmt::print("  {:<8}", mode);
    for (const char* stage : {"read", "candidates", "refine", "map", "join", "write", "total"}) {
      fmt::print("{:>{}.3f}", answer["seconds"][stage].get<double>(), stage == std::string("candidates") ? 12 : 10);
    }
    fmt::print("{:>12}\n", answer["hits"].get<Index>());
  }
  return split;
}

}  // namespace quarry::bench
