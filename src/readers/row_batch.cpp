#include "readers/row_batch.hpp"

#include <algorithm>
#include <span>
#include <unordered_set>
#include <utility>

#include "chemistry/record_limits.hpp"
#include "library/conformers.hpp"
#include "quarry/error.hpp"
#include "readers/record_reader.hpp"
#include "util/cast.hpp"

namespace quarry {
namespace {

/// Most rows that a thread parses at a time: some milliseconds of work. RDKit takes about thirty times as long as the native
/// reader.
constexpr Index kRowsPerTask = 64, kNativeRowsPerTask = 1024;
/// The last tasks of a batch get ever fewer rows, down to this part of the most, so that threads end together.
/// PERF: 2 % of the wall time of two threads. Tasks that are all small cost one thread 2 %.
constexpr Index kSmallestTaskShare = 8;

bool reads_natively(const ReadOptions& options, RecordFormat format) {
  return !resolves_stereo(options, format) && options.conformers == 0;
}

/// @return  the first row of each task, and `num_rows`
std::vector<Index> task_bounds(Index num_rows, Index most) {
  std::vector<Index> bounds = {0};
  while (bounds.back() < num_rows) {
    const Index left = num_rows - bounds.back();
    bounds.push_back(bounds.back() + std::min(left, std::clamp(left / 2, most / kSmallestTaskShare, most)));
  }
  return bounds;
}

/// Room for so much text a row is made beforehand: longer ones make room for themselves.
constexpr Index kUsualRowBytes = 64;

using Kinds = std::unordered_set<AtomKind, BytesHash>;

/// Appends a row to a batch.
/// @param stored  in place of its record; empty: the record
void add_row(Row& row, std::string_view stored, const ReadOptions& options, RowBatch& batch) {
  std::string& text = batch.text;
  BatchRow& kept = batch.rows.emplace_back();
  kept.line = row.line;
  kept.id = text.size();
  kept.record = text.append(row.id).size();
  kept.stored = text.append(row.record).size();
  kept.end = text.append(stored).size();
  if (!row.reason.empty()) kept.reason = std::make_unique<std::string>(std::move(row.reason));
  // A SMILES has at least one character for each atom, and each conformer three numbers.
  const Index conformers = Index{options.conformers} * options.stereoisomers * 12;
  batch.text_bytes += checked_cast<Index>(kept.end - kept.id) + std::ssize(row.record) * conformers;
}

std::vector<NamedMolecule> names_of(const RowBatch& batch, DistinctIds& distinct) {
  std::vector<std::string_view> ids;
  std::vector<Index> lines;
  for (Index row = 0; row < std::ssize(batch.rows); ++row) {
    ids.push_back(batch.id(row));
    lines.push_back(batch.rows[row].line);
  }
  return distinct.names_of(ids, lines);
}

/// One chunk has room for the atom kinds of this molecule. @throws InputError
void check_kinds(const Molecule& molecule) {
  if (std::ssize(molecule.atoms) <= kMaxChunkKinds) return;
  const Index kinds = std::ssize(Kinds(molecule.atoms.begin(), molecule.atoms.end()));
  if (kinds > kMaxChunkKinds) {
    throw InputError("the molecule has " + std::to_string(kinds) + " kinds of atoms; at most " +
                     std::to_string(kMaxChunkKinds) + " are supported");
  }
}

/// Packs the molecules of rows, none of which has room for more atom kinds than a chunk.
class TaskPacker {
 public:
  TaskPacker(std::vector<ParsedRows>& parsed, Index num_rows) : parsed_(parsed) { packer_.reserve(num_rows); }

  /// @throws InputError  the molecule cannot be packed
  void add(const Molecule& molecule, Index row) {
    check_kinds(molecule);
    if (packer_.num_kinds() > 0 && packer_.num_kinds() + std::ssize(molecule.atoms) > kMaxChunkKinds) finish(row);
    packer_.add(molecule, "the molecule");
  }
  void finish(Index end_row) { parsed_.push_back({std::exchange(packer_, {}).finish(), end_row}); }

 private:
  std::vector<ParsedRows>& parsed_;
  MoleculePacker packer_;
};

/// Adds the molecule of a row to the packer, or a reason to the row.
void parse_row(RowBatch& batch, Index index, RecordFormat format, const ReadOptions& options, RecordReader& reader,
               TaskPacker& packer) {
  BatchRow& row = batch.rows[index];
  if (row.reason != nullptr) return;
  const std::string_view record = batch.record(index);
  std::string reason = beyond_limits(record, format, options.max_atoms);
  try {
    if (reason.empty()) {
      const Molecule* const molecule = reader.read({row.line, batch.id(index), record}, reason);
      if (molecule != nullptr) packer.add(*molecule, index);
    }
  } catch (const InputError& error) {
    reason = error.what();
  }
  if (!reason.empty()) row.reason = std::make_unique<std::string>(std::move(reason));
}

/// Gives a chunk the rows `[first, last)` of a batch, beside the molecules that it has.
void add_rows(RowBatch& batch, Index first, Index last, ChunkInput& input) {
  std::vector<std::vector<StoredIsomer>> isomers;
  input.ids.reserve(last - first);
  input.records.reserve(last - first);
  auto name = std::ranges::lower_bound(batch.names, first, {}, &NamedMolecule::molecule);
  for (Index i = first; i < last; ++i) {
    const bool named = name != batch.names.end() && name->molecule == i;
    const auto name_here = named ? name++ : batch.names.end();
    const BatchRow& row = batch.rows[i];
    if (row.reason != nullptr) {
      input.rejected.push_back({row.line, std::string(batch.id(i)), std::move(*row.reason)});
      continue;
    }
    if (named) input.named.push_back({std::ssize(input.ids), std::move(name_here->name)});
    input.ids.push_back(batch.id(i));
    if (!batch.isomers.empty()) isomers.push_back(std::move(batch.isomers[i]));
    const std::string_view stored = batch.stored(i);
    input.records.push_back(stored.empty() ? batch.record(i) : stored);
  }
  input.rows = last - first;
  if (!isomers.empty()) input.conformers = pack_conformers(isomers);
}

}  // namespace

RowBatch read_batch(RowReader& reader, const ReadOptions& options) {
  RowBatch batch;
  batch.rows.reserve(kChunkMolecules);
  batch.text.reserve(kChunkMolecules * kUsualRowBytes);
  Row row;
  while (std::ssize(batch.rows) < kChunkMolecules && batch.text_bytes < kChunkTextBytes && reader.next(row)) {
    if (options.keep_columns) {
      add_row(row, row.record + reader.column_values(), options, batch);
    } else {
      add_row(row, options.whole_rows ? reader.text() : std::string_view(), options, batch);
    }
  }
  if (options.distinct_ids != nullptr) batch.names = names_of(batch, *options.distinct_ids);
  batch.task_bounds = task_bounds(std::ssize(batch.rows),
                                  reads_natively(options, reader.record_format()) ? kNativeRowsPerTask : kRowsPerTask);
  batch.parsed.resize(batch.task_bounds.size() - 1);
  batch.audits.resize(batch.parsed.size());
  if (options.conformers > 0) batch.isomers.resize(batch.rows.size());
  batch.bytes_read = reader.bytes_read();
  return batch;
}

void parse_rows(RowBatch& batch, Index task, RecordFormat format, const ReadOptions& options, RecordReader& reader) {
  const Index first = batch.task_bounds[task], end = batch.task_bounds[task + 1];
  TaskPacker packer(batch.parsed[task], end - first);
  for (Index row = first; row < end; ++row) {
    parse_row(batch, row, format, options, reader, packer);
    if (options.conformers == 0 || batch.rows[row].reason != nullptr) continue;
    batch.isomers[row] = embedded_isomers(batch.record(row), format, options.conformers, options.stereoisomers);
  }
  packer.finish(end);
  batch.audits[task] = reader.take_audit();
}

std::vector<ChunkInput> chunks_of(RowBatch& batch) {
  std::vector<ChunkInput> chunks(1);
  Kinds kinds;
  Index first_row = 0, end_row = 0;
  for (auto& task : batch.parsed) {
    for (ParsedRows& part : task) {
      const auto& more = part.molecules.atoms.values;
      const Index num_before = std::ssize(kinds);
      kinds.insert(more.begin(), more.end());
      if (num_before > 0 && std::ssize(kinds) > kMaxChunkKinds) {
        add_rows(batch, first_row, end_row, chunks.back());
        chunks.emplace_back();
        first_row = end_row;
        kinds = Kinds(more.begin(), more.end());
      }
      chunks.back().molecules.push_back(std::move(part.molecules));
      end_row = part.end_row;
    }
  }
  add_rows(batch, first_row, end_row, chunks.back());
  return chunks;
}

}  // namespace quarry
