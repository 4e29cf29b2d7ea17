// RDKit's query classes are laid out as this file says, but do not include it themselves.
// clang-format off
#include <RDGeneral/RDConfig.h>
// clang-format on

#include "chemistry/smarts/smarts_query.hpp"

#include <GraphMol/QueryAtom.h>
#include <GraphMol/QueryBond.h>
#include <GraphMol/QueryOps.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>

#include "quarry/error.hpp"
#include "util/cast.hpp"
#include "util/check.hpp"

namespace quarry {
namespace {

using AtomQuery = RDKit::Atom::QUERYATOM_QUERY;
using BondQuery = RDKit::Bond::QUERYBOND_QUERY;
using Op = AtomExpression::Op;

constexpr int kLowest = std::numeric_limits<std::int16_t>::min();
constexpr int kHighest = std::numeric_limits<std::int16_t>::max();

/// How RDKit's value of a primitive relates to Quarry's property.
enum class Relation {
  same,
  negative,  // RDKit's value is minus Quarry's
  inverse,   // RDKit's value is 1 where Quarry's is 0
  present,   // RDKit's value is 1 where Quarry's is above 0
};

struct Primitive {
  std::string_view name;
  AtomProperty property;
  Relation relation = Relation::same;
};

constexpr Primitive kPrimitives[] = {
    {"AtomAtomicNum", AtomProperty::element},
    {"AtomIsAromatic", AtomProperty::aromatic},
    {"AtomIsAliphatic", AtomProperty::aromatic, Relation::inverse},
    {"AtomFormalCharge", AtomProperty::charge},
    {"AtomNegativeFormalCharge", AtomProperty::charge, Relation::negative},
    {"AtomIsotope", AtomProperty::isotope},
    {"AtomHCount", AtomProperty::hydrogens},
    {"AtomImplicitHCount", AtomProperty::implicit_hydrogens},
    {"AtomHasImplicitH", AtomProperty::implicit_hydrogens, Relation::present},
    {"AtomExplicitDegree", AtomProperty::degree},
    {"AtomNonHydrogenDegree", AtomProperty::heavy_degree},
    {"AtomTotalDegree", AtomProperty::total_degree},
    {"AtomTotalValence", AtomProperty::valence},
    {"AtomInNRings", AtomProperty::ring_count},
    {"AtomInRing", AtomProperty::ring_count, Relation::present},
    {"AtomMinRingSize", AtomProperty::ring_size},
    {"AtomRingBondCount", AtomProperty::ring_bonds},
    {"AtomHasRingBond", AtomProperty::ring_bonds, Relation::present},
    {"AtomHybridization", AtomProperty::hybridization},
    {"AtomNumHeteroatomNeighbors", AtomProperty::heteroatoms},
    {"AtomHasHeteroatomNeighbors", AtomProperty::heteroatoms, Relation::present},
    {"AtomNumAliphaticHeteroatomNeighbors", AtomProperty::aliphatic_heteroatoms},
    {"AtomHasAliphaticHeteroatomNeighbors", AtomProperty::aliphatic_heteroatoms, Relation::present},
};

[[noreturn]] void refuse_primitive(const std::string& name) {
  throw InputError("primitive '" + name + "' is not supported");
}

const Primitive& find_primitive(std::string_view name, const std::string& description) {
  for (const auto& primitive : kPrimitives) {
    if (primitive.name == name) return primitive;
  }
  refuse_primitive(description);
}

AtomExpression make_constant(bool value) {
  AtomExpression result;
  result.negated = !value;
  return result;
}

std::int16_t value_in_range(int value) {
  if (value >= kLowest && value <= kHighest) return checked_cast<std::int16_t>(value);
  throw InputError("value " + std::to_string(value) + " is outside " + std::to_string(kLowest) + ".." +
                   std::to_string(kHighest));
}

/// @param low, high  inclusive; kLowest and kHighest mean that there is no bound
AtomExpression make_test(AtomProperty property, int low, int high) {
  AtomExpression result;
  result.op = Op::test;
  result.test = {property, value_in_range(low), value_in_range(high)};
  return result;
}

/// Combines `parts` by `op`, without constants and without children of the same operator.
AtomExpression combine(Op op, std::vector<AtomExpression> parts) {
  AtomExpression result;
  result.op = op;
  for (auto& part : parts) {
    if (part.op == Op::any) {
      if (part.negated == (op == Op::all_of)) return part;  // false in a conjunction, true in a disjunction
    } else if (part.op == op && !part.negated) {
      if (result.children.empty()) {
        result.children = std::move(part.children);
      } else {
        std::move(part.children.begin(), part.children.end(), std::back_inserter(result.children));
      }
    } else {
      result.children.push_back(std::move(part));
    }
  }
  if (result.children.empty()) return make_constant(op == Op::all_of);
  if (result.children.size() > 1) return result;
  AtomExpression only = std::move(result.children.front());
  return only;
}

/// The least and the greatest value of RDKit's data function that the query accepts. The names of the classes read
/// backwards: in RDKit's comparison the query's value is on the left, so `greater_` (from `{-n}`) means "at most n".
std::pair<int, int> accepted_range(const AtomQuery& query) {
  if (const auto* range = dynamic_cast<const RDKit::ATOM_RANGE_QUERY*>(&query)) {
    const auto [lower_open, upper_open] = range->getEndsOpen();
    return {range->getLower() + (lower_open ? 1 : 0), range->getUpper() - (upper_open ? 1 : 0)};
  }
  if (const auto* at_most = dynamic_cast<const RDKit::ATOM_GREATEREQUAL_QUERY*>(&query)) {
    return {kLowest, at_most->getVal()};
  }
  if (const auto* at_least = dynamic_cast<const RDKit::ATOM_LESSEQUAL_QUERY*>(&query)) {
    return {at_least->getVal(), kHighest};
  }
  const auto* equals = dynamic_cast<const RDKit::ATOM_EQUALS_QUERY*>(&query);
  if (equals == nullptr) refuse_primitive(query.getDescription());
  return {equals->getVal(), equals->getVal()};
}

std::string_view without_range_prefix(std::string_view name) {
  for (const std::string_view prefix : {"range_", "less_", "greater_"}) {
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  }
  return name;
}

AtomExpression translate_primitive(const AtomQuery& query) {
  const std::string& description = query.getDescription();
  const Primitive& primitive = find_primitive(without_range_prefix(description), description);
  auto [low, high] = accepted_range(query);
  // RDKit's AtomRingQuery takes a negative count for "in any ring".
  const bool any_ring = description == "AtomInNRings" && low < 0;
  switch (primitive.relation) {
    case Relation::same:
      return make_test(primitive.property, any_ring ? 1 : low, any_ring ? kHighest : high);
    case Relation::negative:
      return make_test(primitive.property, high == kHighest ? kLowest : -high, low == kLowest ? kHighest : -low);
    case Relation::inverse:
      return make_test(primitive.property, 1 - high, 1 - low);
    case Relation::present:
      QUARRY_CHECK(low == 1 && high == 1, "'" + description + "' asks for something else than 1");
      return make_test(primitive.property, 1, kHighest);
  }
  refuse_primitive(description);
}

/// Element and aromaticity in one number.
AtomExpression translate_atom_type(const AtomQuery& query) {
  int element = 0;
  bool aromatic = false;
  RDKit::parseAtomType(accepted_range(query).first, element, aromatic);
  return combine(Op::all_of, {make_test(AtomProperty::element, element, element),
                              make_test(AtomProperty::aromatic, aromatic ? 1 : 0, aromatic ? 1 : 0)});
}

AtomExpression translate(const AtomQuery& query, const CompileRecursive& compile_recursive);

/// The operands of a chain of one operator. RDKit nests `a,b,c` to the left, as deep as the chain is long, so this
/// walks without recursion.
std::vector<const AtomQuery*> operands_of(const AtomQuery& chain) {
  std::vector<const AtomQuery*> operands, pending = {&chain};
  while (!pending.empty()) {
    const AtomQuery& query = *pending.back();
    pending.pop_back();
    const bool same = query.getDescription() == chain.getDescription() && !query.getNegation();
    if (&query != &chain && !same) {
      operands.push_back(&query);
      continue;
    }
    const auto first = std::ssize(pending);
    for (auto child = query.beginChildren(); child != query.endChildren(); ++child) pending.push_back(child->get());
    std::reverse(pending.begin() + first, pending.end());
  }
  return operands;
}

AtomExpression translate_chain(Op op, const AtomQuery& chain, const CompileRecursive& compile_recursive) {
  std::vector<AtomExpression> parts;
  for (const AtomQuery* operand : operands_of(chain)) parts.push_back(translate(*operand, compile_recursive));
  return combine(op, std::move(parts));
}

AtomExpression translate_recursive(const AtomQuery& query, const CompileRecursive& compile_recursive) {
  const auto* recursive = dynamic_cast<const RDKit::RecursiveStructureQuery*>(&query);
  if (recursive == nullptr || recursive->getQueryMol() == nullptr) refuse_primitive(query.getDescription());
  AtomExpression result;
  result.op = Op::recursive;
  result.recursive = compile_recursive(*recursive->getQueryMol());
  return result;
}

AtomExpression translate(const AtomQuery& query, const CompileRecursive& compile_recursive) {
  const std::string& description = query.getDescription();
  AtomExpression result;
  if (description == "AtomAnd") {
    result = translate_chain(Op::all_of, query, compile_recursive);
  } else if (description == "AtomOr") {
    result = translate_chain(Op::any_of, query, compile_recursive);
  } else if (description == "RecursiveStructure") {
    result = translate_recursive(query, compile_recursive);
  } else if (description == "AtomType") {
    result = translate_atom_type(query);
  } else if (description != "AtomNull") {
    result = translate_primitive(query);
  }
  result.negated = result.negated != query.getNegation();
  return result;
}

std::uint64_t kinds_where(const auto& accepts) {
  std::uint64_t kinds = 0;
  for (BondKind kind = 0; kind < kNumBondKinds; ++kind) {
    if (accepts(kind)) kinds |= std::uint64_t{1} << kind;
  }
  return kinds;
}

std::uint64_t kinds_of_types(std::initializer_list<int> types) {
  return kinds_where(
      [&](BondKind kind) { return std::find(types.begin(), types.end(), bond_type(kind)) != types.end(); });
}

int value_of(const BondQuery& query) {
  const auto* equals = dynamic_cast<const RDKit::BOND_EQUALS_QUERY*>(&query);
  if (equals == nullptr) refuse_primitive(query.getDescription());
  return equals->getVal();
}

std::uint64_t translate(const BondQuery& query);

std::uint64_t join_bonds(const BondQuery& query, bool conjunction) {
  std::uint64_t kinds = conjunction ? ~std::uint64_t{0} : 0;
  for (auto child = query.beginChildren(); child != query.endChildren(); ++child) {
    const std::uint64_t part = translate(**child);
    kinds = conjunction ? kinds & part : kinds | part;
  }
  return kinds;
}

std::uint64_t translate(const BondQuery& query) {
  using RDKit::Bond;
  const std::string& description = query.getDescription();
  std::uint64_t kinds = 0;
  if (description == "BondAnd" || description == "BondOr") {
    kinds = join_bonds(query, description == "BondAnd");
  } else if (description == "BondNull") {
    kinds = ~std::uint64_t{0};
  } else if (description == "BondOrder") {
    kinds = kinds_of_types({value_of(query)});
  } else if (description == "BondInRing") {
    kinds = kinds_where([](BondKind kind) { return in_ring(kind); });
  } else if (description == "SingleOrAromaticBond") {
    kinds = kinds_of_types({Bond::SINGLE, Bond::AROMATIC});
  } else if (description == "DoubleOrAromaticBond") {
    kinds = kinds_of_types({Bond::DOUBLE, Bond::AROMATIC});
  } else if (description == "SingleOrDoubleBond") {
    kinds = kinds_of_types({Bond::SINGLE, Bond::DOUBLE});
  } else if (description == "SingleOrDoubleOrAromaticBond") {
    kinds = kinds_of_types({Bond::SINGLE, Bond::DOUBLE, Bond::AROMATIC});
  } else {
    refuse_primitive(description);
  }
  return query.getNegation() ? ~kinds : kinds;
}

}  // namespace

AtomExpression translate_atom_query(const RDKit::Atom& atom, const CompileRecursive& compile_recursive) {
  if (!atom.hasQuery()) refuse_primitive("atom without a query");
  return translate(*atom.getQuery(), compile_recursive);
}

std::uint64_t translate_bond_query(const RDKit::Bond& bond) {
  if (!bond.hasQuery()) refuse_primitive("bond without a query");
  if (bond.getBondType() == RDKit::Bond::DATIVE) {
    const bool to_later = bond.getBeginAtomIdx() < bond.getEndAtomIdx();
    return kinds_of_types({to_later ? kDativeRight : kDativeLeft});
  }
  return translate(*bond.getQuery());
}

void for_each_recursive_query(const RDKit::Atom& atom,
                              const std::function<void(RDKit::RecursiveStructureQuery&)>& visit) {
  std::vector<AtomQuery*> pending;
  if (atom.hasQuery()) pending.push_back(atom.getQuery());
  while (!pending.empty()) {
    AtomQuery& query = *pending.back();
    pending.pop_back();
    auto* recursive = dynamic_cast<RDKit::RecursiveStructureQuery*>(&query);
    if (recursive != nullptr && recursive->getQueryMol() != nullptr) visit(*recursive);
    for (auto child = query.beginChildren(); child != query.endChildren(); ++child) pending.push_back(child->get());
  }
}

void for_each_recursive(const RDKit::Atom& atom, const std::function<void(const RDKit::ROMol&)>& visit) {
  for_each_recursive_query(atom, [&](const RDKit::RecursiveStructureQuery& query) { visit(*query.getQueryMol()); });
}

}  // namespace quarry
