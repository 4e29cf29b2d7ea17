#include "dock/batch/poses.hpp"

#include <algorithm>
#include <cmath>

namespace quarry::dock {
namespace {

/// Are two sets of positions nearer than `limit` in sum of squares?
bool nearer(const std::vector<float>& one, const std::vector<float>& other, float limit) {
  float sum = 0;
  for (std::size_t i = 0; i < one.size() && sum < limit; i += 12) {
    float part = 0;
    const std::size_t end = std::min(i + 12, one.size());
    for (std::size_t j = i; j < end; ++j) part += (one[j] - other[j]) * (one[j] - other[j]);
    sum += part;
  }
  return sum < limit;
}

}  // namespace

void cluster(std::vector<Candidate>& poses, double min_rmsd) {
  // NaN comes last.
  std::stable_sort(poses.begin(), poses.end(), [](const Candidate& a, const Candidate& b) {
    if (std::isnan(a.energy()) || std::isnan(b.energy())) return !std::isnan(a.energy()) && std::isnan(b.energy());
    return a.energy() < b.energy();
  });
  std::vector<int> heads;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const float limit = static_cast<float>(min_rmsd * min_rmsd * static_cast<double>(poses[i].positions.size() / 3));
    const auto head = std::find_if(heads.begin(), heads.end(),
                                   [&](int h) { return nearer(poses[i].positions, poses[h].positions, limit); });
    poses[i].is_head = head == heads.end();
    poses[i].cluster = poses[i].is_head ? static_cast<int>(i) : *head;
    if (poses[i].is_head) heads.push_back(static_cast<int>(i));
  }
}

void clip(std::vector<Candidate>& poses, Index count) {
  const auto group = [](const Candidate& pose) { return pose.is_head ? 0 : pose.bumps == 0 ? 1 : 2; };
  std::stable_sort(poses.begin(), poses.end(),
                   [&](const Candidate& a, const Candidate& b) { return group(a) < group(b); });
  if (std::ssize(poses) > count) poses.resize(count);
}

double distance_between(const std::vector<float>& one, const std::vector<float>& other) {
  double sum = 0;
  for (std::size_t i = 0; i < one.size(); ++i) sum += (one[i] - other[i]) * (one[i] - other[i]);
  return std::sqrt(sum / (static_cast<double>(one.size()) / 3));
}

}  // namespace quarry::dock
