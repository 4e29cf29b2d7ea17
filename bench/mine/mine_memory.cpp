/// Peak memory of `mine`, an edge: after loading a graph, and after counting its triangles.
///
/// Each run is a new process that prints its own peaks.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <tuple>

#include "bench/mine/mine_workload.hpp"
#include "bench/work_folder.hpp"

namespace quarry::bench {
namespace {

struct Peaks {
  long long before = 0, loaded = 0, counted = 0;  // kilobytes
};

Peaks measure(const std::string& path) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  const std::string command = fmt::format("'{}' --peak-memory '{}'", self, path);
  FILE* pipe = ::popen(command.c_str(), "r");
  Peaks peaks;
  const int fields =
      pipe != nullptr ? std::fscanf(pipe, "%lld %lld %lld", &peaks.before, &peaks.loaded, &peaks.counted) : 0;
  if (pipe != nullptr) ::pclose(pipe);
  if (fields != 3) throw SystemError("no answer from " + command);
  return peaks;
}

}  // namespace

void report_peak_memory(const std::string& path) {
  const Index before = peak_kilobytes();
  const Graph graph = read_graph(path).graph;
  const Index loaded = peak_kilobytes();
  std::ignore = mine::count(graph, parse_graph_pattern("triangle"));
  fmt::print("{} {} {}\n", before, loaded, peak_kilobytes());
}

Json memory_section(const MineWorkload& workload) {
  const WorkFolder folder;
  const std::string text = workload.quick ? "rmat:14:16:1" : "rmat:20:16:1";
  const Graph graph = generate_graph(text);
  const double num_edges = graph.num_edges();
  write_qgraph(graph, folder.file("graph.qgraph"));
  write_edge_list(graph, folder.file("graph.txt"));
  fmt::print("\npeak memory of {}, bytes an edge above those of an idle process (goal 12 after loading)\n", text);
  Json section = Json::array();
  for (const char* name : {"graph.qgraph", "graph.txt"}) {
    const Peaks peaks = measure(folder.file(name));
    const auto an_edge = [&](long long peak) { return 1024 * (peak - peaks.before) / num_edges; };
    fmt::print("  {:<14} loading {:>5.1f}, with triangles counted {:>5.1f}\n", name, an_edge(peaks.loaded),
               an_edge(peaks.counted));
    section.push_back({{"graph", text},
                       {"file", name},
                       {"loading_bytes_an_edge", an_edge(peaks.loaded)},
                       {"counting_bytes_an_edge", an_edge(peaks.counted)}});
  }
  return section;
}

}  // namespace quarry::bench
