// RDKit's query classes are laid out as this file says, but do not include it themselves.
// clang-format off
#include <RDGeneral/RDConfig.h>
// clang-format on

#include "chemistry/oracle.hpp"

#include <GraphMol/FileParsers/FileParsers.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/QueryAtom.h>
#include <GraphMol/QueryOps.h>
#include <GraphMol/RWMol.h>
#include <GraphMol/RingInfo.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/Substruct/SubstructMatch.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "chemistry/parser_log.hpp"
#include "chemistry/perceive.hpp"
#include "chemistry/rdkit_memory.hpp"
#include "chemistry/smarts/smarts.hpp"
#include "chemistry/smarts/smarts_query.hpp"
#include "chemistry/smarts/smarts_text.hpp"
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
  std::unique_ptr<RDKit::RWMol> molecule;  // null where RDKit refuses the SMARTS
  std::vector<const RDKit::Bond*> dative;  // of `molecule`
  std::unique_ptr<RDKit::RWMol> counted;   // the same, but a search of parts that are not connected counts its steps
  bool is_rewritten = false;               // for RDKit, because it takes a bond for a direction
  std::vector<Body> bodies;                // of every `$()` of `counted`, nested ones too
};

namespace {

/// RDKit stops at this many embeddings of a `$()`.
constexpr Index kRecursiveLimit = 1000;

bool is_connected(const RDKit::ROMol& molecule) {
  std::vector<int> fragments;
  return RDKit::MolOps::getMolFrags(molecule, fragments) <= 1;
}

void append_bodies(const RDKit::ROMol& molecule, std::vector<Body>& bodies) {
  for (const auto* atom : molecule.atoms()) {
    for_each_recursive(*atom, [&](const RDKit::ROMol& body) {
      bodies.push_back({&body, is_connected(body)});
      append_bodies(body, bodies);
    });
  }
}

/// Steps that are left to the search of this thread; -1 where it wanted more than it had.
thread_local Index steps_left = 0;

/// 1 for every atom while there are steps left. Without any no atom suits, and the search soon ends.
int count_step(const RDKit::Atom* /*atom*/) { return steps_left >= 0 && --steps_left >= 0 ? 1 : 0; }

/// Makes every atom of a query in several parts count the steps of the search, and those of such `$()`: twenty single atoms
/// in a chain can be placed in more ways than RDKit can try in a lifetime.
void count_steps(RDKit::RWMol& query) {
  const bool connected = is_connected(query);
  for (auto* atom : query.atoms()) {
    for_each_recursive_query(*atom, [](RDKit::RecursiveStructureQuery& recursive) {
      auto body = std::make_unique<RDKit::RWMol>(*recursive.getQueryMol());
      count_steps(*body);
      recursive.setQueryMol(body.release());
    });
    if (connected) continue;
    auto step = std::make_unique<RDKit::ATOM_EQUALS_QUERY>();
    step->setDataFunc(count_step);
    step->setVal(1);
    step->setDescription("Step");
    atom->expandQuery(step.release(), Queries::COMPOSITE_AND);
  }
}

/// What `$()` match: to be found by RDKit, which stops at kRecursiveLimit, or already written into the query.
enum class Recursion : bool { filled, unknown };

std::vector<const RDKit::Bond*> dative_bonds(const RDKit::ROMol& query) {
  std::vector<const RDKit::Bond*> result;
  for (const auto* bond : query.bonds())
    if (bond->getBondType() == RDKit::Bond::DATIVE) result.push_back(bond);
  return result;
}

/// Do the dative bonds of a query point the same way in the molecule? RDKit asks only whether the atoms of both ends suit,
/// whichever of them the mapping takes.
bool keeps_directions(const RDKit::ROMol& molecule, const std::vector<const RDKit::Bond*>& dative,
                      const RDKit::MatchVectType& mapping) {
  const auto image = [&](unsigned query_atom) {
    return std::ranges::find(mapping, static_cast<int>(query_atom), [](const auto& pair) { return pair.first; })
        ->second;
  };
  return std::ranges::all_of(dative, [&](const RDKit::Bond* bond) {
    const int begin = image(bond->getBeginAtomIdx()), end = image(bond->getEndAtomIdx());
    return static_cast<int>(molecule.getBondBetweenAtoms(begin, end)->getBeginAtomIdx()) == begin;
  });
}

/// @param dative  bonds of the query
std::vector<RDKit::MatchVectType> match(const RDKit::ROMol& molecule, const RDKit::ROMol& query,
                                        const std::vector<const RDKit::Bond*>& dative, bool chirality, Index limit,
                                        Recursion recursion, bool unique = false) {
  constexpr Index kNoLimit = std::numeric_limits<unsigned>::max();
  RDKit::SubstructMatchParameters params;
  params.useChirality = chirality;
  params.uniquify = unique;
  params.recursionPossible = recursion == Recursion::unknown;
  params.maxMatches = dative.empty() ? std::min(limit, kNoLimit) : kNoLimit;
  auto matches = RDKit::SubstructMatch(molecule, query, params);
  if (dative.empty()) return matches;
  std::erase_if(matches, [&](const auto& mapping) { return !keeps_directions(molecule, dative, mapping); });
  if (std::ssize(matches) > limit) matches.resize(limit);
  return matches;
}
std::vector<RDKit::MatchVectType> match(const RDKit::ROMol& molecule, const RDKit::ROMol& query, bool chirality,
                                        Index limit, Recursion recursion = Recursion::unknown) {
  return match(molecule, query, dative_bonds(query), chirality, limit, recursion);
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

/// RDKit finds `$()` by itself otherwise.
bool needs_filling(const RDKit::ROMol& molecule, const std::vector<Body>& bodies, bool chirality) {
  return std::ranges::any_of(bodies, [](const Body& body) { return !dative_bonds(*body.molecule).empty(); }) ||
         recursion_is_capped(molecule, bodies, chirality);
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

void check_comparable(const OracleQuery& query, bool chirality) {
  if (!query.comparable(chirality)) {
    throw InputError("SMARTS " + query.impl().smarts + ": RDKit cannot read it, or reads it as another");
  }
}

/// A query for the atom of one index.
class AtomOfIndex {
 public:
  /// The first atom of `pattern` then has to be that atom too.
  explicit AtomOfIndex(RDKit::RWMol& pattern) {
    auto index = std::make_unique<RDKit::ATOM_EQUALS_QUERY>();
    index->setDataFunc([](const RDKit::Atom* atom) { return static_cast<int>(atom->getIdx()); });
    index->setDescription("AtomIndex");
    index_ = index.get();
    pattern.getAtomWithIdx(0)->expandQuery(index.release(), Queries::COMPOSITE_AND);
  }
  void set(int index) { index_->setVal(index); }

 private:
  RDKit::ATOM_EQUALS_QUERY* index_;  // the pattern owns it
};

/// Finds where every `$()` of a query matches, inner ones first, and writes it into the query.
void fill_recursive(const RDKit::ROMol& molecule, RDKit::ROMol& query, bool chirality) {
  for (const auto* atom : query.atoms()) {
    for_each_recursive_query(*atom, [&](RDKit::RecursiveStructureQuery& recursive) {
      RDKit::RWMol body(*recursive.getQueryMol());
      fill_recursive(molecule, body, chirality);
      AtomOfIndex first(body);
      recursive.clear();
      for (int i = 0; i < static_cast<int>(molecule.getNumAtoms()); ++i) {
        first.set(i);
        if (!match(molecule, body, chirality, 1, Recursion::filled).empty()) recursive.insert(i);
      }
    });
  }
}

}  // namespace

namespace {

/// With RDKit's default settings. Null where RDKit refuses the record.
std::unique_ptr<RDKit::RWMol> read_raw(const std::string& record, RecordFormat format) {
  const ParserGuard guard;
  try {
    return std::unique_ptr<RDKit::RWMol>(format == RecordFormat::sdf ? RDKit::MolBlockToMol(record)
                                                                     : RDKit::SmilesToMol(record));
  } catch (const std::exception& error) {
    throw_if_out_of_memory(error);
    return nullptr;
  }
}

/// With RDKit's default settings. Null where RDKit refuses the SMARTS.
std::unique_ptr<RDKit::RWMol> read_raw_smarts(const std::string& smarts, QueryHydrogens hydrogens) {
  const ParserGuard guard;
  try {
    return std::unique_ptr<RDKit::RWMol>(RDKit::SmartsToMol(smarts, 0, hydrogens == QueryHydrogens::merge));
  } catch (const std::exception& error) {
    throw_if_out_of_memory(error);
    return nullptr;
  }
}

}  // namespace

OracleMolecule::OracleMolecule(std::string_view record, RecordFormat format, bool explicit_hydrogens)
    : impl_(std::make_unique<Impl>()) {
  impl_->molecule = read_raw(std::string(record), format);
  if (impl_->molecule && explicit_hydrogens) {
    RDKit::MolOps::addHs(*impl_->molecule);
    if (!impl_->molecule->getRingInfo()->isInitialized()) RDKit::MolOps::symmetrizeSSSR(*impl_->molecule);
  }
  if (impl_->molecule) return;
  std::string reason;
  parse_record(record, format, explicit_hydrogens, reason);
  throw InputError("the oracle cannot read a molecule: " + reason);
}
bool OracleMolecule::is(const Molecule& molecule, bool with_stereo) const {
  Molecule read = perceive(*impl_->molecule);
  if (!with_stereo) {
    read.chiral_atoms.clear();
    read.stereo_bonds.clear();
  }
  return read == molecule;
}
OracleMolecule::OracleMolecule(OracleMolecule&&) noexcept = default;
OracleMolecule& OracleMolecule::operator=(OracleMolecule&&) noexcept = default;
OracleMolecule::~OracleMolecule() = default;

OracleQuery::OracleQuery(std::string_view smarts, QueryHydrogens hydrogens) : impl_(std::make_unique<Impl>()) {
  impl_->smarts = smarts;
  impl_->is_rewritten = scan_smarts(smarts).smarts != smarts;
  impl_->molecule = read_raw_smarts(impl_->smarts, hydrogens);
  if (!impl_->molecule) parse_smarts(smarts, hydrogens);  // names what is wrong with it, unless Quarry can read it
  if (!impl_->molecule) return;
  impl_->dative = dative_bonds(*impl_->molecule);
  impl_->counted = std::make_unique<RDKit::RWMol>(*impl_->molecule);
  count_steps(*impl_->counted);
  append_bodies(*impl_->counted, impl_->bodies);
}
OracleQuery::OracleQuery(OracleQuery&&) noexcept = default;
OracleQuery& OracleQuery::operator=(OracleQuery&&) noexcept = default;
OracleQuery::~OracleQuery() = default;

bool OracleQuery::comparable(bool chirality) const {
  return impl_->molecule != nullptr && !(chirality && impl_->is_rewritten);
}

namespace {

std::vector<RDKit::MatchVectType> all_matches(const RDKit::ROMol& target, const OracleQuery& query, bool chirality,
                                              Index limit, bool& recursion_filled) {
  recursion_filled = needs_filling(target, query.impl().bodies, chirality);
  if (!recursion_filled) return match(target, *query.impl().counted, chirality, limit);
  RDKit::RWMol filled(*query.impl().counted);  // with queries of its own
  fill_recursive(target, filled, chirality);
  return match(target, filled, chirality, limit, Recursion::filled);
}

}  // namespace

OracleAnswer oracle_match(const OracleMolecule& molecule, const OracleQuery& query, bool chirality, Index max_matches) {
  check_comparable(query, chirality);
  const Index limit = max_matches > 0 ? max_matches : kMaxOracleMatches;
  OracleAnswer answer;
  steps_left = max_oracle_steps;
  auto matches = all_matches(*molecule.impl().molecule, query, chirality, limit + 1, answer.recursion_filled);
  if (steps_left < 0) {
    throw CapacityError("steps of RDKit's search for SMARTS " + query.impl().smarts, max_oracle_steps,
                        max_oracle_steps + 1);
  }
  answer.capped = std::ssize(matches) > limit;
  if (answer.capped) matches.resize(limit);
  answer.embeddings = std::ssize(matches);
  answer.unique = count_unique(matches);
  return answer;
}

bool oracle_has_match(const OracleMolecule& molecule, const OracleQuery& query, bool chirality) {
  return oracle_match(molecule, query, chirality, 1).embeddings > 0;
}

Index oracle_count(const OracleMolecule& molecule, const OracleQuery& query, bool chirality, Index max_matches,
                   bool unique) {
  check_comparable(query, chirality);
  const OracleQuery::Impl& asked = query.impl();
  return std::ssize(match(*molecule.impl().molecule, *asked.molecule, asked.dative, chirality, max_matches,
                          Recursion::unknown, unique));
}

}  // namespace quarry
