/// The rows of about one chunk on their way from text to packed chunks.
///
/// A chunk closes at kChunkMolecules rows, at kChunkTextBytes of text, and before it would have more distinct atom kinds than
/// its dictionary can number. The last is known only when the rows are parsed, so a batch may become several chunks.
#pragma once
#include <string>
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

struct RowBatch {
  std::vector<Row> rows;
  std::vector<std::string> texts;  ///< [rows] to keep instead of the records; empty: keep those
  Index rows_per_task = 1;
  std::vector<std::vector<ParsedRows>> parsed;     ///< [tasks]; filled by parsing
  std::vector<std::vector<StoredIsomer>> isomers;  ///< [rows], or empty where none are stored; filled by parsing
  std::vector<Audit> audits;                       ///< [tasks]; filled by parsing
  Index text_bytes = 0;                            ///< of all rows, and of what is stored for them beside their atoms
  Index bytes_read = 0;                            ///< of the file, after the last row

  Index num_tasks() const { return std::ssize(parsed); }
};

/// The next rows of a file; none at its end.
RowBatch read_batch(RowReader& reader, const ReadOptions& options);

/// Parses the rows of one task. Tasks of a batch may run at the same time, each with a reader of its own.
void parse_rows(RowBatch& batch, Index task, RecordFormat format, const ReadOptions& options, RecordReader& reader);

/// The rows of a parsed batch as chunks: one, or several where one has no room for all kinds of atoms.
std::vector<ChunkInput> chunks_of(RowBatch batch);

}  // namespace quarry
