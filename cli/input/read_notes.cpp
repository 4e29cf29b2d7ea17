/// Options for the ids of molecules, and sentences on them.
#include "input/read_notes.hpp"

#include <fmt/format.h>

#include "output/text.hpp"
#include "output/warnings.hpp"

namespace quarry::cli {
namespace {

constexpr std::size_t kMaxNamed = 10;

std::string shown(const std::string& path) { return path == "-" ? "standard input" : path; }

}  // namespace

void add_id_options(Arguments& verb, std::string& id_column, bool& whole_ids) {
  verb.option("--id-column", &id_column,
              "Name of the column of ids, or of the data item of SDF (default: one that is named as ids are; SDF: the "
              "title)");
  verb.flag("--id-rest", whole_ids, "SMILES: all that follows a SMILES in its line is its id");
  verb.exclude("--id-column", "--id-rest");
}

void say_notes(const std::string& path, const ReadNotes& notes, const std::string& id_column, bool quiet) {
  const std::string name = shown(path);
  if (notes.no_columns)
    warn(fmt::format("{}: --id-column is not used, because the file is SMILES without a header", name), quiet);
  if (!notes.ids.empty() && id_column.empty() && !quiet)
    complain(fmt::format("{}: ids are taken from {}", name, notes.ids));
  if (notes.without_id > 0)
    warn(fmt::format("{}: {} without an id in {}: the id is the title or the number of the row", name,
                     counted(notes.without_id, "row"), notes.ids),
         quiet);
  if (notes.not_utf8 > 0)
    warn(fmt::format(
             "{}: {} with an id that is not UTF-8, as in files in Latin-1: .jsonl has U+FFFD for its bytes, other "
             "outputs keep them; iconv converts the file",
             name, counted(notes.not_utf8, "row")),
         quiet);
  if (notes.extensions > 0)
    warn(fmt::format("{}: {} ignored (stereo groups, atom labels and the like)", name,
                     counted(notes.extensions, "CXSMILES extension")),
         quiet);
}

void MissingMolecules::add_rejected(const std::string& path, const std::vector<RejectedRow>& rows) {
  for (const RejectedRow& row : rows) {
    if (is_full()) return;
    rejected_.push_back(fmt::format("{}, line {}: {}", shown(path), row.line, row.reason));
  }
}

void MissingMolecules::add_empty(const std::string& path) { empty_.push_back(shown(path) + " holds no molecules"); }

bool MissingMolecules::is_full() const { return rejected_.size() == kMaxNamed; }

std::string MissingMolecules::first_reason() const { return rejected_.empty() ? "" : "; " + rejected_.front(); }

void MissingMolecules::say(bool quiet) const {
  for (const std::string& sentence : empty_) warn(sentence, quiet);
  if (quiet) return;
  for (const std::string& sentence : rejected_) complain(sentence);
}

void say_equal_ids(Index num_equal, const char* consequence, bool quiet) {
  if (num_equal == 0) return;
  const char* verb = num_equal == 1 ? "has" : "have";
  warn(fmt::format("{} {} the id of an earlier one: {}", counted(num_equal, "row"), verb, consequence), quiet);
}

void say_equal_ids(const DistinctIds& ids, const char* consequence, bool quiet) {
  say_equal_ids(ids.num_named(), consequence, quiet);
  if (ids.num_left_out() > 0)
    warn(fmt::format("ids are compared with the first {} only: {} may be equal to a later one unseen",
                     DistinctIds::kMost, counted(ids.num_left_out(), "row")),
         quiet);
}

}  // namespace quarry::cli
