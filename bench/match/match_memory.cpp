/// Peak memory of `match` on a library and on one ten times larger.
///
/// Each run is a new process that reads its own VmHWM: the peak of getrusage would include that of this process.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>

#include "bench/match/match_versus.hpp"

namespace quarry::bench {
namespace {

constexpr int kCopies = 10;

struct Peak {
  Index kilobytes = 0, hits = 0;
};

Peak measure(const std::string& packed_path, const std::string& queries_path, int threads) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  const std::string command =
      fmt::format("'{}' --peak-memory '{}' '{}' --threads {}", self, packed_path, queries_path, threads);
  FILE* pipe = ::popen(command.c_str(), "r");
  long long kilobytes = 0, hits = 0;
  const int fields = pipe != nullptr ? std::fscanf(pipe, "%lld %lld", &kilobytes, &hits) : 0;
  if (pipe != nullptr) ::pclose(pipe);
  if (fields != 2) throw WrongAnswer("no answer from " + command);
  return {kilobytes, hits};
}

}  // namespace

void report_peak_memory(const std::string& packed_path, const std::string& queries_path, int threads) {
  const Library library = Library::open(packed_path);
  match::Matcher matcher(read_queries(queries_path, QueryHydrogens::literal), options_for(match::Mode::first, threads));
  const match::Statistics statistics = matcher.run(library, [](const match::Result&) {});
  fmt::print("{} {}\n", peak_kilobytes(), statistics.hits);
}

Json memory_section(const Workload& workload, const WorkFolder& folder) {
  const std::string large = folder.file("ten-times.qlib");
  const Index num_molecules = Library::open(workload.packed_path).num_molecules();
  write_copies(Library::open(workload.packed_path), large, kCopies);
  fmt::print("\npeak memory of find first, MiB, everything counted\n  {:<12}{:>14}{:>14}{:>10}\n", "",
             fmt::format("{} mol.", num_molecules), fmt::format("{} mol.", kCopies * num_molecules), "ratio");
  Json rows = Json::array();
  for (const int threads : {1, 2}) {
    const Peak one = measure(workload.packed_path, workload.queries_path, threads);
    const Peak ten = measure(large, workload.queries_path, threads);
    if (ten.hits != kCopies * one.hits) throw WrongAnswer("a library ten times larger has not ten times the hits");
    const auto mebibytes = [](const Peak& peak) { return peak.kilobytes / 1024.0; };
    fmt::print("  {} thread{:<4}{:>14.1f}{:>14.1f}{:>10.2f}\n", threads, threads == 1 ? "" : "s", mebibytes(one),
               mebibytes(ten), mebibytes(ten) / mebibytes(one));
    rows.push_back({{"threads", threads},
                    {"molecules", num_molecules},
                    {"mebibytes", mebibytes(one)},
                    {"mebibytes_ten_times", mebibytes(ten)}});
  }
  std::filesystem::remove(large);
  return rows;
}

}  // namespace quarry::bench
