/// From a file to chunks. One parallel pass parses the rows of some chunks, one for each thread, and at the same time reads
/// the rows of the next ones and packs the previous ones, so that no core waits. With ReadOptions::read_on the pass
/// goes on while the caller is busy.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <exception>
#include <functional>
#include <iterator>
#include <new>
#include <optional>
#include <utility>
#include <vector>

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

/// A pass reads at most this many batches, and no further one after this much text, so that memory has a limit. With one
/// batch a pass, many threads would wait for the one that packs, which is a third of all work.
constexpr int kMaxBatches = 8;
constexpr Index kMaxPassBytes = kChunkTextBytes;

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
    // Of its batch, where it is the last chunk of that.
    std::vector<Audit> audits = {};
    Index bytes_read = 0;
  };
  std::vector<RowBatch> next_rows;   ///< read, not yet parsed
  std::vector<RowBatch> parsed;      ///< not yet packed
  std::vector<Packed> made;          ///< by the last pass
  std::deque<Packed> packed;         ///< not yet delivered
  std::exception_ptr failure;        ///< thrown when the rows before it are delivered
  std::vector<NamedMolecule> named;  ///< of the chunk delivered last
  Report report;
  Audit audited;
  ReadNotes notes;
  Index bytes_read = 0;
  std::optional<BackgroundWork> background;  ///< the last member: a pass uses the others

  void begin_pass() {
    background->begin([this] { pass(); });
  }
  /// Waits for the pass, and has then what it made.
  void finish_pass();
  /// A pass over a pipe may wait long for rows, and so would an owner who wants no more of them.
  bool reads_on() const { return options.read_on && reader->bytes_total() > 0; }
  bool has_rows() const { return !parsed.empty() || !next_rows.empty(); }
  /// Parses `next_rows`, reads the rows after them, and packs `parsed`.
  void pass();
  /// Appends a batch to `batches`. @return  false at the end of the file
  bool read(std::vector<RowBatch>& batches);
  std::vector<Packed> pack(RowBatch batch) const;
  /// Keeps the exception that is being handled, so that each later call throws it too.
  void fail();
};

void MoleculeReader::Impl::fail() {
  failure = std::current_exception();
  parsed.clear();
  next_rows.clear();
}

bool MoleculeReader::Impl::read(std::vector<RowBatch>& batches) {
  RowBatch batch = read_batch(*reader, options);
  if (batch.rows.empty()) return false;
  batches.push_back(std::move(batch));
  return true;
}

void MoleculeReader::Impl::pass() {
  std::vector<RowBatch> to_pack = std::exchange(parsed, {});
  // From a pipe, chunks are delivered as soon as they can be.
  const Index most = reader->bytes_total() == 0 ? 1 : std::min(options.threads, kMaxBatches);
  std::vector<RowBatch> after;
  const auto read_more = [&] {
    try {
      Index bytes = 0;
      while (!failure && std::ssize(after) < most && bytes < kMaxPassBytes) {
        if (!read(after)) break;
        bytes += after.back().text_bytes;
      }
    } catch (...) {
      failure = std::current_exception();
    }
  };
  std::vector<std::vector<Packed>> of_batch(to_pack.size());
  // Threads begin at different places of this list, so each of them packs some.
  std::vector<std::function<void()>> tasks = {read_more};
  for (std::size_t i = 0; i < std::max(to_pack.size(), next_rows.size()); ++i) {
    if (i < to_pack.size()) tasks.push_back([&, i] { of_batch[i] = pack(std::move(to_pack[i])); });
    for (Index task = 0; i < next_rows.size() && task < next_rows[i].num_tasks(); ++task) {
      tasks.push_back([&, i, task] {
        const auto worker = workers->take();
        parse_rows(next_rows[i], task, provenance.format, options, worker->reader);
      });
    }
  }
  parallel_for_each(options.threads, std::ssize(tasks), [&](Index task) { tasks[task](); });
  for (std::vector<Packed>& chunks : of_batch) std::ranges::move(chunks, std::back_inserter(made));
  parsed = std::move(next_rows);
  next_rows = std::move(after);
}

void MoleculeReader::Impl::finish_pass() {
  background->finish();
  std::ranges::move(made, std::back_inserter(packed));
  made.clear();
  notes = reader->notes();
}

std::vector<MoleculeReader::Impl::Packed> MoleculeReader::Impl::pack(RowBatch batch) const {
  std::vector<Packed> chunks;
  std::vector<Audit> audits = std::move(batch.audits);
  const Index bytes_after = batch.bytes_read;
  for (ChunkInput& input : chunks_of(batch)) {
    if (options.similar_section) input.fingerprints = options.similar_section(input.records);
    chunks.push_back({encode_chunk(input), std::move(input.named)});
  }
  chunks.back().audits = std::move(audits);
  chunks.back().bytes_read = bytes_after;
  return chunks;
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
  impl_->background.emplace(impl_->options.threads);
  impl_->read(impl_->next_rows);
  impl_->notes = impl_->reader->notes();
}

MoleculeReader::~MoleculeReader() = default;

std::optional<Library> MoleculeReader::next() {
  Impl& state = *impl_;
  try {
    while (state.packed.empty()) {
      if (!state.background->is_begun()) {
        if (!state.has_rows()) {
          if (state.failure) std::rethrow_exception(state.failure);
          return std::nullopt;
        }
        state.begin_pass();
      }
      state.finish_pass();
    }
    if (state.reads_on() && !state.background->is_begun() && state.has_rows()) state.begin_pass();
  } catch (const std::bad_alloc&) {
    state.fail();
    throw OutOfMemory(input_name(state.provenance.source) + ", after row " + std::to_string(state.report.rows));
  } catch (...) {
    state.fail();
    throw;
  }
  const std::string name = input_name(state.provenance.source);
  Library library =
      library_from_chunk(std::move(state.packed.front().chunk), state.provenance, RowPlace{name, state.report.rows});
  state.named = std::move(state.packed.front().named);
  for (const Audit& audit : state.packed.front().audits) state.audited += audit;
  state.bytes_read = std::max(state.bytes_read, state.packed.front().bytes_read);
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
  QUARRY_CHECK(state.report.rows == 0 && state.parsed.empty(), "rows are skipped before any is delivered");
  // A batch that became several chunks is parsed again where only some of them are done.
  Index rows = 0;
  while (!state.next_rows.empty() && rows + std::ssize(state.next_rows.front().rows) <= done.rows) {
    rows += std::ssize(state.next_rows.front().rows);
    state.bytes_read = state.next_rows.front().bytes_read;
    state.next_rows.clear();
    try {
      state.read(state.next_rows);
    } catch (...) {
      state.fail();
      throw;
    }
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
ReadNotes MoleculeReader::notes() const { return impl_->notes; }
std::string MoleculeReader::header() const { return impl_->reader->header(); }
std::vector<std::string> MoleculeReader::columns() const { return impl_->reader->columns(); }
Index MoleculeReader::bytes_read() const { return impl_->bytes_read; }
Index MoleculeReader::bytes_total() const { return impl_->reader->bytes_total(); }

}  // namespace quarry
