/// Queries from a file and from the command line, as one set.
#pragma once
#include <string>
#include <vector>

#include "arguments/arguments.hpp"
#include "quarry/query.hpp"

namespace quarry::cli {

/// Adds --query-h and --chirality.
struct QueryOptions {
  QueryHydrogens hydrogens = QueryHydrogens::literal;
  bool chirality = false;
  void add_to(Arguments& verb);
};

/// "literal" or "merge".
const char* name_of(QueryHydrogens hydrogens);

/// Queries of the file at `path`, if that is not empty, then those of the command line. Names refused queries on
/// standard error. @throws InputError  no query, or none that can be used
QuerySet load_queries(const std::string& path, const std::vector<std::string>& smarts, QueryHydrogens hydrogens);

}  // namespace quarry::cli
