#include "chemistry/elements.hpp"

#include <GraphMol/PeriodicTable.h>

#include <algorithm>
#include <array>
#include <string>

#include "util/ascii.hpp"

namespace quarry {
namespace {

constexpr std::array<std::string_view, 119> kSymbols{
    "?",  "H",  "He", "Li", "Be", "B",  "C",  "N",  "O",  "F",  "Ne", "Na", "Mg", "Al", "Si", "P",  "S",
    "Cl", "Ar", "K",  "Ca", "Sc", "Ti", "V",  "Cr", "Mn", "Fe", "Co", "Ni", "Cu", "Zn", "Ga", "Ge", "As",
    "Se", "Br", "Kr", "Rb", "Sr", "Y",  "Zr", "Nb", "Mo", "Tc", "Ru", "Rh", "Pd", "Ag", "Cd", "In", "Sn",
    "Sb", "Te", "I",  "Xe", "Cs", "Ba", "La", "Ce", "Pr", "Nd", "Pm", "Sm", "Eu", "Gd", "Tb", "Dy", "Ho",
    "Er", "Tm", "Yb", "Lu", "Hf", "Ta", "W",  "Re", "Os", "Ir", "Pt", "Au", "Hg", "Tl", "Pb", "Bi", "Po",
    "At", "Rn", "Fr", "Ra", "Ac", "Th", "Pa", "U",  "Np", "Pu", "Am", "Cm", "Bk", "Cf", "Es", "Fm", "Md",
    "No", "Lr", "Rf", "Db", "Sg", "Bh", "Hs", "Mt", "Ds", "Rg", "Cn", "Nh", "Fl", "Mc", "Lv", "Ts", "Og"};

AtomType hydrogen_bonding_type(AtomType neither, const Bonding& bonding) {
  // Both elements have their four types in this order.
  const int offset = (bonding.donor ? 1 : 0) + (bonding.acceptor ? 2 : 0);
  return static_cast<AtomType>(static_cast<int>(neither) + offset);
}

}  // namespace

int atomic_number(std::string_view symbol) {
  const std::string lower = lower_case(std::string(symbol));
  if (lower == "d" || lower == "t") return kHydrogen;
  const auto found = std::ranges::find_if(
      kSymbols, [&](std::string_view candidate) { return lower_case(std::string(candidate)) == lower; });
  return found == kSymbols.end() ? 0 : static_cast<int>(found - kSymbols.begin());
}

std::string_view element_symbol(int element) {
  return element > 0 && element < std::ssize(kSymbols) ? kSymbols[element] : kSymbols[0];
}

bool is_metal(int element) {
  constexpr std::array<std::array<int, 2>, 6> kRanges{{{3, 4}, {11, 13}, {19, 31}, {37, 50}, {55, 84}, {87, 118}}};
  return std::ranges::any_of(kRanges, [&](auto range) { return element >= range[0] && element <= range[1]; });
}

double bonding_radius(int element) {
  switch (element) {
    case 1:
      return 0.37;
    case 6:
      return 0.77;
    case 7:
      return 0.75;
    case 8:
      return 0.73;
    case 9:
      return 0.71;
    case 12:
      return 1.30;
    case 14:
      return 1.11;
    case 15:
      return 1.06;
    case 16:
      return 1.02;
    case 17:
      return 0.99;
    case 20:
      return 1.74;
    case 25:
      return 1.39;
    case 26:
      return 1.25;
    case 30:
      return 1.31;
    case 34:
      return 1.17;
    case 35:
      return 1.14;
    case 53:
      return 1.33;
    default:
      return 1.75;
  }
}

std::optional<AtomType> atom_type(int element, const Bonding& bonding) {
  switch (element) {
    case 1:
      return AtomType::hydrogen;
    case 6:
      return bonding.heteroatom ? AtomType::carbon_polar : AtomType::carbon_hydrophobic;
    case 7:
      return hydrogen_bonding_type(AtomType::nitrogen, bonding);
    case 8:
      return hydrogen_bonding_type(AtomType::oxygen, bonding);
    case 9:
      return AtomType::fluorine;
    case 14:
      return AtomType::silicon;
    case 15:
      return AtomType::phosphorus;
    case 16:
    case 34:
      return AtomType::sulfur;
    case 17:
      return AtomType::chlorine;
    case 35:
      return AtomType::bromine;
    case 53:
      return AtomType::iodine;
    case 85:
      return AtomType::astatine;
    default:
      return is_metal(element) ? std::optional(AtomType::metal) : std::nullopt;
  }
}

double van_der_waals_radius(int element) { return RDKit::PeriodicTable::getTable()->getRvdw(element); }

double covalent_radius(int element) { return RDKit::PeriodicTable::getTable()->getRcovalent(element); }

}  // namespace quarry
