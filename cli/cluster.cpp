/// `quarry cluster`: Butina clustering.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "common.hpp"
#include "input/fingerprint_source.hpp"
#include "jobs/neighbour_rows.hpp"
#include "jobs/sharded.hpp"
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

class ClusterVerb : public Verb, public Sharded {
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

  int run() override {
    const Stopwatch stopwatch;
    check();
    std::optional<ProgressLine> progress(std::in_place, "cluster", options_.quiet);
    source_.emplace(inputs_, options_);
    options_.accept({&*source_});
    const Stopwatch comparing;
    const similar::Clusters clusters =
        similar::cluster(source_->fingerprints(), threshold_,
                         options_.run([&](Index done, Index total) { progress->update(done / 2, done, total); }));
    progress.reset();
    return finish(clusters, comparing.seconds(), stopwatch);
  }

  Sharded& sharded() override { return *this; }

  /// Shards find the neighbours of ranges of molecules, and the merge makes clusters of them.
  void plan_job(JobPlan& plan, const std::string&) override {
    check();
    if (threshold_ == 0) throw InputError("the threshold of a clustering must be above 0 and at most 1, not 0");
    source_.emplace(inputs_, options_);
    const std::string rejects = std::exchange(options_.rejects, "");  // merge writes it
    options_.accept({&*source_});
    options_.rejects = rejects;
    plan.outputs = {kNeighbourRows};
    if (plan.num_shards == 0) plan.num_shards = kManyShards;
  }

  void open_job(const Job& job) override {
    num_shards_ = job.plan().num_shards;
    source_.emplace(inputs_, options_);
  }

  void run_shard(Index shard, ShardSink& sink) override {
    const similar::Fingerprints& molecules = source_->fingerprints();
    similar::SearchOptions search{options_.run({}), 0, threshold_};
    search.first_row = shard_begin(shard, num_shards_, molecules.size());
    search.last_row = shard_begin(shard + 1, num_shards_, molecules.size());
    std::string text;
    similar::search(molecules, molecules, search, [&](const similar::Neighbours& found) {
      append_rows(found, text);
      sink.write(0, std::exchange(text, {}));
    });
  }

  int merge_job(const Job& job, const std::vector<ShardRecord>&) override {
    const Stopwatch stopwatch;
    check();
    std::vector<Index> offsets{0}, neighbours;
    const Index size = source_->fingerprints().size();
    for_each_row(job, {size, size}, [&](Index, const std::vector<similar::Neighbour>& found) {
      for (const similar::Neighbour& neighbour : found) neighbours.push_back(neighbour.molecule);
      offsets.push_back(std::ssize(neighbours));
    });
    const similar::Clusters clusters = similar::cluster(offsets, neighbours);
    const double seconds = stopwatch.seconds();
    options_.accept({&*source_});
    return finish(clusters, seconds, stopwatch);
  }

  std::vector<std::string> late_outputs() const override { return {"--output", "--rejects"}; }

 private:
  bool is_csv() const { return extension_of(options_.output) == ".csv"; }

  void check() const {
    options_.check();
    const std::string extension = extension_of(options_.output);
    if (!extension.empty() && extension != ".tsv" && extension != ".csv")
      throw InputError(fmt::format(
          "'{}' names no output format: use .tsv or .csv, each also with .gz, .zst, .bz2 or .xz", options_.output));
  }

  int finish(const similar::Clusters& clusters, double compare_seconds, const Stopwatch& stopwatch) {
    const Stopwatch writing;
    write(*source_, clusters, is_csv());
    begin_report();
    report(*source_, clusters, compare_seconds, writing.seconds(), stopwatch.seconds());
    return clusters.centroids.empty() ? kNothingFound : kFound;
  }

  void write(FingerprintSource& source, const similar::Clusters& clusters, bool csv) const {
    const char separator = csv ? ',' : '\t';
    TableOutput output(options_.output);
    std::string text = fmt::format("molecule{0}cluster{0}centroid\n", separator);
    for (Index molecule = 0; molecule < std::ssize(clusters.cluster_of); ++molecule) {
      const Index cluster = clusters.cluster_of[molecule];
      text += fmt::format("{1}{0}{2}{0}{3}\n", separator, cell_of(source.id(molecule), separator), cluster + 1,
                          cell_of(source.id(clusters.centroids[cluster]), separator));
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
  std::optional<FingerprintSource> source_;
  Index num_shards_ = 1;  ///< of a job
};

}  // namespace

std::unique_ptr<Verb> make_cluster(Arguments& verb) { return std::make_unique<ClusterVerb>(verb); }

}  // namespace quarry::cli
