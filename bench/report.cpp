#include "bench/report.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <utility>

#include "quarry/error.hpp"

namespace quarry::bench {

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
  record_["unfinished"] = true;
  write();
  std::fflush(stdout);
}

void Report::finish() {
  record_.erase("unfinished");
  record_["load_average_after"] = load_average();
  record_["seconds"] = stopwatch_.seconds().wall;
  fmt::print("\n{:.0f} s in all, load average afterwards {}\n", stopwatch_.seconds().wall, load_average().dump());
  if (options_.json_path.empty()) return;
  write();
  fmt::print("recorded in {}\n", options_.json_path);
}

void Report::write() const {
  if (options_.json_path.empty()) return;
  std::ofstream file(options_.json_path);
  if (!(file << record_.dump(2) << '\n')) throw SystemError("cannot write " + options_.json_path);
}

}  // namespace quarry::bench
