/// What RDKit's table of elements says of valences.
#pragma once
#include <array>
#include <cstdint>

namespace quarry::smiles {

struct ElementFacts {
  std::int8_t outer_electrons = 0;
  bool early = false;  ///< left of carbon: a positive charge takes a bond away
  std::int8_t num_valences = 0;
  std::array<std::int8_t, 6> valences{};  ///< ascending; a last one of -1 stands for any

  int default_valence() const { return valences[0]; }
  int highest_valence() const { return valences[num_valences - 1]; }
  bool has_valences() const { return num_valences != 1 || valences[0] != -1; }
};

inline constexpr int kNumElements = 119;

/// [kNumElements], by atomic number; 0 is a dummy atom.
std::array<ElementFacts, kNumElements> element_facts_of_rdkit();

inline const ElementFacts& facts_of(int element) {
  static const std::array<ElementFacts, kNumElements> table = element_facts_of_rdkit();
  return table[element];
}

}  // namespace quarry::smiles
