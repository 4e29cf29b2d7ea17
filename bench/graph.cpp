/// How fast graphs are read and made, and what they take: a readable report, and a JSON record of it.
#include "quarry/graph.hpp"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>

#include "bench/report.hpp"
#include "bench/work_folder.hpp"

namespace quarry::bench {
namespace {

/// A graph to read, and the text that makes it.
struct Case {
  const char *name, *full, *quick;
};
constexpr Case kCases[] = {
    {"rmat", "rmat:20:16:1", "rmat:16:16:1"},                // hubs
    {"er", "er:4000000:16000000:1", "er:500000:2000000:1"},  // many vertices: little stays in cache
};
constexpr int kRepeats = 5;

bool equal(const Graph& left, const Graph& right) {
  return std::ranges::equal(left.offsets(), right.offsets()) &&
         std::ranges::equal(left.neighbours(), right.neighbours());
}

/// The most memory of this process since the last call of `forget_peak`.
Index peak_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return 1024 * std::stoll(line.substr(6));
  }
  return 0;
}
void forget_peak() {
  ::malloc_trim(0);  // else the memory of the last run would hide that of the next
  std::ofstream("/proc/self/clear_refs") << "5";
}

Index resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  Index all = 0, resident = 0;
  statm >> all >> resident;
  return 4096 * resident;
}

/// The median rate of a way to get the graph, in rows a second, after a check that its result is right.
Json measure(const char* name, const Graph& expected, double rows, double bytes, const std::function<Graph()>& get) {
  if (!equal(get(), expected)) throw SystemError("the graph is wrong, so it is not timed");
  std::vector<Seconds> runs;
  double peak = 0;
  for (int turn = 0; turn < kRepeats; ++turn) {
    forget_peak();
    const Index before = resident_bytes();
    runs.push_back(time_of([&] { get(); }));
    peak = std::max(peak, (peak_bytes() - before) / rows);
  }
  const Seconds seconds = median(runs);
  const double rate = rows / seconds.wall;
  fmt::print("  {:<22}{:>9.3f} s{:>9.3f} s cpu{:>9.1f} M rows/s{:>9.0f} MB/s{:>8.1f} B/row at the peak\n", name,
             seconds.wall, seconds.cpu, rate / 1e6, bytes / seconds.wall / 1e6, peak);
  return {{"wall_seconds", seconds.wall},
          {"cpu_seconds", seconds.cpu},
          {"rows_per_second", rate},
          {"peak_bytes_per_row", peak}};
}

GraphReadOptions with_threads(int threads) {
  GraphReadOptions options;
  options.threads = threads;
  return options;
}

Json case_section(const char* text, const WorkFolder& folder) {
  const Graph graph = generate_graph(text);
  const Index rows = graph.num_edges();
  const std::string plain = folder.file("a.txt"), packed = folder.file("a.txt.gz"), mapped = folder.file("a.qgraph");
  write_edge_list(graph, plain);
  write_edge_list(graph, packed);
  write_qgraph(graph, mapped);
  const auto size = [](const std::string& path) -> double { return std::filesystem::file_size(path); };
  const double columns = graph.offsets().size_bytes() + graph.neighbours().size_bytes();
  fmt::print(
      "\n{}: {} vertices, {} edges, {:.1f} bytes an edge in memory (goal 12, and 8 a vertex), {:.1f} MB of text\n",
      text, graph.num_vertices(), rows, 1.0 * graph.neighbours().size_bytes() / rows, size(plain) / 1e6);
  Json section = {{"graph", text}, {"vertices", graph.num_vertices()}, {"edges", rows}, {"bytes", columns}};
  const auto add = [&](const char* key, const char* name, const std::string& path, int threads) {
    section[key] =
        measure(name, graph, rows, size(path), [&] { return read_graph(path, with_threads(threads)).graph; });
  };
  add("text_one_thread", "text, 1 thread", plain, 1);
  add("text_two_threads", "text, 2 threads", plain, 2);  // goal: 10 M rows/s
  add("gzip_two_threads", "text.gz, 2 threads", packed, 2);
  add("qgraph", ".qgraph, opened", mapped, 0);
  section["generated"] = measure("generated, 2 threads", graph, rows, columns, [&] { return generate_graph(text, 2); });
  return section;
}

void run(const ReportOptions& options) {
  const WorkFolder folder;
  Report report(options, "generated graphs, written as edge lists and read back");
  for (const Case& one : kCases) report.add(one.name, case_section(options.quick ? one.quick : one.full, folder));
  report.finish();
}

}  // namespace
}  // namespace quarry::bench

int main(int argc, char** argv) {
  quarry::bench::ReportOptions options;
  quarry::bench::CommandLine command_line(
      "Measures reading and generating graphs; bench/run.sh graph builds and runs it", options);
  return command_line.run(argc, argv, [&] { quarry::bench::run(options); });
}
