// RDKit's query classes are laid out as this file says, but do not include it themselves.
// clang-format off
#include <RDGeneral/RDConfig.h>
// clang-format on

#include "chemistry/oracle.hpp"

#include <GraphMol/MolOps.h>
#include <GraphMol/RWMol.h>
#include <GraphMol/Substruct/SubstructMatch.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "chemistry/perceive.hpp"
#include "chemistry/smarts/smarts.hpp"
#include "chemistry/smarts/smarts_query.hpp"
#include "quarry/error.hpp"

namespace quarry {

struct OracleMolecule::Impl {
  std::unique_ptr<RDKit::RWMol> molecule;
};

namespace {

/// The pattern in a `$()`.
struct Body {
  const RDKit::ROMol* molecule = nullptr;
  bool connected = false;
};

}  // namespace

struct OracleQuery::Impl {
  std::string smarts;
  ParsedSmarts parsed;
  std::vector<Body> bodies;  // of every `$()`, nested ones too
};

namespace {

/// RDKit stops at this many embeddings of a `$()`.
constexpr Index kRecursiveLimit = 1000;

void append_bodies(const RDKit::ROMol& molecule, std::vector<Body>& bodies) {
  for (const auto* atom : molecule.atoms()) {
    for_each_recursive(*atom, [&](const RDKit::ROMol& body) {
      std::vector<int> fragments;
      bodies.push_back({&body, RDKit::MolOps::getMolFrags(body, fragments) == 1});
      append_bodies(body, bodies);
    });
  }
}

std::vector<RDKit::MatchVectType> match(const RDKit::ROMol& molecule, const RDKit::ROMol& query, bool chirality,
                                        Index limit) {
  RDKit::SubstructMatchParameters params;
  params.useChirality = chirality;
  params.uniquify = false;
  params.maxMatches = std::min<Index>(limit, std::numeric_limits<unsigned>::max());
  return RDKit::SubstructMatch(molecule, query, params);
}

/// An upper bound of the number of embeddings of `body`, from sizes alone: in a connected body, each atom after the
/// first has at most as many choices as the image of its neighbour has bonds.
Index embedding_bound(const RDKit::ROMol& molecule, const Body& body) {
  Index choices = molecule.getNumAtoms();
  if (body.connected) {
    choices = 1;
    for (const auto* atom : molecule.atoms()) choices = std::max<Index>(choices, atom->getDegree());
  }
  Index bound = molecule.getNumAtoms();
  for (unsigned i = 1; i < body.molecule->getNumAtoms() && bound <= kRecursiveLimit; ++i) bound *= choices;
  return bound;
}

bool recursion_is_capped(const RDKit::ROMol& molecule, const std::vector<Body>& bodies, bool chirality) {
  return std::any_of(bodies.begin(), bodies.end(), [&](const Body& body) {
    return embedding_bound(molecule, body) > kRecursiveLimit &&
           std::ssize(match(molecule, *body.molecule, chirality, kRecursiveLimit + 1)) > kRecursiveLimit;
  });
}

Index count_unique(const std::vector<RDKit::MatchVectType>& matches) {
  std::set<std::vector<int>> seen;
  for (const auto& mapping : matches) {
    std::vector<int> atoms;
    for (const auto& [query_atom, atom] : mapping) atoms.push_back(atom);
    std::sort(atoms.begin(), atoms.end());
    seen.insert(std::move(atoms));
  }
  return std::ssize(seen);
}

const RDKit::ROMol& comparable_molecule(const OracleQuery& query) {
  if (!query.comparable()) {
    throw InputError("SMARTS " + query.impl().smarts + ": RDKit's matcher cannot honour component groups");
  }
  return *query.impl().parsed.molecule;
}

}  // namespace

OracleMolecule::OracleMolecule(std::string_view record, RecordFormat format, bool explicit_hydrogens)
    : impl_(std::make_unique<Impl>()) {
  std::string reason;
  impl_->molecule = parse_record(record, format, explicit_hydrogens, reason);
  if (!impl_->molecule) throw InputError("the oracle cannot read a molecule: " + reason);
}
OracleMolecule::OracleMolecule(OracleMolecule&&) noexcept = default;
OracleMolecule& OracleMolecule::operator=(OracleMolecule&&) noexcept = default;
OracleMolecule::~OracleMolecule() = default;

OracleQuery::OracleQuery(std::string_view smarts, QueryHydrogens hydrogens) : impl_(std::make_unique<Impl>()) {
  impl_->smarts = smarts;
  impl_->parsed = parse_smarts(smarts, hydrogens);
  append_bodies(*impl_->parsed.molecule, impl_->bodies);
}
OracleQuery::OracleQuery(OracleQuery&&) noexcept = default;
OracleQuery& OracleQuery::operator=(OracleQuery&&) noexcept = default;
OracleQuery::~OracleQuery() = default;

bool OracleQuery::comparable() const { return impl_->parsed.component_group.empty(); }

OracleAnswer oracle_match(const OracleMolecule& molecule, const OracleQuery& query, bool chirality, Index max_matches) {
  const RDKit::ROMol& pattern = comparable_molecule(query);
  const RDKit::ROMol& target = *molecule.impl().molecule;
  const Index limit = max_matches > 0 ? max_matches : kMaxOracleMatches;
  auto matches = match(target, pattern, chirality, limit + 1);
  OracleAnswer answer;
  answer.recursion_capped = recursion_is_capped(target, query.impl().bodies, chirality);
  answer.capped = answer.recursion_capped || std::ssize(matches) > limit;
  if (std::ssize(matches) > limit) matches.resize(limit);
  answer.embeddings = std::ssize(matches);
  answer.unique = count_unique(matches);
  return answer;
}

bool oracle_has_match(const OracleMolecule& molecule, const OracleQuery& query, bool chirality) {
  return !match(*molecule.impl().molecule, comparable_molecule(query), chirality, 1).empty();
}

Index oracle_count(const OracleMolecule& molecule, const OracleQuery& query, bool chirality, Index max_matches) {
  return std::ssize(match(*molecule.impl().molecule, comparable_molecule(query), chirality, max_matches));
}

}  // namespace quarry
