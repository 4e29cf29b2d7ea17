#include "readers/ligand_rows.hpp"

#include <utility>

#include "quarry/collection.hpp"
#include "readers/row_formats.hpp"

namespace quarry {
namespace {

class TextRows final : public LigandRows {
 public:
  TextRows(std::unique_ptr<RowReader> rows, LigandFormat format) : rows_(std::move(rows)), format_(format) {}
  bool next(LigandRecord& record) override { return rows_->next(record.row); }
  LigandFormat format() const override { return format_; }
  ReadNotes notes() const override { return rows_->notes(); }
  Index bytes_read() const override { return rows_->bytes_read(); }
  Index bytes_total() const override { return rows_->bytes_total(); }

 private:
  std::unique_ptr<RowReader> rows_;
  LigandFormat format_;
};

/// The molecules of a library; the rows that were rejected when it was made are not among them.
class LibraryRows final : public LigandRows {
 public:
  explicit LibraryRows(const std::vector<std::string>& paths) : library_(Library::open(paths)) {}

  bool next(LigandRecord& record) override {
    while (position_ == std::ssize(text_.ids)) {
      if (next_chunk_ == library_.num_chunks()) return false;
      load(next_chunk_++);
    }
    record.row = {0, std::string(text_.ids[position_]), std::string(text_.records[position_]), ""};
    record.isomers.reset();
    if (conformers_) record.isomers = conformers_->isomers(position_);
    ++position_;
    ++num_read_;
    return true;
  }
  LigandFormat format() const override {
    return library_.provenance().format == RecordFormat::sdf ? LigandFormat::sdf : LigandFormat::smiles;
  }
  // In molecules, because those of a library need not take the same bytes.
  Index bytes_read() const override { return num_read_; }
  Index bytes_total() const override { return library_.num_molecules(); }

 private:
  void load(Index chunk) {
    if (chunk > 0) library_.release(chunk - 1);
    text_ = library_.text(chunk, true);
    conformers_ = conformers_of(library_, chunk);
    position_ = 0;
  }

  Library library_;
  ChunkText text_;
  std::optional<ConformerSection> conformers_;
  Index next_chunk_ = 0, position_ = 0, num_read_ = 0;
};

}  // namespace

std::unique_ptr<LigandRows> open_ligand_rows(const std::vector<std::string>& paths, const LigandOptions& options) {
  const std::string& path = paths.front();
  const bool is_libraries = paths.size() > 1 || (options.format.empty() && is_collection(path));
  const std::string format = is_libraries ? "qlib" : options.format.empty() ? extension_of(path) : options.format;
  if (is_libraries && !options.format.empty())
    throw InputError("a format was named, but " + path + " and the others are libraries", "format");
  if ((format == "qlib" || format == "mol2") && !options.id_column.empty())
    throw InputError("an id column was named, but " + path + " is a " + (format == "qlib" ? "library" : "mol2 file") +
                         ", which has none",
                     "id_column");
  if (format == "qlib") return std::make_unique<LibraryRows>(paths);
  if (options.format.empty() && path != "-" && format != "mol2" && !is_row_format(format))
    throw InputError("cannot recognise the format of the ligands " + path + " by its extension \"" + format +
                     "\"; known are smi, smiles, cxsmiles, txt, csv, tsv, sdf, sd, mol and mol2, each also .gz, .zst, "
                     ".bz2 or .xz, and qlib");
  if (format == "mol2") return std::make_unique<TextRows>(mol2_rows(path), LigandFormat::mol2);
  auto rows = open_rows(path, {.smiles_column = options.smiles_column,
                               .id_column = options.id_column,
                               .whole_ids = options.whole_ids,
                               .format = options.format});
  const bool sdf = rows->record_format() == RecordFormat::sdf;
  return std::make_unique<TextRows>(std::move(rows), sdf ? LigandFormat::sdf : LigandFormat::smiles);
}

}  // namespace quarry
