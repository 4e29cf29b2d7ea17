/// From lines of `SMARTS [id]` to a QuerySet: every line is a query, a refused row or a comment.
#include <algorithm>
#include <string_view>

#include "chemistry/smarts.hpp"
#include "quarry/error.hpp"
#include "quarry/query.hpp"
#include "util/ascii.hpp"
#include "util/files/line_reader.hpp"

namespace quarry {
namespace {

constexpr std::string_view kWhiteSpace = " \t\r\n";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// `# text`, a lone `#`, or `// text`. A SMARTS may not begin with any of them.
bool is_comment(std::string_view line) {
  if (line.starts_with("//")) return true;
  return line.starts_with('#') && (line.size() == 1 || kWhiteSpace.find(line[1]) != std::string_view::npos);
}

/// @param number  of the query in its input, from 1: its id if the row has none
void add_query(QuerySet& set, std::string_view row, Index line, Index number) {
  const auto blank = std::min(row.find_first_of(kWhiteSpace), row.size());
  Query query;
  query.smarts = row.substr(0, blank);
  query.id = trimmed(row.substr(blank), kWhiteSpace);
  const bool extended = query.id.starts_with('|');
  if (query.id.empty() || extended) query.id = std::to_string(number);
  try {
    if (extended) throw InputError("SMARTS " + query.smarts + ": CXSMARTS extensions are not supported");
    query.pattern = compile_smarts(query.smarts, set.hydrogens);
    set.accepted.push_back(std::move(query));
  } catch (const InputError& error) {
    set.rejected.push_back({line, query.id, error.what()});
  }
}

}  // namespace

QuerySet compile_queries(const std::vector<std::string>& smarts, QueryHydrogens hydrogens) {
  QuerySet set;
  set.hydrogens = hydrogens;
  Index number = 0;
  for (const auto& row : smarts) {
    ++number;
    add_query(set, trimmed(row, kWhiteSpace), number, number);
  }
  return set;
}

QuerySet read_queries(const std::string& path, QueryHydrogens hydrogens) {
  QuerySet set;
  set.hydrogens = hydrogens;
  LineReader reader(path);
  std::string line;
  Index number = 0;
  while (reader.next(line)) {
    std::string_view row = line;
    if (reader.line_number() == 1 && row.starts_with(kByteOrderMark)) row.remove_prefix(kByteOrderMark.size());
    row = trimmed(row, kWhiteSpace);
    if (!row.empty() && !is_comment(row)) add_query(set, row, reader.line_number(), ++number);
  }
  return set;
}

}  // namespace quarry
