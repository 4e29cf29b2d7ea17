/// Files of queries, row by row: lines of `SMARTS [id] [min=N] [max=N]`, or tables with a header.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "quarry/query.hpp"

namespace quarry {

/// A query as text. Where `reason` is not empty, the row cannot be used.
struct QueryRow {
  Query query;  ///< without its pattern
  std::string reason;
};

/// A line that is no comment and not blank.
QueryRow parse_query_line(std::string_view line);

/// Calls visit(row) for each query of a file. @return  columns of a table that are ignored. @throws InputError  as read_queries
std::vector<std::string> for_each_query_row(const std::string& path, const std::function<void(QueryRow&&)>& visit);

}  // namespace quarry
