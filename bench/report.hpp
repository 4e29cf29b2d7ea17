/// A report that is read while it grows, and the JSON record of it.
#pragma once
#include <functional>
#include <string>

#include "bench/machine.hpp"
#include "bench/stopwatch.hpp"

namespace CLI {
class App;
}

namespace quarry::bench {

/// What bench/run.sh passes to every bench.
struct ReportOptions {
  bool quick = false;
  std::string json_path, program, commit = "unknown";
  void add_to(CLI::App& app);
};

/// What every main does: parses, runs, and says on standard error what went wrong. @return the exit status
int run_main(CLI::App& app, int argc, char** argv, const std::function<void()>& run);

class Report {
 public:
  /// Prints what is measured, on what.
  Report(const ReportOptions& options, const std::string& workload);
  /// Records a section that has printed itself.
  void add(const char* name, Json section);
  /// @throws DeviceError  the record cannot be written
  void finish();

 private:
  ReportOptions options_;
  Stopwatch stopwatch_;
  Json record_;
};

}  // namespace quarry::bench
