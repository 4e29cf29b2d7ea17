/// The search of `quarry match`, one library after the other.
#include "match_run.hpp"

#include <fmt/format.h>

#include "output/text.hpp"

namespace quarry::cli {
namespace {

/// As many as match::verify keeps.
constexpr std::size_t kMaxDisagreements = 100;

bool stores_mappings(match::Mode mode) { return mode == match::Mode::all || mode == match::Mode::unique; }

void add(match::Agreement& sum, const match::Agreement& part) {
  sum.checked += part.checked;
  sum.agreed += part.agreed;
  sum.not_comparable += part.not_comparable;
  for (const auto& disagreement : part.disagreements)
    if (sum.disagreements.size() < kMaxDisagreements) sum.disagreements.push_back(disagreement);
}

}  // namespace

MatchRun::MatchRun(const QuerySet& queries, const match::Options& options, const std::string& output,
                   double verify_percent, std::uint64_t seed)
    : queries_(queries),
      options_(options),
      verify_percent_(verify_percent),
      seed_(seed),
      format_(make_hit_format(output, queries, stores_mappings(options.mode))),
      output_(output),
      rows_(format_->header()) {
  totals_.queries.resize(queries.accepted.size());
}

void MatchRun::search(MoleculeSource& source, RejectsFile& rejects, ProgressLine& progress) {
  options_.progress = [&](Index done, Index total) {
    if (source.is_library())
      progress.update(done, done, total);
    else
      progress.update(molecules_before_ + done, source.bytes_read(), source.bytes_total());
  };
  match::Matcher matcher(queries_, options_);
  while (const Library* library = source.next()) {
    rejects.add(*library);
    TextCursor text(*library, format_->needs_records());
    totals_.statistics += matcher.run(*library, [&](const match::Result& result) { take(*library, text, result); });
    molecules_before_ += library->num_molecules();
  }
}

void MatchRun::take(const Library& library, TextCursor& text, const match::Result& result) {
  add_to_query_totals(result);
  const Stopwatch writing;
  write_rows(text, result);
  totals_.write_seconds += writing.seconds();
  if (verify_percent_ >= 0) verify(library, result);
}

void MatchRun::write_rows(TextCursor& text, const match::Result& result) {
  for (Index row = 0; row < result.num_molecules(); ++row) {
    MoleculeHits molecule;
    molecule.first_hit = result.hit_offsets[row];
    molecule.last_hit = result.hit_offsets[row + 1];
    if (molecule.first_hit == molecule.last_hit) continue;
    molecule.id = text.id(result.first_molecule + row);
    molecule.record = text.record(result.first_molecule + row);
    molecule.format = text.format();
    molecule.result = &result;
    format_->append(molecule, rows_);
  }
  if (!rows_.empty()) output_.write(rows_);
  rows_.clear();
}

void MatchRun::add_to_query_totals(const match::Result& result) {
  for (const auto& hit : result.hits) {
    QueryTotals& totals = totals_.queries[hit.query];
    totals.molecules += hit.embeddings > 0 ? 1 : 0;
    totals.embeddings += hit.embeddings;
    totals.truncated += hit.truncated ? 1 : 0;
    totals.timeout += hit.timeout ? 1 : 0;
  }
}

void MatchRun::verify(const Library& library, const match::Result& result) {
  const Stopwatch verifying;
  // Every chunk of a text file numbers its molecules from 0; with one seed all would have the same sample.
  const std::uint64_t seed = seed_ + molecules_before_;
  add(totals_.agreement, match::verify(library, queries_, options_, result, verify_percent_, seed));
  totals_.verify_seconds += verifying.seconds();
}

void MatchRun::finish() {
  const Stopwatch writing;
  output_.write(rows_);  // the header, if there was no result
  rows_.clear();
  output_.finish();
  totals_.write_seconds += writing.seconds();
}

void write_summary(Output& output, const QuerySet& queries, const std::vector<QueryTotals>& totals) {
  std::string text = "query\tsmarts\tmolecules\tembeddings\ttruncated\ttimeout\n";
  for (std::size_t i = 0; i < totals.size(); ++i)
    text +=
        fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n", tab_safe(queries.accepted[i].id), tab_safe(queries.accepted[i].smarts),
                    totals[i].molecules, totals[i].embeddings, totals[i].truncated, totals[i].timeout);
  output.write(text);
}

}  // namespace quarry::cli
