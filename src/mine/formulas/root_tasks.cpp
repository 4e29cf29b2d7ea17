#include "mine/formulas/root_tasks.hpp"

#include <algorithm>

namespace quarry::mine {
namespace {

constexpr Index kPiecesPerThread = 64;
constexpr Index kPartsPerThread = 2;  // each part marks the whole row again
/// A hub weighs as much as so many of it for each thread would weigh together all there is,
constexpr double kHubsPerThread = 32;
/// and as much as is worth waking threads for: some milliseconds.
constexpr double kSmallestHub = 1 << 22;

double power(double base, int exponent) {
  double result = 1;
  for (int i = 0; i < exponent; ++i) result *= base;
  return result;
}

/// Entries of the rows that the roots' neighbours have, from a sample of the neighbours.
double weigh(const OrderedRows& rows, Index first_root, Index last_root) {
  constexpr Index kSamples = 256;
  const auto first = static_cast<Index>(rows.offsets[first_root]), last = static_cast<Index>(rows.offsets[last_root]);
  const Index step = std::max<Index>(1, (last - first) / kSamples);
  double entries = 0;
  for (Index p = first; p < last; p += step) entries += static_cast<double>(rows.degree(rows.neighbours[p]));
  return entries * static_cast<double>(step) + static_cast<double>(last - first);
}

}  // namespace

std::vector<Index> find_hubs(const OrderedRows& rows, RootWeight weight, int threads) {
  std::vector<Index> hubs;
  if (threads == 1) return hubs;
  const auto weight_of = [&](Index v) {
    return power(static_cast<double>(weight.after ? rows.after(v).size() : rows.degree(v)), weight.power);
  };
  double total = 0;
  for (Index v = 0; v < rows.num_vertices(); ++v) total += weight_of(v);
  const double smallest = std::max(kSmallestHub, total / (kHubsPerThread * threads));
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

std::vector<RootTask> piece_tasks(const OrderedRows& rows, const std::vector<Index>& hubs, int threads) {
  const Index n = rows.num_vertices(), entries = rows.neighbours.size(), pieces = kPiecesPerThread * threads;
  const auto& offsets = rows.offsets;
  const auto root_at = [&](Index piece) {
    const auto entry = static_cast<std::uint64_t>(entries / pieces * piece + std::min(piece, entries % pieces));
    return piece == pieces ? n : std::lower_bound(offsets.begin(), offsets.end() - 1, entry) - offsets.begin();
  };
  std::vector<RootTask> tasks;
  const auto add = [&](Index first, Index last) {
    if (first < last) tasks.push_back({{first, last, {}}, weigh(rows, first, last)});
  };
  for (Index piece = pieces - 1; piece >= 0; --piece) {
    Index first = root_at(piece);
    const Index last = root_at(piece + 1);
    auto hub = std::lower_bound(hubs.begin(), hubs.end(), first);
    for (; hub != hubs.end() && *hub < last; first = *hub++ + 1) add(first, *hub);
    add(first, last);
  }
  return tasks;
}

std::vector<RootTask> part_tasks(const RootTask& hub, int threads) {
  const Index parts = kPartsPerThread * threads;
  std::vector<RootTask> tasks;
  for (Index part = 0; part < parts; ++part) {
    tasks.push_back({{hub.roots.first, hub.roots.last, {part, parts}}, hub.weight / static_cast<double>(parts)});
  }
  return tasks;
}

}  // namespace quarry::mine
