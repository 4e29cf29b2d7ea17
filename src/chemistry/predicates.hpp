/// Atom expressions as logic: evaluated on atom kinds, bounded where `$()` is not yet known, compared, and named by
/// bytes so that equal ones are stored once.
#pragma once
#include <string>

#include "quarry/molecule.hpp"

namespace quarry {

bool has_recursion(const AtomExpression& expression);

/// Truth of an expression without `$()` on an atom kind.
bool evaluate(const AtomExpression& expression, const AtomKind& kind);

/// Strongest expression without `$()` that the given one implies: true wherever it may be true.
AtomExpression upper_bound(const AtomExpression& expression);

/// Does every atom that fulfils the expression fulfil the test? May say no where the answer is yes, never the reverse.
bool implies(const AtomExpression& expression, const AtomTest& test);

/// Equal bytes exactly for equal values; `$()` bodies are spelled out, so the bytes mean the same in any pattern.
std::string key_of(const AtomExpression& expression, const Pattern& owner);
std::string key_of(const Pattern& pattern);

}  // namespace quarry
