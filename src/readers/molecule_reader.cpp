/// From a file to chunks. One parallel pass parses the rows of a chunk, and at the same time reads the rows of the next
/// chunk and packs the previous one, so that no core waits and only a few chunks are in memory.
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <new>
#include <optional>
#include <utility>

#include "exec/parallel.hpp"
#include "exec/workers.hpp"
#include "library/library_impl.hpp"
#include "quarry/error.hpp"
#include "quarry/version.hpp"
#include "readers/record_reader.hpp"
#include "readers/row_batch.hpp"
#include "util/check.hpp"
#include "util/files/byte_source.hpp"

namespace quarry {
namespace {

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
  provenance.source = options.name.empty() ? path : options.name;
  provenance.command = options.command;
  provenance.created = created_now();
  provenance.version = std::string("Quarry ") + kVersion + ", RDKit " + rdkit_version();
  provenance.explicit_hydrogens = options.explicit_hydrogens;
  provenance.stereo = resolves_stereo(options, format);
  provenance.format = format;
  return provenance;
}

/// What a thread keeps from one task to the next: the native reader remembers what it found.
struct ReadingWorker {
  ReadingWorker(const DeviceId&, RecordFormat format, const ReadOptions& options) : reader(format, options) {}
  RecordReader reader;
};

}  // namespace

struct MoleculeReader::Impl {
  std::unique_ptr<RowReader> reader;
  Provenance provenance;
  ReadOptions options;
  std::optional<Workers<ReadingWorker>> workers;
  struct Packed {
    std::vector<std::byte> chunk;
    std::vector<NamedMolecule> named;
  };
  RowBatch next_rows;                ///< read, not yet parsed
  std::optional<RowBatch> parsed;    ///< parsed, not yet packed
  std::deque<Packed> packed;         ///< not yet delivered
  std::vector<NamedMolecule> named;  ///< of the chunk delivered last
  Report report;
  Audit audited;
  Index bytes_read = 0;

  /// Parses `next_rows`, reads the rows after them, and packs `parsed`.
  void pass();
  void pack(RowBatch batch);
};

void MoleculeReader::Impl::pass() {
  std::optional<RowBatch> to_pack = std::exchange(parsed, std::nullopt);
  if (to_pack) {
    bytes_read = to_pack->bytes_read;
    for (const Audit& audit : to_pack->audits) audited += audit;
  }
  RowBatch after;
  constexpr Index kRead = 0, kPack = 1, kFirstParse = 2;
  parallel_for_each(options.threads, kFirstParse + next_rows.num_tasks(), [&](Index task) {
    if (task == kRead) {
      after = read_batch(*reader, options);
    } else if (task == kPack) {
      if (to_pack) pack(std::move(*to_pack));
    } else {
      const auto worker = workers->take();
      parse_rows(next_rows, task - kFirstParse, provenance.format, options, worker->reader);
    }
  });
  if (!next_rows.rows.empty()) parsed = std::move(next_rows);
  next_rows = std::move(after);
}

void MoleculeReader::Impl::pack(RowBatch batch) {
  for (ChunkInput& input : chunks_of(std::move(batch))) {
    if (options.similar_section) input.fingerprints = options.similar_section(input.records);
    packed.push_back({encode_chunk(input), std::move(input.named)});
  }
}

MoleculeReader::MoleculeReader(const std::string& path, const ReadOptions& options) : impl_(std::make_unique<Impl>()) {
  impl_->options = options;
  impl_->options.threads = resolve_threads(options.threads);
  if (options.max_atoms < 0) throw InputError("max_atoms must be 0 (no limit) or more");
  if (!(options.audit >= 0 && options.audit <= 1)) throw InputError("the audited share must be from 0 to 1");
  if (options.distinct_ids != nullptr) options.distinct_ids->enter_file(input_name(path));
  impl_->reader = open_rows(path, options);
  const RecordFormat format = impl_->reader->record_format();
  impl_->provenance = provenance_of(path, options, format);
  impl_->workers.emplace(impl_->options.threads, format, impl_->options);
  impl_->next_rows = read_batch(*impl_->reader, options);
  if (impl_->next_rows.rows.empty()) throw InputError(input_name(impl_->provenance.source) + " holds no molecules");
}

MoleculeReader::~MoleculeReader() = default;

std::optional<Library> MoleculeReader::next() {
  Impl& state = *impl_;
  try {
    while (state.packed.empty()) {
      if (!state.parsed && state.next_rows.rows.empty()) return std::nullopt;
      state.pass();
    }
  } catch (const std::bad_alloc&) {
    throw OutOfMemory(input_name(state.provenance.source) + ", after row " + std::to_string(state.report.rows));
  }
  const std::string name = input_name(state.provenance.source);
  Library library =
      library_from_chunk(std::move(state.packed.front().chunk), state.provenance, RowPlace{name, state.report.rows});
  state.named = std::move(state.packed.front().named);
  state.packed.pop_front();
  const Report report = library.report();
  QUARRY_CHECK(report.rows == report.ok + report.rejected, "every row of a chunk is ok or rejected");
  state.report.rows += report.rows;
  state.report.ok += report.ok;
  state.report.rejected += report.rejected;
  return library;
}

void MoleculeReader::skip(const Report& done) {
  Impl& state = *impl_;
  QUARRY_CHECK(state.report.rows == 0 && !state.parsed, "rows are skipped before any is delivered");
  // A batch that became several chunks is parsed again where only some of them are done.
  Index rows = 0;
  while (!state.next_rows.rows.empty() && rows + std::ssize(state.next_rows.rows) <= done.rows) {
    rows += std::ssize(state.next_rows.rows);
    state.bytes_read = state.next_rows.bytes_read;
    state.next_rows = read_batch(*state.reader, state.options);
  }
  while (rows < done.rows) {
    const auto chunk = next();
    if (!chunk) break;
    rows += chunk->report().rows;
  }
  if (rows != done.rows)
    throw InputError(input_name(state.provenance.source) + ": no chunk ends after " + std::to_string(done.rows) +
                     " rows");
  state.report = done;
}

const std::vector<NamedMolecule>& MoleculeReader::named() const { return impl_->named; }
const Provenance& MoleculeReader::provenance() const { return impl_->provenance; }
const Report& MoleculeReader::report() const { return impl_->report; }
const Audit& MoleculeReader::audit() const { return impl_->audited; }
ReadNotes MoleculeReader::notes() const { return impl_->reader->notes(); }
std::vector<std::string> MoleculeReader::columns() const { return impl_->reader->columns(); }
Index MoleculeReader::bytes_read() const { return impl_->bytes_read; }
Index MoleculeReader::bytes_total() const { return impl_->reader->bytes_total(); }

}  // namespace quarry
