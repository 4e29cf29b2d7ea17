/// Is the content of a file a graph? Its checksums may be right although the program that wrote it was wrong.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <functional>

#include "exec/parallel.hpp"
#include "graph/graph_impl.hpp"
#include "graph/read/graph_file.hpp"

namespace quarry {
namespace {

constexpr Index kGrain = 1 << 14;  // vertices

/// A hash of an edge and its label.
std::uint64_t fingerprint(std::uint64_t low, std::uint64_t high, std::uint64_t label) {
  std::uint64_t x = (low << 32 | high) + label * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 31)) * 0xd6e8feb86659fd93u;
  x = (x ^ (x >> 29)) * 0xd6e8feb86659fd93u;
  return x ^ (x >> 32);
}

bool offsets_fit(const GraphAccess::Impl& graph) {
  const auto offsets = graph.offsets;
  return offsets.front() == 0 && offsets.back() == graph.neighbours.size() &&
         std::is_sorted(offsets.begin(), offsets.end());
}

}  // namespace

std::string check_rows(const GraphAccess::Impl& graph) {
  if (!offsets_fit(graph)) return "column offsets: they do not rise from 0 to twice the number of edges";
  const Index num_vertices = std::ssize(graph.offsets) - 1;
  std::atomic<std::uint64_t> balance =
      0;                                  // the row of an edge's lower end adds its fingerprint, the other subtracts it
  std::atomic<Index> bad = num_vertices;  // the first vertex with a bad row
  parallel_for_range(0, num_vertices, kGrain, [&](Index begin, Index end) {
    std::uint64_t sum = 0;
    for (Index v = begin; v < end; ++v) {
      Index lowest = 0;
      bool good = true;
      for (std::uint64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
        const Index neighbour = graph.neighbours[i];
        const std::uint64_t label = graph.edge_labels.empty() ? 0 : graph.edge_labels[i];
        good &= neighbour >= lowest && neighbour < num_vertices && neighbour != v;
        lowest = neighbour + 1;
        sum += v < neighbour ? fingerprint(v, neighbour, label) : -fingerprint(neighbour, v, label);
      }
      Index first = bad;
      while (!good && v < first && !bad.compare_exchange_weak(first, v)) {
      }
    }
    balance += sum;
  });
  if (bad < num_vertices) {
    return fmt::format("column neighbours: those of vertex {} do not ascend, or name a wrong vertex", bad.load());
  }
  if (balance != 0) return "column neighbours: an edge is not the same in the rows of its two ends";
  const bool ascend = std::ranges::adjacent_find(graph.ids, std::greater_equal<>()) == graph.ids.end();
  return ascend ? "" : "column ids: they do not ascend";
}

}  // namespace quarry
