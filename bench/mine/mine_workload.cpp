#include "bench/mine/mine_workload.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>

#include "bench/work_folder.hpp"

namespace quarry::bench {

std::vector<PublishedRow> published_rows() {
  const auto none = std::nullopt;
  return {{"facebook_combined",
           {{"triangle", 0.0072},
            {"4-clique", 0.155},
            {"5-clique", 0.91},
            {"4-motifs", 0.29},
            {"diamond", 0.016},
            {"4-cycle", 0.15},
            {"tailed-triangle", 0.045},
            {"house", 2.8},
            {"P4", 0.043},
            {"P6", 0.085},
            {"P7", none},
            {"P8", none}}},
          {"email-Enron",
           {{"triangle", 0.0080},
            {"4-clique", 0.076},
            {"5-clique", 0.126},
            {"4-motifs", 0.27},
            {"diamond", 0.027},
            {"4-cycle", 0.51},
            {"tailed-triangle", 0.069},
            {"house", 6.2},
            {"P4", 0.030},
            {"P6", 0.061},
            {"P7", 0.029},
            {"P8", 0.36}}},
          {"com-dblp",
           {{"triangle", 0.041},
            {"4-clique", 0.139},
            {"5-clique", 0.47},
            {"4-motifs", 0.31},
            {"diamond", 0.108},
            {"4-cycle", 0.39},
            {"tailed-triangle", 0.26},
            {"house", 3.2},
            {"P4", 0.17},
            {"P6", 0.37},
            {"P7", none},
            {"P8", none}}}};
}

std::optional<Graph> load_graph(const std::string& name) {
  const auto path = std::filesystem::path(data_folder()) / "graphs" / (name + ".txt.gz");
  if (!std::filesystem::exists(path)) return std::nullopt;
  return read_graph(path.string()).graph;
}

std::string published_count(const std::string& graph, const GraphPattern& pattern) {
  std::ifstream file(std::filesystem::path(data_folder()) / "reference" / "graphs.tsv");
  for (std::string line; std::getline(file, line);) {
    std::istringstream cells(line);
    std::string name, label, edges, count;
    cells >> name >> label >> edges >> count;
    if (name != graph || edges.starts_with('K')) continue;
    std::string own = to_text(pattern);
    std::erase(own, ' ');
    if (own == edges) return count;
  }
  return "";
}

MergeTriangles::MergeTriangles(const Graph& graph) {
  const std::size_t n = graph.num_vertices();
  std::vector<std::uint32_t> order(n), ranks(n);
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t one, std::uint32_t other) { return graph.degree(one) > graph.degree(other); });
  for (std::size_t rank = 0; rank < n; ++rank) ranks[order[rank]] = rank;
  offsets_.push_back(0);
  const auto offsets = graph.offsets();
  for (const std::uint32_t vertex : order) {
    for (std::uint64_t p = offsets[vertex]; p < offsets[vertex + 1]; ++p) {
      neighbours_.push_back(ranks[graph.neighbours()[p]]);
    }
    std::sort(neighbours_.begin() + offsets_.back(), neighbours_.end());
    offsets_.push_back(neighbours_.size());
  }
}

Index MergeTriangles::count() const {
  Index total = 0;
  for (std::uint32_t u = 0; u + 1 < offsets_.size(); ++u) {
    for (std::uint64_t i = offsets_[u]; i < offsets_[u + 1] && neighbours_[i] < u; ++i) {
      const std::uint32_t v = neighbours_[i];
      std::uint64_t mine = offsets_[u];
      for (std::uint64_t j = offsets_[v]; j < offsets_[v + 1] && neighbours_[j] < v; ++j) {
        while (neighbours_[mine] < neighbours_[j]) ++mine;  // ends at v at the latest
        total += neighbours_[mine] == neighbours_[j];
      }
    }
  }
  return total;
}

}  // namespace quarry::bench
