#include "dock/batch/poses.hpp"

#include <algorithm>
#include <cmath>

namespace quarry::dock {
namespace {

/// Is the sum of squared distances less than `limit`?
/// @param map  the atom of `other` for each of `one`; nullptr: the same
bool are_near_by(const std::vector<float>& one, const std::vector<float>& other, const std::uint16_t* map,
                 float limit) {
  float sum = 0;
  const std::size_t num_atoms = one.size() / 3;
  for (std::size_t first = 0; first < num_atoms && sum < limit; first += 4) {
    float part = 0;
    for (std::size_t atom = first; atom < std::min(first + 4, num_atoms); ++atom) {
      const std::size_t like = map != nullptr ? map[atom] : atom;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const float apart = one[3 * atom + axis] - other[3 * like + axis];
        part += apart * apart;
      }
    }
    sum += part;
  }
  return sum < limit;
}

/// Of the centres of two sets of positions.
float squared_distance_of_centers(const std::vector<float>& one, const std::vector<float>& other) {
  float apart[3] = {};
  for (std::size_t i = 0; i < one.size(); ++i) apart[i % 3] += one[i] - other[i];
  const float num_atoms = static_cast<float>(one.size() / 3);
  return (apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2]) / (num_atoms * num_atoms);
}

}  // namespace

bool are_near(const Candidate& one, const Candidate& other, const Symmetries& symmetries, double rmsd) {
  const float limit = static_cast<float>(rmsd * rmsd * static_cast<double>(one.positions.size() / 3));
  if (are_near_by(one.positions, other.positions, nullptr, limit)) return true;
  // PERF: by no map are poses nearer than their centres.
  if (symmetries.empty() || squared_distance_of_centers(one.positions, other.positions) > rmsd * rmsd) return false;
  return std::ranges::any_of(symmetries, [&](const std::vector<std::uint16_t>& map) {
    return are_near_by(one.positions, other.positions, map.data(), limit);
  });
}

void cluster(std::vector<Candidate>& poses, double min_rmsd, const Symmetries& symmetries) {
  // NaN comes last.
  std::stable_sort(poses.begin(), poses.end(), [](const Candidate& a, const Candidate& b) {
    if (std::isnan(a.energy()) || std::isnan(b.energy())) return !std::isnan(a.energy()) && std::isnan(b.energy());
    return a.energy() < b.energy();
  });
  std::vector<int> heads;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const auto head = std::find_if(heads.begin(), heads.end(),
                                   [&](int h) { return are_near(poses[i], poses[h], symmetries, min_rmsd); });
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

}  // namespace quarry::dock
