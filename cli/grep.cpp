/// `quarry grep`: prints the input lines that match one query, as grep does.
#include <fmt/format.h>

#include <map>
#include <optional>
#include <vector>

#include "common.hpp"
#include "input/queries.hpp"
#include "input/source.hpp"
#include "output/hits.hpp"
#include "output/text.hpp"
#include "quarry/output.hpp"

namespace quarry::cli {
namespace {

Guide grep_guide() {
  return {
      .examples = {"quarry grep '[CX3](=O)[OX2H1]' drugs.smi | head", "zcat drugs.smi.gz | quarry grep -c 'c1ccccc1'"},
      .exit_status = "0 some line was selected, 1 none, 2 error",
      .description =
          "Each input line whose molecule matches is printed as it was written; of SDF the whole record, and of "
          "a library SMILES and id. SMARTS mean what RDKit means by them.\n\n"
          "Where several files are searched, each line begins with the name of its file.",
  };
}

/// Rejected rows of a file that are named; the others are counted.
constexpr std::size_t kMaxNamed = 10;

/// Thrown to end a search that needs no more lines.
struct EnoughLines {};

class GrepVerb : public Verb {
 public:
  explicit GrepVerb(Arguments& verb) {
    verb.guide(grep_guide());
    verb.option("SMARTS", &smarts_, "What to look for", {.required = true});
    verb.option("FILE", &files_, "SMILES, CSV, SDF or library; none or -: SMILES from standard input",
                {.shown_as = "FILE ...", .names_file = true});
    verb.flag("-c,--count", count_, "Print the number of selected lines only");
    verb.flag("-v,--invert-match", invert_, "Select the molecules that do not match");
    verb.option("-m,--max-count", &max_lines_, "Stop after this many selected lines of a file", {.least = 0});
    verb.flag("--no-filename", no_filename_, "Several files: do not begin lines with the file's name");
    add_read_options(verb, read_options_);
    query_options_.add_to(verb);
    verb.flag("--quiet", quiet_, "Do not report rejected rows");
  }

  int run() override;

 private:
  void search_file(const std::string& file);
  match::Matcher& matcher_for(const MoleculeSource& source);
  void search(MoleculeSource& source, match::Matcher& matcher, const std::string& prefix);
  void take(TextCursor& text, const match::Result& result, const std::string& prefix);
  void append_line(TextCursor& text, Index molecule, const std::string& prefix);
  void note_rejected(const Library& library);
  void report_rejected(const std::string& file, const Report& rows);

  std::string smarts_;
  std::vector<std::string> files_;
  bool count_ = false, invert_ = false, no_filename_ = false, quiet_ = false;
  Index max_lines_ = -1;
  ReadOptions read_options_;
  QueryOptions query_options_;

  bool whole_rows_ = true;          // the file being searched has lines; a library has none
  Index num_lines_ = 0;             // selected in it
  std::string lines_;               // waiting to be written
  std::vector<std::string> named_;  // its rejected rows
  std::optional<Output> output_;
  std::map<QueryHydrogens, std::optional<match::Matcher>> matchers_;  // made when a file needs them
};

int GrepVerb::run() {
  read_options_.whole_rows = true;
  load_queries({}, {smarts_}, QueryHydrogens::literal, query_options_.chirality,
               false);  // it must be a SMARTS, whatever the files hold
  if (files_.empty()) files_ = {"-"};
  output_.emplace("-");
  bool found = false, failed = false;
  for (const auto& file : files_) {
    try {
      search_file(file);
    } catch (const InputError& error) {  // as grep: the other files are searched all the same
      complain(error.what());
      failed = true;
    }
    found = found || num_lines_ > 0;
  }
  output_->finish();
  return failed ? kError : found ? kFound : kNothingFound;
}

match::Matcher& GrepVerb::matcher_for(const MoleculeSource& source) {
  const QueryHydrogens hydrogens = query_options_.hydrogens_for(source);
  std::optional<match::Matcher>& matcher = matchers_[hydrogens];
  if (!matcher) {
    match::Options options;
    options.threads = read_options_.threads;
    options.chirality = query_options_.chirality;
    matcher.emplace(load_queries({}, {smarts_}, hydrogens, query_options_.chirality, false), options);
  }
  return *matcher;
}

void GrepVerb::search_file(const std::string& file) {
  const std::string prefix = files_.size() > 1 && !no_filename_ ? file + ":" : "";
  num_lines_ = 0;
  named_.clear();
  MoleculeSource source(file, read_options_);
  whole_rows_ = !source.is_library();
  if (max_lines_ != 0) search(source, matcher_for(source), prefix);
  if (count_) output_->write(fmt::format("{}{}\n", prefix, num_lines_));
  if (!quiet_) report_rejected(file, source.report());
}

void GrepVerb::search(MoleculeSource& source, match::Matcher& matcher, const std::string& prefix) {
  try {
    while (const Library* library = source.next()) {
      note_rejected(*library);
      TextCursor text(*library, !count_);
      matcher.run(*library, [&](const match::Result& result) { take(text, result, prefix); });
    }
  } catch (const EnoughLines&) {
    return;
  }
  source.require_molecules();
}

void GrepVerb::take(TextCursor& text, const match::Result& result, const std::string& prefix) {
  bool enough = false;
  for (Index row = 0; row < result.num_molecules() && !enough; ++row) {
    const bool matched = result.hit_offsets[row] < result.hit_offsets[row + 1];
    if (matched == invert_) continue;
    ++num_lines_;
    if (!count_) append_line(text, result.first_molecule + row, prefix);
    enough = num_lines_ == max_lines_;
  }
  output_->write(lines_);
  lines_.clear();
  if (enough) throw EnoughLines{};
}

/// Of a library, which keeps no lines, SMILES and id.
void GrepVerb::append_line(TextCursor& text, Index molecule, const std::string& prefix) {
  const std::string_view record = text.record(molecule);
  lines_.append(prefix).append(record);
  if (text.format() == RecordFormat::sdf)
    lines_ += record.ends_with('\n') ? "$$$$" : "\n$$$$";
  else if (!whole_rows_)
    lines_.append(1, ' ').append(text.id(molecule));
  lines_ += '\n';
}

void GrepVerb::note_rejected(const Library& library) {
  if (quiet_ || library.report().rejected == 0) return;
  for (Index chunk = 0; chunk < library.num_chunks() && named_.size() < kMaxNamed; ++chunk)
    for (const auto& row : library.rejected(chunk))
      if (named_.size() < kMaxNamed) named_.push_back(fmt::format("line {}: {}", row.line, row.reason));
}

void GrepVerb::report_rejected(const std::string& file, const Report& rows) {
  if (rows.rejected == 0) return;
  const std::string name = file == "-" ? "standard input" : file;
  for (const auto& row : named_) complain(fmt::format("{}, {}", name, row));
  complain(fmt::format("{}: rows {} = ok {} + rejected {}", name, rows.rows, rows.ok, rows.rejected));
}

}  // namespace

std::unique_ptr<Verb> make_grep(Arguments& verb) { return std::make_unique<GrepVerb>(verb); }

}  // namespace quarry::cli
