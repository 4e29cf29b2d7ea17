/// Poses: from numbers (position, quaternion, torsions) to the positions of atoms, their energy, and its gradient by those
/// numbers.
///
/// Who has a pose is a team: on the host one thread, with the sixteen poses of its vectors side by side; on a device
/// one lane, or the lanes of a team, which share out atoms, fragments and numbers, and meet at barriers. Sums are in
/// the order of the atoms in each of these forms, so they have the same bits.
#include <type_traits>

#include "dock/batch/plan.hpp"
#include "exec/simd/bits.hpp"
#include "exec/team.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::dock {
namespace QUARRY_TARGET {

/// Numbers of poses.
struct Slots {
  float* memory;
  int stride;     ///< from a number to the next
  int first = 0;  ///< place of number 0 in the memory: a GPU keeps it in half the room of a pointer

  QUARRY_INLINE Real operator[](int i) const { return load(memory + (first + i * stride)); }
  QUARRY_INLINE void set(int i, Real value) const { store(value, memory + (first + i * stride)); }
  QUARRY_INLINE Vector vector(int i) const { return {(*this)[3 * i], (*this)[3 * i + 1], (*this)[3 * i + 2]}; }
  QUARRY_INLINE void set_vector(int i, const Vector& value) const {
    set(3 * i, value.x);
    set(3 * i + 1, value.y);
    set(3 * i + 2, value.z);
  }
  QUARRY_INLINE Slots from(int i) const { return {memory, stride, first + i * stride}; }
};

/// A sum over atoms, in their order however many lanes share them.
template <class AnyTeam>
class AtomSum {
 public:
  /// @param parts  [atoms], where lanes do
  QUARRY_INLINE AtomSum(const AnyTeam& team, const Slots& parts) : team_(team), parts_(parts) {}

  QUARRY_INLINE void add(int atom, Real value) {
    if constexpr (kShared) {
      parts_.set(atom, value);
    } else {
      sum_ = sum_ + value;
    }
  }
  /// Of atoms [begin, end), for every lane. It begins with a barrier.
  QUARRY_INLINE Real total(int begin, int end) {
    team_.barrier();
    if constexpr (kShared) {
      for (int a = begin; a < end; ++a) sum_ = sum_ + parts_[a];
    }
    return sum_;
  }

 private:
  static constexpr bool kShared = !std::is_same_v<AnyTeam, HostTeam>;
  const AnyTeam& team_;
  Slots parts_;
  Real sum_ = same(0);
};

/// Memory for evaluating a pose.
struct PoseMemory {
  Slots positions, gradients;  ///< [3 atoms]
  Slots inter, intra;          ///< energies [atoms]
  Slots rotations, origins;    ///< of fragments [9 fragments], [3 fragments]
  Slots turns;                 ///< sines and cosines of torsions [2 fragments]
  Slots forces;                ///< on subtrees [6 fragments], gradient and its moment about the root's origin

  /// Floats of one pose.
  QUARRY_HD static int size(int num_atoms, int num_fragments) { return 8 * num_atoms + 20 * num_fragments; }
  QUARRY_HD PoseMemory(const LigandView& ligand, const Slots& slots)
      : positions(slots),
        gradients(slots.from(3 * ligand.num_atoms)),
        inter(slots.from(6 * ligand.num_atoms)),
        intra(slots.from(7 * ligand.num_atoms)),
        rotations(slots.from(8 * ligand.num_atoms)),
        origins(rotations.from(9 * ligand.num_fragments)),
        turns(origins.from(3 * ligand.num_fragments)),
        forces(turns.from(2 * ligand.num_fragments)) {}
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

QUARRY_INLINE Quaternion quaternion_of(const Slots& numbers) {
  return {numbers[0], numbers[1], numbers[2], numbers[3]};
}
QUARRY_INLINE void set_quaternion(const Slots& numbers, const Quaternion& q) {
  numbers.set(0, q.w);
  numbers.set(1, q.x);
  numbers.set(2, q.y);
  numbers.set(3, q.z);
}

QUARRY_INLINE Rotation rotation_at(const Slots& rotations, int fragment) {
  return {{rotations.vector(3 * fragment), rotations.vector(3 * fragment + 1), rotations.vector(3 * fragment + 2)}};
}

/// A row of the parent's rotation after one about the bond: times `cos + sin [axis]x + (1 - cos) axis axis^T`.
QUARRY_INLINE Vector turned(const Vector& row, const Vector& axis, const SineCosine& turn) {
  const Vector along = scaled(axis, dot(row, axis) * (same(1) - turn.cosine));
  return fused(fused(along, row, turn.cosine), cross(row, axis), turn.sine);
}

/// Frames of the fragments from `first` on, to `last`. A row of a rotation needs no other row, so three lanes go down the tree.
template <class AnyTeam>
QUARRY_INLINE void place_fragments(const AnyTeam& team, const LigandView& ligand, const Slots& variables,
                                   const PoseMemory& memory, int first, int last) {
  team.barrier();
  for (const int f : share(team, first, last)) {
    if (f == 0) continue;
    const SineCosine turn = sine_cosine(variables[6 + f]);
    memory.turns.set(2 * f, turn.sine);
    memory.turns.set(2 * f + 1, turn.cosine);
  }
  team.barrier();
  for (const int row : share(team, 0, 3)) {
    for (int f = first; f < last; ++f) {
      if (f == 0) {
        const Slots quaternion = variables.from(3);
        const int next = row < 2 ? row + 1 : 0, after = 3 - row - next;
        const Real one = same(1), two = same(2), w = quaternion[0];
        const Real x = quaternion[1 + row], y = quaternion[1 + next], z = quaternion[1 + after];
        memory.rotations.set(3 * row + row, one - two * (y * y + z * z));
        memory.rotations.set(3 * row + next, two * (x * y - w * z));
        memory.rotations.set(3 * row + after, two * (x * z + w * y));
        memory.origins.set(row, variables[row]);
        continue;
      }
      const PlanFragment& fragment = ligand.fragments[f];
      const Vector parent = memory.rotations.vector(3 * fragment.parent + row);
      memory.origins.set(3 * f + row,
                         memory.origins[3 * fragment.parent + row] + dot(parent, same_vector(fragment.offset)));
      memory.rotations.set_vector(
          3 * f + row, turned(parent, same_vector(fragment.axis), {memory.turns[2 * f], memory.turns[2 * f + 1]}));
    }
  }
  team.barrier();
}

/// Energy with the receptor of the atoms of these fragments, which it places.
template <bool kGradient, class AnyTeam, class Field>
QUARRY_INLINE Real sum_atoms(const AnyTeam& team, const LigandView& ligand, const Field& field,
                             const PoseMemory& memory, int first, int last, Mask wanted) {
  const int begin = ligand.fragments[first].first_atom, end = ligand.fragments[last - 1].last_atom;
  AtomSum energy(team, memory.inter);
  Rotation rotation;
  Vector origin;
  int placed = -1;
  const auto add = [&](int a, bool keeps) {
    const PlanAtom& atom = ligand.atoms[a];
    if (atom.fragment != placed) {
      placed = atom.fragment;
      rotation = rotation_at(memory.rotations, placed);
      origin = memory.origins.vector(placed);
    }
    const Vector position = origin + rotation * same_vector(atom.position);
    const AtomEnergy own = field.template at<kGradient>(atom, position, wanted);
    if (!keeps) return;
    memory.positions.set_vector(a, position);
    if constexpr (kGradient) memory.gradients.set_vector(a, own.gradient);
    energy.add(a, own.energy);
  };
  if constexpr (Field::kShared) {
    for (int from = begin; from < end; from += field.num_groups()) {  // where few atoms are left, groups share the last
      const int a = from + field.group();
      add(a < end ? a : end - 1, field.leads() && a < end);
    }
  } else {
    for (const int a : share(team, begin, end)) add(a, true);
  }
  return energy.total(begin, end);
}

/// Atoms whose pairs are summed at once. A lane of a device has some in its registers, and reads a partner's position
/// once for all of them: a device waits for memory. Three, where 32 lanes have the 65 to 96 atoms of a pose.
template <class AnyTeam>
inline constexpr int kTileAtoms = kLanes > 1 || kLanesOf<AnyTeam> == 0 ? 1
                                  : kLanesOf<AnyTeam> < 32             ? 4
                                                                       : 3;

/// A number, or 0 for a pair that is not wanted. With vectors all are.
QUARRY_INLINE Real if_wanted([[maybe_unused]] bool wanted, Real value) {
  if constexpr (kLanes > 1) return value;
  return wanted ? value : same(0);
}

struct Partner {
  int atom = 0, type = 0;
  Vector position;
};
/// That of the lowest bit, or of bit 0 if there is none.
QUARRY_INLINE Partner partner_in(const LigandView& ligand, const PoseMemory& memory, int word, std::uint32_t bits) {
  const int atom = word * kWordAtoms + (bits == 0 ? 0 : lowest_bit(bits));
  return {atom, ligand.atoms[atom].type, memory.positions.vector(atom)};
}

/// Atoms from `first` on, to `last` at most.
template <int kAtoms>
struct AtomTile {
  int first, last;
  Vector positions[kAtoms];
  int tables[kAtoms];  ///< number of the table of an atom with the first type

  QUARRY_INLINE AtomTile(const LigandView& ligand, const PoseMemory& memory, int first_atom, int end)
      : first(first_atom), last(end) {
    QUARRY_UNROLL
    for (int i = 0; i < kAtoms; ++i) {
      positions[i] = memory.positions.vector(atom(i));
      tables[i] = pair_table_index(ligand.atoms[atom(i)].type, 0);
    }
  }
  QUARRY_INLINE bool has(int i) const { return kAtoms == 1 || first + i < last; }
  /// Where the tile has fewer atoms, the last.
  QUARRY_INLINE int atom(int i) const { return has(i) ? first + i : last - 1; }
  /// `visit(i, partner, table, away, wanted)` for each atom of the tile and each partner in [begin, end) that any of
  /// them has: `away` leads from the partner to atom `first + i`, and the pair is `wanted` if that atom has it.
  /// Partners come in order. PERF: a GPU can do all of them at once, and came to one after the other when only those
  /// that are wanted were visited. Not yet measured.
  template <class Visit>
  QUARRY_INLINE void for_pairs(const LigandView& ligand, const PoseMemory& memory, int begin, int end,
                               Visit&& visit) const {
    for (int word = begin / kWordAtoms; word * kWordAtoms < end; ++word) {
      std::uint32_t partners[kAtoms], left = 0;
      QUARRY_UNROLL
      for (int i = 0; i < kAtoms; ++i) {
        partners[i] = has(i) ? ligand.partners_in(first + i, word, begin, end) : 0;
        left |= partners[i];
      }
      Partner next = partner_in(ligand, memory, word, left);
      while (left != 0) {
        const Partner own = next;
        const int bit = own.atom % kWordAtoms;
        left &= left - 1;
        next = partner_in(ligand, memory, word, left);
        QUARRY_UNROLL
        for (int i = 0; i < kAtoms; ++i) {
          visit(i, own.atom, tables[i] + own.type, positions[i] - own.position,
                kAtoms == 1 || (partners[i] >> bit & 1) != 0);
        }
      }
    }
  }
};

/// Internal energy of placed atoms. The force of each pair is added to those on its atoms.
///
/// With vectors each pair is done once. A lane does it for both of its atoms, so that the force on an atom stays in
/// registers: stores are what a device waits for. Either way the forces on an atom are added in the order of its
/// partners.
template <bool kGradient, class AnyTeam, class Pairs>
QUARRY_INLINE Real sum_pairs(const AnyTeam& team, const LigandView& ligand, const Pairs& pairs,
                             const PoseMemory& memory) {
  constexpr bool kTwice = kGradient && kLanes == 1;
  constexpr int kAtoms = kTileAtoms<AnyTeam>;
  const int num_atoms = ligand.num_atoms;
  AtomSum energy(team, memory.intra);
  for (const int number : share(team, 0, (num_atoms + kAtoms - 1) / kAtoms)) {
    const AtomTile<kAtoms> tile(ligand, memory, number * kAtoms, num_atoms);
    Real energies[kAtoms];
    Vector gradients[kAtoms];
    QUARRY_UNROLL
    for (int i = 0; i < kAtoms; ++i) {
      energies[i] = same(0);
      if constexpr (kGradient) gradients[i] = memory.gradients.vector(tile.atom(i));
    }
    tile.for_pairs(ligand, memory, kTwice ? 0 : tile.first + 1, num_atoms,
                   [&](int i, int partner, int table, const Vector& away, bool wanted) {
                     const TableEnergy own = pairs.at(table, dot(away, away));
                     energies[i] = energies[i] + if_wanted(wanted && partner > tile.first + i, own.energy);
                     if constexpr (kGradient) {
                       const Real twice = if_wanted(wanted, own.slope + own.slope);
                       gradients[i] = fused(gradients[i], away, twice);
                       if constexpr (!kTwice)
                         memory.gradients.set_vector(partner, fused(memory.gradients.vector(partner), away, -twice));
                     }
                   });
    QUARRY_UNROLL
    for (int i = 0; i < kAtoms; ++i) {
      if (!tile.has(i)) continue;
      if constexpr (kGradient) memory.gradients.set_vector(tile.atom(i), gradients[i]);
      energy.add(tile.atom(i), energies[i]);
    }
  }
  return energy.total(0, num_atoms);
}

/// From gradients of atoms to those of position, orientation and torsions: a subtree is moved by all forces on it.
template <class AnyTeam>
QUARRY_INLINE void sum_forces(const AnyTeam& team, const LigandView& ligand, const PoseMemory& memory,
                              const Slots& gradient) {
  const Vector root = memory.origins.vector(0);
  for (const int f : share(team, 0, ligand.num_fragments)) {
    const PlanFragment& fragment = ligand.fragments[f];
    const Vector none{same(0), same(0), same(0)};
    Vector force = none, moment = none;
    for (int a = fragment.first_atom; a < fragment.last_atom; ++a) {
      const Vector own = memory.gradients.vector(a);
      force = force + own;
      moment = moment + cross(memory.positions.vector(a) - root, own);
    }
    memory.forces.set_vector(2 * f, force);
    memory.forces.set_vector(2 * f + 1, moment);
  }
  team.barrier();
  for (const int part : share(team, 0, 6)) {
    for (int f = ligand.num_fragments - 1; f > 0; --f) {
      const int own = 6 * f + part, parent = 6 * ligand.fragments[f].parent + part;
      memory.forces.set(parent, memory.forces[parent] + memory.forces[own]);
    }
    gradient.set(part, memory.forces[part]);
  }
  team.barrier();
  for (const int f : share(team, 1, ligand.num_fragments)) {
    const Vector axis = rotation_at(memory.rotations, f) * same_vector(ligand.fragments[f].axis);
    const Vector lever = memory.origins.vector(f) - root;
    const Vector moment = memory.forces.vector(2 * f + 1) - cross(lever, memory.forces.vector(2 * f));
    gradient.set(5 + f, dot(axis, moment));
  }
  team.barrier();
}

struct PoseEnergy {
  Real inter, intra;
};

/// @param gradient  [degrees of freedom] out, where kGradient
template <bool kGradient, class AnyTeam, class Field, class Pairs>
QUARRY_HD PoseEnergy evaluate(const AnyTeam& team, const LigandView& ligand, const Field& field, const Pairs& pairs,
                              const Slots& variables, const PoseMemory& memory, const Slots& gradient, Mask wanted) {
  place_fragments(team, ligand, variables, memory, 0, ligand.num_fragments);
  PoseEnergy energy;
  energy.inter = sum_atoms<kGradient>(team, ligand, field, memory, 0, ligand.num_fragments, wanted);
  energy.intra = sum_pairs<kGradient>(team, ligand, pairs, memory);
  if constexpr (kGradient) sum_forces(team, ligand, memory, gradient);
  return energy;
}

/// `to = from` moved along a direction.
template <class AnyTeam>
QUARRY_INLINE void move(const AnyTeam& team, const LigandView& ligand, const Slots& from, const Slots& direction,
                        Real step, const Slots& to) {
  constexpr int kQuaternion = 3;  // one of the numbers that are shared out, as large as four
  for (const int i : share(team, 0, 4 + ligand.num_torsions())) {
    if (i == kQuaternion) {
      const Vector turn = scaled(direction.vector(1), step);
      set_quaternion(to.from(3), normalised(rotation_by(turn) * quaternion_of(from.from(3))));
    } else {
      const int degree = i < kQuaternion ? i : i + 2, variable = i < kQuaternion ? i : i + 3;
      to.set(variable, fused(direction[degree], step, from[variable]));
    }
  }
}

}  // namespace QUARRY_TARGET
}  // namespace quarry::dock
QUARRY_AFTER_TARGET();
