/// How common an atom predicate is among drug-like atoms, to order a search before any molecule is seen.
///
/// Only a guide: it never changes which embeddings exist. It must not depend on the library either, so that a molecule
/// is searched in the same order alone and in any batch.
#pragma once
#include "quarry/molecule.hpp"

namespace quarry::match {

/// Share of typical atoms, in [0, 1], that fulfil an expression without `$()`.
double typical_share(const AtomExpression& expression);

}  // namespace quarry::match
