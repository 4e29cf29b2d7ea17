/// `mine` on a device: the paper's patterns beside the host, and the degree from which bitmaps pay there (its `th_d`).
#include <fmt/format.h>

#include <set>
#include <string>

#include "bench/mine/mine_workload.hpp"
#include "bench/platform.hpp"

namespace quarry::bench {
namespace {

struct Job {
  std::string name;
  Graph graph;
};

/// Counting visits every match but those of the last vertices: what an emulated device does of it is small.
std::vector<Job> jobs_of(bool small) {
  std::vector<Job> jobs;
  if (small) {
    jobs.push_back({"rmat:6:4:1", generate_graph("rmat:6:4:1")});
    return jobs;
  }
  for (const PublishedRow& row : published_rows()) {
    if (auto graph = load_graph(row.graph)) jobs.push_back({row.graph, std::move(*graph)});
  }
  jobs.push_back({"rmat:20:16:1", generate_graph("rmat:20:16:1")});
  return jobs;
}

double seconds_of(const Job& job, const GraphPattern& pattern, const mine::Options& options,
                  const std::string& expected, int repeats) {
  std::vector<double> seconds;
  for (int turn = 0; turn < repeats; ++turn) {
    const mine::Result result = mine::count(job.graph, pattern, options);
    const std::string found = mine::to_text(result.subgraphs);
    if (found != expected)
      throw SystemError(fmt::format("{} of {}: {} instead of {}, so its time means nothing", pattern.name, job.name,
                                    found, expected));
    seconds.push_back(result.statistics.run_seconds);
    if (seconds.back() > 5) break;
  }
  return median(seconds);
}

}  // namespace

Json mine_device_section(const MineWorkload& workload, const std::string& device) {
  const Platform platform = platform_of(find_devices(device).at(0));
  constexpr Index kNever = Index{1} << 40;
  const std::set<std::string> too_long = {"P2", "P4", "P8"};  // on the largest graph: 15 s to minutes each
  Json section = Json::array();
  fmt::print("\ncounting, edge-induced, seconds with the graph sent: {} by the degree from which sets are bitmaps\n",
             device);
  fmt::print("  {:<18} {:<9} {:>9} {:>9} {:>9} {:>9}\n", "graph", "pattern", "host", "384", "never", "times");
  const std::vector<Job> jobs = jobs_of(platform.emulated);
  for (const Job& job : jobs) {
    for (const char* name : {"P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8"}) {
      if (&job == &jobs.back() && jobs.size() > 1 && too_long.contains(name)) continue;
      const GraphPattern pattern = parse_graph_pattern(name);
      mine::Options host;
      const mine::Result truth = mine::count(job.graph, pattern, host);
      const std::string expected = mine::to_text(truth.subgraphs);
      const double host_seconds = seconds_of(job, pattern, host, expected, workload.repeats);
      Json row = {{"graph", job.name}, {"pattern", name}, {"host_seconds", host_seconds}};
      fmt::print("  {:<18} {:<9} {:>9.4f}", job.name, name, host_seconds);
      double best = 0;
      for (const Index degree : {Index{384}, kNever}) {
        mine::Options options;
        options.device = device;
        options.bitmap_degree = degree;
        const double seconds = seconds_of(job, pattern, options, expected, platform.emulated ? 1 : workload.repeats);
        best = best == 0 ? seconds : std::min(best, seconds);
        row["seconds"][degree == kNever ? "never" : std::to_string(degree)] = seconds;
        fmt::print(" {:>9.4f}", seconds);
      }
      fmt::print(" {:>9.2f}\n", host_seconds / best);
      section.push_back(row);
    }
  }
  return {{"platform", platform.name}, {"api", platform.api}, {"emulated", platform.emulated}, {"counts", section}};
}

}  // namespace quarry::bench
