/// `similar` on one device: every pair at a threshold, by its own clock and end to end.
#include <fmt/format.h>

#include <algorithm>

#include "bench/platform.hpp"
#include "bench/similar/similar_workload.hpp"
#include "quarry/similar.hpp"

namespace quarry::bench {
namespace {

using similar::Fingerprints;

constexpr double kThreshold = 0.7;
constexpr double kGoalPairsPerSecond = 100e9;  // on an H200
constexpr Index kCheckedRows = 256;

/// The first `count` molecules, repeated where there are fewer.
Fingerprints pack(const SimilarWorkload& workload, Index count) {
  std::vector<std::string> smiles;
  for (Index i = 0; i < count; ++i) {
    smiles.push_back(workload.smiles[i % std::ssize(workload.smiles)]);
  }
  return Fingerprints::of_smiles(smiles);
}

/// The first rows, on the device and on the host.
void require_same(const SimilarWorkload& workload, const Fingerprints& columns, const std::string& device) {
  const Fingerprints rows = pack(workload, std::min(kCheckedRows, columns.size()));
  for (const similar::SearchOptions& options : {similar::SearchOptions{{}, 0, kThreshold}, {{}, 10, 0}}) {
    similar::SearchOptions there = options;
    there.device = device;
    const auto expected = similar::search(rows, columns, options), found = similar::search(rows, columns, there);
    if (found.offsets != expected.offsets || found.items != expected.items) {
      throw SystemError(device + " finds other neighbours than the host, so its time means nothing");
    }
  }
}

}  // namespace

Json similar_device_section(const SimilarWorkload& workload, const DeviceId& device_id) {
  const Platform platform = platform_of(device_id);
  const Index n = workload.effort.device_molecules;
  const Fingerprints molecules = pack(workload, n);
  require_same(workload, molecules, name_of({device_id}));
  similar::SearchOptions options{{}, 0, kThreshold};
  options.device = name_of({device_id});
  std::vector<double> whole, kernels;
  similar::Statistics statistics;
  for (int turn = 0; turn < workload.effort.repeats; ++turn) {
    whole.push_back(
        time_of([&] { statistics = similar::search(molecules, molecules, options, [](const auto&) {}); }).wall);
    kernels.push_back(statistics.kernel_seconds);
  }
  const double pairs = statistics.pairs;
  fmt::print("\n{} ({}), {} molecules among themselves at {}, {} kept; the first {} rows are the host's\n",
             platform.name, name_of({device_id}), n, kThreshold, statistics.kept, std::min(kCheckedRows, n));
  if (platform.emulated) fmt::print("EMULATED: the answers are checked, the times mean nothing\n");
  fmt::print("  launches {:.2f} G pairs/s, end to end {:.2f} G pairs/s (goal {:.0f})\n", pairs / median(kernels) / 1e9,
             pairs / median(whole) / 1e9, kGoalPairsPerSecond / 1e9);
  return {{"platform", platform.name},
          {"api", platform.api},
          {"emulated", platform.emulated},
          {"molecules", n},
          {"threshold", kThreshold},
          {"kept", statistics.kept},
          {"kernel_seconds", median(kernels)},
          {"seconds", median(whole)},
          {"pairs_per_second", {{"kernels", pairs / median(kernels)}, {"end_to_end", pairs / median(whole)}}},
          {"goal_pairs_per_second", kGoalPairsPerSecond}};
}

}  // namespace quarry::bench
