/// Sets of SMARTS queries: read and compiled, or refused with the reason.
#pragma once
#include <string>
#include <vector>

#include "quarry/error.hpp"
#include "quarry/molecule.hpp"
#include "quarry/report.hpp"

#pragma GCC visibility push(default)
namespace quarry {

/// What an explicit hydrogen in a query means.
enum class QueryHydrogens {
  literal,  ///< `[#1]` is an atom of the graph: for libraries that were indexed with explicit hydrogens
  merge,    ///< `[#1]` neighbours become hydrogen counts of their heavy atom, as RDKit's mergeQueryHs does
};

struct QuerySet {
  std::vector<Query> accepted;        ///< in input order; a query is named by its index here
  std::vector<RejectedRow> rejected;  ///< SMARTS that were refused, each with the reason
  QueryHydrogens hydrogens = QueryHydrogens::merge;
};

/// Compiles SMARTS given as text, as a line of a file; ids are "1", "2", ... unless the text has one after a blank.
[[nodiscard]] QuerySet compile_queries(const std::vector<std::string>& smarts,
                                       QueryHydrogens hydrogens = QueryHydrogens::merge);

/// Reads a file of lines `SMARTS [id] [min=N] [max=N]`, or a table whose header names a column `smarts` and perhaps `id` or
/// `name`, `min`, `max`, `group` and `comment`; a `.csv` must have that header. Blank lines, and lines that start with `#` and
/// a blank or with `//`, are comments. `.gz`, `.zst` and "-" (standard input) are understood.
/// @throws InputError  the file cannot be read, or is no text, or is a file of molecules
[[nodiscard]] QuerySet read_queries(const std::string& path, QueryHydrogens hydrogens = QueryHydrogens::merge);

}  // namespace quarry
#pragma GCC visibility pop
