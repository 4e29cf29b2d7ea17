/// The library file: its size, how fast it opens, and how fast it is made beside RDKit's own parser.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bench/match_workload.hpp"
#include "exec/parallel.hpp"
#include "molecule/oracle.hpp"

namespace quarry::bench {
namespace {

// Rows of one piece of parallel parsing.
constexpr Index kGrain = 64;

/// Only parsing, on the rows that were indexed.
Seconds parse_all(const std::vector<std::string>& records, int threads) {
  return time_of([&] {
    parallel_for_range(threads, static_cast<Index>(records.size()), kGrain, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        const OracleMolecule molecule(records[static_cast<std::size_t>(i)], RecordFormat::smiles, false);
      }
    });
  });
}

Json ingest_rates(const char* name, const Seconds& index, const Seconds& parse, Index rows, int cores) {
  const auto rate = [&](double seconds) { return static_cast<double>(rows) / seconds; };
  Json json = {{"cores", cores},
               {"index_seconds", index.wall},
               {"index_rows_per_second", rate(index.wall)},
               {"index_rows_per_cpu_second", rate(index.cpu)},
               {"rdkit_parse_seconds", parse.wall},
               {"rdkit_parse_rows_per_second", rate(parse.wall)},
               {"rdkit_parse_rows_per_cpu_second", rate(parse.cpu)},
               {"share_of_rdkit", {{"wall", parse.wall / index.wall}, {"cpu", parse.cpu / index.cpu}}}};
  fmt::print("  {:<12}{:>16.0f}{:>16.0f}{:>16.0f}{:>16.0f}{:>11.1f} %{:>9.1f} %\n", name, rate(index.wall),
             rate(index.cpu), rate(parse.wall), rate(parse.cpu), 100 * parse.wall / index.wall,
             100 * parse.cpu / index.cpu);
  return json;
}

}  // namespace

Json library_section(const Workload& work) {
  std::vector<double> open_seconds;
  constexpr int kOpenings = 21;
  for (int i = 0; i < kOpenings; ++i) {
    open_seconds.push_back(time_of([&] { Library::open(work.library_path); }).wall);
  }
  const Library library = Library::open(work.library_path);
  const auto num_molecules = static_cast<double>(library.num_molecules());
  double matching_bytes = 0;
  Json sections = Json::object();
  fmt::print("\nlibrary: {} molecules, bytes per molecule by section\n ", library.num_molecules());
  for (const auto& section : library.sections()) {
    const double bytes = static_cast<double>(section.bytes) / num_molecules;
    sections[section.name] = bytes;
    if (section.matching) matching_bytes += bytes;
    fmt::print(" {} {:.1f}", section.name, bytes);
  }
  const double all_bytes = static_cast<double>(std::filesystem::file_size(work.library_path)) / num_molecules;
  const Seconds parse_one = parse_all(work.records, 1), parse_all_cores = parse_all(work.records, 0);
  fmt::print("\n  sections that matching touches {:.1f} (goal 100), whole file {:.1f}; opened in {:.3f} ms (goal 50)\n",
             matching_bytes, all_bytes, 1e3 * median(open_seconds));
  fmt::print("\ningest of {} rows, and RDKit's SmilesToMol on the same rows\n", work.num_rows);
  fmt::print("  {:<12}{:>16}{:>16}{:>16}{:>16}{:>13}{:>11}\n", "", "index rows/s", "per cpu s", "RDKit rows/s",
             "per cpu s", "share wall", "share cpu");
  const auto rows = static_cast<Index>(work.records.size());
  return {{"molecules", library.num_molecules()},
          {"bytes_per_molecule", {{"matching", matching_bytes}, {"file", all_bytes}, {"sections", sections}}},
          {"open_seconds", median(open_seconds)},
          {"ingest_one_core", ingest_rates("one core", work.index_one_core, parse_one, rows, 1)},
          {"ingest_all_cores",
           ingest_rates("all cores", work.index_all_cores, parse_all_cores, rows, available_threads())}};
}

}  // namespace quarry::bench
