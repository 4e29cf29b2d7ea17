/// What docking gives, by definition: RMSD, boxes, volumes and enrichment.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "reference/dock.hpp"

namespace quarry::reference {
namespace {

double squared_distance(const Point& a, const Point& b) {
  const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
  return x * x + y * y + z * z;
}

bool bonded(const Ligand& ligand, int one, int other) {
  return std::any_of(ligand.bonds.begin(), ligand.bonds.end(), [&](const LigandBond& bond) {
    return (bond.begin == one && bond.end == other) || (bond.begin == other && bond.end == one);
  });
}

/// Calls `visit(images)` for every way to lay the heavy atoms on themselves; images are [heavy atoms].
void for_automorphisms(const Ligand& ligand, const std::vector<int>& heavy, std::vector<int>& images,
                       const std::function<void()>& visit) {
  const std::size_t next = images.size();
  if (next == heavy.size()) return visit();
  for (const int candidate : heavy) {
    bool fits = ligand.elements[candidate] == ligand.elements[heavy[next]] &&
                std::find(images.begin(), images.end(), candidate) == images.end();
    for (std::size_t i = 0; fits && i < next; ++i) {
      fits = bonded(ligand, heavy[i], heavy[next]) == bonded(ligand, images[i], candidate);
    }
    if (!fits) continue;
    images.push_back(candidate);
    for_automorphisms(ligand, heavy, images, visit);
    images.pop_back();
  }
}

/// Labels in order of the scores.
std::vector<bool> ranked(std::span<const double> scores, const std::vector<bool>& active) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return scores[a] < scores[b]; });
  std::vector<bool> labels;
  for (const std::size_t i : order) labels.push_back(active[i]);
  return labels;
}

/// Sum over the actives of exp(-alpha rank / number).
double weighted_ranks(const std::vector<bool>& labels, double alpha) {
  double sum = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i]) sum += std::exp(-alpha * static_cast<double>(i + 1) / static_cast<double>(labels.size()));
  }
  return sum;
}

bool in_any(std::span<const std::pair<Point, double>> spheres, const Point& point) {
  return std::any_of(spheres.begin(), spheres.end(), [&](const auto& sphere) {
    return squared_distance(sphere.first, point) < sphere.second * sphere.second;
  });
}

}  // namespace

double rmsd(const Ligand& ligand, std::span<const Point> one, std::span<const Point> other) {
  std::vector<int> heavy, images;
  for (int atom = 0; atom < ligand.num_atoms(); ++atom) {
    if (ligand.elements[atom] > 1) heavy.push_back(atom);
  }
  double least = std::numeric_limits<double>::infinity();
  for_automorphisms(ligand, heavy, images, [&] {
    double sum = 0;
    for (std::size_t i = 0; i < heavy.size(); ++i) sum += squared_distance(one[heavy[i]], other[images[i]]);
    least = std::min(least, sum);
  });
  return std::sqrt(least / static_cast<double>(heavy.size()));
}

bool contains(const dock::Box& box, const Point& point) {
  return std::abs(point.x - box.center.x) <= box.size.x / 2 && std::abs(point.y - box.center.y) <= box.size.y / 2 &&
         std::abs(point.z - box.center.z) <= box.size.z / 2;
}

double overlap(std::span<const std::pair<Point, double>> ligand, std::span<const std::pair<Point, double>> receptor,
               double spacing) {
  Point low = ligand[0].first, high = low;
  for (const auto& [center, radius] : ligand) {
    low = {std::min(low.x, center.x - radius), std::min(low.y, center.y - radius), std::min(low.z, center.z - radius)};
    high = {std::max(high.x, center.x + radius), std::max(high.y, center.y + radius),
            std::max(high.z, center.z + radius)};
  }
  double inside = 0, shared = 0;
  for (double x = low.x; x < high.x; x += spacing) {
    for (double y = low.y; y < high.y; y += spacing) {
      for (double z = low.z; z < high.z; z += spacing) {
        if (!in_any(ligand, {x, y, z})) continue;
        inside += 1;
        shared += in_any(receptor, {x, y, z});
      }
    }
  }
  return shared / inside;
}

double auc(std::span<const double> scores, const std::vector<bool>& active) {
  double won = 0, pairs = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    for (std::size_t j = 0; j < scores.size(); ++j) {
      if (!active[i] || active[j]) continue;
      pairs += 1;
      won += scores[i] < scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0;
    }
  }
  return won / pairs;
}

double enrichment_factor(std::span<const double> scores, const std::vector<bool>& active, Index length) {
  const std::vector<bool> labels = ranked(scores, active);
  const double found = std::count(labels.begin(), labels.begin() + length, true);
  const double actives = std::count(labels.begin(), labels.end(), true), total = std::ssize(labels);
  return (found / length) / (actives / total);
}

double bedroc(std::span<const double> scores, const std::vector<bool>& active, double alpha) {
  const std::vector<bool> labels = ranked(scores, active);
  std::vector<bool> best = labels;
  std::sort(best.begin(), best.end(), std::greater<>());
  const std::vector<bool> worst(best.rbegin(), best.rend());
  const double least = weighted_ranks(worst, alpha), most = weighted_ranks(best, alpha);
  return (weighted_ranks(labels, alpha) - least) / (most - least);
}

}  // namespace quarry::reference
