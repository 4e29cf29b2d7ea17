#include "dock/pocket/prepared_pocket.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "dock/point.hpp"
#include "quarry/error.hpp"

namespace quarry::dock {
namespace {

constexpr int kCubePoints = 8;  // FillMaps::kCubePoints

Point corner(const Box& box, double side) {
  return {box.center.x + side * box.size.x / 2, box.center.y + side * box.size.y / 2,
          box.center.z + side * box.size.z / 2};
}

Surroundings surroundings_of(const Receptor& receptor, const Box& box, const Parameters& parameters) {
  const MapsView grid = grid_of(box);
  const auto at = [&](int axis, double cells) { return grid.origin[axis] + cells * grid.spacing; };
  return Surroundings(receptor, parameters, {at(0, 0), at(1, 0), at(2, 0)},
                      {at(0, grid.size[0] + 1), at(1, grid.size[1] + 1), at(2, grid.size[2] + 1)},
                      double{grid.spacing} * kCubePoints);
}

/// Distance from the box to the nearest receptor atom.
double distance_to(const Receptor& receptor, const Box& box) {
  const Point low = corner(box, -1), high = corner(box, 1);
  const auto outside = [](double value, double from, double to) { return std::max({from - value, value - to, 0.0}); };
  double nearest = INFINITY;
  for (const ReceptorAtom& atom : receptor.atoms) {
    const Point& p = atom.position;
    nearest = std::min(
        nearest, std::hypot(outside(p.x, low.x, high.x), outside(p.y, low.y, high.y), outside(p.z, low.z, high.z)));
  }
  return nearest;
}

}  // namespace

void check_box(const Receptor& receptor, const Box& box) {
  if (!is_finite(box.center)) throw InputError("the center of the box is not finite");
  for (const double size : {box.size.x, box.size.y, box.size.z}) {
    if (!(size > 0 && size <= 500))
      throw InputError(fmt::format("a box must be above 0 and up to 500 A wide, not {}", size));
  }
  const double distance = distance_to(receptor, box);
  if (distance >= kCutoff) {
    throw InputError(fmt::format(
        "no receptor atom is within {} A of the box: the nearest is {:.6g} A away from it; is the box in the "
        "receptor's coordinates?",
        kCutoff, distance));
  }
}

PocketView bare_pocket(const Parameters& parameters, const Surroundings& surroundings, const Point& low,
                       const Point& high) {
  PocketView view{};
  view.parameters = parameters;
  view.scales = scales_of<float>(parameters);
  for (int type = 0; type < kNumAtomTypes; ++type) view.traits[type] = traits_of(parameters, AtomType(type));
  view.surroundings = surroundings.view();
  const double lows[3] = {low.x, low.y, low.z}, highs[3] = {high.x, high.y, high.z};
  for (int axis = 0; axis < 3; ++axis) {
    view.low[axis] = static_cast<float>(lows[axis]);
    view.high[axis] = static_cast<float>(highs[axis]);
  }
  return view;
}

void add_views(Parcel& parcel, PocketView& pocket) {
  SurroundingsView& near = pocket.surroundings;
  parcel.add(pocket.maps.cells);
  parcel.add(pocket.tables);
  parcel.add(pocket.spots);
  parcel.add(near.offsets);
  parcel.add(near.types);
  for (View<const float>* view :
       {&near.x, &near.y, &near.z, &near.radius, &near.hydrophobic, &near.donor, &near.acceptor})
    parcel.add(*view);
}

PreparedPocket::PreparedPocket(const Receptor& receptor, const Box& box, Scoring scoring, int threads)
    : receptor_((check_box(receptor, box), receptor)),
      surroundings_(surroundings_of(receptor, box, parameters_of(scoring))),
      host_(threads) {
  const Parameters parameters = parameters_of(scoring);
  view_ = bare_pocket(parameters, surroundings_, corner(box, -1), corner(box, 1));
  tables_.resize(host_, kNumPairTables * kPairTableSize);
  make_pair_tables(host_, parameters, tables_.view());
  view_.tables = std::as_const(tables_).view();
  view_.maps = grid_of(box);
  cells_.resize(host_, kNumAtomTypes * view_.maps.num_cells() * 8);
  view_.maps.cells = std::as_const(cells_).view();
  fill_maps(host_, view_.maps, view_.surroundings, view_.tables, cells_.view());
  find_spots();
}

void PreparedPocket::find_spots() {
  constexpr int kStep = 3;  // grid cells between places that are looked at, about 1.1 A
  constexpr std::size_t kMaxSpots = 200;
  const MapsView& maps = view_.maps;
  const std::uint16_t* cells = maps.cells_of(static_cast<int>(AtomType::carbon_hydrophobic));
  std::vector<std::pair<int, Index>> found;
  for (int i = kStep / 2; i < maps.size[0]; i += kStep) {
    for (int j = kStep / 2; j < maps.size[1]; j += kStep) {
      for (int k = kStep / 2; k < maps.size[2]; k += kStep) {
        const Index cell = (Index{i} * maps.size[1] + j) * maps.size[2] + k;
        found.push_back({cells[8 * cell], cell});
      }
    }
  }
  if (found.empty()) found.push_back({0, 0});
  std::sort(found.begin(), found.end());
  found.resize(std::min(found.size(), kMaxSpots));
  for (const auto& [energy, cell] : found) {
    const Index place[3] = {cell / maps.size[2] / maps.size[1], cell / maps.size[2] % maps.size[1],
                            cell % maps.size[2]};
    for (int axis = 0; axis < 3; ++axis)
      spots_.push_back(maps.origin[axis] + static_cast<float>(place[axis]) * maps.spacing);
  }
  view_.spots = view_of(std::as_const(spots_));
}

}  // namespace quarry::dock
