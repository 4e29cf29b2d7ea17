/// Queries from a file and from the command line, as one set.
#pragma once
#include <string>
#include <vector>

#include "arguments.hpp"
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

/// Queries of the file, where there is one, then those of the command line. Refused ones are named on standard error.
/// @throws InputError  no query, or none that can be honoured
QuerySet load_queries(const std::string& path, const std::vector<std::string>& smarts, QueryHydrogens hydrogens);

}  // namespace quarry::cli
