/// Residues without a template are typed by the lengths and angles of their bonds, because heavy atoms alone say which
/// nitrogen or oxygen has a hydrogen. Limits lie between the lengths of the two states in small molecules.
/// Source of lengths: Allen et al., J. Chem. Soc. Perkin Trans. 2 (1987) S1.
#include "readers/receptor/site_types.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

namespace quarry {
namespace {

constexpr double kLongestCarbonyl = 1.30;   // C=O 1.22, carboxylate 1.25, phenol 1.36, alcohol 1.43
constexpr double kLongestNitrile = 1.22;    // C#N 1.14
constexpr double kLongestImine = 1.30;      // C=N 1.28, amide 1.33
constexpr double kLongestAromatic = 1.45;   // pyridine C-N 1.34, amine 1.47
constexpr double kWidestPyridine = 120.5;   // angle at N of pyridine 117, of pyridone N-H 124
constexpr double kWidestImidazole = 106.5;  // angle at N of imidazole 105, of its N-H 108
constexpr double kPlanarAngles = 350;       // sum at N: amide 360, amine 330

std::vector<int> heavy_neighbours(const BondedAtoms& atoms, int atom) {
  std::vector<int> heavy;
  std::ranges::copy_if(atoms.neighbours(atom), std::back_inserter(heavy),
                       [&](int other) { return !atoms.atoms()[other].is_hydrogen(); });
  return heavy;
}

bool any_neighbour(const BondedAtoms& atoms, int atom, auto&& matches) {
  return std::ranges::any_of(atoms.neighbours(atom), [&](int other) { return matches(atoms.element(other)); });
}

bool has_hydrogen(const BondedAtoms& atoms, int atom) {
  return any_neighbour(atoms, atom, [](int element) { return element == kHydrogen; });
}

bool on_metal(const BondedAtoms& atoms, int atom) { return any_neighbour(atoms, atom, is_metal); }

bool has_heteroatom(const BondedAtoms& atoms, int atom) {
  return any_neighbour(atoms, atom, [](int element) { return element != kCarbon && element != kHydrogen; });
}

bool lists_hydrogens(const SiteResidue& residue) {
  return std::ranges::any_of(residue.atoms, [](const SiteAtom& atom) { return atom.element == kHydrogen; });
}

/// Atoms of the smallest ring of five or six atoms with this atom and two of its neighbours; 0 where there is none.
int ring_size(const BondedAtoms& atoms, int atom, int first, int last) {
  std::vector<int> reached{first};
  for (int size = 3; size <= 6; ++size) {
    std::vector<int> next;
    for (const int from : reached) {
      for (const int to : atoms.neighbours(from)) {
        if (to == last) return size;
        if (to != atom && !atoms.atoms()[to].is_hydrogen()) next.push_back(to);
      }
    }
    std::ranges::sort(next);
    next.erase(std::unique(next.begin(), next.end()), next.end());
    reached = std::move(next);
  }
  return 0;
}

/// An oxygen with one neighbour is a hydroxyl where its bond to carbon is long and the carbon has no second such oxygen.
bool is_hydroxyl(const BondedAtoms& atoms, int oxygen, const std::vector<int>& heavy) {
  if (heavy.empty()) return true;  // water
  if (heavy.size() > 1 || atoms.element(heavy[0]) != kCarbon) return false;
  const bool carboxyl = std::ranges::any_of(atoms.neighbours(heavy[0]), [&](int other) {
    return other != oxygen && atoms.element(other) == kOxygen && heavy_neighbours(atoms, other).size() == 1;
  });
  return !carboxyl && atoms.distance(oxygen, heavy[0]) > kLongestCarbonyl;
}

/// Is the neighbour of a nitrogen a carbonyl carbon?
bool is_carbonyl(const BondedAtoms& atoms, int carbon) {
  return std::ranges::any_of(atoms.neighbours(carbon), [&](int other) {
    return atoms.element(other) == kOxygen && heavy_neighbours(atoms, other).size() == 1 &&
           atoms.distance(carbon, other) < kLongestCarbonyl;
  });
}

/// In rings of six a nitrogen has a hydrogen where it is a lactam's, or where a bond is as long as an amine's.
bool is_bare_in_six(const BondedAtoms& atoms, int nitrogen, int first, int last) {
  if (std::max(atoms.distance(nitrogen, first), atoms.distance(nitrogen, last)) > kLongestAromatic) return false;
  const bool lactam = is_carbonyl(atoms, first) || is_carbonyl(atoms, last);
  return !lactam || atoms.angle(first, nitrogen, last) < kWidestPyridine;
}

/// In rings of five the angle decides, unless a neighbour of a neighbour is a nitrogen with three bonds: of an imidazole
/// one nitrogen is bare.
bool is_bare_in_five(const BondedAtoms& atoms, int nitrogen, int first, int last) {
  for (const int carbon : {first, last}) {
    for (const int other : heavy_neighbours(atoms, carbon)) {
      const bool in_ring = ring_size(atoms, carbon, nitrogen, other) == 5;
      if (in_ring && atoms.element(other) == kNitrogen && heavy_neighbours(atoms, other).size() == 3) return true;
    }
  }
  return atoms.angle(first, nitrogen, last) < kWidestImidazole;
}

Bonding nitrogen_between(const BondedAtoms& atoms, int nitrogen, int first, int last) {
  const int size = ring_size(atoms, nitrogen, first, last);
  bool bare = std::min(atoms.distance(nitrogen, first), atoms.distance(nitrogen, last)) < kLongestImine;
  if (size == 6) bare = is_bare_in_six(atoms, nitrogen, first, last);
  if (size == 5) bare = is_bare_in_five(atoms, nitrogen, first, last);
  return {.donor = !bare, .acceptor = bare};
}

Bonding nitrogen_by_geometry(const BondedAtoms& atoms, int nitrogen) {
  const auto heavy = heavy_neighbours(atoms, nitrogen);
  if (heavy.size() == 1) {
    const bool nitrile = atoms.distance(nitrogen, heavy[0]) < kLongestNitrile;
    return {.donor = !nitrile, .acceptor = nitrile};
  }
  if (heavy.size() == 2) return nitrogen_between(atoms, nitrogen, heavy[0], heavy[1]);
  if (heavy.size() == 3) {  // an amine is charged
    const double sum = atoms.angle(heavy[0], nitrogen, heavy[1]) + atoms.angle(heavy[1], nitrogen, heavy[2]) +
                       atoms.angle(heavy[0], nitrogen, heavy[2]);
    return {.donor = sum < kPlanarAngles};
  }
  return {};
}

Bonding by_geometry(const BondedAtoms& atoms, int atom) {
  const bool listed = lists_hydrogens(*atoms.atoms()[atom].residue);
  Bonding bonding;
  if (atoms.element(atom) == kOxygen) {
    bonding = {.donor = is_hydroxyl(atoms, atom, heavy_neighbours(atoms, atom)), .acceptor = true};
  } else if (!on_metal(atoms, atom)) {
    bonding = nitrogen_by_geometry(atoms, atom);
  }
  if (listed) bonding.donor = has_hydrogen(atoms, atom);
  return bonding;
}

/// Does the peptide chain go on at this nitrogen?
bool follows_residue(const BondedAtoms& atoms, int nitrogen) {
  return std::ranges::any_of(atoms.neighbours(nitrogen), [&](int other) {
    return atoms.element(other) == kCarbon && atoms.atoms()[other].residue != atoms.atoms()[nitrogen].residue;
  });
}

Bonding by_template(const BondedAtoms& atoms, int atom, const TemplateAtom& expected) {
  const SiteResidue& residue = *atoms.atoms()[atom].residue;
  Bonding bonding{.donor = expected.donor, .acceptor = expected.acceptor};
  if (atoms.element(atom) == kNitrogen && on_metal(atoms, atom)) return {};
  if ((residue.name == "PRO" || residue.name == "HYP") && expected.name == "N") {
    bonding.donor = !follows_residue(atoms, atom);
  }
  // The ends of a strand.
  if (expected.name == "O3'" || expected.name == "O5'") bonding.donor = heavy_neighbours(atoms, atom).size() == 1;
  const bool histidine = residue.name == "HIS" && (expected.name == "ND1" || expected.name == "NE2");
  if (histidine && lists_hydrogens(residue)) {
    bonding.donor = has_hydrogen(atoms, atom);
    bonding.acceptor = !bonding.donor;
  }
  bonding.donor |= has_hydrogen(atoms, atom);
  return bonding;
}

/// The backbone of a modified amino acid.
const TemplateAtom* backbone_atom(const SiteResidue& residue, std::string_view name) {
  const auto has = [&](std::string_view atom) {
    return std::ranges::find(residue.atoms, atom, &SiteAtom::name) != residue.atoms.end();
  };
  if (!has("N") || !has("CA") || !has("C") || !has("O")) return nullptr;
  return find_template("GLY")->find(name);
}

}  // namespace

Bonding bonding_of(const BondedAtoms& atoms, int atom, const ResidueTemplate* known) {
  const auto& [residue, listed] = atoms.atoms()[atom];
  if (listed->element == kCarbon) return {.heteroatom = has_heteroatom(atoms, atom)};
  if (listed->element != kNitrogen && listed->element != kOxygen) return {};
  const TemplateAtom* expected = known ? known->find(listed->name) : backbone_atom(*residue, listed->name);
  return expected ? by_template(atoms, atom, *expected) : by_geometry(atoms, atom);
}

Bonding bonding_from_autodock(const BondedAtoms& atoms, int atom) {
  const std::string& type = atoms.atoms()[atom].atom->autodock;
  const bool donor = std::ranges::any_of(atoms.neighbours(atom),
                                         [&](int other) { return atoms.atoms()[other].atom->autodock == "HD"; });
  return {.heteroatom = has_heteroatom(atoms, atom), .donor = donor, .acceptor = type == "OA" || type == "NA"};
}

}  // namespace quarry
