#include "output/alerts/initial_alerts.hpp"

#include <fmt/format.h>

#include <limits>

#include "quarry/mine.hpp"

namespace quarry::cli {
namespace {

/// Ids of matches that are turned into text at a time.
constexpr std::size_t kManyIds = std::size_t{1} << 16;
constexpr Index kMaxAutomorphisms = 1'000'000;

void write_pattern(const Graph& graph, const GraphPattern& pattern, int number, const watch::Options& options,
                   AlertRows& rows, AlertOutput& output) {
  mine::Options mine_options;
  mine_options.threads = options.threads;
  const bool all = options.all_embeddings;
  const std::vector<std::uint8_t> images =
      all ? automorphisms(pattern, kMaxAutomorphisms) : std::vector<std::uint8_t>{};
  const mine::Count limit = options.max_results > 0 ? options.max_results : std::numeric_limits<Index>::max();
  watch::Alert alert;
  alert.update = -1;
  alert.pattern = number;
  alert.created = true;
  mine::Count listed = 0;
  std::vector<std::uint64_t> ids;
  const std::size_t width = pattern.vertices.size(), num_images = all ? images.size() : width;
  const auto flush = [&] {
    alert.matches = ids;
    rows.append(alert, output.text());
    output.write(false);
    ids.clear();
  };
  const auto take = [&](std::span<const std::uint32_t> found) {
    for (std::size_t row = 0; row < found.size(); row += width) {
      for (std::size_t image = 0; image < num_images && listed < limit; image += width, ++listed) {
        for (std::size_t v = 0; v < width; ++v) ids.push_back(graph.id(found[row + (all ? images[image + v] : v)]));
      }
      if (ids.size() > kManyIds) flush();
    }
    flush();
  };
  const mine::Result result =
      options.list ? mine::list(graph, pattern, mine_options, take) : mine::count(graph, pattern, mine_options);
  if (result.embeddings > std::numeric_limits<Index>::max())
    throw CapacityError(fmt::format("embeddings of '{}' before any update", pattern.name),
                        std::numeric_limits<Index>::max(), 0);
  alert.matches = {};
  alert.truncated = (all ? result.embeddings : result.subgraphs) > limit;
  alert.subgraphs = static_cast<std::uint64_t>(result.subgraphs);
  alert.embeddings = static_cast<std::uint64_t>(result.embeddings);
  if (alert.subgraphs > 0) rows.append(alert, output.text());
}

}  // namespace

void write_initial(const Graph& graph, const std::vector<GraphPattern>& patterns, const watch::Options& options,
                   AlertRows& rows, AlertOutput& output) {
  if (graph.num_vertices() == 0) return;  // a pattern may ask for labels, which it has none of
  for (int i = 0; i < std::ssize(patterns); ++i) write_pattern(graph, patterns[i], i, options, rows, output);
}

}  // namespace quarry::cli
