/// Which patterns, and which expressions with `$()`, the environment of an atom decides: no search is needed for them.
#pragma once
#include "quarry/molecule.hpp"

namespace quarry::match {

/// The kinds of a bond that is looked at from its other end.
std::uint64_t reversed_kinds(std::uint64_t kinds);

/// Is the pattern a star around `center` whose leaves are alike or exclude each other? Then it occurs exactly where an atom
/// fulfils the expression of the center and has enough neighbours of each sort. A single atom is a star, and so is a bond.
bool is_decided_star(const Pattern& pattern, std::uint32_t center);

/// Does the environment of an atom decide whether it is the first atom of an occurrence of a `$()` body?
bool is_decided(const Pattern& body);

/// Does it decide the expression, `$()` and all?
/// @param owner  has the bodies that the expression refers to
bool is_decided(const AtomExpression& expression, const Pattern& owner);

}  // namespace quarry::match
