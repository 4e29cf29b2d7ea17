/// From rows of queries to a QuerySet: every row is a query or refused.
#include <utility>

#include "chemistry/smarts/query_rows.hpp"
#include "chemistry/smarts/smarts.hpp"
#include "quarry/error.hpp"
#include "quarry/query.hpp"
#include "util/ascii.hpp"

namespace quarry {
namespace {

/// Did merging hydrogens change what the query asks for?
bool is_merged(const Query& query) {
  if (query.smarts.find_first_of("H#") == std::string::npos) return false;
  try {
    std::string ignored;
    return !(compile_smarts(query.smarts, QueryHydrogens::literal, &ignored) == query.pattern);
  } catch (const InputError&) {  // with its hydrogens it is too large
    return true;
  }
}

/// @param number  of the query in its input, from 1: its id if the row has none
void add_query(QuerySet& set, QueryRow&& row, Index number) {
  Query& query = row.query;
  if (query.id.empty()) query.id = std::to_string(number);
  try {
    if (!row.reason.empty()) throw InputError(row.reason);
    query.pattern = compile_smarts(query.smarts, set.hydrogens, &query.stereo_refusal);
    query.merged = set.hydrogens == QueryHydrogens::merge && is_merged(query);
    set.accepted.push_back(std::move(query));
  } catch (const InputError& error) {
    set.rejected.push_back({query.line, query.id, error.what()});
  }
}

}  // namespace

QuerySet compile_queries(const std::vector<std::string>& smarts, QueryHydrogens hydrogens) {
  QuerySet set;
  set.hydrogens = hydrogens;
  Index number = 0;
  for (const auto& text : smarts) {
    QueryRow row = parse_query_line(trimmed(text, " \t\r\n"));
    row.query.line = ++number;
    add_query(set, std::move(row), number);
  }
  return set;
}

QuerySet read_queries(const std::string& path, QueryHydrogens hydrogens) {
  QuerySet set;
  set.hydrogens = hydrogens;
  Index number = 0;
  set.ignored_columns = for_each_query_row(path, [&](QueryRow&& row) { add_query(set, std::move(row), ++number); });
  return set;
}

}  // namespace quarry
