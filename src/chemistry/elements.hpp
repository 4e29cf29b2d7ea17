/// What docking asks about elements: symbols, radii, and AutoDock Vina's types. Lengths are in angstrom.
#pragma once
#include <optional>
#include <string_view>

#include "quarry/receptor.hpp"

namespace quarry {

inline constexpr int kHydrogen = 1, kCarbon = 6, kNitrogen = 7, kOxygen = 8, kSulfur = 16, kSelenium = 34;

/// Of a symbol in any case; 0 where there is no such element. D and T are hydrogen.
int atomic_number(std::string_view symbol);
/// "?" where there is no such element.
std::string_view element_symbol(int element);
bool is_metal(int element);

/// Two atoms are bonded where they are nearer than 1.1 times the sum of their radii.
/// Source: the covalent radii of AutoDock Vina 1.2.
double bonding_radius(int element);
/// No two atoms further apart are bonded.
inline constexpr double kMaxBondLength = 1.1 * 2 * 1.75;

/// Of RDKit's table of elements.
double van_der_waals_radius(int element);
double covalent_radius(int element);

/// What the neighbours of an atom make of it.
struct Bonding {
  bool heteroatom = false;  ///< a neighbour is neither carbon nor hydrogen; asked for carbon only
  bool donor = false;       ///< a hydrogen is bonded; asked for nitrogen and oxygen only
  bool acceptor = false;    ///< asked for nitrogen and oxygen only
};
/// Nothing where Vina has no parameters for the element, for example boron. Selenium counts as sulfur.
std::optional<AtomType> atom_type(int element, const Bonding& bonding);

}  // namespace quarry
