/// Atom expressions as logic: they are evaluated on atom kinds, bounded where `$()` is not yet known, compared, and
/// written as bytes so that equal ones are stored once.
#pragma once
#include <string>

#include "quarry/molecule.hpp"

namespace quarry {

bool has_recursion(const AtomExpression& expression);

/// Truth of an expression without `$()` on an atom kind.
bool evaluate(const AtomExpression& expression, const AtomKind& kind);

/// The strongest expression without `$()` that the given one implies: true wherever that may be true.
AtomExpression upper_bound(const AtomExpression& expression);

/// Does every atom that fulfils the expression fulfil the test? May say no where the answer is yes, but never yes where
/// it is no.
bool implies(const AtomExpression& expression, const AtomTest& test);

/// Equal bytes for equal values, and only for those; bodies of `$()` are written out, so the bytes mean the same in any
/// pattern.
std::string key_of(const AtomExpression& expression, const Pattern& owner);
std::string key_of(const Pattern& pattern);

}  // namespace quarry
