/// The hits of one molecule with its text, and the formats in which `quarry match` writes them.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "output/row_file.hpp"
#include "quarry/files/hits.hpp"
#include "quarry/library.hpp"
#include "quarry/match.hpp"

namespace quarry::cli {

/// Ids and records of the molecules of a library, which must be asked for in ascending order: one chunk is in memory.
class TextCursor {
 public:
  TextCursor(const Library& library, bool with_records) : library_(library), with_records_(with_records) {}
  /// Before the first molecule is asked for: the molecules with the id of an earlier one, ascending.
  void set_named(std::span<const NamedMolecule> named) { named_ = named; }
  /// The same where they are not known: finds them chunk by chunk. Then `finish` takes note of the ids that are left.
  /// @param ids  nullptr: no molecule has the id of another
  void find_named(DistinctIds* ids) { ids_ = ids; }
  void finish();
  std::string_view id(Index molecule) { return text_of(molecule).ids[offset_of(molecule)]; }
  /// The name that tells it apart, else its id.
  std::string_view name(Index molecule);
  /// Empty where the cursor is made without records.
  std::string_view record(Index molecule);
  RecordFormat format() const { return library_.provenance().format; }
  /// Calls `work`, which uses the text that was asked for last. @throws  as Library::in_chunk
  void use(const std::function<void()>& work) const { library_.in_chunk(chunk_, work); }

 private:
  const ChunkText& text_of(Index molecule);
  void next_chunk();
  Index offset_of(Index molecule) const { return molecule - first_; }

  const Library& library_;
  bool with_records_;
  std::span<const NamedMolecule> named_;  // of the library, or of the chunk where they are found
  std::vector<NamedMolecule> found_;
  DistinctIds* ids_ = nullptr;
  Index chunk_ = -1, first_ = 0, end_ = 0;
  ChunkText text_;
};

/// One row of a result, with the text of its molecule.
struct MoleculeHits {
  std::string_view id, name;  ///< the name is that of TextCursor: for tables, while files of molecules keep their ids
  std::string_view record;
  std::span<const std::string> columns = {};  ///< names of the columns that the input has beside
  std::string_view values = {};               ///< theirs, with a tab before each; a row may have more, or fewer
  RecordFormat format = RecordFormat::smiles;
  const match::Result* result = nullptr;
  Index first_hit = 0, last_hit = 0;  ///< into `result->hits`, half open

  const match::Hit& hit(Index index) const { return result->hits[index]; }
  bool has_hits() const { return first_hit < last_hit; }
  /// Whether some query has an embedding. A query that was given up may have none.
  bool matched() const;
  /// The embeddings of a hit, one after the other; empty in modes first and count.
  std::span<const std::uint32_t> mappings(Index hit) const;
};

/// "ok", "truncated", "timeout" or "overflow".
std::string_view status_of(const match::Hit& hit);

/// An output format: turns the hits of a molecule into a row or rows, and opens the file that they go to.
class HitFormat {
 public:
  virtual ~HitFormat() = default;
  virtual std::string header() const { return {}; }
  /// Whether `append` uses the records of molecules; where it does not, they are not read.
  virtual bool needs_records() const { return false; }
  /// Whether pairs have rows of their own, also those that were given up.
  virtual bool writes_pairs() const { return false; }
  /// Whether also molecules without hits have rows, and whether these have their names.
  virtual bool writes_every_molecule() const { return false; }
  virtual bool needs_every_name() const { return true; }
  /// Whether columns of the input are kept, but only those of its first file.
  virtual bool has_fixed_columns() const { return false; }
  bool has_rows(const MoleculeHits& molecule) const {
    return writes_every_molecule() || (writes_pairs() && molecule.has_hits()) || molecule.matched();
  }
  virtual void append(const MoleculeHits& molecule, std::string& text) const = 0;
  /// A file of these rows. @throws SystemError  the folder cannot be written
  virtual std::unique_ptr<RowFile> open(const std::string& path) const;
};

/// What formats are made for.
struct HitFormatOptions {
  const QuerySet& queries;
  match::Mode mode = match::Mode::first;
  bool matched = true;                    ///< molecules that some query matches, not those that none does
  std::vector<std::string> columns = {};  ///< of the input, where it is a table; those of its first file
  std::string id_column = {};             ///< which of them has the ids; empty: the one that is named as ids are
};

/// The format for the extension of `path`: .tsv, .csv, .smi, .sdf or .jsonl, each also compressed; none is tsv; .qhits
/// or .npz.
/// @throws InputError  any other extension
std::unique_ptr<HitFormat> make_hit_format(const std::string& path, const HitFormatOptions& options);

/// The same with one row a molecule: its id, the number of queries that match, and their ids. .smi and .sdf hold the
/// molecules themselves. @throws InputError  as make_hit_format, or a format of pairs alone
std::unique_ptr<HitFormat> make_molecule_format(const std::string& path, const HitFormatOptions& options);

/// The molecules themselves, with what the input has of them: SMILES, SDF, or a table with SMILES.
/// @throws InputError  as make_molecule_format
std::unique_ptr<HitFormat> make_molecules_format(const std::string& path, const HitFormatOptions& options);

}  // namespace quarry::cli
