#include "output/alerts/net_alerts.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace quarry::cli {

/// Matches of one subgraph have the same edges, whichever of its embeddings they are, with the same labels of the pattern
/// beside them: what carries one embedding to the other is an automorphism.
NetAlerts::Vertices NetAlerts::edges_of(const GraphPattern& pattern, std::span<const std::uint64_t> match) const {
  using End = std::pair<std::uint64_t, std::uint32_t>;  // a vertex, and the label that the pattern wants there
  std::vector<std::tuple<End, End, std::uint32_t>> edges;
  for (const Edge& edge : pattern.edges) {
    const auto [first, second] =
        std::minmax({End{match[edge.from], pattern.labels[edge.from]}, End{match[edge.to], pattern.labels[edge.to]}});
    edges.emplace_back(first, second, edge.label);
  }
  std::ranges::sort(edges);
  Vertices key;
  for (const auto& [from, to, label] : edges)
    key.insert(key.end(), {from.first, from.second, to.first, to.second, label});
  return key;
}

void NetAlerts::take(const watch::Alert& alert) {
  if (const Index number = alert.update / batch_; number != current_) {
    flush((current_ + 1) * batch_ - 1);
    current_ = number;
  }
  Sum& sum = sums_[alert.pattern];
  const std::int64_t sign = alert.created ? 1 : -1;
  sum.subgraphs += sign * static_cast<std::int64_t>(alert.subgraphs);
  sum.embeddings += sign * static_cast<std::int64_t>(alert.embeddings);
  const GraphPattern& pattern = patterns_[alert.pattern];
  const std::size_t width = pattern.vertices.size();
  for (std::size_t i = 0; i < alert.matches.size(); i += width) {
    const auto match = alert.matches.subspan(i, width);
    const auto entry = sum.matches.try_emplace(edges_of(pattern, match)).first;
    entry->second.first += sign;
    entry->second.second.assign(match.begin(), match.end());
    if (entry->second.first == 0) sum.matches.erase(entry);
  }
}

void NetAlerts::finish(Index num_updates) { flush(std::min((current_ + 1) * batch_, num_updates) - 1); }

void NetAlerts::flush(Index update) {
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    const Sum sum = std::exchange(sums_[i], {});
    watch::Alert alert;
    alert.update = update;
    alert.pattern = static_cast<int>(i);
    if (list_) {
      flush_list(alert, sum, false);
      flush_list(alert, sum, true);
    } else if (sum.subgraphs != 0) {
      alert.created = sum.subgraphs > 0;
      alert.subgraphs = static_cast<std::uint64_t>(std::abs(sum.subgraphs));
      alert.embeddings = static_cast<std::uint64_t>(std::abs(sum.embeddings));
      sink_(alert);
    }
  }
}

void NetAlerts::flush_list(watch::Alert alert, const Sum& sum, bool created) {
  Vertices all;
  for (const auto& [edges, match] : sum.matches) {
    if ((match.first > 0) == created) all.insert(all.end(), match.second.begin(), match.second.end());
  }
  if (all.empty()) return;
  alert.created = created;
  alert.matches = all;
  sink_(alert);
  alert.matches = {};
  alert.subgraphs = all.size() / patterns_[alert.pattern].vertices.size();
  alert.embeddings = alert.subgraphs;
  sink_(alert);
}

}  // namespace quarry::cli
