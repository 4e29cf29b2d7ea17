/// Every number that the match engine promises, measured: a readable report, and a JSON record of it.
#include <fmt/format.h>

#include "bench/match/match_workload.hpp"
#include "bench/platform.hpp"
#include "bench/report.hpp"

namespace quarry::bench {
namespace {

void run(const ReportOptions& options) {
  const WorkFolder folder;
  const Workload workload = make_workload(folder, options.quick ? quick_effort() : full_effort());
  Report report(options, workload.description);
  report.add("library", library_section(workload));
  report.add("versus_rdkit", versus_section(workload));
  report.add("refinement", stages_section(workload));
  report.add("split", split_section(workload, options.program));
  report.add("one_query", one_query_section(workload, folder, options.program));
  report.add("paper", paper_section(workload));
  report.add("memory", memory_section(workload, folder));
  report.finish();
}

/// What a device does, and nothing else.
void run_on_device(ReportOptions options, const std::string& device) {
  const DeviceId device_id = find_devices(device).at(0);
  options.json_path = with_platform(options.json_path, platform_of(device_id));
  const WorkFolder folder;
  const Workload workload = make_workload(folder, device_effort(device_id, options.quick));
  Report report(options, workload.description);
  report.add("device", device_section(workload, folder, device_id));
  report.finish();
}

}  // namespace
}  // namespace quarry::bench

int main(int argc, char** argv) {
  quarry::bench::ReportOptions options;
  std::vector<std::string> peak_memory;  // library, queries
  std::string device;
  int threads = 1;
  quarry::bench::CommandLine command_line("Measures quarry match; bench/run.sh match builds and runs it", options);
  command_line.device_option(device);
  command_line.option("--peak-memory", peak_memory, 2, "Only search LIBRARY with QUERIES and print the peak, in KiB");
  command_line.option("--threads", threads, "For --peak-memory");
  return command_line.run(argc, argv, [&] {
    if (!device.empty()) {
      quarry::bench::run_on_device(options, device);
    } else if (peak_memory.empty()) {
      quarry::bench::run(options);
    } else {
      quarry::bench::report_peak_memory(peak_memory[0], peak_memory[1], threads);
    }
  });
}
