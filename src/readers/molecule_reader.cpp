/// From a file to chunks. One parallel pass parses the rows of a chunk, and at the same time reads the rows of the next
/// chunk and packs the previous one, so that no core waits and only a few chunks are in memory.
#include <GraphMol/RWMol.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>

#include "chemistry/ligand/stored_isomers.hpp"
#include "chemistry/perceive.hpp"
#include "exec/parallel.hpp"
#include "library/chunk_codec.hpp"
#include "library/conformers.hpp"
#include "library/library_impl.hpp"
#include "quarry/error.hpp"
#include "quarry/version.hpp"
#include "readers/row_reader.hpp"
#include "util/check.hpp"
#include "util/files/byte_source.hpp"

namespace quarry {
namespace {

/// Rows that a thread parses at a time: some milliseconds of work.
constexpr Index kRowsPerTask = 64;

/// The rows of one chunk, and their molecules.
struct RowBatch {
  std::vector<Row> rows;
  std::vector<std::string> texts;                  ///< [rows] as written, or empty where they are not kept
  std::vector<PackedMolecules> molecules;          ///< of kRowsPerTask rows each; filled by parsing
  std::vector<std::vector<StoredIsomer>> isomers;  ///< [rows], or empty where none are stored; filled by parsing
  Index bytes_read = 0;                            ///< of the file, after the last row
};

RowBatch read_batch(RowReader& reader, bool whole_rows) {
  RowBatch batch;
  Row row;
  while (std::ssize(batch.rows) < kChunkMolecules && reader.next(row)) {
    if (whole_rows) batch.texts.emplace_back(reader.text());
    batch.rows.push_back(std::move(row));
  }
  batch.molecules.resize((std::ssize(batch.rows) + kRowsPerTask - 1) / kRowsPerTask);
  batch.bytes_read = reader.bytes_read();
  return batch;
}

/// Adds the molecule of a row to the packer, or a reason to the row.
void parse_row(Row& row, RecordFormat format, bool explicit_hydrogens, MoleculePacker& packer) {
  if (!row.reason.empty()) return;
  const auto parsed = parse_record(row.record, format, explicit_hydrogens, row.reason);
  if (!parsed) return;
  try {
    packer.add(perceive(*parsed), "the molecule");
  } catch (const InputError& error) {
    row.reason = error.what();
  }
}

ChunkInput chunk_input(RowBatch batch) {
  ChunkInput input;
  input.rows = std::ssize(batch.rows);
  input.molecules = std::move(batch.molecules);
  std::vector<std::vector<StoredIsomer>> isomers;
  for (std::size_t i = 0; i < batch.rows.size(); ++i) {
    Row& row = batch.rows[i];
    if (!row.reason.empty()) {
      input.rejected.push_back({row.line, std::move(row.id), std::move(row.reason)});
      continue;
    }
    input.ids.push_back(std::move(row.id));
    if (!batch.isomers.empty()) isomers.push_back(std::move(batch.isomers[i]));
    const bool whole = !batch.texts.empty() && !batch.texts[i].empty();
    input.records.push_back(std::move(whole ? batch.texts[i] : row.record));
  }
  if (!isomers.empty()) input.conformers = pack_conformers(isomers);
  return input;
}

/// The time now, or that of SOURCE_DATE_EPOCH, which reproducible builds set.
std::string created_now() {
  std::time_t seconds = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  if (const char* epoch = std::getenv("SOURCE_DATE_EPOCH")) seconds = std::strtoll(epoch, nullptr, 10);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

Provenance provenance_of(const std::string& path, const ReadOptions& options, RecordFormat format) {
  Provenance provenance;
  provenance.source = path;
  provenance.command = options.command;
  provenance.created = created_now();
  provenance.version = std::string("Quarry ") + kVersion + ", RDKit " + rdkit_version();
  provenance.explicit_hydrogens = options.explicit_hydrogens;
  provenance.format = format;
  return provenance;
}

}  // namespace

struct MoleculeReader::Impl {
  std::unique_ptr<RowReader> reader;
  Provenance provenance;
  int threads = 0;
  bool whole_rows = false;
  int conformers = 0, stereoisomers = 1;
  std::function<std::vector<std::byte>(std::span<const std::string>)> similar_section;
  RowBatch next_rows;              ///< read, not yet parsed
  std::optional<RowBatch> parsed;  ///< parsed, not yet packed
  Report report;
  Index bytes_read = 0;

  /// Parses `next_rows`, reads the rows after them, and packs `parsed`.
  /// @return the packed chunk, empty where there was none
  std::vector<std::byte> pass();
  void parse_rows(Index task);
  std::vector<std::byte> pack(ChunkInput& input) const;
};

std::vector<std::byte> MoleculeReader::Impl::pass() {
  std::optional<ChunkInput> to_pack;
  if (parsed) to_pack = chunk_input(std::move(*parsed));
  std::vector<std::byte> packed;
  RowBatch after;
  if (conformers > 0) next_rows.isomers.resize(next_rows.rows.size());
  constexpr Index kRead = 0, kPack = 1, kFirstParse = 2;
  parallel_for_each(threads, kFirstParse + std::ssize(next_rows.molecules), [&](Index task) {
    if (task == kRead) {
      after = read_batch(*reader, whole_rows);
    } else if (task == kPack) {
      if (to_pack) packed = pack(*to_pack);
    } else {
      parse_rows(task - kFirstParse);
    }
  });
  parsed.reset();
  if (!next_rows.rows.empty()) parsed = std::move(next_rows);
  next_rows = std::move(after);
  return packed;
}

std::vector<std::byte> MoleculeReader::Impl::pack(ChunkInput& input) const {
  if (similar_section) input.similar = similar_section(input.records);
  return encode_chunk(input);
}

void MoleculeReader::Impl::parse_rows(Index task) {
  MoleculePacker packer;
  const Index end = std::min((task + 1) * kRowsPerTask, std::ssize(next_rows.rows));
  for (Index row = task * kRowsPerTask; row < end; ++row) {
    Row& parsed_row = next_rows.rows[row];
    parse_row(parsed_row, provenance.format, provenance.explicit_hydrogens, packer);
    if (conformers == 0 || !parsed_row.reason.empty()) continue;
    next_rows.isomers[row] = embedded_isomers(parsed_row.record, provenance.format, conformers, stereoisomers);
  }
  next_rows.molecules[task] = packer.finish();
}

MoleculeReader::MoleculeReader(const std::string& path, const ReadOptions& options) : impl_(std::make_unique<Impl>()) {
  impl_->threads = resolve_threads(options.threads);
  impl_->reader = open_rows(path, options);
  impl_->provenance = provenance_of(path, options, impl_->reader->record_format());
  impl_->whole_rows = options.whole_rows;
  impl_->conformers = options.conformers;
  impl_->stereoisomers = options.stereoisomers;
  impl_->similar_section = options.similar_section;
  impl_->next_rows = read_batch(*impl_->reader, options.whole_rows);
  if (impl_->next_rows.rows.empty()) throw InputError(input_name(path) + " holds no molecules");
}

MoleculeReader::~MoleculeReader() = default;

std::optional<Library> MoleculeReader::next() {
  Impl& state = *impl_;
  if (!state.parsed && !state.next_rows.rows.empty()) state.pass();
  if (!state.parsed) return std::nullopt;
  state.bytes_read = state.parsed->bytes_read;
  Library library = library_from_chunk(state.pass(), state.provenance);
  const Report report = library.report();
  QUARRY_CHECK(report.rows == report.ok + report.rejected, "every row of a chunk is ok or rejected");
  state.report.rows += report.rows;
  state.report.ok += report.ok;
  state.report.rejected += report.rejected;
  return library;
}

const Report& MoleculeReader::report() const { return impl_->report; }
Index MoleculeReader::bytes_read() const { return impl_->bytes_read; }
Index MoleculeReader::bytes_total() const { return impl_->reader->bytes_total(); }

}  // namespace quarry
