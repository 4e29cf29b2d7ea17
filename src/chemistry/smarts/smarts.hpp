/// SMARTS to Pattern: RDKit parses, Quarry translates its query tree.
///
/// A Pattern means what the SMARTS means in RDKit 2022.09, chirality inside `$()` included: tetrahedral marks there are
/// honoured, directions of bonds there are not. A tetrahedral mark on an atom of fewer than three query bonds asks only
/// for a marked centre. What cannot be honoured is refused by name (smarts_text.hpp lists the rest).
/// Source: RDKit 2022.09, SmilesParse/SmilesParse.cpp and Substruct/SubstructMatch.cpp.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "quarry/molecule.hpp"
#include "quarry/query.hpp"

namespace RDKit {
class ROMol;
class RWMol;
}  // namespace RDKit

namespace quarry {

/// A SMARTS as RDKit's own matcher takes it.
struct ParsedSmarts {
  ParsedSmarts();
  ParsedSmarts(ParsedSmarts&&) noexcept;
  ParsedSmarts& operator=(ParsedSmarts&&) noexcept;
  ~ParsedSmarts();

  std::unique_ptr<RDKit::RWMol> molecule;
  std::vector<std::int32_t> component_group;  ///< as in Pattern; RDKit's matcher ignores it
  std::string stereo_refusal;                 ///< why its stereo marks cannot be honoured; empty where they can
};

/// @throws InputError  the SMARTS is refused; the sentence begins with it
ParsedSmarts parse_smarts(std::string_view smarts, QueryHydrogens hydrogens);

/// @param stereo_refusal  out: why its stereo marks cannot be honoured, a sentence that begins with the SMARTS; empty where
///                        they can. Null: such a SMARTS is refused
/// @throws InputError  as parse_smarts, and where the pattern has no atom or more than kMaxPatternAtoms
Pattern compile_smarts(std::string_view smarts, QueryHydrogens hydrogens, std::string* stereo_refusal = nullptr);

/// The pattern of a query molecule as it is.
/// @param stereo_refusal  out: as ParsedSmarts has it
/// @throws InputError  it has a primitive that is not supported, or too many atoms
Pattern compile_query_molecule(const RDKit::ROMol& molecule, std::string& stereo_refusal);

}  // namespace quarry
