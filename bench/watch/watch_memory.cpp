/// Memory of `watch`: after loading a graph, and while it changes without end.
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <fstream>
#include <utility>
#include <vector>

#include "bench/watch/watch_workload.hpp"
#include "util/random.hpp"

namespace quarry::bench {
namespace {

/// Bytes of this process that are in memory now.
double resident_bytes() {
  malloc_trim(0);
  std::ifstream file("/proc/self/statm");
  long long size = 0, resident = 0;
  file >> size >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// Inserts a random edge, and deletes the one that was inserted `window` insertions ago, in turns. Some insertions are of
/// edges that are there; then their deletion comes in vain too.
class ChurnSource final : public UpdateSource {
 public:
  ChurnSource(Index num_vertices, std::size_t window) : num_vertices_(num_vertices), edges_(window) {}
  /// The next run takes this number of updates.
  void let(Index count) { left_ = count; }
  Next next(GraphUpdate& update, std::chrono::steady_clock::time_point) override {
    if (left_ == 0) return Next::end;
    --left_;
    auto& [from, to] = edges_[(taken_ / 2) % edges_.size()];
    update = {};
    if (taken_ % 2 == 0) {
      update.kind = GraphUpdate::Kind::delete_edge;
      update.label = kAnyLabel;
    } else {
      from = random_.below(num_vertices_);
      to = random_.below(num_vertices_);
    }
    update.from = from;
    update.to = to;
    ++taken_;
    return Next::update;
  }

 private:
  Index num_vertices_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> edges_;
  Index left_ = 0, taken_ = 0;
  RandomNumbers random_{1};
};

Json loading() {
  Json section = Json::array();
  fmt::print("\nmemory after loading, beside 48 bytes an edge and 96 a vertex\n");
  for (const char* name : {"amazon10/ins", "lsbench3k/ins", "mathoverflow/ins", "human/ins"}) {
    const auto stream = load_stream(name);
    if (!stream) continue;
    const double before = resident_bytes();
    watch::Watcher watcher(stream->initial, {}, watch_options(1));
    const double resident = resident_bytes() - before;
    const watch::Statistics statistics = run_all(watcher, {});
    const double goal = 48.0 * stream->initial.num_edges() + 96.0 * stream->initial.num_vertices();
    fmt::print("  {:<18} {:>8} vertices {:>8} edges: {:.1f} MB in memory, {:.1f} counted; goal {:.1f}\n", name,
               stream->initial.num_vertices(), stream->initial.num_edges(), 1e-6 * resident,
               1e-6 * statistics.peak_bytes, 1e-6 * goal);
    section.push_back({{"stream", name},
                       {"vertices", stream->initial.num_vertices()},
                       {"edges", stream->initial.num_edges()},
                       {"resident_bytes", resident},
                       {"counted_bytes", statistics.peak_bytes},
                       {"goal_bytes", goal}});
  }
  return section;
}

Json churn(const WatchWorkload& workload) {
  constexpr Index kVertices = 100'000, kWindow = 500'000;
  const Index first = workload.quick ? 100'000 : 1'000'000;
  const Graph empty = Graph::from_edges(kVertices, {});
  const double before = resident_bytes();
  watch::Watcher watcher(empty, {parse_graph_pattern("triangle")}, watch_options(0));
  ChurnSource source(kVertices, workload.quick ? kWindow / 20 : kWindow);
  const auto resident_after = [&](Index count) {
    source.let(count);
    watcher.run(source, [](const watch::Alert&) {});
    return resident_bytes() - before;
  };
  // Before the first measurement the window is full: until then the graph grows.
  const double early = resident_after(first), late = resident_after(9 * first);
  fmt::print("  endless churn, {} vertices: {:.1f} MB after {} updates, {:.1f} MB after {}: {:.2f} times (goal 1.1)\n",
             kVertices, 1e-6 * early, first, 1e-6 * late, 10 * first, late / early);
  return {{"early_updates", first}, {"early_bytes", early}, {"late_bytes", late}, {"ratio", late / early}};
}

}  // namespace

Json watch_memory_section(const WatchWorkload& workload) {
  Json section = {{"loading", loading()}};
  section["churn"] = churn(workload);
  return section;
}

}  // namespace quarry::bench
