/// The hits of one molecule, with its text, and how each output format writes them.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "quarry/library.hpp"
#include "quarry/match.hpp"

namespace quarry::cli {

/// Ids and records of a library, read one chunk at a time; molecules are asked for in ascending order.
class TextCursor {
 public:
  TextCursor(const Library& library, bool with_records) : library_(library), with_records_(with_records) {}
  std::string_view id(Index molecule) { return text_of(molecule).ids[offset_of(molecule)]; }
  /// Empty without records.
  std::string_view record(Index molecule);
  RecordFormat format() const { return library_.provenance().format; }

 private:
  const ChunkText& text_of(Index molecule);
  std::size_t offset_of(Index molecule) const { return static_cast<std::size_t>(molecule - first_); }

  const Library& library_;
  bool with_records_;
  Index chunk_ = -1, first_ = 0, end_ = 0;
  ChunkText text_;
};

/// One row of a result.
struct MoleculeHits {
  std::string_view id, record;
  RecordFormat format = RecordFormat::smiles;
  const match::Result* result = nullptr;
  Index first_hit = 0, last_hit = 0;  ///< into `result->hits`, half open

  const match::Hit& hit(Index index) const { return result->hits[static_cast<std::size_t>(index)]; }
  /// Some query has at least one embedding; false where all ran out of budget before.
  bool matched() const;
  /// Embeddings of a hit, end to end; empty in modes first and count.
  std::span<const std::uint32_t> mappings(Index hit) const;
};

/// "ok", "truncated" or "timeout".
const char* status_of(const match::Hit& hit);

/// Turns hits into text. Says what it needs, so that nothing is read in vain.
class HitFormat {
 public:
  virtual ~HitFormat() = default;
  virtual std::string header() const { return {}; }
  virtual bool needs_records() const { return false; }
  virtual void append(const MoleculeHits& molecule, std::string& text) const = 0;
};

/// Format by the extension of `path`: tsv (also where there is none), csv, smi, sdf, jsonl; each also .gz or .zst.
/// @param with_mappings  the run stores embeddings
/// @throws InputError  any other extension
std::unique_ptr<HitFormat> make_hit_format(const std::string& path, const QuerySet& queries, bool with_mappings);

}  // namespace quarry::cli
