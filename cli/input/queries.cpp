/// Loading query sets.
#include "input/queries.hpp"

#include <fmt/format.h>

#include <iterator>

#include "output/text.hpp"

namespace quarry::cli {
namespace {

/// @param prefix  number the queries without id q1, q2, ..., because a file has numbered its own 1, 2, ...
QuerySet command_line_queries(std::vector<std::string> smarts, bool prefix, QueryHydrogens hydrogens) {
  for (std::size_t i = 0; prefix && i < smarts.size(); ++i)
    if (smarts[i].find_first_of(" \t") == std::string::npos) smarts[i] += fmt::format(" q{}", i + 1);
  return compile_queries(smarts, hydrogens);
}

void warn(const std::string& origin, const std::vector<RejectedRow>& rejected) {
  for (const auto& row : rejected) {
    const std::string id = row.id.empty() ? "" : fmt::format(" (id {})", row.id);
    complain(fmt::format("query refused: {} {}{}: {}", origin, row.line, id, row.reason));
  }
}

template <class T>
void append(std::vector<T>& whole, std::vector<T>&& part) {
  whole.insert(whole.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
}

}  // namespace

void QueryOptions::add_to(Arguments& verb) {
  verb.choice<QueryHydrogens>("--query-h", hydrogens,
                              "Explicit hydrogens in queries: atoms to find (literal) or hydrogen counts (merge)",
                              {{"literal", QueryHydrogens::literal}, {"merge", QueryHydrogens::merge}});
  verb.flag("--chirality", chirality, "Respect tetrahedral and double-bond marks of the queries");
}

const char* name_of(QueryHydrogens hydrogens) { return hydrogens == QueryHydrogens::merge ? "merge" : "literal"; }

QuerySet load_queries(const std::string& path, const std::vector<std::string>& smarts, QueryHydrogens hydrogens) {
  if (path.empty() && smarts.empty()) throw InputError("there is no query: name a file of SMARTS or give -q SMARTS");
  QuerySet set;
  set.hydrogens = hydrogens;
  if (!path.empty()) {
    set = read_queries(path, hydrogens);
    warn(fmt::format("{} line", path == "-" ? "standard input" : path), set.rejected);
  }
  if (!smarts.empty()) {
    QuerySet more = command_line_queries(smarts, !path.empty(), hydrogens);
    warn("SMARTS", more.rejected);
    append(set.accepted, std::move(more.accepted));
    append(set.rejected, std::move(more.rejected));
  }
  if (set.accepted.empty()) {
    if (set.rejected.empty()) throw InputError(fmt::format("'{}' holds no query", path));
    throw InputError(fmt::format("no query can be used: {} refused, the first because {}",
                                 counted(std::ssize(set.rejected), "SMARTS"), set.rejected.front().reason));
  }
  return set;
}

}  // namespace quarry::cli
