#include "dock/batch/placement.hpp"

#include <cmath>

namespace quarry::dock {
namespace {

struct Frame {
  double rotation[3][3];
  Point origin;

  Point operator()(const Point& p) const {
    const auto row = [&](int i) { return rotation[i][0] * p.x + rotation[i][1] * p.y + rotation[i][2] * p.z; };
    return {origin.x + row(0), origin.y + row(1), origin.z + row(2)};
  }
};

/// @param q  a unit quaternion, scalar first
void set_rotation(const double* q, double (&out)[3][3]) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                             {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                             {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) out[i][j] = rows[i][j];
  }
}

Frame root_frame(std::span<const float> variables) {
  Frame frame{};
  double q[4], square = 0;
  for (int i = 0; i < 4; ++i) {
    q[i] = variables[3 + i];
    square += q[i] * q[i];
  }
  for (double& value : q) value /= std::sqrt(square);
  set_rotation(q, frame.rotation);
  frame.origin = {variables[0], variables[1], variables[2]};
  return frame;
}

Frame child_frame(const Frame& parent, const PlanFragment& fragment, double angle) {
  Frame frame{};
  frame.origin = parent({fragment.offset[0], fragment.offset[1], fragment.offset[2]});
  const double x = fragment.axis[0], y = fragment.axis[1], z = fragment.axis[2];
  const double half = std::sin(angle / 2) / std::sqrt(x * x + y * y + z * z);
  const double q[4] = {std::cos(angle / 2), x * half, y * half, z * half};
  double turn[3][3];
  set_rotation(q, turn);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 3; ++k) frame.rotation[i][j] += parent.rotation[i][k] * turn[k][j];
    }
  }
  return frame;
}

}  // namespace

std::vector<Point> place_atoms(const LigandView& ligand, const LigandMap& map, std::span<const float> variables) {
  std::vector<Frame> frames{root_frame(variables)};
  for (int f = 1; f < ligand.num_fragments; ++f) {
    const PlanFragment& fragment = ligand.fragments[f];
    frames.push_back(child_frame(frames[fragment.parent], fragment, variables[6 + f]));
  }
  std::vector<Point> positions;
  for (std::size_t a = 0; a < map.local.size(); ++a) positions.push_back(frames[map.fragment_of[a]](map.local[a]));
  return positions;
}

}  // namespace quarry::dock
