/// Reads rows as text, in parallel. Where that is asked for they are checked, by RDKit or a reader that accepts no more
/// than RDKit does, or made canonical by RDKit.
#include "quarry/files/smiles_table.hpp"

#include <GraphMol/RWMol.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "chemistry/parser_log.hpp"
#include "chemistry/perceive.hpp"
#include "chemistry/rdkit_memory.hpp"
#include "chemistry/record_limits.hpp"
#include "chemistry/smiles/native_reader.hpp"
#include "chemistry/smiles_text.hpp"
#include "exec/parallel.hpp"
#include "library/library_impl.hpp"
#include "quarry/error.hpp"
#include "readers/row_reader.hpp"
#include "util/files/byte_source.hpp"

namespace quarry {
namespace {

/// Rows that a thread takes at a time.
constexpr Index kGrain = 64;

/// Why a SMILES cannot be used as it is; empty if it can.
std::string text_complaint(std::string_view smiles) {
  if (smiles.empty()) return "there is no SMILES";
  if (std::ssize(smiles) > kMaxSmiles) {
    return fmt::format("the SMILES has {} characters, the limit is {}", smiles.size(), kMaxSmiles);
  }
  return unprintable(smiles);
}

/// RDKit's canonical SMILES of a record; empty, with a reason, where RDKit refuses it.
std::string canonical_of(std::string_view record, RecordFormat format, std::string& reason) {
  const auto molecule = parse_record(record, format, false, reason);
  if (!molecule) return {};
  const ParserGuard guard;
  return in_rdkit([&] { return RDKit::MolToSmiles(*molecule); });
}

/// Why there are too many atoms, or too much work for RDKit where it is asked; empty where it is fine.
std::string limit_complaint(std::string_view record, RecordFormat format, Normalize normalize, Index max_atoms) {
  if (normalize != Normalize::as_is) return beyond_limits(record, format, max_atoms);
  return beyond_limits(atoms_written(record, format), max_atoms, [] { return std::unique_ptr<RDKit::RWMol>(); });
}

/// @param reader  reads a SMILES that need only be checked, where it can
void normalise(Row& row, RecordFormat format, Normalize normalize, Index max_atoms, smiles::NativeReader& reader) {
  if (!row.reason.empty()) return;
  // RDKit ignores bytes after a SMILES, so they are checked here.
  if (format == RecordFormat::smiles) row.reason = text_complaint(row.record);
  if (row.reason.empty()) row.reason = limit_complaint(row.record, format, normalize, max_atoms);
  if (!row.reason.empty() || normalize == Normalize::as_is) return;
  const bool only_checked = normalize == Normalize::checked && format == RecordFormat::smiles;
  if (only_checked && reader.read(row.record) != nullptr) return;
  std::string canonical = canonical_of(row.record, format, row.reason);
  if (!row.reason.empty() || only_checked) return;
  row.record = std::move(canonical);
  row.reason = text_complaint(row.record);
}

std::vector<NamedMolecule> names_of(const std::vector<Row>& rows, DistinctIds& distinct) {
  std::vector<std::string_view> ids;
  std::vector<Index> lines;
  for (const Row& row : rows) {
    ids.push_back(row.id);
    lines.push_back(row.line);
  }
  return distinct.names_of(ids, lines);
}

/// @param distinct_ids  nullptr: equal ids stay so
SmilesTable table_of(std::vector<Row> rows, RecordFormat format, Normalize normalize, Index max_atoms, int threads,
                     DistinctIds* distinct_ids) {
  std::vector<NamedMolecule> named;
  if (distinct_ids != nullptr) named = names_of(rows, *distinct_ids);
  parallel_for_range(resolve_threads(threads), std::ssize(rows), kGrain, [&](Index begin, Index end) {
    smiles::NativeReader reader;
    for (Index i = begin; i < end; ++i) normalise(rows[i], format, normalize, max_atoms, reader);
  });
  SmilesTable table;
  auto name = named.begin();
  for (Index i = 0; i < std::ssize(rows); ++i) {
    Row& row = rows[i];
    const bool is_named = name != named.end() && name->molecule == i;
    std::string& shown = is_named ? (name++)->name : row.id;
    if (row.reason.empty()) {
      table.ids.push_back(std::move(shown));
      table.smiles.push_back(std::move(row.record));
    } else {
      table.rejected.push_back({row.line, std::move(row.id), std::move(row.reason)});
    }
  }
  table.report = {std::ssize(rows), std::ssize(table.ids), std::ssize(table.rejected)};
  return table;
}

void require_smiles(RecordFormat format, Normalize normalize, const std::string& name) {
  if (format == RecordFormat::smiles || normalize != Normalize::as_is) return;
  throw InputError(name + " holds SDF records, which have no SMILES as written: ask for canonical SMILES", "normalize");
}

}  // namespace

SmilesTable read_smiles(const std::string& path, const ReadOptions& options, Normalize normalize) {
  if (options.max_atoms < 0) throw InputError("max_atoms must be 0 (no limit) or more");
  const auto reader = open_rows(path, options);
  require_smiles(reader->record_format(), normalize, input_name(path));
  if (options.distinct_ids != nullptr) options.distinct_ids->enter_file(input_name(path));
  std::vector<Row> rows;
  for (Row row; reader->next(row);) rows.push_back(std::move(row));
  SmilesTable table = table_of(std::move(rows), reader->record_format(), normalize, options.max_atoms, options.threads,
                               options.distinct_ids);
  table.notes = reader->notes();
  return table;
}

SmilesTable smiles_of(const Library& library, Normalize normalize, int threads, DistinctIds* distinct_ids) {
  const RecordFormat format = library.provenance().format;
  const std::string& name = LibraryAccess::impl(library).name;
  require_smiles(format, normalize, name);
  if (distinct_ids != nullptr) distinct_ids->enter_file(name);
  std::vector<Row> rows;
  for (Index chunk = 0; chunk < library.num_chunks(); ++chunk) {
    const ChunkText text = library.text(chunk, true);
    for (std::size_t i = 0; i < text.ids.size(); ++i)
      rows.push_back({std::ssize(rows) + 1, std::string(text.ids[i]), std::string(text.records[i]), ""});
  }
  SmilesTable table = table_of(std::move(rows), format, normalize, /*max_atoms=*/0, threads, distinct_ids);
  std::vector<RejectedRow> rejected;
  for (Index chunk = 0; chunk < library.num_chunks(); ++chunk) {
    std::ranges::move(library.rejected(chunk), std::back_inserter(rejected));
  }
  for (RejectedRow& row : table.rejected) {
    row.reason = fmt::format("molecule {} of {}: {}", row.line, name, row.reason);
    rejected.push_back(std::move(row));
  }
  table.report.rows += library.report().rejected;
  table.report.rejected += library.report().rejected;
  table.rejected = std::move(rejected);
  return table;
}

std::string canonical_smiles(std::string_view smiles) {
  std::string reason = beyond_limits(smiles, RecordFormat::smiles, /*max_atoms=*/0);
  if (!reason.empty()) throw InputError(reason);
  std::string canonical = canonical_of(smiles, RecordFormat::smiles, reason);
  if (!reason.empty()) throw InputError(reason);
  return canonical;
}

}  // namespace quarry
