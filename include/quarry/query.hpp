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
  std::vector<std::string> ignored_columns;  ///< names of columns of a table that mean nothing here
};

/// Compiles SMARTS given as text, as a line of a file; ids are "1", "2", ... unless the text has one after a blank.
[[nodiscard]] QuerySet compile_queries(const std::vector<std::string>& smarts,
                                       QueryHydrogens hydrogens = QueryHydrogens::merge);

/// Reads a file of lines `SMARTS [id] [min=N] [max=N]`, or a table whose header names a column `smarts` and perhaps `id` or
/// `name`, `min`, `max`, `group` and `comment`; a `.csv` must have that header. Blank lines, and lines that start with `#` and
/// a blank or with `//`, are comments. Compressed files and "-" (standard input) are understood.
/// @throws InputError  the file cannot be read, or is no text, or is a file of molecules
[[nodiscard]] QuerySet read_queries(const std::string& path, QueryHydrogens hydrogens = QueryHydrogens::merge);

/// A set of structural alerts that can be named instead of a file.
struct AlertSet {
  std::string name;         ///< "pains-a"
  std::string origin;       ///< "RDKit 2022.09.3", or the path of a file
  Index num_alerts = 0;     ///< those included that were refused
  Index num_counted = 0;    ///< of them, those that ask for a number of matches
  std::string unavailable;  ///< why the set cannot be used; empty where it can
};

/// The sets of RDKit's FilterCatalog, in the versions of RDKit that have them, and those of a folder: each file of it
/// that ends in .smarts, .txt, .csv or .tsv, also .gz, .zst, .bz2 or .xz, is the set of its name. Such a file goes
/// before RDKit's set.
/// @param folder  empty: none
/// @throws InputError  the folder or a file cannot be read, or two files have one name
[[nodiscard]] std::vector<AlertSet> alert_sets(const std::string& folder = "");

/// The alerts of a set, as queries with group and limits; RDKit's have no hydrogen atoms, whatever `hydrogens` says. An alert
/// that is no SMARTS is refused by its name.
/// @throws InputError  the set is unknown or unavailable, or as alert_sets
[[nodiscard]] QuerySet read_alert_set(const std::string& name, const std::string& folder = "",
                                      QueryHydrogens hydrogens = QueryHydrogens::merge);

}  // namespace quarry
#pragma GCC visibility pop
