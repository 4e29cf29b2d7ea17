#include "mine/formulas/root_tasks.hpp"

#include <algorithm>

namespace quarry::mine {
namespace {

constexpr Index kPartsPerThread = 2;  // each part marks the whole row again

double power(double base, int exponent) {
  double result = 1;
  for (int i = 0; i < exponent; ++i) result *= base;
  return result;
}

/// Entries of the rows of the roots' neighbours, estimated from some of the neighbours.
double weigh(const OrderedRows& rows, Index first_root, Index last_root) {
  constexpr Index kSampledNeighbours = 256;
  const Index first = rows.offsets[first_root], last = rows.offsets[last_root];
  const Index stride = std::max<Index>(1, (last - first) / kSampledNeighbours);
  double entries = 0;
  for (Index p = first; p < last; p += stride) entries += rows.degree(rows.neighbours[p]);
  return entries * stride + (last - first);
}

}  // namespace

std::vector<Index> find_hubs(const OrderedRows& rows, RootWeight weight, int threads) {
  std::vector<Index> hubs;
  if (threads == 1) return hubs;
  const auto weight_of = [&](Index v) {
    return power(weight.after ? rows.after(v).size() : rows.degree(v), weight.power);
  };
  double total = 0;
  for (Index v = 0; v < rows.num_vertices(); ++v) total += weight_of(v);
  const double smallest = std::max(root_limits.min_hub_weight, total / (root_limits.hubs_per_thread * threads));
  for (Index v = 0; v < rows.num_vertices(); ++v) {
    if (weight_of(v) >= smallest) hubs.push_back(v);
  }
  return hubs;
}

std::vector<RootTask> hub_tasks(const OrderedRows& rows, const std::vector<Index>& hubs) {
  std::vector<RootTask> tasks;
  for (const Index hub : hubs) tasks.push_back({{hub, hub + 1, {}}, weigh(rows, hub, hub + 1)});
  return tasks;
}

std::vector<RootTask> range_tasks(const OrderedRows& rows, const std::vector<Index>& hubs, int threads) {
  const Index n = rows.num_vertices(), entries = rows.neighbours.size(),
              num_ranges = root_limits.ranges_per_thread * threads;
  const auto& offsets = rows.offsets;
  const auto first_root = [&](Index range) -> Index {
    const std::uint64_t entry = entries / num_ranges * range + std::min(range, entries % num_ranges);
    return range == num_ranges ? n : std::lower_bound(offsets.begin(), offsets.end() - 1, entry) - offsets.begin();
  };
  std::vector<RootTask> tasks;
  const auto add = [&](Index first, Index last) {
    if (first < last) tasks.push_back({{first, last, {}}, weigh(rows, first, last)});
  };
  for (Index range = num_ranges - 1; range >= 0; --range) {
    Index first = first_root(range);
    const Index last = first_root(range + 1);
    auto hub = std::ranges::lower_bound(hubs, first);
    for (; hub != hubs.end() && *hub < last; first = *hub++ + 1) add(first, *hub);
    add(first, last);
  }
  return tasks;
}

std::vector<RootTask> part_tasks(const RootTask& hub, int threads) {
  const Index num_parts = kPartsPerThread * threads;
  std::vector<RootTask> tasks;
  for (Index part = 0; part < num_parts; ++part) {
    tasks.push_back({{hub.roots.first, hub.roots.last, {part, num_parts}}, hub.weight / num_parts});
  }
  return tasks;
}

}  // namespace quarry::mine
