/// The text of molecules, and the choice of an output format. Rows of text and files of pairs are in pairs/, molecules in
/// molecules/.
#include "output/hits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "output/molecules/record_formats.hpp"
#include "output/pairs/binary_formats.hpp"
#include "output/pairs/pair_rows.hpp"
#include "output/pairs/per_molecule_rows.hpp"
#include "output/tables/table_output.hpp"
#include "output/text.hpp"

namespace quarry::cli {

std::string_view TextCursor::name(Index molecule) {
  const std::string_view own = id(molecule);  // first, for it may find the names of the molecule's chunk
  const auto found = std::ranges::lower_bound(named_, molecule, {}, &NamedMolecule::molecule);
  return found != named_.end() && found->molecule == molecule ? found->name : own;
}

std::string_view TextCursor::record(Index molecule) {
  const ChunkText& text = text_of(molecule);
  return with_records_ ? text.records[offset_of(molecule)] : std::string_view();
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

std::string_view status_of(const match::Hit& hit) {
  return hit.timeout ? "timeout" : hit.overflow ? "overflow" : hit.truncated ? "truncated" : "ok";
}

std::unique_ptr<RowFile> HitFormat::open(const std::string& path) const { return std::make_unique<TableOutput>(path); }

std::unique_ptr<HitFormat> make_hit_format(const std::string& path, const HitFormatOptions& options) {
  if (is_binary_format(path)) return make_binary_format(path, options);
  const bool with_mappings = options.mode == match::Mode::all || options.mode == match::Mode::unique;
  auto rows = make_pair_rows(extension_of(path), match::hits_queries(options.queries), with_mappings);
  return rows ? std::move(rows) : make_record_format(path, options);
}

std::unique_ptr<HitFormat> make_molecule_format(const std::string& path, const HitFormatOptions& options) {
  if (is_binary_format(path))
    throw InputError(
        fmt::format("'{}' would hold pairs of molecule and query, and not a row a molecule: name a table (quarry cat "
                    "--per-molecule makes one of a .qhits file)",
                    path));
  auto rows = make_per_molecule_rows(extension_of(path), match::hits_queries(options.queries));
  return rows ? std::move(rows) : make_record_format(path, options);
}

std::unique_ptr<HitFormat> make_molecules_format(const std::string& path, const HitFormatOptions& options) {
  auto table = make_molecule_table(path, options);
  return table ? std::move(table) : make_molecule_format(path, options);
}

}  // namespace quarry::cli
