/// Cavities by the method of LIGSITE (Hendlich, Rippmann, Barnickel, J. Mol. Graph. Model. 1997, 15, 359).
///
/// A grid is laid over the receptor. Its points within reach of an atom are protein. The others are scanned along the
/// three axes and the four diagonals of a cube: a stretch of free points between two protein points, if it is short,
/// encloses each of its points once. Points enclosed in most directions are buried; those that touch form a cavity.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "chemistry/elements.hpp"
#include "dock/point.hpp"
#include "quarry/dock.hpp"

namespace quarry::dock {
namespace {

// Chosen on the 71 complexes of Astex Diverse and PoseBusters that docking is developed on.
constexpr double kGridSpacing = 1;    // of the grid
constexpr double kProbeRadius = 1.5;  // points are protein up to this far from the van der Waals surface
constexpr double kLongestGap = 10;    // a longer free stretch encloses nothing
constexpr int kLeastBurial = 6;       // of seven directions
constexpr double kMostVolume = 1e9;   // of the box around a receptor, cubic angstrom
constexpr std::uint8_t kProtein = 255;

using Cell = std::array<Index, 3>;
constexpr Cell kDirections[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {-1, 1, 1}, {1, -1, 1}, {1, 1, -1}};
constexpr Cell kNeighbours[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};

Cell sum(const Cell& a, const Cell& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Cell difference(const Cell& a, const Cell& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

class BurialGrid {
 public:
  explicit BurialGrid(const Receptor& receptor) {
    std::vector<Point> points;
    for (const ReceptorAtom& atom : receptor.atoms) points.push_back(atom.position);
    const Box box = box_around(points, 0);
    low_ = box.center - 0.5 * box.size;
    if (!((box.size.x + 1) * (box.size.y + 1) * (box.size.z + 1) <= kMostVolume)) {
      throw InputError(
          fmt::format("{}: a receptor of {:.0f} x {:.0f} x {:.0f} angstrom is too large to look for pockets",
                      receptor.id, box.size.x, box.size.y, box.size.z));
    }
    size_ = {number_of(box.size.x), number_of(box.size.y), number_of(box.size.z)};
    burial_.assign(size_[0] * size_[1] * size_[2], 0);
    for (const ReceptorAtom& atom : receptor.atoms) mark(atom);
    for_cells({0, 0, 0}, size_, [&](const Cell& cell) {
      for (const Cell& direction : kDirections) {
        if (!contains(difference(cell, direction))) scan(cell, direction);
      }
    });
  }

  /// Takes all cavities off the grid: the points of each.
  std::vector<std::vector<Point>> take_cavities() {
    std::vector<std::vector<Point>> cavities;
    for_cells({0, 0, 0}, size_, [&](const Cell& cell) {
      if (is_buried(cell)) cavities.push_back(take_cavity(cell));
    });
    return cavities;
  }

 private:
  static Index number_of(double length) { return static_cast<Index>(length / kGridSpacing) + 1; }
  bool contains(const Cell& cell) const {
    return cell[0] >= 0 && cell[0] < size_[0] && cell[1] >= 0 && cell[1] < size_[1] && cell[2] >= 0 &&
           cell[2] < size_[2];
  }
  std::uint8_t& burial(const Cell& cell) { return burial_[(cell[2] * size_[1] + cell[1]) * size_[0] + cell[0]]; }
  bool is_buried(const Cell& cell) { return burial(cell) >= kLeastBurial && burial(cell) != kProtein; }
  Point point(const Cell& cell) const { return low_ + kGridSpacing * Point{1. * cell[0], 1. * cell[1], 1. * cell[2]}; }

  template <class Visit>
  static void for_cells(const Cell& begin, const Cell& end, Visit&& visit) {
    for (Index z = begin[2]; z < end[2]; ++z) {
      for (Index y = begin[1]; y < end[1]; ++y) {
        for (Index x = begin[0]; x < end[0]; ++x) visit(Cell{x, y, z});
      }
    }
  }

  void mark(const ReceptorAtom& atom) {
    const double radius = van_der_waals_radius(atom.element) + kProbeRadius;
    const Point first = atom.position - low_ - Point{radius, radius, radius};
    const Index width = number_of(2 * radius) + 1;
    const Cell begin = {first_cell(first.x), first_cell(first.y), first_cell(first.z)};
    for_cells(begin, sum(begin, {width, width, width}), [&](const Cell& cell) {
      if (contains(cell) && squared_distance(point(cell), atom.position) < radius * radius) burial(cell) = kProtein;
    });
  }
  static Index first_cell(double coordinate) { return static_cast<Index>(std::floor(coordinate / kGridSpacing)); }

  /// Goes along a line from the edge of the grid, and counts up the points of stretches between protein.
  void scan(Cell cell, const Cell& direction) {
    const double step =
        kGridSpacing * std::sqrt(1. * std::abs(direction[0]) + std::abs(direction[1]) + std::abs(direction[2]));
    const Index longest = static_cast<Index>(kLongestGap / step);
    Index free = longest + 1;  // points since the last protein; there is none yet
    for (; contains(cell); cell = sum(cell, direction)) {
      if (burial(cell) != kProtein) {
        ++free;
        continue;
      }
      for (Cell back = difference(cell, direction); free > 0 && free <= longest;
           --free, back = difference(back, direction))
        ++burial(back);
      free = 0;
    }
  }

  std::vector<Point> take_cavity(const Cell& start) {
    std::vector<Point> points;
    std::vector<Cell> open = {start};
    burial(start) = 0;
    while (!open.empty()) {
      const Cell cell = open.back();
      open.pop_back();
      points.push_back(point(cell));
      for (const Cell& neighbour : kNeighbours) {
        const Cell next = sum(cell, neighbour);
        if (!contains(next) || !is_buried(next)) continue;
        burial(next) = 0;
        open.push_back(next);
      }
    }
    return points;
  }

  Point low_;
  Cell size_ = {};
  std::vector<std::uint8_t> burial_;  // directions that enclose a point, or kProtein
};

Pocket pocket_of(const std::vector<Point>& points) {
  Pocket pocket;
  for (const Point& point : points) pocket.center = pocket.center + point;
  pocket.center = 1. / static_cast<double>(points.size()) * pocket.center;
  pocket.volume = kGridSpacing * kGridSpacing * kGridSpacing * static_cast<double>(points.size());
  pocket.box = box_around(points);
  return pocket;
}

}  // namespace

std::vector<Pocket> find_pockets(const Receptor& receptor, int num_pockets) {
  if (num_pockets < 1) throw InputError(fmt::format("the number of pockets must be at least 1, not {}", num_pockets));
  if (receptor.atoms.empty()) return {};
  std::vector<Pocket> pockets;
  for (const std::vector<Point>& points : BurialGrid(receptor).take_cavities()) pockets.push_back(pocket_of(points));
  std::stable_sort(pockets.begin(), pockets.end(),
                   [](const Pocket& a, const Pocket& b) { return a.volume > b.volume; });
  pockets.resize(std::min<std::size_t>(pockets.size(), num_pockets));
  return pockets;
}

}  // namespace quarry::dock
