/// What is known of residues by name: their heavy atoms, and which of these are donors and acceptors at pH 7.4.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace quarry {

struct TemplateAtom {
  std::string name;
  bool donor = false, acceptor = false;
  bool optional = false;  ///< not missed where it is absent
};

struct ResidueTemplate {
  bool amino_acid = false;  ///< else a nucleotide
  std::vector<TemplateAtom> atoms;
  const TemplateAtom* find(std::string_view atom) const;
};

/// Null where the residue is not known.
const ResidueTemplate* find_template(std::string_view residue);

bool is_water(std::string_view residue);

}  // namespace quarry
