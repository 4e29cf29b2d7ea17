/// Which format a file has.
#include "readers/row_reader.hpp"

#include <algorithm>
#include <cctype>

#include "readers/row_formats.hpp"

namespace quarry {
namespace {

/// "csv" of "folder/file.CSV.gz".
std::string extension_of(const std::string& path) {
  std::string name = path.substr(path.find_last_of('/') + 1);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const char* compressed : {".gz", ".zst"}) {
    if (name.ends_with(compressed)) name.resize(name.rfind('.'));
  }
  const auto dot = name.rfind('.');
  return dot == std::string::npos ? "" : name.substr(dot + 1);
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

bool equal_ignoring_case(std::string_view left, std::string_view right) {
  const auto lower = [](unsigned char c) { return std::tolower(c); };
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [&](char a, char b) { return lower(a) == lower(b); });
}

std::string tidy_id(std::string_view id, Index row_number) {
  std::string tidy(id);
  std::replace_if(
      tidy.begin(), tidy.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  const std::string_view inner = trimmed(tidy);
  return inner.empty() ? std::to_string(row_number) : std::string(inner);
}

std::unique_ptr<RowReader> open_rows(const std::string& path, const ReadOptions& options) {
  std::string format = options.format;
  if (format.empty()) format = path == "-" ? "smi" : extension_of(path);
  if (format == "smi" || format == "smiles" || format == "txt") return smiles_rows(path);
  if (format == "csv") return csv_rows(path, 0, options);
  if (format == "tsv") return csv_rows(path, '\t', options);
  if (format == "sdf" || format == "sd" || format == "mol") return sdf_rows(path);
  const std::string known = "known are smi, smiles, txt, csv, tsv, sdf, sd and mol, each also .gz or .zst";
  if (!options.format.empty()) throw InputError("unknown format " + format + "; " + known);
  throw InputError("cannot tell the format of " + path + " by its extension \"" + format + "\"; " + known);
}

}  // namespace quarry
