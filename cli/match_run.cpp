/// The search of `quarry match`, one library after the other.
#include "match_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "arguments/resume.hpp"
#include "output/molecules/record_formats.hpp"
#include "output/text.hpp"
#include "output/warnings.hpp"

namespace quarry::cli {
namespace {

/// As many as match::verify keeps.
constexpr std::size_t kMaxDisagreements = 100;
constexpr std::size_t kMaxOverflows = 100;

void add(match::Agreement& sum, const match::Agreement& part) {
  sum.checked += part.checked;
  sum.agreed += part.agreed;
  sum.not_comparable += part.not_comparable;
  sum.rows += part.rows;
  sum.rows_agreed += part.rows_agreed;
  sum.queries_read.resize(part.queries_read.size());
  for (std::size_t i = 0; i < part.queries_read.size(); ++i)
    if (part.queries_read[i]) sum.queries_read[i] = true;
  for (const auto& id : part.misread)
    if (sum.misread.size() < kMaxDisagreements) sum.misread.push_back(id);
  for (const auto& disagreement : part.disagreements)
    if (sum.disagreements.size() < kMaxDisagreements) sum.disagreements.push_back(disagreement);
}

}  // namespace

bool MatchOutputs::hold_pairs() const { return !per_molecule && !invert && !is_record_format(path); }

bool MatchOutputs::hold_molecules() const { return is_record_format(path) || !matched.empty() || !unmatched.empty(); }

void MatchOutputs::check_formats(match::Mode mode) const {
  const QuerySet none;
  const HitFormatOptions options{none, mode};
  per_molecule || invert ? make_molecule_format(path, options) : make_hit_format(path, options);
  for (const std::string& other : {matched, unmatched})
    if (!other.empty()) make_molecules_format(other, options);
}

MatchRun::MatchRun(const QuerySet& queries, const match::Options& options, const std::vector<std::string>& columns,
                   double verify_percent, std::uint64_t seed, Ledger* ledger, RowOutputs outputs)
    : queries_(queries),
      options_(options),
      verify_percent_(verify_percent),
      seed_(seed),
      ledger_(ledger),
      outputs_(std::move(outputs)),
      first_columns_(columns),
      columns_(columns) {
  totals_.queries.resize(queries.accepted.size());
}

MatchRun::MatchRun(const QuerySet& queries, const match::Options& options, const MatchOutputs& outputs,
                   const std::vector<std::string>& columns, double verify_percent, std::uint64_t seed, Ledger* ledger)
    : MatchRun(queries, options, columns, verify_percent, seed, ledger, RowOutputs(0, ledger)) {
  add_sinks(outputs, true);
}

MatchRun::MatchRun(const QuerySet& queries, const match::Options& options, const MatchOutputs& outputs,
                   const std::vector<std::string>& columns, ShardSink& shard, bool with_header)
    : MatchRun(queries, options, columns, -1, 0, nullptr, RowOutputs(0, nullptr)) {
  shard_ = &shard;
  if (outputs.hold_pairs())
    pairs_of_shard_.emplace([&shard](std::string_view bytes) { shard.write(0, bytes); },
                            match::HitsHeader{options.mode, match::hits_queries(queries)});
  add_sinks(outputs, with_header);
}

void MatchRun::add_sinks(const MatchOutputs& outputs, bool with_header) {
  const HitFormatOptions matched{queries_, options_.mode, true, columns_, outputs.id_column},
      unmatched{queries_, options_.mode, false, columns_, outputs.id_column};
  const bool by_molecule = outputs.per_molecule || outputs.invert;
  if (!pairs_of_shard_)
    add_sink(by_molecule ? make_molecule_format(outputs.path, outputs.invert ? unmatched : matched)
                         : make_hit_format(outputs.path, matched),
             outputs.invert, outputs.path, with_header);
  if (!outputs.matched.empty())
    add_sink(make_molecules_format(outputs.matched, matched), false, outputs.matched, with_header);
  if (!outputs.unmatched.empty())
    add_sink(make_molecules_format(outputs.unmatched, unmatched), true, outputs.unmatched, with_header);
}

void MatchRun::add_sink(std::unique_ptr<HitFormat> format, bool unmatched, const std::string& path, bool with_header) {
  const int text = num_texts();
  sinks_.push_back({std::move(format), unmatched, {}});
  outputs_.add_file(
      [this, &format = *sinks_.back().format, path, text]() -> std::unique_ptr<RowFile> {
        if (shard_ != nullptr) return std::make_unique<ShardText>(*shard_, text);
        return format.open(path);
      },
      with_header ? sinks_.back().format->header() : "");
}

void MatchRun::search(MoleculeSource& source, RejectsFile& rejects, ProgressLine& progress) {
  options_.progress = [&](Index done, Index total) {
    if (source.is_library())
      progress.update(done, done, total);
    else
      progress.update(position_.molecules_before + done, source.bytes_read(), source.bytes_total());
  };
  match::Matcher matcher(queries_, options_);
  if (ledger_ != nullptr) resume(source);
  while (const Library* library = source.next()) {
    // Every chunk of a library is read for them.
    if (rejects.is_wanted() && position_.molecule == 0) {
      rejected_ = rejected_rows(*library, source.name_among_several());
      if (ledger_ == nullptr) rejects.add(std::exchange(rejected_, {}));
    }
    enter_file(source);
    TextCursor text(*library,
                    std::ranges::any_of(sinks_, [](const Sink& sink) { return sink.format->needs_records(); }));
    if (source.is_library())
      text.find_named(source.distinct_ids());
    else
      text.set_named(source.named());
    const auto take_result = [&](const match::Result& result) { take(*library, text, result); };
    const match::Statistics statistics = matcher.run(*library, take_result, position_.molecule);
    totals_.statistics.stages += statistics.stages;
    totals_.statistics.stereo_resolved += statistics.stereo_resolved;
    text.finish();
    leave_library(source, *library);
  }
  if (ledger_ != nullptr)
    ledger_->for_each_text(static_cast<int>(sinks_.size()), false, [&](const std::string& rows) { rejects.add(rows); });
}

void MatchRun::resume(MoleculeSource& source) {
  kept_.clear();
  const auto load = [&](const std::string& name, Index& number) {
    number = std::llround(ledger_->sum(name));
    kept_.push_back(number);
  };
  position_.files.resize(source.num_files());
  visit_numbers(load);
  load_overflows();
  if (const auto last = ledger_->last()) std::tie(position_.library, position_.molecule) = *last;
  totals_.resumed = position_.molecules_before + position_.molecule;
  std::size_t done = source.num_files();
  while (done > 0 && position_.files[done - 1].rows == 0) --done;
  source.skip({position_.files.begin(), position_.files.begin() + done});
}

void MatchRun::leave_library(const MoleculeSource& source, const Library& library) {
  position_.library += 1;
  position_.molecule = 0;
  position_.molecules_before += library.num_molecules();
  if (ledger_ == nullptr) return;
  position_.files[source.file()] += library.report();
  keep_rows();
}

template <class Visit>
void MatchRun::visit_numbers(Visit&& visit) {
  visit_statistics([&](const char* name, Index& number) { visit(std::string(name), number); });
  visit("molecules before", position_.molecules_before);
  for (std::size_t i = 0; i < totals_.queries.size(); ++i)
    visit_totals(totals_.queries[i],
                 [&](const char* name, Index& number) { visit(fmt::format("query {} {}", i, name), number); });
  for (std::size_t i = 0; i < position_.files.size(); ++i) {
    visit(fmt::format("file {} rows", i), position_.files[i].rows);
    visit(fmt::format("file {} ok", i), position_.files[i].ok);
    visit(fmt::format("file {} rejected", i), position_.files[i].rejected);
  }
}

void MatchRun::keep_rows() {
  LedgerRow row;
  for (Sink& sink : sinks_) {
    const std::size_t size = sink.rows.size();
    row.texts.push_back(std::exchange(sink.rows, {}));
    sink.rows.reserve(size);
  }
  if (ledger_ == nullptr) return outputs_.add(std::move(row));
  row.texts.push_back(std::exchange(rejected_, {}));
  row.texts.push_back(std::exchange(overflowed_, {}));
  row.part = position_.library;
  row.row = position_.molecule;
  outputs_.add(std::move(row));
  auto kept = kept_.begin();
  visit_numbers([&](const std::string& name, Index number) {
    if (number != *kept) ledger_->add_to_sum(name, static_cast<double>(number - *kept));
    *kept++ = number;
  });
  ledger_->commit();
  since_kept_ = {};
}

/// Rows of SMILES have the columns of the first file.
void MatchRun::enter_file(const MoleculeSource& source) {
  if (source.columns() == columns_) return;
  columns_ = source.columns();
  std::vector<std::string> lost;
  for (const std::string& column : columns_)
    if (std::ranges::count(first_columns_, column) == 0) lost.push_back(column);
  const bool cuts = std::ranges::any_of(sinks_, [](const Sink& sink) { return sink.format->has_fixed_columns(); });
  if (cuts && !lost.empty())
    warn(fmt::format("rows of SMILES have the columns of the first file; not kept of {}: {}",
                     source.name_among_several(), joined(lost, ", ")));
}

void MatchRun::take(const Library& library, TextCursor& text, const match::Result& result) {
  add_to_totals(result);
  position_.molecule = result.first_molecule + result.num_molecules();
  const Stopwatch writing;
  if (totals_.overflows.size() < kMaxOverflows) note_overflows(text, result);
  write_rows(text, result);
  totals_.write_seconds += writing.seconds();
  if (verify_percent_ >= 0) verify(library, result);
}

void MatchRun::write_rows(TextCursor& text, const match::Result& result) {
  const bool needs_every_row = pairs_of_shard_ || std::ranges::any_of(sinks_, [](const Sink& sink) {
                                 return sink.unmatched || sink.format->writes_every_molecule();
                               });
  for (Index row = 0; row < result.num_molecules(); ++row) {
    if (!needs_every_row && result.hit_offsets[row] == result.hit_offsets[row + 1]) continue;
    MoleculeHits molecule;
    molecule.first_hit = result.hit_offsets[row];
    molecule.last_hit = result.hit_offsets[row + 1];
    molecule.result = &result;
    const bool matched = molecule.matched();
    totals_.flagged += matched ? 1 : 0;
    if (pairs_of_shard_) add_pairs_of_shard(text, result, row);
    for (Sink& sink : sinks_) {
      if (sink.unmatched ? matched : !sink.format->has_rows(molecule)) continue;
      if (!molecule.has_hits() && !sink.format->needs_every_name()) {
        sink.format->append(molecule, sink.rows);
        continue;
      }
      molecule.id = text.id(result.first_molecule + row);
      molecule.name = text.name(result.first_molecule + row);
      const std::string_view record = text.record(result.first_molecule + row);
      molecule.format = text.format();
      const auto end =
          molecule.format == RecordFormat::smiles ? std::min(record.find('\t'), record.size()) : record.size();
      molecule.record = record.substr(0, end);
      molecule.values = record.substr(end);
      molecule.columns = columns_;
      text.use([&] { sink.format->append(molecule, sink.rows); });
    }
  }
  const bool waits = ledger_ != nullptr && since_kept_.seconds() < kKeepSeconds &&
                     std::ranges::all_of(sinks_, [](const Sink& sink) { return sink.rows.size() < kKeepBytes; });
  if (!waits) keep_rows();
}

void MatchRun::add_pairs_of_shard(TextCursor& text, const match::Result& result, Index row) {
  const Index first = result.hit_offsets[row], count = result.hit_offsets[row + 1] - first;
  const std::string_view name = count > 0 ? text.name(result.first_molecule + row) : std::string_view();
  const auto hits = std::span(result.hits).subspan(first, count);
  if (result.mapping_offsets.empty()) return pairs_of_shard_->add(name, hits);
  const auto offsets = std::span(result.mapping_offsets).subspan(first, count + 1);
  pairs_of_shard_->add(name, hits,
                       std::span(result.mappings).subspan(offsets.front(), offsets.back() - offsets.front()), offsets);
}

void MatchRun::add_to_totals(const match::Result& result) {
  match::Statistics& statistics = totals_.statistics;
  statistics.pairs += result.num_molecules() * std::ssize(queries_.accepted);
  for (const auto& hit : result.hits) {
    statistics.hits += hit.matched() ? 1 : 0;
    statistics.embeddings += hit.embeddings;
    statistics.truncated += hit.truncated ? 1 : 0;
    statistics.timeouts += hit.timeout ? 1 : 0;
    statistics.overflows += hit.overflow ? 1 : 0;
    QueryTotals& totals = totals_.queries[hit.query];
    totals.molecules += hit.matched() ? 1 : 0;
    totals.embeddings += hit.embeddings;
    totals.truncated += hit.truncated ? 1 : 0;
    totals.timeout += hit.timeout ? 1 : 0;
    totals.overflow += hit.overflow ? 1 : 0;
  }
}

void MatchRun::note_overflows(TextCursor& text, const match::Result& result) {
  if (std::ranges::none_of(result.hits, &match::Hit::overflow)) return;
  for (Index row = 0; row < result.num_molecules(); ++row) {
    for (Index i = result.hit_offsets[row]; i < result.hit_offsets[row + 1]; ++i) {
      if (!result.hits[i].overflow || totals_.overflows.size() == kMaxOverflows) continue;
      const auto& [molecule, query] = totals_.overflows.emplace_back(text.name(result.first_molecule + row),
                                                                     queries_.accepted[result.hits[i].query].id);
      overflowed_.append(molecule).append(1, '\0').append(query).append(1, '\0');
    }
  }
}

/// Ids hold no NUL, because no file that does is read.
void MatchRun::take_overflows(std::string_view names) {
  const auto take_name = [&] {
    const std::string_view name = names.substr(0, names.find('\0'));
    names.remove_prefix(std::min(name.size() + 1, names.size()));
    return std::string(name);
  };
  while (!names.empty() && totals_.overflows.size() < kMaxOverflows) {
    std::string molecule = take_name();
    totals_.overflows.emplace_back(std::move(molecule), take_name());
  }
}

void MatchRun::load_overflows() {
  ledger_->for_each_text(static_cast<int>(sinks_.size()) + 1, false,
                         [&](std::string_view names) { take_overflows(names); });
}

void MatchRun::verify(const Library& library, const match::Result& result) {
  const Stopwatch verifying;
  // Every chunk of a text file numbers its molecules from 0; with one seed all would have the same sample.
  const std::uint64_t seed = seed_ + position_.molecules_before;
  add(totals_.agreement, match::verify(library, queries_, options_, result, verify_percent_, seed));
  totals_.verify_seconds += verifying.seconds();
}

void MatchRun::finish() {
  const Stopwatch writing;
  if (pairs_of_shard_) pairs_of_shard_->finish();
  outputs_.finish();
  totals_.write_seconds += writing.seconds();
}

std::string summary_table(const std::string& path, const QuerySet& queries, const std::vector<QueryTotals>& totals) {
  const bool has_groups =
      std::ranges::any_of(queries.accepted, [](const Query& query) { return !query.group.empty(); });
  const bool has_comments =
      std::ranges::any_of(queries.accepted, [](const Query& query) { return !query.comment.empty(); });
  std::string text = "query\tsmarts\tmolecules\tembeddings\ttruncated\ttimeout\toverflow";
  text += has_groups ? "\tgroup" : "";
  text += has_comments ? "\tcomment\n" : "\n";
  for (std::size_t i = 0; i < totals.size(); ++i) {
    const Query& query = queries.accepted[i];
    text += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}", tab_safe(query.id), tab_safe(query.smarts), totals[i].molecules,
                        totals[i].embeddings, totals[i].truncated, totals[i].timeout, totals[i].overflow);
    if (has_groups) text += "\t" + tab_safe(query.group);
    if (has_comments) text += "\t" + tab_safe(query.comment);
    text += '\n';
  }
  return rows_for_file(std::move(text), path);
}

}  // namespace quarry::cli
