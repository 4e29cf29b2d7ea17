/// The graphs that `mine` is measured on, the times others published or were measured at, and a plain peer.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bench/machine.hpp"
#include "bench/stopwatch.hpp"
#include "quarry/mine.hpp"
#include "util/memory/huge_pages.hpp"

namespace quarry::bench {

struct MineWorkload {
  std::string description;
  bool quick = false;
  int repeats = 5;
};

/// A cell of the table: seconds of the best of GraphMiner, GraphSet, kClist, BitCol and gapbs, one thread, measured on
/// the reference machine while it was loaded.
struct PublishedCell {
  const char* pattern;
  std::optional<double> seconds;
};
struct PublishedRow {
  const char* graph;
  std::vector<PublishedCell> cells;
};
std::vector<PublishedRow> published_rows();

/// A graph of the data folder; nothing where it is absent.
std::optional<Graph> load_graph(const std::string& name);
/// Edge-induced counts of `graphs.tsv` by pattern's edges, for checking before timing.
std::string published_count(const std::string& graph, const GraphPattern& pattern);

/// Triangles as the GAP benchmark suite counts them: vertices renumbered by degree, rows merged. Written for this
/// bench.
class MergeTriangles {
 public:
  explicit MergeTriangles(const Graph& graph);
  Index count() const;

 private:
  LargeVector<std::uint64_t> offsets_;  // on huge pages, as Quarry's
  LargeVector<std::uint32_t> neighbours_;
};

/// The sections: each prints a table and returns its numbers.
Json table_section(const MineWorkload& workload);
Json motifs_section(const MineWorkload& workload);
Json ablation_section(const MineWorkload& workload);
Json rmat_section(const MineWorkload& workload);
Json listing_section(const MineWorkload& workload);
Json threads_section(const MineWorkload& workload);
Json mine_device_section(const MineWorkload& workload, const std::string& device);
Json memory_section(const MineWorkload& workload);

/// What a child process prints for `memory_section`: peaks in kilobytes before, with the graph, with its triangles.
void report_peak_memory(const std::string& path);

}  // namespace quarry::bench
