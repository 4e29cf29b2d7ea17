/// How common an atom predicate or a bond is in drug-like molecules, to order a search before any molecule is seen.
///
/// Only a guide: it never changes which embeddings exist. It must not depend on the library either, so that a molecule
/// is searched in the same order alone and in any batch.
#pragma once
#include <cstdint>

#include "quarry/molecule.hpp"

namespace quarry::match {

/// Share of typical atoms, in [0, 1], that fulfil an expression without `$()`.
double typical_share(const AtomExpression& expression);

/// Share of typical bonds, in [0, 1], of which the kind is accepted.
/// @param kinds    as PatternBond::kinds
double typical_bond_share(std::uint64_t kinds);

}  // namespace quarry::match
