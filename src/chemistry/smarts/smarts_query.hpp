/// Translates RDKit's query trees: an atom query becomes an AtomExpression, a bond query a mask of bond kinds.
///
/// Source: RDKit 2022.09, GraphMol/QueryOps.h (what each primitive asks) and Query/*.h (how each class compares).
#pragma once
#include <cstdint>
#include <functional>

#include "quarry/molecule.hpp"

namespace RDKit {
class Atom;
class Bond;
class ROMol;
class RecursiveStructureQuery;
}  // namespace RDKit

namespace quarry {

/// Compiles the body of a `$()` and returns its index in `Pattern::recursive`.
using CompileRecursive = std::function<std::uint32_t(const RDKit::ROMol&)>;

/// Nested conjunctions and disjunctions are flattened, constants folded.
/// @throws InputError  a primitive is not supported (names it), or a value does not fit 16 bits (names it)
AtomExpression translate_atom_query(const RDKit::Atom& atom, const CompileRecursive& compile_recursive);

/// Bit k of the result is set where the bond accepts BondKind k, from its earlier atom to its later.
/// @throws InputError  a primitive is not supported (names it)
std::uint64_t translate_bond_query(const RDKit::Bond& bond);

/// Calls `visit` with every `$()` of an atom's query that has a body, but not with those inside these bodies.
void for_each_recursive_query(const RDKit::Atom& atom,
                              const std::function<void(RDKit::RecursiveStructureQuery&)>& visit);

/// The same with the bodies.
void for_each_recursive(const RDKit::Atom& atom, const std::function<void(const RDKit::ROMol&)>& visit);

}  // namespace quarry
