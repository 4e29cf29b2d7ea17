/// The library file: its size, how fast it opens, and how fast it is made beside RDKit's own parser.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <tuple>

#include "bench/match/match_workload.hpp"
#include "chemistry/oracle.hpp"
#include "exec/parallel.hpp"

namespace quarry::bench {
namespace {

// Rows of one piece of parallel parsing.
constexpr Index kGrain = 64;
// Rows that are indexed and parsed alternately: several chunks, because packing one overlaps with parsing the next.
constexpr Index kIngestRows = 4 * kChunkMolecules;

/// Only parsing, on the rows that were indexed.
Seconds parse_all(const std::vector<std::string>& records, int threads) {
  return time_of([&] {
    parallel_for_range(threads, std::ssize(records), kGrain, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        const OracleMolecule molecule(records[i], RecordFormat::smiles, false);
      }
    });
  });
}

/// Indexes and parses alternately, so that other work on the machine slows both; a share is the median over the rounds.
Json ingest_rates(const Workload& workload, const char* name, int threads) {
  const std::vector<std::string> records(
      workload.records.begin(), workload.records.begin() + std::min<Index>(kIngestRows, std::ssize(workload.records)));
  const std::string rows_path = workload.packed_path + ".rows.smi", packed_path = workload.packed_path + ".rows.qlib";
  {
    std::ofstream file(rows_path);
    for (const std::string& record : records) file << record << '\n';
  }
  std::vector<Seconds> index, parse;
  std::vector<double> wall, cpu;
  for (int round = 0; round < (workload.effort.repeats + 1) / 2; ++round) {
    index.push_back(time_of([&] { index_file(rows_path, packed_path, threads); }));
    parse.push_back(parse_all(records, threads));
    wall.push_back(parse.back().wall / index.back().wall);
    cpu.push_back(parse.back().cpu / index.back().cpu);
  }
  const auto rate = [&](double seconds) { return records.size() / seconds; };
  const Seconds indexed = median(index), parsed = median(parse);
  fmt::print("  {:<12}{:>16.0f}{:>16.0f}{:>16.0f}{:>16.0f}{:>11.1f} %{:>9.1f} %\n", name, rate(indexed.wall),
             rate(indexed.cpu), rate(parsed.wall), rate(parsed.cpu), 100 * median(wall), 100 * median(cpu));
  return {{"cores", threads == 0 ? available_threads() : threads},
          {"rows", records.size()},
          {"index_rows_per_second", rate(indexed.wall)},
          {"index_rows_per_cpu_second", rate(indexed.cpu)},
          {"rdkit_parse_rows_per_second", rate(parsed.wall)},
          {"rdkit_parse_rows_per_cpu_second", rate(parsed.cpu)},
          {"share_of_rdkit", {{"wall", median(wall)}, {"cpu", median(cpu)}}}};
}

}  // namespace

Json library_section(const Workload& workload) {
  std::vector<double> open_seconds;
  constexpr int kOpenings = 21;
  for (int i = 0; i < kOpenings; ++i) {
    open_seconds.push_back(time_of([&] { std::ignore = Library::open(workload.packed_path); }).wall);
  }
  const Library library = Library::open(workload.packed_path);
  const double num_molecules = library.num_molecules();
  double matching_bytes = 0;
  Json sections = Json::object();
  fmt::print("\nlibrary: {} molecules, bytes per molecule by section\n ", library.num_molecules());
  for (const auto& section : library.sections()) {
    const double bytes = section.bytes / num_molecules;
    sections[section.name] = bytes;
    if (section.matching) matching_bytes += bytes;
    fmt::print(" {} {:.1f}", section.name, bytes);
  }
  const double all_bytes = std::filesystem::file_size(workload.packed_path) / num_molecules;
  fmt::print("\n  sections that matching touches {:.1f} (goal 100), whole file {:.1f}; opened in {:.3f} ms (goal 50)\n",
             matching_bytes, all_bytes, 1e3 * median(open_seconds));
  fmt::print("\ningest of {} rows, and RDKit's SmilesToMol on the same rows\n",
             std::min<Index>(kIngestRows, std::ssize(workload.records)));
  fmt::print("  {:<12}{:>16}{:>16}{:>16}{:>16}{:>13}{:>11}\n", "", "index rows/s", "per cpu s", "RDKit rows/s",
             "per cpu s", "share wall", "share cpu");
  return {{"molecules", library.num_molecules()},
          {"bytes_per_molecule", {{"matching", matching_bytes}, {"file", all_bytes}, {"sections", sections}}},
          {"open_seconds", median(open_seconds)},
          {"ingest_one_core", ingest_rates(workload, "one core", 1)},
          {"ingest_all_cores", ingest_rates(workload, "all cores", 0)}};
}

}  // namespace quarry::bench
