/// Chooses the row reader for a file.
#include "readers/row_reader.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "quarry/error.hpp"
#include "readers/row_formats.hpp"
#include "util/ascii.hpp"
#include "util/files/byte_source.hpp"
#include "util/json.hpp"

namespace quarry {
std::string extension_of(const std::string& path) {
  std::string name = lower_case(path.substr(path.find_last_of('/') + 1));
  for (const char* compressed : {".gz", ".zst", ".bz2", ".xz"}) {
    if (name.ends_with(compressed)) name.resize(name.rfind('.'));
  }
  const auto dot = name.rfind('.');
  return dot == std::string::npos ? "" : name.substr(dot + 1);
}

bool equal_ignoring_case(std::string_view left, std::string_view right) {
  return lower_case(std::string(left)) == lower_case(std::string(right));
}

void keep_on_one_line(std::string& field) {
  std::ranges::replace_if(
      field, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
}

void name_columns(std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    keep_on_one_line(names[i]);
    if (trimmed(names[i]).empty()) names[i] = "column " + std::to_string(i + 1);
  }
  std::set<std::string> taken;
  for (const std::string& name : names) taken.insert(lower_case(name));
  std::map<std::string, int> uses;
  for (std::string& name : names) {
    int& number = uses[lower_case(name)];
    if (++number == 1) continue;
    const std::string first = name;
    while (!taken.insert(lower_case(name = first + "_" + std::to_string(number))).second) ++number;
  }
}

std::string tidy_id(std::string_view id, Index row_number) {
  std::string tidy(id);
  keep_on_one_line(tidy);
  const std::string_view inner = trimmed(tidy);
  return inner.empty() ? std::to_string(row_number) : std::string(inner);
}

std::string LineRows::tidied(std::string_view id) {
  std::string tidy = tidy_id(id, num_rows_);
  if (!is_utf8(tidy)) ++notes_.not_utf8;
  return tidy;
}

bool is_row_format(std::string_view format) {
  constexpr std::string_view kKnown[] = {"smi", "smiles", "cxsmiles", "txt", "csv", "tsv", "sdf", "sd", "mol"};
  return std::ranges::find(kKnown, format) != std::end(kKnown);
}

std::unique_ptr<RowReader> open_rows(const std::string& path, const ReadOptions& options) {
  std::string format = options.format;
  if (format.empty()) format = path == "-" ? "smi" : extension_of(path);
  if (!options.smiles_column.empty() && format != "csv" && format != "tsv")
    throw InputError(input_name(path) + ": the column of SMILES can be chosen for .csv and .tsv only");
  if (format == "smi" || format == "smiles" || format == "cxsmiles" || format == "txt")
    return smiles_rows(path, options);
  if (format == "csv") return csv_rows(path, 0, options);
  if (format == "tsv") return csv_rows(path, '\t', options);
  if (format == "sdf" || format == "sd" || format == "mol") return sdf_rows(path, options);
  const std::string known =
      "known are smi, smiles, cxsmiles, txt, csv, tsv, sdf, sd and mol, each also .gz, .zst, .bz2 or .xz";
  if (!options.format.empty()) throw InputError("unknown format " + format + "; " + known);
  throw InputError("cannot recognise the format of " + path + " by its extension \"" + format + "\"; " + known);
}

}  // namespace quarry
