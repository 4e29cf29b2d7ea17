/// From a file to chunks: one parallel pass per chunk parses its rows, and beside it reads the rows of the next chunk
/// and packs the chunk before, so that no core waits and two chunks are in memory.
#include <GraphMol/RWMol.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>

#include "chemistry/perceive.hpp"
#include "exec/parallel.hpp"
#include "library/chunk_codec.hpp"
#include "library/library_impl.hpp"
#include "quarry/version.hpp"
#include "readers/row_reader.hpp"
#include "util/byte_source.hpp"
#include "util/check.hpp"

namespace quarry {
namespace {

/// Rows parsed by one thread at a time: some milliseconds of work.
constexpr std::size_t kBlockRows = 64;

/// The rows of one chunk, and what became of each.
struct RowBatch {
  std::vector<Row> rows;
  std::vector<std::string> texts;     ///< [rows] as written, or empty where they are not kept
  std::vector<MoleculeBlock> blocks;  ///< of kBlockRows rows each, once they are parsed
  Index bytes_read = 0;               ///< of the file, after the last row
};

RowBatch read_batch(RowReader& reader, bool whole_rows) {
  RowBatch batch;
  Row row;
  while (static_cast<Index>(batch.rows.size()) < kChunkMolecules && reader.next(row)) {
    if (whole_rows) batch.texts.emplace_back(reader.text());
    batch.rows.push_back(std::move(row));
  }
  batch.blocks.resize((batch.rows.size() + kBlockRows - 1) / kBlockRows);
  batch.bytes_read = reader.bytes_read();
  return batch;
}

/// Adds the molecule to the block, or a reason to the row.
void parse_row(Row& row, RecordFormat format, bool explicit_hydrogens, BlockPacker& block) {
  if (!row.reason.empty()) return;
  const auto parsed = parse_record(row.record, format, explicit_hydrogens, row.reason);
  if (!parsed) return;
  try {
    block.add(perceive(*parsed), "the molecule");
  } catch (const InputError& error) {
    row.reason = error.what();
  }
}

ChunkInput chunk_input(RowBatch batch) {
  ChunkInput input;
  input.rows = static_cast<Index>(batch.rows.size());
  input.blocks = std::move(batch.blocks);
  for (std::size_t i = 0; i < batch.rows.size(); ++i) {
    Row& row = batch.rows[i];
    if (!row.reason.empty()) {
      input.rejected.push_back({row.line, std::move(row.id), std::move(row.reason)});
      continue;
    }
    input.ids.push_back(std::move(row.id));
    const bool whole = !batch.texts.empty() && !batch.texts[i].empty();
    input.records.push_back(std::move(whole ? batch.texts[i] : row.record));
  }
  return input;
}

/// Now, or the time that SOURCE_DATE_EPOCH gives to reproducible builds.
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
  const auto add = [&](const std::string& option) {
    provenance.command += (provenance.command.empty() ? "" : " ") + option;
  };
  if (options.explicit_hydrogens) add("--explicit-h");
  if (!options.format.empty()) add("--format " + options.format);
  if (!options.smiles_column.empty()) add("--smiles-column " + options.smiles_column);
  if (!options.id_column.empty()) add("--id-column " + options.id_column);
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
  std::function<std::vector<std::byte>(std::span<const std::string>)> similar_section;
  RowBatch coming;                 ///< read, not yet parsed
  std::optional<RowBatch> parsed;  ///< parsed, not yet packed
  Report report;
  Index bytes_read = 0;

  /// Parses `coming`, reads what comes after it, and packs `parsed`.
  /// @return the packed chunk, empty where there was none
  std::vector<std::byte> pass();
  void parse_block(std::size_t block);
  std::vector<std::byte> pack(ChunkInput& input) const;
};

std::vector<std::byte> MoleculeReader::Impl::pass() {
  std::optional<ChunkInput> to_pack;
  if (parsed) to_pack = chunk_input(std::move(*parsed));
  std::vector<std::byte> packed;
  RowBatch after;
  const auto num_blocks = static_cast<Index>(coming.blocks.size());
  constexpr Index kRead = 0, kPack = 1, kFirstBlock = 2;
  parallel_for_range(threads, kFirstBlock + num_blocks, 1, [&](Index begin, Index end) {
    for (Index item = begin; item < end; ++item) {
      if (item == kRead) {
        after = read_batch(*reader, whole_rows);
      } else if (item == kPack) {
        if (to_pack) packed = pack(*to_pack);
      } else {
        parse_block(static_cast<std::size_t>(item - kFirstBlock));
      }
    }
  });
  parsed.reset();
  if (!coming.rows.empty()) parsed = std::move(coming);
  coming = std::move(after);
  return packed;
}

std::vector<std::byte> MoleculeReader::Impl::pack(ChunkInput& input) const {
  if (similar_section) input.similar = similar_section(input.records);
  return encode_chunk(input);
}

void MoleculeReader::Impl::parse_block(std::size_t block) {
  BlockPacker packer;
  const std::size_t end = std::min((block + 1) * kBlockRows, coming.rows.size());
  for (std::size_t row = block * kBlockRows; row < end; ++row) {
    parse_row(coming.rows[row], provenance.format, provenance.explicit_hydrogens, packer);
  }
  coming.blocks[block] = packer.finish();
}

MoleculeReader::MoleculeReader(const std::string& path, const ReadOptions& options) : impl_(std::make_unique<Impl>()) {
  impl_->threads = resolve_threads(options.threads);
  impl_->reader = open_rows(path, options);
  impl_->provenance = provenance_of(path, options, impl_->reader->record_format());
  impl_->whole_rows = options.whole_rows;
  impl_->similar_section = options.similar_section;
  impl_->coming = read_batch(*impl_->reader, options.whole_rows);
  if (impl_->coming.rows.empty()) throw InputError(input_name(path) + " holds no molecules");
}

MoleculeReader::~MoleculeReader() = default;

std::optional<Library> MoleculeReader::next() {
  Impl& state = *impl_;
  if (!state.parsed && !state.coming.rows.empty()) state.pass();
  if (!state.parsed) return std::nullopt;
  state.bytes_read = state.parsed->bytes_read;
  Library library = library_from_chunk(state.pass(), state.provenance);
  const Report report = library.report();
  QUARRY_CHECK(report.rows == report.ok + report.rejected, "rows of a chunk got lost");
  state.report.rows += report.rows;
  state.report.ok += report.ok;
  state.report.rejected += report.rejected;
  return library;
}

const Report& MoleculeReader::report() const { return impl_->report; }
Index MoleculeReader::bytes_read() const { return impl_->bytes_read; }
Index MoleculeReader::bytes_total() const { return impl_->reader->bytes_total(); }

}  // namespace quarry
