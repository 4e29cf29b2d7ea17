/// Poses: from numbers (position, quaternion, torsions) to the positions of atoms, their energy, and its gradient by those
/// numbers.
///
/// On the host an array holds the sixteen lanes of each number side by side; on a device those of a team's lanes.
#include "dock/batch/plan.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::dock {
namespace QUARRY_TARGET {

/// Numbers of the poses of these lanes.
struct Slots {
  float* first;  ///< of this lane, or these lanes
  Index stride;

  QUARRY_INLINE Real operator[](Index i) const { return load(first + i * stride); }
  QUARRY_INLINE void set(Index i, Real value) const { store(value, first + i * stride); }
  QUARRY_INLINE Vector vector(Index i) const { return {(*this)[3 * i], (*this)[3 * i + 1], (*this)[3 * i + 2]}; }
  QUARRY_INLINE void set_vector(Index i, const Vector& value) const {
    set(3 * i, value.x);
    set(3 * i + 1, value.y);
    set(3 * i + 2, value.z);
  }
  QUARRY_INLINE Slots from(Index i) const { return {first + i * stride, stride}; }
};

/// Memory for evaluating a pose.
struct PoseMemory {
  Slots positions, gradients;  ///< [3 atoms]
  Slots rotations, origins;    ///< of fragments [9 fragments], [3 fragments]
  Slots forces;                ///< [6 fragments] gradient and its moment about the origin

  static constexpr int kPerAtom = 6, kPerFragment = 18;
  QUARRY_HD static Index size(int num_atoms, int num_fragments) {
    return kPerAtom * num_atoms + kPerFragment * num_fragments;
  }
  QUARRY_HD PoseMemory(const LigandView& ligand, const Slots& slots)
      : positions(slots),
        gradients(slots.from(3 * ligand.num_atoms)),
        rotations(slots.from(6 * ligand.num_atoms)),
        origins(rotations.from(9 * ligand.num_fragments)),
        forces(origins.from(3 * ligand.num_fragments)) {}
};

struct Rotation {
  Vector row[3];
  QUARRY_INLINE Vector operator*(const Vector& v) const { return {dot(row[0], v), dot(row[1], v), dot(row[2], v)}; }
};
QUARRY_INLINE Vector same_vector(const float* v) { return {same(v[0]), same(v[1]), same(v[2])}; }

struct Quaternion {
  Real w, x, y, z;
};
QUARRY_INLINE Quaternion operator*(const Quaternion& a, const Quaternion& b) {
  return {fused(a.w, b.w, -fused(a.x, b.x, fused(a.y, b.y, a.z * b.z))),
          fused(a.w, b.x, fused(a.x, b.w, fused(a.y, b.z, -(a.z * b.y)))),
          fused(a.w, b.y, fused(a.y, b.w, fused(a.z, b.x, -(a.x * b.z)))),
          fused(a.w, b.z, fused(a.z, b.w, fused(a.x, b.y, -(a.y * b.x))))};
}
QUARRY_INLINE Quaternion normalised(const Quaternion& q) {
  const Real square = fused(q.w, q.w, fused(q.x, q.x, fused(q.y, q.y, q.z * q.z)));
  const Real scale = same(1) / square_root(larger(square, same(1e-20F)));
  return {q.w * scale, q.x * scale, q.y * scale, q.z * scale};
}
/// About an axis, by as many radians as the vector is long.
QUARRY_INLINE Quaternion rotation_by(const Vector& v) {
  const Real length = square_root(larger(dot(v, v), same(1e-20F)));
  const SineCosine half = sine_cosine(length * same(0.5F));
  const Real scale = half.sine / length;
  return {half.cosine, v.x * scale, v.y * scale, v.z * scale};
}
QUARRY_INLINE Rotation rotation_of(const Quaternion& q) {
  const Real two = same(2), one = same(1);
  const Real xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const Real xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z, wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return {{{one - two * (yy + zz), two * (xy - wz), two * (xz + wy)},
           {two * (xy + wz), one - two * (xx + zz), two * (yz - wx)},
           {two * (xz - wy), two * (yz + wx), one - two * (xx + yy)}}};
}

QUARRY_INLINE Quaternion quaternion_of(const Slots& variables) {
  return {variables[3], variables[4], variables[5], variables[6]};
}
QUARRY_INLINE void set_quaternion(const Slots& variables, const Quaternion& q) {
  variables.set(3, q.w);
  variables.set(4, q.x);
  variables.set(5, q.y);
  variables.set(6, q.z);
}

QUARRY_INLINE Rotation rotation_at(const Slots& rotations, Index fragment) {
  return {{rotations.vector(3 * fragment), rotations.vector(3 * fragment + 1), rotations.vector(3 * fragment + 2)}};
}
QUARRY_INLINE void set_rotation(const Slots& rotations, Index fragment, const Rotation& rotation) {
  for (int row = 0; row < 3; ++row) rotations.set_vector(3 * fragment + row, rotation.row[row]);
}

/// The parent's rotation after one about the bond: as rows times `cos + sin [axis]x + (1 - cos) axis axis^T`.
QUARRY_INLINE Rotation turned(const Rotation& parent, const Vector& axis, Real angle) {
  const SineCosine turn = sine_cosine(angle);
  const Real rest = same(1) - turn.cosine;
  Rotation result;
  QUARRY_UNROLL
  for (int i = 0; i < 3; ++i) {
    const Vector& row = parent.row[i];
    const Vector along = scaled(axis, dot(row, axis) * rest);
    result.row[i] = fused(fused(along, row, turn.cosine), cross(row, axis), turn.sine);
  }
  return result;
}

/// Frames of the fragments from `first` on, to `last`.
QUARRY_INLINE void place_fragments(const LigandView& ligand, const Slots& variables, const PoseMemory& memory,
                                   int first, int last) {
  for (int f = first; f < last; ++f) {
    if (f == 0) {
      set_rotation(memory.rotations, 0, rotation_of(quaternion_of(variables)));
      memory.origins.set_vector(0, variables.vector(0));
      continue;
    }
    const PlanFragment& fragment = ligand.fragments[f];
    const Rotation parent = rotation_at(memory.rotations, fragment.parent);
    memory.origins.set_vector(f, memory.origins.vector(fragment.parent) + parent * same_vector(fragment.offset));
    set_rotation(memory.rotations, f, turned(parent, same_vector(fragment.axis), variables[6 + f]));
  }
}

/// Energy with the receptor of the atoms of these fragments, which it places.
template <bool kGradient, class Field>
QUARRY_INLINE Real sum_atoms(const LigandView& ligand, const Field& field, const PoseMemory& memory, int first,
                             int last, Mask wanted) {
  Real energy = same(0);
  for (int f = first; f < last; ++f) {
    const Rotation rotation = rotation_at(memory.rotations, f);
    const Vector origin = memory.origins.vector(f);
    for (int a = ligand.fragments[f].first_atom; a < ligand.fragments[f].last_atom; ++a) {
      const PlanAtom& atom = ligand.atoms[a];
      const Vector position = origin + rotation * same_vector(atom.position);
      const AtomEnergy own = field.template at<kGradient>(atom, position, wanted);
      memory.positions.set_vector(a, position);
      if constexpr (kGradient) memory.gradients.set_vector(a, own.gradient);
      energy = energy + own.energy;
    }
  }
  return energy;
}

/// Internal energy of placed atoms. The force of each pair is added to those on its atoms.
///
/// With vectors each pair is done once. A device does it for both of its atoms, so that the force on an atom stays in registers: stores are
/// what a device waits for. Either way an atom's forces are added in the order of its partners, and give the same bits.
template <bool kGradient, class Pairs>
QUARRY_INLINE Real sum_pairs(const LigandView& ligand, const Pairs& pairs, const PoseMemory& memory) {
  constexpr bool kTwice = kGradient && kLanes == 1;
  Real energy = same(0);
  for (int a = 0; a < ligand.num_atoms; ++a) {
    const int begin = kTwice ? ligand.first_pair(a) : ligand.first_later_pair(a), end = ligand.end_of_pairs(a);
    if (begin == end) continue;
    const Vector position = memory.positions.vector(a);
    Vector gradient;
    if constexpr (kGradient) gradient = memory.gradients.vector(a);
    for (int p = begin + pairs.first(); p < end; p += pairs.step()) {
      const PlanPair& pair = ligand.pairs[p];
      const Vector away = position - memory.positions.vector(pair.second);
      const TableEnergy own = pairs.at(pair.table, dot(away, away));
      if (!kTwice || pair.second > a) energy = energy + own.energy;
      if constexpr (kGradient) {
        const Real twice = own.slope + own.slope;
        gradient = fused(gradient, away, twice);
        if constexpr (!kTwice)
          memory.gradients.set_vector(pair.second, fused(memory.gradients.vector(pair.second), away, -twice));
      }
    }
    if constexpr (kGradient) memory.gradients.set_vector(a, gradient);
  }
  return energy;
}

/// From gradients of atoms to those of position, orientation and torsions: children add theirs to their parents.
QUARRY_INLINE void sum_forces(const LigandView& ligand, const PoseMemory& memory, const Slots& gradient) {
  const Vector none{same(0), same(0), same(0)};
  for (int f = 0; f < 2 * ligand.num_fragments; ++f) memory.forces.set_vector(f, none);
  for (int f = ligand.num_fragments - 1; f >= 0; --f) {
    const PlanFragment& fragment = ligand.fragments[f];
    const Vector origin = memory.origins.vector(f);
    Vector force = memory.forces.vector(2 * f), moment = memory.forces.vector(2 * f + 1);
    for (int a = fragment.first_atom; a < fragment.last_atom; ++a) {
      const Vector own = memory.gradients.vector(a);
      force = force + own;
      moment = moment + cross(memory.positions.vector(a) - origin, own);
    }
    if (f == 0) {
      gradient.set_vector(0, force);
      gradient.set_vector(1, moment);
      break;
    }
    const Vector axis = rotation_at(memory.rotations, f) * same_vector(fragment.axis);
    gradient.set(5 + f, dot(axis, moment));
    const int parent = fragment.parent;
    memory.forces.set_vector(2 * parent, memory.forces.vector(2 * parent) + force);
    const Vector lever = cross(origin - memory.origins.vector(parent), force);
    memory.forces.set_vector(2 * parent + 1, memory.forces.vector(2 * parent + 1) + moment + lever);
  }
}

struct PoseEnergy {
  Real inter, intra;
};

/// @param gradient  [degrees of freedom] out, where kGradient
template <bool kGradient, class Field, class Pairs>
QUARRY_HD PoseEnergy evaluate(const LigandView& ligand, const Field& field, const Pairs& pairs, const Slots& variables,
                              const PoseMemory& memory, const Slots& gradient, Mask wanted) {
  place_fragments(ligand, variables, memory, 0, ligand.num_fragments);
  PoseEnergy energy;
  energy.inter = sum_atoms<kGradient>(ligand, field, memory, 0, ligand.num_fragments, wanted);
  energy.intra = sum_pairs<kGradient>(ligand, pairs, memory);
  if constexpr (kGradient) sum_forces(ligand, memory, gradient);
  if constexpr (Field::kShared) {  // forces of parts add up to the force
    if constexpr (kGradient) field.add_up(gradient.first, gradient.stride, ligand.num_degrees());
    const Slots& energies = memory.forces;  // they are used up
    energies.set(0, energy.inter);
    energies.set(1, energy.intra);
    field.add_up(energies.first, energies.stride, 2);
    energy = {energies[0], energies[1]};
  }
  return energy;
}

/// `to = from` moved along a direction.
QUARRY_INLINE void move(const LigandView& ligand, const Slots& from, const Slots& direction, Real step,
                        const Slots& to) {
  to.set_vector(0, fused(from.vector(0), direction.vector(0), step));
  const Vector turn = scaled(direction.vector(1), step);
  set_quaternion(to, normalised(rotation_by(turn) * quaternion_of(from)));
  for (int t = 0; t < ligand.num_torsions(); ++t) to.set(7 + t, fused(direction[6 + t], step, from[7 + t]));
}

}  // namespace QUARRY_TARGET
}  // namespace quarry::dock
QUARRY_AFTER_TARGET();
