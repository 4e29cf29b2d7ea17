/// `quarry grep`: prints the input lines that match a query, as grep does.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "common.hpp"
#include "input/audit.hpp"
#include "input/ignore_aromaticity.hpp"
#include "input/queries.hpp"
#include "input/source.hpp"
#include "output/json.hpp"
#include "output/molecules/grep_lines.hpp"
#include "output/text.hpp"
#include "output/warnings.hpp"
#include "quarry/files/output.hpp"
#include "quarry/version.hpp"
#include "stopwatch.hpp"

namespace quarry::cli {
namespace {

Guide grep_guide() {
  return {
      .examples = {"quarry grep '[CX3](=O)[OX2H1]' drugs.smi | head", "zcat drugs.smi.gz | quarry grep -c 'c1ccccc1'",
                   "quarry grep -l -f alerts.smarts *.sdf"},
      .exit_status = "0 some line was selected, 1 none, 2 error",
      .description =
          "Each input line whose molecule matches is printed as it was written; of SDF the whole record, and of "
          "a library SMILES and id. SMARTS mean what RDKit means by them.\n\n"
          "The lines of a table, or of a SMILES file with a header, follow that header, so that they stay one.\n\n"
          "Where several files are searched, each line begins with the name of its file. On a terminal the matched "
          "atoms of a SMILES are coloured, unless the variable NO_COLOR is set.",
  };
}

/// Thrown to end a search that needs no more lines.
struct EnoughLines {};

enum class Colour { automatic, always, never };

/// The queries, and what finds them.
struct Search {
  Search(QuerySet all, const match::Options& options) : queries(std::move(all)), matcher(queries, options) {}
  QuerySet queries;
  match::Matcher matcher;
};

class GrepVerb : public Verb {
 public:
  explicit GrepVerb(Arguments& verb) {
    verb.guide(grep_guide());
    verb.option("SMARTS", &smarts_, "What to look for; with --file it is left out");
    verb.option("FILE", &files_, "SMILES, CSV, SDF or library; none or -: SMILES from standard input",
                {.shown_as = "FILE ...", .names_file = true});
    verb.option("-f,--file", &query_files_, "Look for each of the queries of a file; may be given many times",
                {.shown_as = "QUERIES ...", .names_file = true});
    add_selection(verb);
    add_printing(verb);
    add_read_options(verb, read_options_);
    add_audit_option(verb, read_options_);
    query_options_.add_to(verb);
  }

  int run() override;

 private:
  /// What becomes of the molecules of a file.
  enum class Print { lines, count, name_with_hits, name_without_hits, nothing };

  void add_selection(Arguments& verb);
  void add_printing(Arguments& verb);
  void check();
  Print print_wanted() const;
  bool is_coloured() const;
  bool search_files();
  void search_file(const std::string& file);
  Search& search_for(QueryHydrogens hydrogens);
  void search(MoleculeSource& source, Search& search, const GrepLines& lines);
  void take(TextCursor& text, const match::Result& result, const GrepLines& lines);
  void print_header(const std::string& file, const std::string& header, const GrepLines& lines);
  void report_rejected(const std::string& file, const Report& rows);
  void print_json() const;

  std::string smarts_;
  std::vector<std::string> files_, query_files_;
  bool count_ = false, with_hits_ = false, without_hits_ = false, silent_ = false;
  bool allow_refused_ = false, invert_ = false, ignore_ = false, with_name_ = false, no_name_ = false, quiet_ = false,
       json_ = false;
  Index max_lines_ = -1;
  Colour colour_ = Colour::automatic;
  GrepStyle style_;
  ReadOptions read_options_;
  QueryOptions query_options_;

  Print print_ = Print::lines;
  Index num_lines_ = 0;      // selected in the file being searched
  Index all_lines_ = 0;      // selected in all files
  Report rows_;              // of all files
  Audit audit_;              // of all files
  double open_seconds_ = 0;  // for all files
  Stopwatch stopwatch_;
  std::optional<std::string> header_;  // of the first file
  std::string lines_;                  // waiting to be written
  std::optional<Output> output_;
  std::map<QueryHydrogens, Search> searches_;  // made when a file needs them
};

void GrepVerb::add_selection(Arguments& verb) {
  verb.flag("-i,--ignore-aromaticity", ignore_, "Make no difference between aromatic and aliphatic: c is C");
  verb.flag("--allow-refused", allow_refused_, "Go on without the queries that are refused");
  verb.flag("-v,--invert-match", invert_, "Select the molecules that do not match");
  verb.option("-m,--max-count", &max_lines_, "Stop after this many selected lines of a file", {.least = 0});
}

void GrepVerb::add_printing(Arguments& verb) {
  verb.flag("-c,--count", count_, "Print the number of selected lines only");
  verb.flag("-l,--files-with-matches", with_hits_, "Print the names of files with a selected line only");
  verb.flag("-L,--files-without-match", without_hits_, "Print the names of files without a selected line only");
  verb.flag("-q,--silent", silent_, "Print nothing, and stop at the first selected line");
  verb.flag("-o,--only-matching", style_.only_matching, "Print the atoms of each match as SMILES, one a line");
  verb.flag("-H,--with-filename", with_name_, "Begin each line with the file's name; the default for several files");
  verb.flag("-h,--no-filename", no_name_, "Do not begin lines with the file's name");
  verb.choice("--color", colour_, "Colour matched atoms and names of files; auto: on a terminal",
              {{"auto", Colour::automatic}, {"always", Colour::always}, {"never", Colour::never}});
  verb.flag("--json", json_, "Print one JSON object as the last line of standard output");
  add_strict_option(verb);
  verb.flag("--quiet", quiet_, "Do not report rejected rows");
  for (const char* other : {"--files-with-matches", "--files-without-match"}) verb.exclude("--count", other);
  verb.exclude("--files-with-matches", "--files-without-match");
  verb.exclude("--with-filename", "--no-filename");
}

void GrepVerb::check() {
  // As grep: where queries come from a file, all that stands alone is a file to search.
  if (!query_files_.empty() && !smarts_.empty()) files_.insert(files_.begin(), std::exchange(smarts_, ""));
  if (query_files_.empty() && smarts_.empty())
    throw InputError("there is nothing to look for: give a SMARTS, or -f FILE");
  for (const auto& file : query_files_)
    if (file == "-") throw InputError("queries do not come from standard input: name a file after -f");
  if (files_.empty()) files_ = {"-"};
}

GrepVerb::Print GrepVerb::print_wanted() const {
  if (silent_) return Print::nothing;
  if (with_hits_) return Print::name_with_hits;
  if (without_hits_) return Print::name_without_hits;
  return count_ ? Print::count : Print::lines;
}

bool GrepVerb::is_coloured() const {
  if (colour_ != Colour::automatic) return colour_ == Colour::always;
  const char* const wish = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  return (wish == nullptr || *wish == '\0') && ::isatty(STDOUT_FILENO) == 1 &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

int GrepVerb::run() {
  check();
  print_ = print_wanted();
  style_.coloured = is_coloured();
  style_.on_terminal = ::isatty(STDOUT_FILENO) == 1;
  read_options_.whole_rows = print_ == Print::lines && !style_.only_matching;
  read_options_.stereo = query_options_.chirality;
  // They must be queries, whatever the files hold.
  search_for(query_options_.hydrogens.value_or(read_options_.explicit_hydrogens ? QueryHydrogens::literal
                                                                                : QueryHydrogens::merge));
  output_.emplace("-");
  const bool failed = search_files();
  output_->finish();
  if (json_) print_json();
  if (complain_of_audit(audit_)) return kError;
  if (failed && !(silent_ && all_lines_ > 0)) return kError;
  return all_lines_ > 0 ? kFound : kNothingFound;
}

/// @return  whether a file could not be searched
bool GrepVerb::search_files() {
  bool failed = false;
  for (const auto& file : files_) {
    try {
      search_file(file);
    } catch (const InputError& error) {  // as grep: the other files are searched all the same
      complain(sentence_of(error));
      failed = true;
    }
    all_lines_ += num_lines_;
    if (silent_ && all_lines_ > 0) break;
  }
  return failed;
}

Search& GrepVerb::search_for(QueryHydrogens hydrogens) {
  if (const auto found = searches_.find(hydrogens); found != searches_.end()) return found->second;
  match::Options options;
  options.threads = read_options_.threads;
  options.chirality = query_options_.chirality;
  if (style_.needs_atoms() && print_ == Print::lines && !invert_) options.mode = match::Mode::unique;
  std::vector<std::string> smarts;
  if (!smarts_.empty()) smarts.push_back(smarts_);
  QuerySet queries = load_queries(query_files_, smarts, hydrogens, query_options_.chirality, allow_refused_);
  if (ignore_)
    for (Query& query : queries.accepted) ignore_aromaticity(query.pattern);
  return searches_.try_emplace(hydrogens, std::move(queries), options).first->second;
}

void GrepVerb::search_file(const std::string& file) {
  num_lines_ = 0;
  MoleculeSource source(file, read_options_);
  Search& wanted = search_for(query_options_.hydrogens_for(source));
  const bool names = print_ == Print::name_with_hits || print_ == Print::name_without_hits;
  const bool named = names || with_name_ || (files_.size() > 1 && !no_name_);
  const std::string name = file == "-" ? "(standard input)" : file;
  const GrepLines lines(wanted.queries, style_, named ? name : "", !source.is_library(),
                        source.has_explicit_hydrogens());
  if (print_ == Print::lines) print_header(file, source.header(), lines);
  if (max_lines_ != 0) search(source, wanted, lines);
  if (print_ == Print::count) output_->write(fmt::format("{}{}\n", lines.prefix(), num_lines_));
  if (names && (print_ == Print::name_with_hits) == (num_lines_ > 0)) {
    std::string text;
    lines.append_name(text);
    output_->write(text);
  }
  rows_ += source.report();
  audit_ += source.audit();
  source.say_notes(quiet_ || silent_);
  open_seconds_ += source.open_seconds();
  if (!quiet_ && !silent_) report_rejected(file, source.report());
}

/// That of the first file, which stands above the rows of all.
void GrepVerb::print_header(const std::string& file, const std::string& header, const GrepLines& lines) {
  if (!lines.are_rows()) return;
  if (!header_) {
    header_ = header;
    if (!header.empty()) output_->write(lines.safe(header) + '\n');
  } else if (header != header_) {
    warn(fmt::format("{} has other columns than {}, and its lines stand under those", file, files_.front()), quiet_);
  }
}

void GrepVerb::search(MoleculeSource& source, Search& search, const GrepLines& lines) {
  try {
    while (const Library* library = source.next()) {
      TextCursor text(*library, print_ == Print::lines);
      search.matcher.run(*library, [&](const match::Result& result) { take(text, result, lines); });
    }
  } catch (const EnoughLines&) {
    note_for_strict(source.report().rejected, "rejected row");
    return;
  }
  source.require_molecules();
}

void GrepVerb::take(TextCursor& text, const match::Result& result, const GrepLines& lines) {
  const bool one_is_enough = print_ != Print::lines && print_ != Print::count;
  bool enough = false;
  for (Index row = 0; row < result.num_molecules() && !enough; ++row) {
    MoleculeHits molecule;
    molecule.result = &result;
    molecule.first_hit = result.hit_offsets[row];
    molecule.last_hit = result.hit_offsets[row + 1];
    if (molecule.matched() == invert_) continue;
    ++num_lines_;
    if (print_ == Print::lines) {
      molecule.id = text.id(result.first_molecule + row);
      molecule.record = text.record(result.first_molecule + row);
      molecule.format = text.format();
      text.use([&] { lines.append(molecule, lines_); });
    }
    enough = one_is_enough || num_lines_ == max_lines_;
  }
  output_->write(lines_);
  lines_.clear();
  if (enough) throw EnoughLines{};
}

void GrepVerb::report_rejected(const std::string& file, const Report& rows) {
  if (rows.rejected == 0) return;
  const std::string name = file == "-" ? "standard input" : file;
  complain(fmt::format("{}: rows {} = ok {} + rejected {}", name, rows.rows, rows.ok, rows.rejected));
}

void GrepVerb::print_json() const {
  const QuerySet& queries = searches_.begin()->second.queries;  // the same for every file
  print(Json({{"files", files_.size()},
              {"rows", rows_.rows},
              {"ok", rows_.ok},
              {"rejected", rows_.rejected},
              {"audit", audit_json(audit_)},
              {"queries", queries.accepted.size()},
              {"queries_refused", queries.rejected.size()},
              {"selected", all_lines_},
              {"version", kVersion},
              {"cpu_seconds", cpu_seconds()},
              {"seconds", {{"open", open_seconds_}, {"total", stopwatch_.seconds()}}}})
            .line());
}

}  // namespace

std::unique_ptr<Verb> make_grep(Arguments& verb) { return std::make_unique<GrepVerb>(verb); }

}  // namespace quarry::cli
