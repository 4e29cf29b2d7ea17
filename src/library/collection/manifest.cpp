/// JSON, a line for each source and each part, so that two manifests can be compared by eye.
#include "library/collection/manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <optional>
#include <vector>

#include "quarry/error.hpp"
#include "util/json.hpp"

namespace quarry {
namespace {

constexpr const char* kFormat = "quarry collection";
/// The largest count, and the largest number of parts: sums of them fit Index.
constexpr Index kMostCount = Index{1} << 40, kMostParts = Index{1} << 22;

std::string quoted(const std::string& text) {
  try {
    return json_text(text);
  } catch (const Json::exception&) {
    throw InputError("'" + text + "' is not UTF-8, as names in a collection have to be: rename it");
  }
}

std::string counts_text(const Report& report) {
  return fmt::format(R"("rows":{},"molecules":{},"rejected":{})", report.rows, report.ok, report.rejected);
}

std::string source_text(const CollectionSource& source) {
  return fmt::format(R"({{"name":{},"identity":{},{}}})", quoted(source.name), quoted(source.identity),
                     counts_text(source.report));
}

std::string part_text(const CollectionPart& part, Index number) {
  return fmt::format(
      R"({{"file":"{}","source":{},"first_row":{},{},"atoms":{},"bonds":{},"bytes":{},"checksum":"{:016x}","chunks":[{}]}})",
      part_name(number), part.source, part.first_row, counts_text(part.report), part.atoms, part.bonds, part.bytes,
      part.checksum, fmt::join(part.chunk_molecules, ","));
}

/// A JSON object and where it stands, for messages.
class Fields {
 public:
  Fields(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object.is_object()) throw InputError(where_ + " is no object");
  }

  [[noreturn]] void refuse(const std::string& key, const std::string& what) const {
    throw InputError(fmt::format("{}: \"{}\" {}", where_, key, what));
  }
  Index number(const char* key, Index most = kMostCount) const { return number_of(at(key), key, most); }
  std::vector<Index> numbers(const char* key, Index most) const {
    std::vector<Index> all;
    for (const Json& one : array(key)) all.push_back(number_of(one, key, most));
    return all;
  }
  std::string text(const char* key) const {
    const Json& value = at(key);
    if (!value.is_string()) refuse(key, "is no text");
    return value.get<std::string>();
  }
  /// Which of two words it is.
  bool is_second(const char* key, const char* first, const char* second) const {
    const std::string word = text(key);
    if (word != first && word != second) refuse(key, fmt::format("is neither {} nor {}", first, second));
    return word == second;
  }
  const Json& array(const char* key) const {
    const Json& value = at(key);
    if (!value.is_array() || value.size() > std::size_t{kMostParts}) refuse(key, "is no list, or too long");
    return value;
  }
  Report report() const {
    const Report report{number("rows"), number("molecules"), number("rejected")};
    if (report.rows != report.ok + report.rejected) refuse("rows", "is not molecules + rejected");
    return report;
  }

 private:
  const Json& at(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end()) refuse(key, "is missing");
    return *found;
  }
  Index number_of(const Json& value, const char* key, Index most) const {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::uint64_t(most))
      refuse(key, fmt::format("is no number up to {}", most));
    return value.get<Index>();
  }

  const Json& object_;
  std::string where_;
};

CollectionPart parse_part(const Fields& fields, Index number) {
  CollectionPart part;
  if (fields.text("file") != part_name(number)) fields.refuse("file", "is not " + part_name(number));
  part.source = fields.number("source");
  part.first_row = fields.number("first_row");
  part.report = fields.report();
  part.atoms = fields.number("atoms");
  part.bonds = fields.number("bonds");
  part.bytes = fields.number("bytes");
  const std::string checksum = fields.text("checksum");
  const char* const end = checksum.data() + checksum.size();
  const auto [stopped, error] = std::from_chars(checksum.data(), end, part.checksum, 16);
  if (error != std::errc() || stopped != end || checksum.size() != 16) fields.refuse("checksum", "is no checksum");
  part.chunk_molecules = fields.numbers("chunks", kChunkMolecules);
  Index molecules = 0;
  for (const Index of_chunk : part.chunk_molecules) molecules += of_chunk;
  if (molecules != part.report.ok) fields.refuse("chunks", "do not add up to the molecules");
  return part;
}

/// The parts of each source hold all its rows, in order.
void check_order(const Collection& collection, const std::string& where) {
  std::vector<Report> found(collection.sources.size());
  Index source = 0;
  for (std::size_t i = 0; i < collection.parts.size(); ++i) {
    const CollectionPart& part = collection.parts[i];
    const bool follows =
        part.source >= source && part.source < std::ssize(found) && part.first_row == found[part.source].rows;
    if (!follows) throw InputError(fmt::format("{}, part {}: it does not follow the part before", where, i));
    source = part.source;
    found[source] += part.report;
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] != collection.sources[i].report)
      throw InputError(fmt::format("{}, source {}: its parts do not add up to its rows", where, i));
  }
}

}  // namespace

std::string manifest_text(const Collection& collection) {
  const Provenance& made = collection.provenance;
  std::string text = fmt::format(
      "{{\"format\":\"{}\",\"format_version\":{},\n\"version\":{},\n\"options\":{},\n\"hydrogens\":\"{}\","
      "\"records\":\"{}\",\"stereo\":\"{}\",\n{},\n\"sources\":[",
      kFormat, kManifestVersion, quoted(made.version), quoted(made.command),
      made.explicit_hydrogens ? "explicit" : "implicit", made.format == RecordFormat::sdf ? "sdf" : "smiles",
      made.stereo ? "resolved" : "raw", counts_text(collection.report()));
  const auto add = [&](Index number, const std::string& line) { text += (number > 0 ? ",\n" : "\n") + line; };
  for (Index i = 0; i < std::ssize(collection.sources); ++i) add(i, source_text(collection.sources[i]));
  text += "],\n\"parts\":[";
  for (Index i = 0; i < std::ssize(collection.parts); ++i) add(i, part_text(collection.parts[i], i));
  return text + "]}\n";
}

Collection parse_manifest(std::string_view text, const std::string& where) {
  const std::optional<Json> whole = try_parse_json(text);
  if (!whole) throw InputError(where + " is no JSON: it is damaged, or was written by something else");
  const Fields fields(*whole, where);
  if (fields.text("format") != kFormat) fields.refuse("format", "is not that of a collection");
  if (const Index version = fields.number("format_version"); version > kManifestVersion)
    throw InputError(fmt::format("{} is in format version {}; this program reads version {}: update Quarry", where,
                                 version, kManifestVersion));
  Collection collection;
  collection.provenance.version = fields.text("version");
  collection.provenance.command = fields.text("options");
  collection.provenance.explicit_hydrogens = fields.is_second("hydrogens", "implicit", "explicit");
  collection.provenance.stereo = fields.is_second("stereo", "raw", "resolved");
  if (fields.is_second("records", "smiles", "sdf")) collection.provenance.format = RecordFormat::sdf;
  for (const Json& one : fields.array("sources")) {
    const Fields source(one, fmt::format("{}, source {}", where, collection.sources.size()));
    collection.sources.push_back({source.text("name"), source.text("identity"), source.report()});
  }
  for (const Json& one : fields.array("parts")) {
    const Index number = std::ssize(collection.parts);
    collection.parts.push_back(parse_part(Fields(one, fmt::format("{}, part {}", where, number)), number));
  }
  check_order(collection, where);
  if (collection.report() != fields.report()) fields.refuse("rows", "is not the sum over the sources");
  return collection;
}

}  // namespace quarry
