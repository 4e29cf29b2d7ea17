/// `quarry cat`: a file of hits as rows of text.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "common.hpp"
#include "output/pairs/pair_rows.hpp"
#include "output/pairs/per_molecule_rows.hpp"
#include "output/pairs/stored_hits.hpp"
#include "output/tables/table_output.hpp"
#include "output/text.hpp"

namespace quarry::cli {
namespace {

Guide cat_guide() {
  return {
      .examples = {"quarry cat hits.qhits", "quarry cat hits.qhits -o hits.csv.gz",
                   "quarry cat hits.qhits --per-molecule -o alerts.tsv"},
      .notes = "Output by extension: .tsv .csv .jsonl, each also .gz, .zst, .bz2 or .xz.",
      .exit_status = "0 some pair matches, 1 none does, 2 error",
      .description =
          "`quarry match -o FILE.qhits` keeps the pairs of molecules and queries in a small file with checksums. This "
          "writes the text that the same run would have written with a name of that ending.",
  };
}

class CatVerb : public Verb {
 public:
  explicit CatVerb(Arguments& verb) {
    verb.guide(cat_guide());
    verb.option("FILE", &input_, "File of hits (.qhits); - is standard input", {.required = true, .names_file = true});
    verb.option("-o,--output", &output_, "File to write, format by extension; default: tsv on standard output",
                {.names_file = true, .names_output = true});
    verb.flag("--per-molecule", per_molecule_,
              "Write a row for each molecule that some query matches: its id, how many do, and their ids");
    add_rows_option(verb);
  }

  int run() override;

 private:
  std::unique_ptr<HitFormat> format_for(const match::HitsHeader& header) const;

  std::string input_, output_ = "-";
  bool per_molecule_ = false;
};

std::unique_ptr<HitFormat> CatVerb::format_for(const match::HitsHeader& header) const {
  const std::string extension = extension_of(output_);
  auto format = per_molecule_ ? make_per_molecule_rows(extension, header.queries)
                              : make_pair_rows(extension, header.queries, header.has_mappings());
  if (!format)
    throw InputError(fmt::format(
        "'{}' names no output format: use .tsv, .csv or .jsonl, each also with .gz, .zst, .bz2 or .xz", output_));
  return format;
}

int CatVerb::run() {
  StoredHits hits(input_);
  const auto format = format_for(hits.header());
  FormattedRows rows(*format, output_);
  bool found = false;
  for (MoleculeHits molecule; hits.next(molecule); rows.add(molecule)) found = found || molecule.matched();
  rows.finish();
  return found ? kFound : kNothingFound;
}

}  // namespace

std::unique_ptr<Verb> make_cat(Arguments& verb) { return std::make_unique<CatVerb>(verb); }

}  // namespace quarry::cli
