/// `quarry pick`: a diverse subset.
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "common.hpp"
#include "input/fingerprint_source.hpp"
#include "output/progress.hpp"
#include "output/text.hpp"
#include "output/warnings.hpp"
#include "quarry/files/output.hpp"

namespace quarry::cli {
namespace {

Guide pick_guide() {
  return {
      .examples = {"quarry pick drugs.smi -n 20 -o diverse.smi"},
      .notes =
          "MaxMin: starts with one molecule and repeatedly takes the one least similar to its nearest pick; ties go to "
          "the\nmolecule that comes first. Writes `SMILES id` in the order of picking.",
      .description =
          "Picks a small set of molecules that differ from one another as much as possible, for example the "
          "molecules to look at first in a large collection. Similarity is exact.",
  };
}

class PickVerb : public Verb {
 public:
  explicit PickVerb(Arguments& verb) {
    verb.guide(pick_guide());
    add_molecule_inputs(verb, inputs_);
    verb.option("-n,--number", &number_, "Molecules to pick", {.shown_as = "N", .required = true, .least = 1});
    verb.option("--threshold", &threshold_, "Stop when every remaining molecule is more similar than this to some pick",
                {.shown_as = "T", .least = 0, .most = 1});
    verb.option("--first", &first_, "The molecule to pick first, counted from 1 in input order",
                {.show_default = true, .least = 1});
    options_.add_to(verb, "File to write, also .gz, .zst, .bz2 or .xz; default: standard output");
  }

  Sharded& sharded() override {
    throw InputError("each pick depends on all before it, so its work is not cut into shards: run it on one machine");
  }

  int run() override {
    const Stopwatch stopwatch;
    options_.check();
    std::optional<ProgressLine> progress(std::in_place, "pick", options_.quiet);
    FingerprintSource source(inputs_, options_);
    options_.accept({&source});
    const Index among = source.fingerprints().size();
    if (first_ > among) throw InputError(fmt::format("--first {}: there are {}", first_, counted(among, "molecule")));
    if (number_ > among) throw InputError(fmt::format("-n {}: there are {}", number_, counted(among, "molecule")));
    const Stopwatch comparing;
    const std::vector<Index> picks =
        similar::pick(source.fingerprints(), number_, first_ - 1, threshold_,
                      options_.run([&](Index done, Index total) { progress->update(done, done, total); }));
    progress.reset();
    const double compare_seconds = comparing.seconds();
    const Stopwatch writing;
    write(source, picks);
    begin_report();
    report(source, std::ssize(picks), compare_seconds, writing.seconds(), stopwatch.seconds());
    return kFound;
  }

 private:
  void write(FingerprintSource& source, const std::vector<Index>& picks) const {
    std::string text;
    for (const Index pick : picks) text += fmt::format("{}\t{}\n", source.smiles(pick), tab_safe(source.id(pick)));
    if (options_.output == "-") return print(text);
    Output output(options_.output);
    output.write(text);
    output.finish();
  }

  void report(const FingerprintSource& source, Index picks, double compare, double write, double total) const {
    const Report rows = source.report();
    if (!options_.quiet)
      say(
          fmt::format("rows {} = ok {} + rejected {}; picked {} of {}; read {:.2f} s, pack {:.2f} s, compare {:.2f} s, "
                      "write {:.2f} s\n",
                      rows.rows, rows.ok, rows.rejected, picks, counted(rows.ok, "molecule"), source.read_seconds(),
                      source.pack_seconds(), compare, write));
    options_.print_json(source, {{"picks", picks}}, {compare, write, total});
  }

  std::vector<std::string> inputs_;
  Index number_ = 0, first_ = 1;
  double threshold_ = 1;
  ComparisonOptions options_;
};

}  // namespace

std::unique_ptr<Verb> make_pick(Arguments& verb) { return std::make_unique<PickVerb>(verb); }

}  // namespace quarry::cli
