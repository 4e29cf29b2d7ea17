/// Queries from a file and from the command line, as one set.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "arguments/arguments.hpp"
#include "input/source.hpp"
#include "quarry/query.hpp"

namespace quarry::cli {

/// Adds --query-h and --chirality.
struct QueryOptions {
  /// None: as the molecules have them.
  std::optional<QueryHydrogens> hydrogens;
  bool chirality = false;
  void add_to(Arguments& verb);
  /// What hydrogens of queries mean for these molecules.
  QueryHydrogens hydrogens_for(const MoleculeSource& molecules) const;
};

/// Sets of alerts that stand beside files of queries.
struct AlertSetOptions {
  std::vector<std::string> names;
  std::string folder;
  /// Adds --set and --sets-dir.
  void add_to(Arguments& verb);
};
inline constexpr const char* kSetsFolderHelp = "Folder of files of queries, each a set by its name without extension";

/// "literal" or "merge".
const char* name_of(QueryHydrogens hydrogens);

/// "50", or with what became of their hydrogens and how many were refused: "50 (hydrogens merged in 12, 1 refused)".
std::string count_of(const QuerySet& queries);

/// Queries of the files, then of the sets, then those of the command line. Names refused queries on standard error, and says
/// how many share an id; those become `file:id`, or `file:line:id` where one file has it twice.
/// @param chirality  refuse queries whose stereo marks cannot be honoured
/// @throws InputError  no query, or one that is refused and may not be
QuerySet load_queries(const std::vector<std::string>& files, const std::vector<std::string>& smarts,
                      QueryHydrogens hydrogens, bool chirality, bool allow_refused, const AlertSetOptions& sets = {});

}  // namespace quarry::cli
