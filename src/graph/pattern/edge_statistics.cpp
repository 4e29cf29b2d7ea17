#include "graph/pattern/edge_statistics.hpp"

#include <algorithm>
#include <vector>

namespace quarry {
namespace {

constexpr Index kMostVertices = 1'000'000;
/// Kinds of edges at one vertex, of which all pairs are counted.
constexpr std::size_t kMostKinds = 64;
/// In place of what was never seen: it may come.
constexpr double kSmallFanout = 0.05;

}  // namespace

EdgeStatistics::EdgeStatistics(const Graph& graph) {
  const auto labels = graph.vertex_labels(), edge_labels = graph.edge_labels();
  const auto label_of = [&](std::uint64_t vertex) { return labels.empty() ? 0 : labels[vertex]; };
  const Index step = graph.num_vertices() / kMostVertices + 1;
  std::vector<EdgeEnd> ends;
  std::vector<std::pair<EdgeEnd, double>> kinds;
  std::vector<std::uint64_t> numbers;
  for (Index v = 0; v < graph.num_vertices(); v += step) {
    const std::uint32_t label = label_of(v);
    num_vertices_[label] += 1;
    ends.clear();
    for (std::uint64_t i = graph.offsets()[v]; i < graph.offsets()[v + 1]; ++i)
      ends.push_back({edge_labels.empty() ? 0 : edge_labels[i], label_of(graph.neighbours()[i])});
    std::ranges::sort(ends);
    kinds.clear();
    for (const EdgeEnd& end : ends) {
      if (kinds.empty() || kinds.back().first != end) kinds.emplace_back(end, 0);
      kinds.back().second += 1;
    }
    if (kinds.size() > kMostKinds) kinds.resize(kMostKinds);
    numbers.clear();
    for (const auto& [end, count] : kinds) numbers.push_back(number_of({label, end}));
    for (std::size_t in = 0; in < kinds.size(); ++in) {
      num_ends_[numbers[in]] += kinds[in].second;
      for (std::size_t out = 0; out < kinds.size(); ++out) {
        const double others = kinds[out].second - (in == out ? 1 : 0);
        num_pairs_[numbers[in] << 32 | numbers[out]] += kinds[in].second * others;
      }
    }
  }
}

std::uint64_t EdgeStatistics::number_of(const Kind& kind) {
  const auto [entry, is_new] = numbers_.try_emplace(kind, num_ends_.size());
  if (is_new) num_ends_.push_back(0);
  return entry->second;
}

double EdgeStatistics::fanout(std::uint32_t label, EdgeEnd in, EdgeEnd out) const {
  const auto one = numbers_.find({label, in}), other = numbers_.find({label, out});
  if (other == numbers_.end()) return kSmallFanout;
  if (one == numbers_.end()) return std::max(kSmallFanout, num_ends_[other->second] / num_vertices_.at(label));
  const auto pairs = num_pairs_.find(one->second << 32 | other->second);
  return pairs == num_pairs_.end() ? kSmallFanout : std::max(kSmallFanout, pairs->second / num_ends_[one->second]);
}

double EdgeStatistics::density(std::uint32_t label, EdgeEnd edge) const {
  const auto kind = numbers_.find({label, edge});
  const auto others = num_vertices_.find(edge.neighbour_label);
  if (kind == numbers_.end() || others == num_vertices_.end()) return 0;
  return num_ends_[kind->second] / num_vertices_.at(label) / others->second;
}

}  // namespace quarry
