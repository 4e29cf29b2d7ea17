#include "bench/report.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <fstream>
#include <utility>

#include "quarry/error.hpp"

namespace quarry::bench {

void ReportOptions::add_to(CLI::App& app) {
  app.add_flag("--quick", quick, "A small part of everything");
  app.add_option("--json", json_path, "Write the record here");
  app.add_option("--program", program, "The built `quarry`, where a section runs it");
  app.add_option("--commit", commit, "Goes into the record");
}

int run_main(CLI::App& app, int argc, char** argv, const std::function<void()>& run) {
  CLI11_PARSE(app, argc, argv);
  try {
    run();
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench: {}\n", error.what());
    return 2;
  }
  return 0;
}

Report::Report(const ReportOptions& options, const std::string& workload)
    : options_(options), record_(describe_run(options.commit)) {
  record_["quick"] = options.quick;
  record_["workload"] = workload;
  fmt::print("{}\n{}, {}, {}, {} cores\ncommit {}, load average {}\n", workload, record_["cpu"].get<std::string>(),
             record_["simd"].get<std::string>(), record_["compiler"].get<std::string>(), record_["cores"].get<int>(),
             options.commit, record_["load_average"].dump());
}

void Report::add(const char* name, Json section) {
  record_[name] = std::move(section);
  std::fflush(stdout);
}

void Report::finish() {
  record_["load_average_after"] = load_average();
  record_["seconds"] = stopwatch_.seconds().wall;
  fmt::print("\n{:.0f} s in all, load average afterwards {}\n", stopwatch_.seconds().wall, load_average().dump());
  if (options_.json_path.empty()) return;
  std::ofstream file(options_.json_path);
  if (!(file << record_.dump(2) << '\n')) throw DeviceError("cannot write " + options_.json_path);
  fmt::print("recorded in {}\n", options_.json_path);
}

}  // namespace quarry::bench
