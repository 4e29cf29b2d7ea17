/// The rows of about one chunk on their way from text to packed chunks.
///
/// A chunk closes at kChunkMolecules rows, at kChunkTextBytes of text, and before it would have more distinct atom kinds than
/// its dictionary can number. The last is known only when the rows are parsed, so a batch may become several chunks.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "chemistry/ligand/stored_isomers.hpp"
#include "library/chunk_codec.hpp"
#include "readers/record_reader.hpp"
#include "readers/row_reader.hpp"

namespace quarry {

/// A chunk closes with the row that reaches this many bytes of text. Three batches are in memory at a time, or more where the
/// rows are short, each a few times over, so that all of them take less than 512 MB beside their longest rows.
inline constexpr Index kChunkTextBytes = Index{16} << 20;

/// Consecutive molecules, and the row after the last of them.
struct ParsedRows {
  PackedMolecules molecules;
  Index end_row = 0;
};

/// A row of a batch. Its id, its record, and what is stored in place of the record stand one after the other in the text of the
/// batch, from the first three offsets on.
struct BatchRow {
  Index line = 0;  ///< as Row::line
  std::size_t id = 0, record = 0, stored = 0, end = 0;
  std::unique_ptr<std::string> reason = nullptr;  ///< why it is rejected; none where it is not
};

struct RowBatch {
  std::vector<BatchRow> rows;
  std::string text;                             ///< of all rows. PERF: strings of their own are two allocations a row
  std::vector<NamedMolecule> names;             ///< of rows whose id an earlier one has, in order of rows
  std::vector<Index> task_bounds;               ///< [tasks + 1] the first row of each task, and the end of the last
  std::vector<std::vector<ParsedRows>> parsed;  ///< [tasks]; filled by parsing
  std::vector<std::vector<StoredIsomer>> isomers;  ///< [rows], or empty where none are stored; filled by parsing
  std::vector<Audit> audits;                       ///< [tasks]; filled by parsing
  Index text_bytes = 0;                            ///< of all rows, and of what is stored for them beside their atoms
  Index bytes_read = 0;                            ///< of the file, after the last row

  Index num_tasks() const { return std::ssize(parsed); }
  std::string_view id(Index row) const { return between(rows[row].id, rows[row].record); }
  std::string_view record(Index row) const { return between(rows[row].record, rows[row].stored); }
  /// What is stored in place of the record; empty: the record.
  std::string_view stored(Index row) const { return between(rows[row].stored, rows[row].end); }

 private:
  std::string_view between(std::size_t begin, std::size_t end) const {
    return std::string_view(text).substr(begin, end - begin);
  }
};

/// The next rows of a file; none at its end.
RowBatch read_batch(RowReader& reader, const ReadOptions& options);

/// Parses the rows of one task. Tasks of a batch may run at the same time, each with a reader of its own.
void parse_rows(RowBatch& batch, Index task, RecordFormat format, const ReadOptions& options, RecordReader& reader);

/// The rows of a parsed batch as chunks: one, or several where one has no room for all kinds of atoms. They take the molecules
/// of the batch, and their texts stay those of the batch.
std::vector<ChunkInput> chunks_of(RowBatch& batch);

}  // namespace quarry
