/// Every number that the match engine promises, measured: a readable report, and a JSON record of it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <fstream>

#include "bench/match_workload.hpp"
#include "bench/stopwatch.hpp"

namespace quarry::bench {
namespace {

struct Arguments {
  bool quick = false;
  std::string json_path, program, commit = "unknown";
  std::vector<std::string> peak_memory;  // library, queries
  int threads = 1;
};

void run(const Arguments& arguments) {
  const Stopwatch stopwatch;
  const WorkFolder folder;
  Json record = describe_run(arguments.commit);
  record["quick"] = arguments.quick;
  const Workload work = make_workload(folder, arguments.quick ? quick_effort() : full_effort());
  record["workload"] = work.description;
  fmt::print("{}\n{}, {}, {}, {} cores\ncommit {}, load average {}\n", work.description,
             record["cpu"].get<std::string>(), record["simd"].get<std::string>(), record["compiler"].get<std::string>(),
             record["cores"].get<int>(), arguments.commit, record["load_average"].dump());
  // A report is read while it grows.
  const auto add = [&](const char* name, Json section) {
    record[name] = std::move(section);
    std::fflush(stdout);
  };
  add("library", library_section(work));
  add("versus_rdkit", versus_section(work));
  add("refinement", stages_section(work));
  add("split", split_section(work, arguments.program));
  add("paper", paper_section(work));
  add("memory", memory_section(work, folder));
  record["load_average_after"] = load_average();
  record["seconds"] = stopwatch.seconds().wall;
  fmt::print("\n{:.0f} s in all, load average afterwards {}\n", stopwatch.seconds().wall, load_average().dump());
  if (arguments.json_path.empty()) return;
  std::ofstream file(arguments.json_path);
  if (!(file << record.dump(2) << '\n')) throw DeviceError("cannot write " + arguments.json_path);
}

}  // namespace
}  // namespace quarry::bench

int main(int argc, char** argv) {
  quarry::bench::Arguments arguments;
  CLI::App app("Measures quarry match; bench/run.sh match builds and runs it");
  app.add_flag("--quick", arguments.quick, "A small part of everything");
  app.add_option("--json", arguments.json_path, "Write the record here");
  app.add_option("--program", arguments.program, "The built `quarry`, for the split with its writing");
  app.add_option("--commit", arguments.commit, "Goes into the record");
  app.add_option("--peak-memory", arguments.peak_memory, "Only search LIBRARY with QUERIES and print the peak, in KiB")
      ->expected(2);
  app.add_option("--threads", arguments.threads, "For --peak-memory");
  CLI11_PARSE(app, argc, argv);
  try {
    if (arguments.peak_memory.empty()) {
      quarry::bench::run(arguments);
    } else {
      quarry::bench::report_peak_memory(arguments.peak_memory[0], arguments.peak_memory[1], arguments.threads);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench: {}\n", error.what());
    return 2;
  }
  return 0;
}
