/// Options of similar, cluster and pick; reading and packing their molecules.
#include "input/fingerprint_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "common.hpp"
#include "input/source.hpp"
#include "output/progress.hpp"
#include "output/text.hpp"
#include "output/warnings.hpp"
#include "quarry/files/output.hpp"
#include "quarry/version.hpp"
#include "stopwatch.hpp"

namespace quarry::cli {
namespace {

/// Molecules that are sampled for the warning.
constexpr Index kSample = 64;

/// Rows given on the command line, through the reader of SMILES files: "SMILES" or "SMILES id".
SmilesTable table_of(const std::vector<std::string>& rows, const ComparisonOptions& options) {
  SmilesTable table;
  DistinctIds distinct;
  distinct.enter_file("-q");
  for (const std::string& row : rows) {
    const auto end = std::min(row.find_first_of(" \t"), row.size());
    std::string smiles = row.substr(0, end);
    auto id = row.find_first_not_of(" \t", end);
    if (id != std::string::npos && row[id] == '|' && row.find('|', id + 1) != std::string::npos)  // CXSMILES
      id = row.find_first_not_of(" \t", row.find('|', id + 1) + 1);
    if (smiles.empty()) throw InputError("a SMILES on the command line is empty");
    try {
      if (options.normalize() == Normalize::canonical) smiles = canonical_smiles(smiles);
      (void)similar::features(smiles, options.definition());
    } catch (const Error& error) {
      constexpr std::size_t kShown = 60;
      throw InputError(
          fmt::format("-q '{}{}': {}", row.substr(0, kShown), row.size() > kShown ? "..." : "", error.what()));
    }
    table.smiles.push_back(std::move(smiles));
    const Index number = std::ssize(table.smiles);
    const std::string written = id == std::string::npos ? std::to_string(number) : row.substr(id);
    table.ids.push_back(distinct.name_of(written, number).value_or(written));
  }
  table.report.rows = table.report.ok = std::ssize(table.smiles);
  return table;
}

}  // namespace

void ComparisonOptions::add_to(Arguments& verb, const char* output_help) {
  verb.option("--metric", &metric_, "LINGOs of the SMILES, or RDKit's Morgan fingerprint of radius 2, 2,048 bits",
              {.show_default = true, .words = {"lingo", "ecfp4"}});
  verb.option("--lingo-length", &q_, "Number of characters of a LINGO",
              {.show_default = true, .least = 1, .most = similar::kMaxLingo});
  verb.flag("--fold-halogens", fold_halogens_, "Read Cl and Br as one letter each");
  verb.option("--normalize", &normalize_,
              "Take SMILES as written and reject what RDKit refuses, or take any text as it is, or make them canonical",
              {.show_default = true, .words = {"checked", "as-is", "canonical"}});
  add_row_options(verb, read, "Reject molecules with more atoms; 0 is no limit");
  device_.add_to(verb);
  verb.option("-o,--output", &output, output_help, {.names_file = true, .names_output = true});
  add_rejects_option(verb, rejects);
  verb.flag("--json", json, "Print one JSON object as the last line of standard output");
  add_strict_option(verb);
  add_progress_option(verb);
  verb.flag("--quiet", quiet, "No progress, no warning and no closing line");
}

similar::Options ComparisonOptions::run(Progress progress) const {
  return {{read.threads, device_.name(), device_.bytes(), std::move(progress)}, false};
}

Json::Members FingerprintSource::fingerprints_json() const {
  return {{"stored", num_stored_}, {"computed", fingerprints_->size() - num_stored_}};
}

void ComparisonOptions::print_json(const FingerprintSource& source, const Json::Members& found,
                                   const ComparisonSeconds& seconds) const {
  if (!json) return;
  const Report& report = source.report();
  Json::Members members = {{"rows", report.rows}, {"ok", report.ok}, {"rejected", report.rejected}};
  members.insert(members.end(), found.begin(), found.end());
  members.push_back({"fingerprints", Json(source.fingerprints_json())});
  members.insert(members.end(), {{"threads", threads_in_use(read.threads)},
                                 {"device", device()},
                                 {"version", kVersion},
                                 {"seconds",
                                  {{"read", source.read_seconds()},
                                   {"pack", source.pack_seconds()},
                                   {"compare", seconds.compare},
                                   {"write", seconds.write},
                                   {"total", seconds.total}}}});
  print(Json(members).line());
}

bool ComparisonOptions::rewrites() const { return normalize_ == "canonical"; }

similar::Definition ComparisonOptions::definition() const {
  return {metric_ == "ecfp4" ? similar::Metric::ecfp4 : similar::Metric::lingo, q_, fold_halogens_};
}

Normalize ComparisonOptions::normalize() const {
  if (normalize_ == "canonical") return Normalize::canonical;
  // RDKit reads the SMILES for a fingerprint: what it refuses must be a rejected row.
  return normalize_ == "as-is" && metric_ != "ecfp4" ? Normalize::as_is : Normalize::checked;
}

FingerprintSource::FingerprintSource(const std::vector<std::string>& paths, const ComparisonOptions& options)
    : name_(paths.front() == "-" ? "standard input" : "'" + paths.front() + "'") {
  const Stopwatch reading;
  if (paths.size() > 1) name_ += fmt::format(" and {} more", paths.size() - 1);
  if (std::ranges::count(paths, "-") > 1) throw InputError("standard input can be read only once");
  DistinctIds ids;
  of_library_ = std::ranges::all_of(paths, is_library_file);
  if (!open_libraries(paths, options))
    for (const std::string& path : paths) read_table(path, options, ids, paths.size() > 1);
  num_equal_ids_ = ids.num_named();
  read_seconds_ = reading.seconds();
  pack(options);
}

bool FingerprintSource::open_libraries(const std::vector<std::string>& paths, const ComparisonOptions& options) {
  if (options.rewrites() || !of_library_) return false;
  library_ = Library::open(paths);
  const bool comparable = library_->provenance().format == RecordFormat::smiles;
  if (comparable) num_stored_ = similar::num_stored(*library_, options.definition());
  const bool all_stored = num_stored_ == library_->num_molecules();
  if (!comparable || (!all_stored && !similar::records_fit(*library_, options.definition()))) {
    num_stored_ = 0;
    library_.reset();
    return false;
  }
  table_.report = library_->report();
  texts_.resize(library_->num_chunks());
  unnamed_ = paths;
  return true;
}

void FingerprintSource::find_names() {
  if (unnamed_.empty()) return;
  DistinctIds ids;
  Index before = 0;
  for (const std::string& path : std::exchange(unnamed_, {})) {
    const Library one = Library::open(path);
    ids.enter_file(path);
    for (NamedMolecule& named : distinct_names(one, ids))
      named_.push_back({before + named.molecule, std::move(named.name)});
    before += one.num_molecules();
  }
  num_equal_ids_ = ids.num_named();
}

Index FingerprintSource::num_equal_ids() {
  find_names();
  return num_equal_ids_;
}

/// @param named  whether the reasons of rejected rows begin with the name of the file
void FingerprintSource::read_table(const std::string& path, const ComparisonOptions& options, DistinctIds& ids,
                                   bool named) {
  SmilesTable table;
  if (is_library_file(path)) {
    table = smiles_of(Library::open(path), options.normalize(), options.read.threads, &ids);
  } else {
    ReadOptions read = options.read;
    read.distinct_ids = &ids;
    table = read_smiles(path, read, options.normalize());
    missing_.add_rejected(path, table.rejected);
    if (table.report.rows == 0) missing_.add_empty(path);
  }
  notes_.emplace_back(path, table.notes);
  std::ranges::move(table.ids, std::back_inserter(table_.ids));
  std::ranges::move(table.smiles, std::back_inserter(table_.smiles));
  for (RejectedRow& row : table.rejected) {
    if (named) row.reason = fmt::format("'{}': {}", path, row.reason);
    table_.rejected.push_back(std::move(row));
  }
  table_.report += table.report;
}

FingerprintSource::FingerprintSource(const SmilesRows& smiles, const ComparisonOptions& options)
    : name_("the command line"), table_(table_of(smiles.rows, options)) {
  pack(options);
}

void FingerprintSource::pack(const ComparisonOptions& options) {
  const Stopwatch packing;
  is_ecfp4_ = options.definition().metric == similar::Metric::ecfp4;
  as_is_lingos_ = options.definition().metric == similar::Metric::lingo && options.normalize() != Normalize::canonical;
  fingerprints_ = library_
                      ? similar::Fingerprints::of_library(*library_, options.definition())
                      : similar::Fingerprints::of_smiles(table_.smiles, options.definition(), options.read.threads);
  pack_seconds_ = packing.seconds();
}

std::vector<Index> FingerprintSource::chunk_begins() const {
  std::vector<Index> begins;
  if (library_)
    for (Index chunk = 0; chunk < library_->num_chunks(); ++chunk) begins.push_back(library_->first_molecule(chunk));
  else
    for (Index first = 0; first < fingerprints_->size(); first += kChunkMolecules) begins.push_back(first);
  return begins;
}

void FingerprintSource::require_molecules() const {
  note_for_strict(report().rejected, "rejected row");
  if (report().ok > 0 || report().rows == 0) return;
  show_outputs();  // the rejected rows say why
  throw InputError(fmt::format("{} holds no molecule that can be read ({}){}", name_, counted(report().rows, "row"),
                               missing_.first_reason()));
}

void FingerprintSource::say_notes(const std::string& id_column, bool quiet) const {
  for (const auto& [path, notes] : notes_) cli::say_notes(path, notes, id_column, quiet);
  missing_.say(quiet);
  const Index computed = fingerprints_->size() - num_stored_;
  if (!quiet && computed > 0 && is_ecfp4_ && of_library_)
    say(fmt::format(
        "note: {} does not store the ECFP4 fingerprints of {}, which are computed now; quarry index --ecfp4 "
        "stores them\n",
        name_, counted(computed, "molecule")));
}

void FingerprintSource::append_rejected(std::string& text, bool named) const {
  const auto append = [&](const std::vector<RejectedRow>& rows, const std::string& file) {
    const std::string prefix = file.empty() ? "" : file + ": ";
    for (const RejectedRow& row : rows)
      text += fmt::format("{}\t{}\t{}\n", row.line, tab_safe(row.id), tab_safe(prefix + row.reason));
  };
  append(table_.rejected, named ? name_ : "");
  if (!library_ || report().rejected == 0) return;
  const bool of_several = library_->num_sources() > 1;
  for (Index chunk = 0; chunk < library_->num_chunks(); ++chunk)
    append(library_->rejected(chunk), of_several ? "'" + library_->source(chunk) + "'" : named ? name_ : "");
}

const ChunkText& FingerprintSource::text_of(Index molecule, Index& offset) {
  const Index chunk = library_->chunk_with(molecule);
  ChunkText& text = texts_[chunk];
  if (text.ids.empty()) text = library_->text(chunk, true);
  offset = molecule - library_->first_molecule(chunk);
  return text;
}

std::string_view FingerprintSource::id(Index molecule) {
  if (!library_) return table_.ids[molecule];
  find_names();
  const auto named = std::ranges::lower_bound(named_, molecule, {}, &NamedMolecule::molecule);
  if (named != named_.end() && named->molecule == molecule) return named->name;
  Index offset = 0;
  const ChunkText& text = text_of(molecule, offset);
  return text.ids[offset];
}

std::string_view FingerprintSource::smiles(Index molecule) {
  if (!library_) return table_.smiles[molecule];
  Index offset = 0;
  const ChunkText& text = text_of(molecule, offset);
  return text.records[offset];
}

std::string FingerprintSource::canonical_warning() {
  if (!as_is_lingos_) return {};
  // Of a library only the first chunk is sampled, so that the others need not be read.
  const Index among = library_ ? library_->num_molecules(0) : fingerprints_->size();
  const Index sample = std::min(kSample, among);
  Index canonical = 0, asked = 0;
  for (Index i = 0; i < sample; ++i) {
    const std::string text(smiles(i * among / sample));
    constexpr std::size_t kMost = 500;  // characters; RDKit takes long for much longer ones
    if (text.size() > kMost) continue;
    ++asked;
    try {
      canonical += canonical_smiles(text) == text;
    } catch (const InputError&) {  // LINGOs do not need a SMILES that RDKit accepts
    }
  }
  if (2 * canonical >= asked) return {};
  return fmt::format(
      "only {} of {} sampled SMILES of {} are RDKit's canonical form; molecules written in different ways seem less "
      "similar than they are: --normalize canonical rewrites them",
      canonical, asked, name_);
}

void ComparisonOptions::check() const {
  device_.name();
  if (metric_ == "ecfp4" && (q_ != similar::Definition{}.q || fold_halogens_))
    throw InputError("--lingo-length and --fold-halogens say what LINGOs are: leave them out with --metric ecfp4");
}

void ComparisonOptions::accept(const std::vector<FingerprintSource*>& sources) const {
  if (!rejects.empty()) {
    std::string text = "line\tid\treason\n";
    for (const FingerprintSource* source : sources) source->append_rejected(text, sources.size() > 1);
    Output file(rejects);
    file.write(rows_for_file(std::move(text), rejects));
    file.finish();
  }
  for (const FingerprintSource* source : sources) source->require_molecules();
  Index num_equal_ids = 0;
  for (FingerprintSource* source : sources) {
    source->say_notes(read.id_column, quiet);
    num_equal_ids += source->num_equal_ids();
  }
  say_equal_ids(num_equal_ids, kNamedApart, quiet);
  for (FingerprintSource* source : sources)
    if (const auto warning = source->canonical_warning(); !warning.empty()) warn("warning: " + warning, quiet);
}

}  // namespace quarry::cli
