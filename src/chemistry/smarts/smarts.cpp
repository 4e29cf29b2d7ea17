// RDKit's query classes are laid out as this file says, but do not include it themselves.
// clang-format off
#include <RDGeneral/RDConfig.h>
// clang-format on

#include "chemistry/smarts/smarts.hpp"

#include <GraphMol/MolOps.h>
#include <GraphMol/QueryAtom.h>
#include <GraphMol/QueryBond.h>
#include <GraphMol/RWMol.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <RDGeneral/types.h>

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "chemistry/parser_log.hpp"
#include "chemistry/rdkit_memory.hpp"
#include "chemistry/smarts/smarts_query.hpp"
#include "chemistry/smarts/smarts_text.hpp"
#include "chemistry/stereo_marks.hpp"
#include "quarry/error.hpp"
#include "util/ascii.hpp"
#include "util/cast.hpp"

namespace quarry {

ParsedSmarts::ParsedSmarts() = default;
ParsedSmarts::ParsedSmarts(ParsedSmarts&&) noexcept = default;
ParsedSmarts& ParsedSmarts::operator=(ParsedSmarts&&) noexcept = default;
ParsedSmarts::~ParsedSmarts() = default;

namespace {

constexpr const char* kGroupProperty = "_quarryGroup";
constexpr std::size_t kShownCharacters = 80;

std::string named(std::string_view smarts, const std::string& reason) {
  return "SMARTS " + shown(smarts, kShownCharacters) + ": " + reason;
}

/// Runs `work`; puts the SMARTS in front of its errors.
template <class Work>
auto naming(std::string_view smarts, const Work& work) {
  try {
    return work();
  } catch (const InputError& error) {
    throw InputError(named(smarts, error.what()));
  }
}

std::unique_ptr<RDKit::RWMol> run_parser(const std::string& smarts) {
  RDKit::SmartsParserParams params;
  params.mergeHs = false;
  params.parseName = false;
  params.allowCXSMILES = false;
  return std::unique_ptr<RDKit::RWMol>(RDKit::SmartsToMol(smarts, params));
}

std::unique_ptr<RDKit::RWMol> parse_with_rdkit(const std::string& smarts) {
  std::string detail;
  try {
    const ParserGuard guard;
    if (auto molecule = run_parser(smarts)) return molecule;
  } catch (const std::exception& error) {
    throw_if_out_of_memory(error);
    detail = error.what();
  }
  if (detail.empty()) {
    detail = parser_complaint([&] {
      try {
        run_parser(smarts);
      } catch (const std::exception& error) {  // cannot happen: the first run would have thrown too
        throw_if_out_of_memory(error);
      }
    });
  }
  throw InputError("RDKit cannot parse this SMARTS" + (detail.empty() ? "" : " (" + detail + ")"));
}

/// Number of bonds of every chiral atom, those inside `$()` included.
void append_chiral_degrees(const RDKit::ROMol& molecule, std::vector<unsigned>& degrees) {
  for (const auto* atom : molecule.atoms()) {
    if (is_tetrahedral(*atom)) degrees.push_back(atom->getDegree());
    for_each_recursive(*atom, [&](const RDKit::ROMol& body) { append_chiral_degrees(body, degrees); });
  }
}

/// As SmartsToMol with mergeHs, which sets the geometry of bonds afterwards.
/// @return  false where a chirality mark lost a neighbour, which could change its sense
bool merge_hydrogens(RDKit::RWMol& molecule) {
  std::vector<unsigned> before, after;
  append_chiral_degrees(molecule, before);
  for (auto* bond : molecule.bonds()) {
    bond->setStereo(RDKit::Bond::STEREONONE);
    bond->getStereoAtoms().clear();
  }
  RDKit::MolOps::mergeQueryHs(molecule);
  RDKit::MolOps::setBondStereoFromDirections(molecule);
  append_chiral_degrees(molecule, after);
  return before == after;
}

void check_groups(const RDKit::ROMol& molecule) {
  for (const auto* bond : molecule.bonds()) {
    if (bond->getBeginAtom()->getProp<int>(kGroupProperty) != bond->getEndAtom()->getProp<int>(kGroupProperty)) {
      throw InputError("a ring closure joins atoms of different component groups");
    }
  }
}

void mark_groups(RDKit::RWMol& molecule, const std::vector<std::int32_t>& groups) {
  if (groups.size() != molecule.getNumAtoms()) throw InputError("the component groups cannot be assigned to atoms");
  for (auto* atom : molecule.atoms()) atom->setProp<int>(kGroupProperty, groups[atom->getIdx()]);
  check_groups(molecule);
}

std::vector<std::int32_t> take_groups(RDKit::RWMol& molecule) {
  std::vector<std::int32_t> groups;
  for (auto* atom : molecule.atoms()) {
    groups.push_back(atom->getProp<int>(kGroupProperty));
    atom->clearProp(kGroupProperty);
  }
  return groups;
}

ParsedSmarts parse(std::string_view smarts, QueryHydrogens hydrogens) {
  const SmartsText text = scan_smarts(smarts);
  ParsedSmarts result;
  result.stereo_refusal = text.stereo_refusal;
  result.molecule = parse_with_rdkit(text.smarts);
  if (text.grouped) mark_groups(*result.molecule, text.atom_groups);
  const bool merged = hydrogens != QueryHydrogens::merge || merge_hydrogens(*result.molecule);
  if (!merged && result.stereo_refusal.empty()) {
    result.stereo_refusal = "a hydrogen of an atom with a chirality mark cannot be merged";
  }
  if (text.grouped) result.component_group = take_groups(*result.molecule);
  return result;
}

Pattern translate(const RDKit::ROMol& molecule, bool in_recursion, std::string& stereo_refusal);

/// Adds the body of a `$()`, once where it occurs several times. @return  its index in `pattern.recursive`
std::uint32_t add_recursive(Pattern& pattern, const RDKit::ROMol& molecule, std::string& stereo_refusal) {
  Pattern body = translate(molecule, true, stereo_refusal);
  const auto same = std::find(pattern.recursive.begin(), pattern.recursive.end(), body);
  const auto index = checked_cast<std::uint32_t>(same - pattern.recursive.begin());
  if (same == pattern.recursive.end()) pattern.recursive.push_back(std::move(body));
  return index;
}

void translate_bonds(const RDKit::ROMol& molecule, Pattern& pattern) {
  for (const auto* bond : molecule.bonds()) {
    const auto [begin, end] = std::minmax({bond->getBeginAtomIdx(), bond->getEndAtomIdx()});
    pattern.bonds.push_back({begin, end, translate_bond_query(*bond)});
    if (has_geometry(*bond)) pattern.stereo_bonds.push_back(geometry_of(*bond));
  }
  sort_by_ends(pattern.stereo_bonds);
}

/// @param stereo_refusal  out, as ParsedSmarts::stereo_refusal; untouched where it is not empty
Pattern translate(const RDKit::ROMol& molecule, bool in_recursion, std::string& stereo_refusal) {
  if (molecule.getNumAtoms() == 0) throw InputError("the pattern has no atoms");
  if (molecule.getNumAtoms() > kMaxPatternAtoms) {
    throw InputError("the pattern has " + std::to_string(molecule.getNumAtoms()) + " atoms; at most " +
                     std::to_string(kMaxPatternAtoms) + " are supported");
  }
  Pattern pattern;
  for (const auto* atom : molecule.atoms()) {
    pattern.atoms.push_back(translate_atom_query(
        *atom, [&](const RDKit::ROMol& body) { return add_recursive(pattern, body, stereo_refusal); }));
    if (!is_tetrahedral(*atom)) continue;
    // RDKit corrects the marks of ring-closing atoms only outside `$()`.
    if (in_recursion && atom->hasProp(RDKit::common_properties::_RingClosures) && stereo_refusal.empty()) {
      stereo_refusal = "a chirality mark on a ring-closing atom inside $() is not supported";
    }
    pattern.chiral_atoms.push_back({atom->getIdx(), clockwise_by_index(molecule, *atom)});
  }
  translate_bonds(molecule, pattern);
  return pattern;
}

}  // namespace

ParsedSmarts parse_smarts(std::string_view smarts, QueryHydrogens hydrogens) {
  return naming(smarts, [&] { return parse(smarts, hydrogens); });
}

Pattern compile_smarts(std::string_view smarts, QueryHydrogens hydrogens, std::string* stereo_refusal) {
  ParsedSmarts parsed = parse_smarts(smarts, hydrogens);
  return naming(smarts, [&] {
    Pattern pattern = translate(*parsed.molecule, false, parsed.stereo_refusal);
    pattern.component_group = std::move(parsed.component_group);
    if (stereo_refusal == nullptr && !parsed.stereo_refusal.empty()) throw InputError(parsed.stereo_refusal);
    if (stereo_refusal != nullptr && !parsed.stereo_refusal.empty())
      *stereo_refusal = named(smarts, parsed.stereo_refusal);
    return pattern;
  });
}

Pattern compile_query_molecule(const RDKit::ROMol& molecule, std::string& stereo_refusal) {
  return translate(molecule, false, stereo_refusal);
}

}  // namespace quarry
