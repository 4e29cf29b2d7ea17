#include "readers/receptor/site_elements.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "chemistry/elements.hpp"
#include "readers/receptor/residue_templates.hpp"
#include "util/ascii.hpp"

namespace quarry {
namespace {

/// Names of ions in CHARMM and AMBER that are no symbols.
constexpr std::pair<std::string_view, int> kIons[] = {{"SOD", 11}, {"POT", 19}, {"CLA", 17}, {"CAL", 20}, {"CES", 55},
                                                      {"LIT", 3},  {"RUB", 37}, {"BAR", 56}, {"CAD", 48}, {"C0", 20}};
/// Of cofactors: with digits behind the symbol or nothing, these are no lighter element wherever the name begins.
constexpr std::string_view kNumbered[] = {"CL", "BR", "FE", "ZN", "MG", "MN", "CU", "MO"};
/// With nothing behind it, where names begin too early.
constexpr std::string_view kAlone[] = {"CO", "NI", "SE", "SI"};

int element_of_symbol(std::string_view letters) {
  std::string symbol;
  for (const char c : letters) symbol += symbol.empty() ? c : static_cast<char>(c - 'A' + 'a');
  return symbol == "D" ? kHydrogen : atomic_number(symbol);
}

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

/// The element of the first letter of a name; 0 where it has none.
int first_element(std::string_view name) {
  const auto letter = std::ranges::find_if(name, is_capital);
  return letter == name.end() ? 0 : element_of_symbol({letter, 1});
}

/// An ion is a residue of one atom that is named as it: CU of CU, FE of FE2.
void name_ion(SiteResidue& residue) {
  SiteAtom& atom = residue.atoms[0];
  const auto known = std::ranges::find(kIons, residue.name, &std::pair<std::string_view, int>::first);
  if (known != std::end(kIons) && atom.name == residue.name) {
    atom.element = known->second;
    return;
  }
  std::string letters;
  std::ranges::copy_if(residue.name, std::back_inserter(letters), is_capital);
  if (atom.name != letters) return;
  if (const int element = element_of_symbol(letters); element > 0) atom.element = element;
}

/// Models of water have points for charges, such as EPW and M.
void name_water(SiteResidue& residue) {
  for (SiteAtom& atom : residue.atoms) atom.element = first_element(atom.name);
  std::erase_if(residue.atoms,
                [](const SiteAtom& atom) { return atom.element != kHydrogen && atom.element != kOxygen; });
}

/// Amino acids and nucleotides have light elements. @return  was the element of a heavy atom guessed to be another one?
bool name_polymer(SiteResidue& residue) {
  constexpr int kPhosphorus = 15;
  constexpr int kLight[] = {kHydrogen, kCarbon, kNitrogen, kOxygen, kPhosphorus, kSulfur, kSelenium};
  const auto is_light = [&](int element) { return std::ranges::find(kLight, element) != std::end(kLight); };
  bool changed = false;
  for (SiteAtom& atom : residue.atoms) {
    const int element = first_element(atom.name);
    if (atom.stated || is_light(atom.element) || !is_light(element)) continue;
    atom.element = element;
    changed |= element != kHydrogen;
  }
  return changed;
}

bool is_numbered(std::string_view name) {
  return std::ranges::any_of(kNumbered, [&](std::string_view symbol) {
    return name.starts_with(symbol) && std::ranges::all_of(name.substr(symbol.size()), is_digit);
  });
}

/// @param too_early  names begin a column too early, so that gemmi takes two letters for one
void name_cofactor(SiteResidue& residue, bool too_early) {
  for (SiteAtom& atom : residue.atoms) {
    if (atom.stated) continue;
    const std::string_view name = atom.name;
    int element = too_early ? first_element(name) : 0;
    if (is_numbered(name) || (too_early && std::ranges::find(kAlone, name) != std::end(kAlone)))
      element = element_of_symbol(name.substr(0, 2));
    if (element > 0) atom.element = element;
  }
}

}  // namespace

void complete_elements(Structure& structure) {
  bool too_early = false;
  for (SiteResidue& residue : structure) {
    if (is_water(residue.name))
      name_water(residue);
    else if (residue.atoms.size() == 1)
      name_ion(residue);
    else if (find_template(residue.name) != nullptr)
      too_early |= name_polymer(residue);
  }
  for (SiteResidue& residue : structure)
    if (residue.atoms.size() > 1 && !is_water(residue.name) && find_template(residue.name) == nullptr)
      name_cofactor(residue, too_early);
}

}  // namespace quarry
