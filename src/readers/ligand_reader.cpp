/// Rows of a file as ligands, some hundreds at a time, which threads make in parallel.
#include <GraphMol/RWMol.h>

#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "chemistry/ligand/conformer.hpp"
#include "chemistry/ligand/ligand.hpp"
#include "chemistry/ligand/stored_isomers.hpp"
#include "exec/parallel.hpp"
#include "quarry/error.hpp"
#include "quarry/ligand.hpp"
#include "readers/ligand_rows.hpp"
#include "util/files/byte_source.hpp"

namespace quarry {
namespace {

constexpr Index kBatchRows = 256;

/// The data items of an SDF record: what follows its molfile.
std::string properties_of(const std::string& record) {
  const auto end = record.find("\nM  END");
  if (end == std::string::npos) return {};
  const auto begin = record.find('\n', end + 1);
  return begin == std::string::npos ? "" : record.substr(begin + 1);
}

/// Makes the ligands of one record.
class LigandMaker {
 public:
  LigandMaker(const LigandRecord& record, LigandFormat format, const LigandOptions& options)
      : record_(record), format_(format), options_(options) {}

  std::vector<LigandRow> ligands() {
    try {
      make_all(*parse());
    } catch (const Rejection& rejection) {
      rows_.clear();
      reject(add_row(), rejection.stage(), rejection.what());
    }
    return std::move(rows_);
  }

  /// How many there are, without making them.
  Index count() const {
    if (options_.as_given) return 1;
    if (record_.isomers && record_.isomers->size() > 1) return std::ssize(*record_.isomers);
    if (record_.isomers || options_.stereoisomers == 1) return 1;
    try {
      const auto molecule = complete_molecule(*parse());
      require_dockable(*molecule);
      return has_positions(*molecule) ? 1 : std::ssize(stereoisomers(*molecule, options_.stereoisomers));
    } catch (const Rejection&) {
      return 1;
    }
  }

 private:
  std::unique_ptr<RDKit::RWMol> parse() const {
    if (!record_.row.reason.empty()) throw Rejection("read", record_.row.reason);
    if (const auto why = beyond_limits(record_.row.record, format_, options_.max_atoms); !why.empty())
      throw Rejection("read", why);
    return parse_ligand(record_.row.record, format_);
  }

  void make_all(RDKit::RWMol& parsed) {
    if (options_.as_given && !has_positions(parsed)) {
      throw Rejection("perceive", "the record has no 3D coordinates, so it is no pose: dock it first");
    }
    const auto molecule =
        options_.as_given ? std::make_unique<RDKit::RWMol>(parsed) : complete_molecule(parsed, &left_out_);
    require_dockable(*molecule);
    if (has_positions(*molecule)) {
      make(*molecule, add_row());
    } else if (record_.isomers) {
      make_stored(*molecule);
    } else {
      make_embedded(*molecule);
    }
    const bool is_drawn = !has_positions(*molecule);
    if (is_drawn && rows_.size() == 1) rows_.front().is_one_of_several = has_several_isomers(*molecule);
  }

  void make_stored(const RDKit::RWMol& molecule) {
    for (const StoredIsomer& isomer : *record_.isomers) {
      LigandRow& row = add_row();
      RDKit::RWMol copy(molecule);
      try {
        set_conformers(copy, isomer);
        make(copy, row);
      } catch (const Rejection& rejection) {
        reject(row, rejection.stage(), rejection.what());
      }
    }
    if (rows_.empty()) throw Rejection("embed", "the library holds no coordinates of the molecule");
  }

  void make_embedded(const RDKit::RWMol& molecule) {
    for (const auto& isomer : embed_isomers(molecule, options_.conformers, options_.stereoisomers)) {
      LigandRow& row = add_row();
      if (isomer.failure.empty()) {
        make(*isomer.molecule, row);
      } else {
        reject(row, "embed", isomer.failure);
      }
    }
  }

  void make(RDKit::RWMol& molecule, LigandRow& row) const {
    row.ligand = make_ligand(molecule, row.id);
    if (format_ == LigandFormat::sdf) row.ligand.properties = properties_of(record_.row.record);
  }

  LigandRow& add_row() {
    LigandRow& row = rows_.emplace_back();
    row.line = record_.row.line;
    row.id = record_.row.id;
    row.left_out = left_out_;
    if (rows_.size() > 1) row.id += "_" + std::to_string(rows_.size());
    return row;
  }

  static void reject(LigandRow& row, const std::string& stage, const std::string& reason) {
    row.stage = stage;
    row.reason = reason;
  }

  const LigandRecord& record_;
  LigandFormat format_;
  const LigandOptions& options_;
  std::string left_out_;
  std::vector<LigandRow> rows_;
};

void check(const LigandOptions& options) {
  if (options.max_atoms < 0) throw InputError("max_atoms must be 0 (no limit) or more", "max_atoms");
  if (options.conformers < 1) throw InputError("at least one conformer of each ligand is needed", "conformers");
  if (options.stereoisomers < 1)
    throw InputError("at least one stereoisomer of each ligand is needed", "stereoisomers");
}

}  // namespace

struct LigandReader::Impl {
  LigandOptions options;
  int threads = 0;
  std::string name;
  std::unique_ptr<LigandRows> rows;
  Index next_row = 0;                   ///< number of the first ligand of the next record
  Index first_row = 0;                  ///< ligands before it are passed over
  std::optional<LigandRecord> waiting;  ///< read, but not passed over
  Report report;

  bool read(LigandRecord& record);
  void pass_over();
  std::vector<LigandRecord> read_batch();
  std::vector<LigandRow> next_rows();
};

bool LigandReader::Impl::read(LigandRecord& record) {
  if (waiting) {
    record = *std::exchange(waiting, std::nullopt);
    return true;
  }
  return rows->next(record);
}

/// Stops before the record that has the first ligand wanted.
void LigandReader::Impl::pass_over() {
  for (LigandRecord record; next_row < first_row && read(record);) {
    const Index num_ligands = LigandMaker(record, rows->format(), options).count();
    if (next_row + num_ligands > first_row) {
      waiting = std::move(record);
      return;
    }
    next_row += num_ligands;
  }
}

std::vector<LigandRecord> LigandReader::Impl::read_batch() {
  std::vector<LigandRecord> batch;
  for (LigandRecord record; std::ssize(batch) < kBatchRows && read(record);) batch.push_back(std::move(record));
  return batch;
}

LigandReader::LigandReader(const std::string& path, const LigandOptions& options)
    : LigandReader(std::vector{path}, options) {}

LigandReader::LigandReader(const std::vector<std::string>& paths, const LigandOptions& options)
    : impl_(std::make_unique<Impl>()) {
  check(options);
  if (paths.empty()) throw InputError("there is no file of ligands");
  impl_->options = options;
  impl_->threads = resolve_threads(options.threads);
  impl_->name = input_name(paths.front());
  impl_->rows = open_ligand_rows(paths, options);
}

LigandReader::~LigandReader() = default;

std::vector<LigandRow> LigandReader::next() {
  try {
    return impl_->next_rows();
  } catch (const OutOfMemory&) {  // of a chunk of a library
    throw;
  } catch (const std::bad_alloc&) {
    throw OutOfMemory(impl_->name + ", after row " + std::to_string(impl_->next_row));
  }
}

std::vector<LigandRow> LigandReader::Impl::next_rows() {
  pass_over();
  std::vector<LigandRow> result;
  while (result.empty()) {  // of a first record only its last ligands may be wanted
    const std::vector<LigandRecord> batch = read_batch();
    if (batch.empty()) break;
    std::vector<std::vector<LigandRow>> made(batch.size());
    parallel_for_each(threads, std::ssize(batch),
                      [&](Index i) { made[i] = LigandMaker(batch[i], rows->format(), options).ligands(); });
    for (auto& ligands : made) {
      for (LigandRow& row : ligands) {
        row.row = next_row++;
        if (row.row < first_row) continue;
        ++report.rows;
        ++(row.ok() ? report.ok : report.rejected);
        result.push_back(std::move(row));
      }
    }
  }
  return result;
}

void LigandReader::skip_to(Index row) { impl_->first_row = row; }

Index LigandReader::count_rows() {
  skip_to(std::numeric_limits<Index>::max());
  impl_->pass_over();
  return impl_->next_row;
}

const Report& LigandReader::report() const { return impl_->report; }
ReadNotes LigandReader::notes() const { return impl_->rows->notes(); }
Index LigandReader::bytes_read() const { return impl_->rows->bytes_read(); }
Index LigandReader::bytes_total() const { return impl_->rows->bytes_total(); }

}  // namespace quarry
