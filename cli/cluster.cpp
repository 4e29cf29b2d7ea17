/// `quarry cluster`: Butina clustering.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "common.hpp"
#include "input/fingerprint_source.hpp"
#include "output/progress.hpp"
#include "output/tables/table_output.hpp"
#include "output/text.hpp"
#include "output/warnings.hpp"

namespace quarry::cli {
namespace {

Guide cluster_guide() {
  return {
      .examples = {"quarry cluster drugs.smi --threshold 0.7 -o clusters.tsv"},
      .notes =
          "Writes molecule, cluster (from 1, the one with most neighbours first) and the centroid's id, in order of "
          "input.\n"
          "Method: Butina, J. Chem. Inf. Comput. Sci. 1999, 39, 747; ties go to the molecule that comes first.",
      .description =
          "Two molecules are neighbours where their similarity is at least the threshold. The molecule with "
          "most neighbours becomes the centroid of the first cluster and takes all its neighbours; of the "
          "molecules that are left, the one that had most neighbours takes those that are left of its own, "
          "and so on. Every molecule belongs to one cluster; one without neighbours is a cluster of its own.\n\n"
          "Similarity is exact. Memory grows with the number of molecules, not with the number of pairs.",
  };
}

class ClusterVerb : public Verb {
 public:
  explicit ClusterVerb(Arguments& verb) {
    verb.guide(cluster_guide());
    add_molecule_inputs(verb, inputs_);
    verb.option("--threshold", &threshold_,
                "Molecules with at least this similarity are neighbours; above 0, at most 1",
                {.shown_as = "T", .required = true, .least = 0, .most = 1});
    options_.add_to(verb, "File to write: .tsv or .csv; default: tsv on standard output");
    add_rows_option(verb);
  }

  Sharded& sharded() override {
    throw InputError(
        "each cluster depends on those before it, so its work is not cut into shards: run it on one machine, or plan "
        "similar --threshold for the pairs");
  }

  int run() override {
    const Stopwatch stopwatch;
    options_.check();
    const std::string extension = extension_of(options_.output);
    if (!extension.empty() && extension != ".tsv" && extension != ".csv")
      throw InputError(fmt::format(
          "'{}' names no output format: use .tsv or .csv, each also with .gz, .zst, .bz2 or .xz", options_.output));
    std::optional<ProgressLine> progress(std::in_place, "cluster", options_.quiet);
    FingerprintSource source(inputs_, options_);
    options_.accept({&source});
    const Stopwatch comparing;
    const similar::Clusters clusters =
        similar::cluster(source.fingerprints(), threshold_,
                         options_.run([&](Index done, Index total) { progress->update(done / 2, done, total); }));
    progress.reset();
    const double compare_seconds = comparing.seconds();
    const Stopwatch writing;
    write(source, clusters, extension == ".csv");
    begin_report();
    report(source, clusters, compare_seconds, writing.seconds(), stopwatch.seconds());
    return kFound;
  }

 private:
  void write(FingerprintSource& source, const similar::Clusters& clusters, bool csv) const {
    const char separator = csv ? ',' : '\t';
    const auto cell = [&](const std::string& text) { return csv ? csv_safe(text) : tab_safe(text); };
    TableOutput output(options_.output);
    std::string text = fmt::format("molecule{0}cluster{0}centroid\n", separator);
    for (Index molecule = 0; molecule < std::ssize(clusters.cluster_of); ++molecule) {
      const Index cluster = clusters.cluster_of[molecule];
      text += fmt::format("{1}{0}{2}{0}{3}\n", separator, cell(source.id(molecule)), cluster + 1,
                          cell(source.id(clusters.centroids[cluster])));
    }
    output.write(text);
    output.finish();
  }

  void report(const FingerprintSource& source, const similar::Clusters& clusters, double compare, double write,
              double total) const {
    std::vector<Index> members(clusters.centroids.size(), 0);
    for (const Index cluster : clusters.cluster_of) ++members[cluster];
    const Index singletons = std::ranges::count(members, 1);
    const Index largest = members.empty() ? 0 : std::ranges::max(members);
    const Report rows = source.report();
    if (!options_.quiet)
      say(
          fmt::format("rows {} = ok {} + rejected {}; {} of {}, {}, {} in the largest; read {:.2f} s, "
                      "pack {:.2f} s, compare {:.2f} s, write {:.2f} s\n",
                      rows.rows, rows.ok, rows.rejected, counted(std::ssize(members), "cluster"),
                      counted(rows.ok, "molecule"), counted(singletons, "singleton"), counted(largest, "molecule"),
                      source.read_seconds(), source.pack_seconds(), compare, write));
    options_.print_json(source,
                        {{"threshold", threshold_},
                         {"clusters", std::ssize(members)},
                         {"singletons", singletons},
                         {"largest", largest}},
                        {compare, write, total});
  }

  std::vector<std::string> inputs_;
  double threshold_ = 0;
  ComparisonOptions options_;
};

}  // namespace

std::unique_ptr<Verb> make_cluster(Arguments& verb) { return std::make_unique<ClusterVerb>(verb); }

}  // namespace quarry::cli
