/// Taken from RDKit when first asked for, so that both always use the same table.
#include "chemistry/smiles/element_facts.hpp"

#include <GraphMol/Atom.h>
#include <GraphMol/PeriodicTable.h>

#include <algorithm>

#include "util/cast.hpp"
#include "util/check.hpp"

namespace quarry::smiles {

std::array<ElementFacts, kNumElements> element_facts_of_rdkit() {
  std::array<ElementFacts, kNumElements> table;
  const RDKit::PeriodicTable& rdkit = *RDKit::PeriodicTable::getTable();
  for (int element = 0; element < kNumElements; ++element) {
    ElementFacts& facts = table[element];
    const auto& valences = rdkit.getValenceList(element);
    QUARRY_CHECK(!valences.empty() && valences.size() <= facts.valences.size(), "an element has one to six valences");
    facts.outer_electrons = checked_cast<std::int8_t>(rdkit.getNouterElecs(element));
    facts.early = RDKit::isEarlyAtom(element);
    facts.num_valences = checked_cast<std::int8_t>(valences.size());
    std::ranges::transform(valences, facts.valences.begin(), [](int v) { return checked_cast<std::int8_t>(v); });
  }
  return table;
}

}  // namespace quarry::smiles
