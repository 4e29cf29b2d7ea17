/// Reading inputs, one library at a time.
#include "input/source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "input/audit.hpp"
#include "output/text.hpp"
#include "output/warnings.hpp"
#include "quarry/collection.hpp"
#include "quarry/files/smiles_table.hpp"
#include "stopwatch.hpp"

namespace quarry::cli {
namespace {

constexpr std::string_view kLibraryMagic = "QUARRYLB";

const char* hydrogens_name(bool explicit_hydrogens) { return explicit_hydrogens ? "explicit" : "implicit"; }

/// What follows the name of a file with its columns the other way round.
constexpr const char* kSmilesSecond =
    ": its ids seem to be the SMILES; a row is a SMILES and then its id, unless the file is a table with a header "
    "(--format tsv --smiles-column NAME)";

bool is_smiles(const std::string& text) {
  constexpr std::size_t kMost = 500;  // characters; RDKit takes long for much longer ones
  if (text.size() > kMost) return false;
  try {
    return !canonical_smiles(text).empty();
  } catch (const InputError&) {
    return false;
  }
}

void check_options(const std::string& path, const Library& library, const ReadOptions& options) {
  const bool has = library.provenance().explicit_hydrogens;
  if (options.explicit_hydrogens && !has)
    throw InputError(
        fmt::format("'{}' was indexed with {} hydrogens, which --explicit-h does not change: index the "
                    "molecules again with --explicit-h",
                    path, hydrogens_name(has)));
  for (const auto& [value, name] :
       {std::pair(&options.smiles_column, "--smiles-column"), std::pair(&options.id_column, "--id-column"),
        std::pair(&options.format, "--format")})
    if (!value->empty()) throw InputError(fmt::format("{} is for text files, but '{}' is a library", name, path));
  if (options.max_atoms != kDefaultMaxAtoms)
    throw InputError(fmt::format("--max-atoms is for text files, but '{}' is a library", path));
  if (options.whole_ids) throw InputError(fmt::format("--id-rest is for text files, but '{}' is a library", path));
}

}  // namespace

bool is_library_file(const std::string& path) {
  if (path.ends_with(".qlib") || is_collection(path)) return true;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::array<char, kLibraryMagic.size()> start{};
  std::ifstream(path, std::ios::binary).read(start.data(), start.size());
  return std::string_view(start.data(), start.size()) == kLibraryMagic;
}

bool is_molecule_file(const std::string& path) {
  const std::string extension = extension_of(path);
  return extension == ".smi" || extension == ".smiles" || extension == ".cxsmiles" || extension == ".sdf" ||
         extension == ".sd" || extension == ".mol" || is_library_file(path);
}

MoleculeSource::MoleculeSource(std::vector<std::string> paths, const ReadOptions& options)
    : paths_(std::move(paths)), options_(options) {
  open(paths_.front());
}

void MoleculeSource::open(const std::string& path) {
  const Stopwatch stopwatch;
  library_.reset();
  reader_.reset();
  delivered_ = false;
  bool explicit_hydrogens = options_.explicit_hydrogens;
  if (is_library_file(path)) {
    library_ = Library::open(path);
    check_options(path, *library_, options_);
    explicit_hydrogens = library_->provenance().explicit_hydrogens;
    if (options_.distinct_ids != nullptr) options_.distinct_ids->enter_file(path);
  } else {
    reader_.emplace(path, options_);
  }
  if (current_ > 0 && explicit_hydrogens != explicit_hydrogens_)
    throw InputError(fmt::format("'{}' has {} hydrogens and '{}' has {} ones: search them in two runs", paths_.front(),
                                 hydrogens_name(explicit_hydrogens_), path, hydrogens_name(explicit_hydrogens)));
  explicit_hydrogens_ = explicit_hydrogens;
  open_seconds_ += stopwatch.seconds();
  read_seconds_ += stopwatch.seconds();
}

const Library* MoleculeSource::next() {
  for (;;) {
    if (const Library* library = next_of_file()) return library;
    if (current_ + 1 == paths_.size()) return nullptr;
    open_next();
  }
}

void MoleculeSource::open_next() {
  before_ += report_of_file();
  audit_before_ = audit();
  if (reader_) notes_before_.emplace_back(shown_name(), reader_->notes());
  open(paths_[++current_]);
}

void MoleculeSource::skip(const std::vector<Report>& done) {
  for (std::size_t file = 0; file < done.size(); ++file) {
    if (file > 0) open_next();
    const Stopwatch stopwatch;
    delivered_ = done[file].rows > 0;
    if (reader_)
      reader_->skip(done[file]);
    else if (delivered_ && distinct_ids() != nullptr)
      distinct_names(*library_, *distinct_ids());
    read_seconds_ += stopwatch.seconds();
  }
}

const Library* MoleculeSource::next_of_file() {
  if (is_library()) return std::exchange(delivered_, true) ? nullptr : &*library_;
  const Stopwatch stopwatch;
  library_.reset();  // memory stays flat: one chunk at a time
  library_ = reader_->next();
  read_seconds_ += stopwatch.seconds();
  // Where RDKit reads every row, its molecules are taken, and all of them are right.
  if (options_.audit < 1 && audit().differences > 0) throw InputError(complaint_of(audit()));
  if (!library_) {
    if (reader_->report().rows == 0) missing_.add_empty(shown_name());
    return nullptr;
  }
  if (reader_->report().rows == library_->report().rows) look_for_smiles_second(*library_);
  if (!missing_.is_full() && library_->report().rejected > 0)
    missing_.add_rejected(shown_name(), library_->rejected(0));
  return &*library_;
}

Report MoleculeSource::report() const {
  Report all = before_;
  return all += report_of_file();
}

Audit MoleculeSource::audit() const {
  Audit all = audit_before_;
  if (!reader_) return all;
  Audit of_file = reader_->audit();
  if (!of_file.first_difference.empty())
    of_file.first_difference = fmt::format("{}, {}", paths_[current_], of_file.first_difference);
  return all += of_file;
}

/// @param first  the first rows of a text file
void MoleculeSource::look_for_smiles_second(const Library& first) {
  const Report rows = first.report();
  if (first.provenance().format != RecordFormat::smiles || rows.rejected <= rows.ok) return;
  std::vector<RejectedRow> sample = first.rejected(0);
  constexpr std::size_t kSample = 20;
  if (sample.size() > kSample) sample.resize(kSample);
  const auto num_smiles = std::ranges::count_if(sample, [](const RejectedRow& row) { return is_smiles(row.id); });
  if (2 * num_smiles > std::ssize(sample))
    smiles_second_.push_back(shown_name() == "-" ? "standard input" : shown_name());
}

void MoleculeSource::say_notes(bool quiet) const {
  for (const std::string& name : smiles_second_) warn(name + kSmilesSecond, quiet);
  for (const auto& [path, notes] : notes_before_) cli::say_notes(path, notes, options_.id_column, quiet);
  if (reader_) cli::say_notes(shown_name(), reader_->notes(), options_.id_column, quiet);
  missing_.say(quiet);
}

void MoleculeSource::require_rows() const {
  if (report().rows == 0) throw InputError(input_names() + " holds no molecules");
}

std::string MoleculeSource::input_names() const {
  const std::string name = paths_.front() == "-" ? "standard input" : "'" + paths_.front() + "'";
  return paths_.size() == 1 ? name : fmt::format("{} and {}", name, counted(std::ssize(paths_) - 1, "other file"));
}

void MoleculeSource::require_molecules() const {
  const Report rows = report();
  note_for_strict(rows.rejected, "rejected row");
  if (rows.ok > 0 || rows.rows == 0) return;
  show_outputs();  // the rejected rows say why
  std::string sentence = fmt::format("{} holds no molecule that can be read ({}){}", input_names(),
                                     counted(rows.rows, "row"), missing_.first_reason());
  if (!smiles_second_.empty()) sentence += fmt::format("; {}{}", smiles_second_.front(), kSmilesSecond);
  throw InputError(sentence);
}

RejectsFile::RejectsFile(const std::string& path) {
  if (path.empty()) return;
  path_ = path;
  output_.emplace(path);
  add("line\tid\treason\n");
}

std::string rejected_rows(const Library& library, const std::string& file) {
  std::string rows;
  if (library.report().rejected == 0) return rows;  // without a look at its chunks
  for (Index chunk = 0; chunk < library.num_chunks(); ++chunk) {
    const std::string& name = library.num_sources() > 1 ? library.source(chunk) : file;
    const std::string prefix = name.empty() ? "" : tab_safe(name) + ":";
    for (const auto& row : library.rejected(chunk))
      rows += fmt::format("{}{}\t{}\t{}\n", prefix, row.line, tab_safe(row.id), tab_safe(row.reason));
  }
  return rows;
}

void RejectsFile::add(const std::string& rows) {
  if (output_ && !rows.empty()) output_->write(rows_for_file(rows, path_));
}

void RejectsFile::finish() {
  if (output_) output_->finish();
}

}  // namespace quarry::cli
