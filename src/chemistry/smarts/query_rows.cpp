#include "chemistry/smarts/query_rows.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "quarry/error.hpp"
#include "util/ascii.hpp"
#include "util/files/fields.hpp"
#include "util/files/file_name.hpp"
#include "util/files/line_reader.hpp"

namespace quarry {
namespace {

constexpr std::string_view kWhiteSpace = " \t\r\n";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kShownOfRow = 40;

/// `# text`, a lone `#`, or `// text`. A SMARTS may not begin with any of them.
bool is_comment(std::string_view line) {
  if (line.starts_with("//")) return true;
  return line.starts_with('#') && (line.size() == 1 || kWhiteSpace.find(line[1]) != std::string_view::npos);
}

/// `min=` or `max=`; empty for another word.
std::string limit_of(std::string_view word) {
  const std::string start = lower_case(std::string(word.substr(0, 4)));
  return start == "min=" || start == "max=" ? start : "";
}

std::vector<std::string> split_at_blanks(std::string_view line) {
  std::vector<std::string> words;
  while (!(line = trimmed(line, kWhiteSpace)).empty()) {
    const auto end = std::min(line.find_first_of(kWhiteSpace), line.size());
    words.emplace_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return words;
}

/// Sets a number of matches. @return  why that is not possible, or nothing
std::string set_number(const char* name, std::string_view text, Index& number) {
  text = trimmed(text, kWhiteSpace);
  if (text.empty()) return {};
  Index value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0)
    return std::string(name) + " is a number of matches, not '" + shown(text, kShownOfRow) + "'";
  number = value;
  return {};
}

void check_numbers(QueryRow& row) {
  if (row.reason.empty() && row.query.least > row.query.most)
    row.reason =
        "min is " + std::to_string(row.query.least) + ", above max, which is " + std::to_string(row.query.most);
}

/// Where each column of a table is.
class Columns {
 public:
  /// None where the line names no column `smarts`.
  static std::optional<Columns> of_header(const std::string& line, bool is_csv) {
    Columns columns;
    columns.separator_ = line.find('\t') != std::string::npos ? '\t' : is_csv ? likely_separator(line) : ' ';
    const auto names = columns.split(line);
    const auto find = [&](std::initializer_list<std::string_view> wanted) {
      const auto found = std::ranges::find_if(names, [&](const std::string& name) {
        return std::ranges::find(wanted, lower_case(std::string(trimmed(name, kWhiteSpace)))) != wanted.end();
      });
      return found == names.end() ? kNone : static_cast<std::size_t>(found - names.begin());
    };
    columns.smarts_ = find({"smarts"});
    if (columns.smarts_ == kNone) return std::nullopt;
    // Other columns may be ignored, but not a limit by another name.
    for (const std::string& given : names) {
      const std::string name = lower_case(std::string(trimmed(given, kWhiteSpace)));
      if ((name.starts_with("min") && name != "min") || (name.starts_with("max") && name != "max"))
        throw InputError("column '" + shown(given, kShownOfRow) +
                         "' is not known: limits are in columns named min and max");
    }
    columns.id_ = find({"id", "name", "query"});
    columns.least_ = find({"min"});
    columns.most_ = find({"max"});
    columns.group_ = find({"group"});
    columns.comment_ = find({"comment"});
    const std::array used = {columns.smarts_, columns.id_,    columns.least_,
                             columns.most_,   columns.group_, columns.comment_};
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string_view name = trimmed(names[i], kWhiteSpace);
      if (!name.empty() && std::ranges::find(used, i) == used.end()) columns.ignored_.emplace_back(name);
    }
    return columns;
  }

  const std::vector<std::string>& ignored() const { return ignored_; }
  QueryRow row(const std::string& line) const {
    const auto fields = split(line);
    const auto field = [&](std::size_t column) {
      return column < fields.size() ? std::string(trimmed(fields[column], kWhiteSpace)) : std::string();
    };
    QueryRow row;
    row.query.smarts = field(smarts_);
    row.query.id = field(id_);
    row.query.group = field(group_);
    row.query.comment = field(comment_);
    if (row.query.smarts.empty()) row.reason = "the column smarts is empty";
    if (row.reason.empty()) row.reason = set_number("min", field(least_), row.query.least);
    if (row.reason.empty()) row.reason = set_number("max", field(most_), row.query.most);
    check_numbers(row);
    return row;
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  std::vector<std::string> split(const std::string& line) const {
    if (separator_ == ' ') return split_at_blanks(line);
    FieldSplitter splitter(separator_);
    splitter.feed(line);
    return splitter.take();
  }

  char separator_ = ' ';
  std::vector<std::string> ignored_;
  std::size_t smarts_ = kNone, id_ = kNone, least_ = kNone, most_ = kNone, group_ = kNone, comment_ = kNone;
};

/// What is plainly no list of queries is not read as one.
void refuse_other_files(const std::string& path, const std::string& line, Index number) {
  const std::string name = path == "-" ? "standard input" : "'" + path + "'";
  if (line.find('\0') != std::string::npos)
    throw InputError(name + " is not a file of SMARTS: line " + std::to_string(number) + " has a NUL byte");
  if (number == 4 && (line.ends_with("V2000") || line.ends_with("V3000")))
    throw InputError(name + " is an SDF file of molecules, not a file of SMARTS");
}

}  // namespace

QueryRow parse_query_line(std::string_view line) {
  QueryRow row;
  const auto blank = std::min(line.find_first_of(kWhiteSpace), line.size());
  row.query.smarts = line.substr(0, blank);
  std::string_view rest = trimmed(line.substr(blank), kWhiteSpace);
  for (;;) {
    const auto last = rest.find_last_of(kWhiteSpace);
    const std::string_view word = last == std::string_view::npos ? rest : rest.substr(last + 1);
    const std::string limit = limit_of(word);
    if (limit.empty()) break;
    Index& number = limit == "min=" ? row.query.least : row.query.most;
    if (row.reason.empty()) row.reason = set_number(limit == "min=" ? "min" : "max", word.substr(4), number);
    rest = trimmed(rest.substr(0, rest.size() - word.size()), kWhiteSpace);
  }
  row.query.id = rest;
  if (rest.starts_with('|')) {
    row.query.id.clear();
    row.reason = "SMARTS " + row.query.smarts + ": CXSMARTS extensions are not supported";
  }
  for (const std::string& word : split_at_blanks(row.query.id))
    if (row.reason.empty() && !limit_of(word).empty())
      row.reason = "min= and max= stand at the end of the line, and '" + shown(word, kShownOfRow) + "' does not";
  check_numbers(row);
  return row;
}

std::vector<std::string> for_each_query_row(const std::string& path, const std::function<void(QueryRow&&)>& visit) {
  const bool is_csv = without_compression(path).ends_with(".csv");
  LineReader reader(path);
  std::string line;
  std::optional<Columns> columns;
  bool is_first = true;
  while (reader.next(line)) {
    refuse_other_files(path, line, reader.line_number());
    if (reader.line_number() == 1 && line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
    const std::string_view text = trimmed(line, kWhiteSpace);
    if (text.empty() || is_comment(text)) continue;
    if (is_first) {
      is_first = false;
      columns = Columns::of_header(line, is_csv);
      if (columns) continue;
      if (is_csv) throw InputError("'" + path + "' has no column named smarts; its header is: " + shown(text, 200));
    }
    QueryRow row = columns ? columns->row(line) : parse_query_line(text);
    row.query.line = reader.line_number();
    visit(std::move(row));
  }
  return columns ? columns->ignored() : std::vector<std::string>();
}

}  // namespace quarry
