/// Output formats of `quarry match`: tables (tsv, csv), and objects (jsonl). Those of molecules are in molecules/.
#include "output/hits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "output/json.hpp"
#include "output/molecules/record_formats.hpp"
#include "output/text.hpp"

namespace quarry::cli {
namespace {

Index atoms_of(const Query& query) { return std::ssize(query.pattern.atoms); }

/// "0,4,5;2,3,1": data atom per query atom, from 0, with `separator` between embeddings.
void append_mappings(std::span<const std::uint32_t> mappings, Index num_atoms, const char* separator,
                     std::string& text) {
  Index position = 0;
  for (const std::uint32_t atom : mappings) {
    if (position > 0) text += position % num_atoms == 0 ? separator : ",";
    append_number(atom, text);
    ++position;
  }
}

/// Columns molecule, query, count, status and, where embeddings are stored, mapping.
class TableFormat : public HitFormat {
 public:
  TableFormat(const QuerySet& queries, bool with_mappings, char separator)
      : queries_(queries), with_mappings_(with_mappings), separator_(separator) {
    for (const auto& query : queries.accepted) query_cells_.push_back(separator + cell(query.id) + separator);
  }

  std::string header() const override {
    const std::string mapping = with_mappings_ ? fmt::format("{}mapping", separator_) : "";
    return fmt::format("molecule{0}query{0}count{0}status{1}\n", separator_, mapping);
  }

  bool writes_pairs() const override { return true; }
  void append(const MoleculeHits& molecule, std::string& text) const override {
    const std::string name = cell(molecule.name);
    for (Index i = molecule.first_hit; i < molecule.last_hit; ++i) {
      const auto& hit = molecule.hit(i);
      text.append(name).append(query_cells_[hit.query]);
      append_number(hit.embeddings, text);
      text.append(1, separator_).append(status_of(hit));
      if (with_mappings_) append_mapping_cell(molecule.mappings(i), hit.query, text);
      text += '\n';
    }
  }

 private:
  std::string cell(std::string_view text) const { return separator_ == '\t' ? tab_safe(text) : csv_safe(text); }

  void append_mapping_cell(std::span<const std::uint32_t> mappings, std::uint32_t query, std::string& text) const {
    const bool quoted = separator_ == ',' && mappings.size() > 1;
    text += separator_;
    if (quoted) text += '"';
    append_mappings(mappings, atoms_of(queries_.accepted[query]), ";", text);
    if (quoted) text += '"';
  }

  const QuerySet& queries_;
  bool with_mappings_;
  char separator_;
  std::vector<std::string> query_cells_;  // with a separator on either side
};

class JsonLinesFormat : public HitFormat {
 public:
  JsonLinesFormat(const QuerySet& queries, bool with_mappings) : queries_(queries), with_mappings_(with_mappings) {}

  bool writes_pairs() const override { return true; }
  void append(const MoleculeHits& molecule, std::string& text) const override {
    for (Index i = molecule.first_hit; i < molecule.last_hit; ++i) {
      const auto& hit = molecule.hit(i);
      const Query& query = queries_.accepted[hit.query];
      Json::Members members = {
          {"molecule", molecule.name}, {"query", query.id}, {"count", hit.embeddings}, {"status", status_of(hit)}};
      if (with_mappings_) members.push_back({"mappings", embeddings(molecule.mappings(i), atoms_of(query))});
      text += Json(members).line();
    }
  }

 private:
  /// A list of lists: data atom per query atom.
  static Json embeddings(std::span<const std::uint32_t> mappings, Index num_atoms) {
    if (mappings.empty()) return Json::list({});
    std::string text = "[[";
    append_mappings(mappings, num_atoms, "],[", text);
    return Json::verbatim(text + "]]");
  }

  const QuerySet& queries_;
  bool with_mappings_;
};

/// Columns molecule, alerts and queries: the number of queries that match, and their ids.
class MoleculeTable : public HitFormat {
 public:
  MoleculeTable(const QuerySet& queries, char separator) : queries_(queries), separator_(separator) {}

  std::string header() const override { return fmt::format("molecule{0}alerts{0}queries\n", separator_); }

  void append(const MoleculeHits& molecule, std::string& text) const override {
    std::string names;
    Index num_alerts = 0;
    for (Index i = molecule.first_hit; i < molecule.last_hit; ++i) {
      if (!molecule.hit(i).matched()) continue;
      if (num_alerts++ > 0) names += ';';
      names += queries_.accepted[molecule.hit(i).query].id;
    }
    text += fmt::format("{}{}{}{}{}\n", cell(molecule.name), separator_, num_alerts, separator_, cell(names));
  }

 private:
  std::string cell(std::string_view text) const { return separator_ == '\t' ? tab_safe(text) : csv_safe(text); }

  const QuerySet& queries_;
  char separator_;
};

/// The same as one object a molecule.
class MoleculeObjects : public HitFormat {
 public:
  explicit MoleculeObjects(const QuerySet& queries) : queries_(queries) {}

  void append(const MoleculeHits& molecule, std::string& text) const override {
    std::vector<Json> names;
    for (Index i = molecule.first_hit; i < molecule.last_hit; ++i)
      if (molecule.hit(i).matched()) names.push_back(queries_.accepted[molecule.hit(i).query].id);
    const Index num_alerts = std::ssize(names);
    text +=
        Json(Json::Members{{"molecule", molecule.name}, {"alerts", num_alerts}, {"queries", Json::list(names)}}).line();
  }

 private:
  const QuerySet& queries_;
};

}  // namespace

std::string_view TextCursor::name(Index molecule) {
  const auto found = std::ranges::lower_bound(named_, molecule, {}, &NamedMolecule::molecule);
  return found != named_.end() && found->molecule == molecule ? found->name : id(molecule);
}

std::string_view TextCursor::record(Index molecule) {
  const ChunkText& text = text_of(molecule);
  return with_records_ ? std::string_view(text.records[offset_of(molecule)]) : std::string_view();
}

const ChunkText& TextCursor::text_of(Index molecule) {
  if (molecule >= end_) {
    do next_chunk();
    while (molecule >= end_);
    text_ = library_.text(chunk_, with_records_);
  }
  return text_;
}

void TextCursor::next_chunk() {
  ++chunk_;
  first_ = library_.first_molecule(chunk_);
  end_ = first_ + library_.num_molecules(chunk_);
  if (ids_ == nullptr) return;
  found_ = distinct_names(library_, chunk_, *ids_);
  named_ = found_;
}

void TextCursor::finish() {
  while (ids_ != nullptr && chunk_ + 1 < library_.num_chunks()) next_chunk();
}

bool MoleculeHits::matched() const {
  for (Index i = first_hit; i < last_hit; ++i)
    if (hit(i).matched()) return true;
  return false;
}

std::span<const std::uint32_t> MoleculeHits::mappings(Index hit) const {
  const auto& offsets = result->mapping_offsets;
  if (offsets.empty()) return {};
  return std::span(result->mappings).subspan(offsets[hit], offsets[hit + 1] - offsets[hit]);
}

const char* status_of(const match::Hit& hit) {
  return hit.timeout ? "timeout" : hit.overflow ? "overflow" : hit.truncated ? "truncated" : "ok";
}

std::unique_ptr<HitFormat> make_hit_format(const std::string& path, const HitFormatOptions& options) {
  const std::string extension = extension_of(path);
  const bool with_mappings = options.mode == match::Mode::all || options.mode == match::Mode::unique;
  if (extension.empty() || extension == ".tsv")
    return std::make_unique<TableFormat>(options.queries, with_mappings, '\t');
  if (extension == ".csv") return std::make_unique<TableFormat>(options.queries, with_mappings, ',');
  if (extension == ".jsonl") return std::make_unique<JsonLinesFormat>(options.queries, with_mappings);
  return make_record_format(path, options);
}

std::unique_ptr<HitFormat> make_molecule_format(const std::string& path, const HitFormatOptions& options) {
  const std::string extension = extension_of(path);
  if (extension.empty() || extension == ".tsv") return std::make_unique<MoleculeTable>(options.queries, '\t');
  if (extension == ".csv") return std::make_unique<MoleculeTable>(options.queries, ',');
  if (extension == ".jsonl") return std::make_unique<MoleculeObjects>(options.queries);
  return make_record_format(path, options);
}

}  // namespace quarry::cli
