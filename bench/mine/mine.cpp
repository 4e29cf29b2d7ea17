/// Every number that the engine `mine` promises, measured: a readable report, and a JSON record of it.
#include "quarry/mine.hpp"

#include <fmt/format.h>

#include "bench/mine/mine_workload.hpp"
#include "bench/platform.hpp"
#include "bench/report.hpp"

namespace quarry::bench {
namespace {

mine::Options on_threads(int threads) {
  mine::Options options;
  options.threads = threads;
  return options;
}

/// Seconds of what is repeated, as the engine reports them: medians.
struct Timing {
  double prepare = 0, run = 0, cpu = 0;
};

template <class Action>
Timing time_mine(int repeats, Action&& action) {
  std::vector<double> prepare, run, cpu;
  for (int turn = 0; turn < repeats; ++turn) {
    mine::Statistics statistics;
    cpu.push_back(time_of([&] { statistics = action(); }).cpu);
    prepare.push_back(statistics.prepare_seconds);
    run.push_back(statistics.plan_seconds + statistics.run_seconds);
    if (run.back() > 5) break;
  }
  return {median(prepare), median(run), median(cpu)};
}

void require_equal(const std::string& found, const std::string& expected, const std::string& what) {
  if (!expected.empty() && found != expected)
    throw SystemError(fmt::format("{}: {} instead of {}, so its time means nothing", what, found, expected));
}

Timing time_cell(const Graph& graph, const std::string& graph_name, const std::string& name, int repeats) {
  if (name == "4-motifs") return time_mine(repeats, [&] { return mine::motifs(graph, 4, on_threads(1)).statistics; });
  const GraphPattern pattern = parse_graph_pattern(name);
  require_equal(mine::to_text(mine::count(graph, pattern, on_threads(1)).subgraphs),
                published_count(graph_name, pattern), name);
  return time_mine(repeats, [&] { return mine::count(graph, pattern, on_threads(1)).statistics; });
}

}  // namespace

Json table_section(const MineWorkload& workload) {
  Json section = Json::array();
  fmt::print(
      "\ncounting, edge-induced, one thread, after loading; seconds\n  {:<18} {:<16} {:>9} {:>9} {:>9} {:>9} {:>8}\n",
      "graph", "pattern", "prepare", "count", "both, cpu", "others", "times");
  for (const PublishedRow& row : published_rows()) {
    const auto graph = load_graph(row.graph);
    if (!graph) continue;
    for (const PublishedCell& cell : row.cells) {
      const Timing timing = time_cell(*graph, row.graph, cell.pattern, workload.repeats);
      fmt::print("  {:<18} {:<16} {:>9.4f} {:>9.4f} {:>9.4f} {:>9} {:>8}\n", row.graph, cell.pattern, timing.prepare,
                 timing.run, timing.cpu, cell.seconds ? fmt::format("{:.4f}", *cell.seconds) : "",
                 cell.seconds ? fmt::format("{:.1f}", *cell.seconds / timing.run) : "");
      section.push_back({{"graph", row.graph},
                         {"pattern", cell.pattern},
                         {"prepare_seconds", timing.prepare},
                         {"seconds", timing.run},
                         {"cpu_seconds", timing.cpu},
                         {"others_seconds", cell.seconds ? Json(*cell.seconds) : Json()}});
    }
  }
  return section;
}

Json motifs_section(const MineWorkload& workload) {
  Json section = Json::array();
  fmt::print("\nall 21 patterns of five vertices, both ways, one thread\n");
  for (const PublishedRow& row : published_rows()) {
    const auto graph = load_graph(row.graph);
    if (!graph) continue;
    const Timing timing =
        time_mine(workload.repeats, [&] { return mine::motifs(*graph, 5, on_threads(1)).statistics; });
    fmt::print("  {:<18} {:>9.3f} s{}\n", row.graph, timing.run,
               row.graph == std::string("email-Enron") ? " (ESCAPE: 5.6, edge-induced)" : "");
    section.push_back({{"graph", row.graph}, {"prepare_seconds", timing.prepare}, {"seconds", timing.run}});
  }
  return section;
}

Json ablation_section(const MineWorkload& workload) {
  using namespace mine;
  struct Stage {
    const char* name;
    Orientation orientation;
    Split split;
    Intersection intersection;
  };
  constexpr Stage kStages[] = {{"baseline", Orientation::large_first, Split::vertices, Intersection::merge},
                               {"+orientation", Orientation::small_first, Split::vertices, Intersection::merge},
                               {"+balance", Orientation::small_first, Split::edges, Intersection::merge},
                               {"+binning", Orientation::small_first, Split::edges, Intersection::automatic}};
  Json section = Json::array();
  fmt::print("\nthe paper's figure 8 on the host: the search alone, two threads; seconds\n");
  for (const char* name : {"email-Enron", "facebook_combined"}) {
    const auto graph = load_graph(name);
    if (!graph) continue;
    for (const char* pattern_name : {"triangle", "4-clique", "P4", "P7"}) {
      const GraphPattern pattern = parse_graph_pattern(pattern_name);
      Json row = {{"graph", name}, {"pattern", pattern_name}};
      fmt::print("  {:<18} {:<10}", name, pattern_name);
      for (const Stage& stage : kStages) {
        Options options = on_threads(2);
        options.method = Method::search;
        options.orientation = stage.orientation;
        options.split = stage.split;
        options.intersection = stage.intersection;
        const Timing timing = time_mine(workload.repeats, [&] {
          const Result result = count(*graph, pattern, options);
          require_equal(to_text(result.subgraphs), published_count(name, pattern), pattern_name);
          return result.statistics;
        });
        fmt::print("  {} {:.4f}", stage.name, timing.run);
        row[stage.name] = timing.run;
      }
      fmt::print("\n");
      section.push_back(row);
    }
  }
  return section;
}

Json rmat_section(const MineWorkload& workload) {
  const std::string text = workload.quick ? "rmat:14:16:1" : "rmat:20:16:1";
  const Graph graph = generate_graph(text);
  const GraphPattern triangle = parse_graph_pattern("triangle");
  std::vector<double> own, own_prepare, cpu, two;
  const MergeTriangles merge(graph);
  Index found = 0;
  const Seconds peer = time_of([&] { found = merge.count(); });
  for (int turn = 0; turn < (workload.repeats + 1) / 2; ++turn) {
    mine::Result result;
    cpu.push_back(time_of([&] { result = mine::count(graph, triangle, on_threads(1)); }).cpu);
    require_equal(mine::to_text(result.subgraphs), std::to_string(found), text);
    own.push_back(result.statistics.run_seconds);
    own_prepare.push_back(result.statistics.prepare_seconds);
    two.push_back(mine::count(graph, triangle, on_threads(2)).statistics.run_seconds);
  }
  fmt::print("\ntriangles of {} ({} edges), one thread: {:.3f} s, prepare {:.3f} s, both {:.3f} s of processor time\n",
             text, graph.num_edges(), median(own), median(own_prepare), median(cpu));
  fmt::print("  plain merge {:.3f} s, {:.3f} s of processor time: {:.2f} times (goal 1.5); two threads {:.3f} s\n",
             peer.wall, peer.cpu, peer.wall / median(own), median(two));
  return {{"graph", text},
          {"edges", graph.num_edges()},
          {"seconds", median(own)},
          {"prepare_seconds", median(own_prepare)},
          {"cpu_seconds", median(cpu)},
          {"merge_seconds", peer.wall},
          {"merge_cpu_seconds", peer.cpu},
          {"two_threads_seconds", median(two)}};
}

Json listing_section(const MineWorkload& workload) {
  const auto graph = load_graph("ca-GrQc");
  Json section = Json::array();
  if (!graph) return section;
  fmt::print("\nlisting ca-GrQc without writing; million subgraphs a second on one thread (goal 50) and on two\n ");
  for (const char* name : {"P1", "P4", "P5", "P6", "P7", "P8"}) {
    const GraphPattern pattern = parse_graph_pattern(name);
    double rates[2] = {};
    for (const int threads : {1, 2}) {
      std::size_t num_values = 0;
      const Timing timing = time_mine((workload.repeats + 1) / 2, [&] {
        num_values = 0;
        return mine::list(*graph, pattern, on_threads(threads),
                          [&](std::span<const std::uint32_t> rows) { num_values += rows.size(); })
            .statistics;
      });
      require_equal(std::to_string(num_values / pattern.vertices.size()), published_count("ca-GrQc", pattern), name);
      rates[threads - 1] = 1.0 * num_values / pattern.size() / timing.run;
    }
    fmt::print("  {} {:.0f} {:.0f}", name, rates[0] / 1e6, rates[1] / 1e6);
    section.push_back({{"pattern", name}, {"subgraphs_per_second", rates[0]}, {"on_two_threads", rates[1]}});
  }
  fmt::print("\n");
  return section;
}

Json threads_section(const MineWorkload& workload) {
  struct Job {
    const char* graph;
    const char* pattern;
    mine::Method method;
  };
  constexpr const char* kMotifs = "5-motifs";
  constexpr Job kJobs[] = {{"facebook_combined", "6-clique", mine::Method::automatic},
                           {"ca-GrQc", "6-cycle", mine::Method::search},
                           {"email-Enron", "house", mine::Method::search},
                           {"com-dblp", kMotifs, mine::Method::formulas},
                           {"soc-Epinions1", kMotifs, mine::Method::formulas},
                           {"rmat:20:16:1", "triangle", mine::Method::formulas}};
  Json section = Json::array();
  fmt::print("\ntwo threads beside one (goal 1.8); seconds\n");
  for (const Job& job : kJobs) {
    if (workload.quick) continue;
    const bool generated = std::string_view(job.graph).starts_with("rmat:");
    const auto graph = generated ? generate_graph(job.graph) : load_graph(job.graph);
    if (!graph) continue;
    const auto seconds_on = [&](int threads) {
      mine::Options options = on_threads(threads);
      if (job.pattern == std::string_view(kMotifs)) return mine::motifs(*graph, 5, options).statistics.run_seconds;
      options.method = job.method;
      return mine::count(*graph, parse_graph_pattern(job.pattern), options).statistics.run_seconds;
    };
    std::vector<double> ratio, one, two;
    for (int turn = 0; turn < 3; ++turn) {
      one.push_back(seconds_on(1));
      two.push_back(seconds_on(2));
      ratio.push_back(one.back() / two.back());
    }
    fmt::print("  {:<18} {:<10} {:.3f}  {:.3f}  {:.2f} times\n", job.graph, job.pattern, median(one), median(two),
               median(ratio));
    section.push_back({{"graph", job.graph},
                       {"pattern", job.pattern},
                       {"one_thread", median(one)},
                       {"two_threads", median(two)},
                       {"ratio", median(ratio)}});
  }
  return section;
}

namespace {

void run(const ReportOptions& options) {
  const MineWorkload workload{"graphs of the data folder, and R-MAT", options.quick, options.quick ? 1 : 5};
  Report report(options, workload.description);
  report.add("table", table_section(workload));
  report.add("motifs", motifs_section(workload));
  report.add("ablation", ablation_section(workload));
  report.add("rmat", rmat_section(workload));
  report.add("listing", listing_section(workload));
  report.add("threads", threads_section(workload));
  report.add("memory", memory_section(workload));
  report.finish();
}

void run_on_device(ReportOptions options, const std::string& device) {
  options.json_path = with_platform(options.json_path, platform_of(find_devices(device).at(0)));
  const MineWorkload workload{"graphs of the data folder, and R-MAT", options.quick, options.quick ? 1 : 3};
  Report report(options, workload.description);
  report.add("device", mine_device_section(workload, device));
  report.finish();
}

}  // namespace
}  // namespace quarry::bench

int main(int argc, char** argv) {
  quarry::bench::ReportOptions options;
  std::string device, peak_memory;
  quarry::bench::CommandLine command_line("Measures quarry mine; bench/run.sh mine builds and runs it", options);
  command_line.device_option(device);
  command_line.option("--peak-memory", peak_memory, "Only count the triangles of GRAPH and print the peaks, in KiB");
  return command_line.run(argc, argv, [&] {
    if (!peak_memory.empty())
      quarry::bench::report_peak_memory(peak_memory);
    else if (!device.empty())
      quarry::bench::run_on_device(options, device);
    else
      quarry::bench::run(options);
  });
}
