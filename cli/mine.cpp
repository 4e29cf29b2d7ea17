/// `quarry mine`: counts, lists, samples and estimates patterns in one large graph.
#include "quarry/mine.hpp"

#include <fmt/format.h>

#include <optional>
#include <tuple>

#include "arguments/resume.hpp"
#include "common.hpp"
#include "input/graph_source.hpp"
#include "jobs/mine_counts.hpp"
#include "jobs/sharded.hpp"
#include "output/json.hpp"
#include "output/progress.hpp"
#include "output/tables/counts.hpp"
#include "output/tables/subgraph_table.hpp"
#include "output/tables/table_output.hpp"
#include "output/text.hpp"
#include "output/warnings.hpp"
#include "quarry/files/output.hpp"

namespace quarry::cli {
namespace {

Guide mine_guide() {
  return {
      .examples = {"quarry mine graph.txt.gz triangle house 'a-b, b-c, c-d, a-d'", "quarry mine graph.tsv --motifs 5",
                   "quarry mine people.tsv --vertex-labels jobs.tsv 'a:1-b:2, b-c:1, a-c' --list -o matches.tsv",
                   "quarry mine graph.txt 4-cycle --sample 1000 --seed 7 -o some.csv",
                   "quarry mine graph.txt 4-clique --per-vertex -o cliques.tsv",
                   "quarry mine --generate rmat:20:16:1 triangle --json"},
      .notes =
          "Patterns: triangle, 4-clique, 5-cycle, path:4 (vertices), star:3 (leaves), diamond, house, P1..P8, ...; or "
          "edges\n'a-b, b-c', labels 'a:1-b:2', edge labels 'a-[7]-b'.",
      .exit_status = "0 some subgraph was found, 1 none was, 2 error",
      .description =
          "Counts the subgraphs of a large undirected graph that look like a pattern, or lists them. A "
          "pattern is connected and has up to 16 vertices, with or without labels. Each subgraph is counted "
          "once; embeddings are subgraphs times the automorphisms of the pattern. All answers but that of "
          "--estimate are exact.\n\n"
          "The graph is an edge list, whose ids are numbers or names, an adjacency list (--format adjlist), a Matrix "
          "Market, METIS, GraphML, GML or Pajek file, a labelled graph or a .qgraph file, and text may be compressed. "
          "Directed edges are read as undirected. Loops and repeated edges are left out, and a report says how many.",
  };
}

class MineVerb : public Verb, public Sharded {
 public:
  explicit MineVerb(Arguments& verb) {
    verb.guide(mine_guide());
    verb.option("INPUT", &inputs_,
                "GRAPH PATTERN...: a graph file and patterns to look for; with --generate patterns only",
                {.shown_as = "INPUT ...", .names_file = true});
    graph_options_.add_to(verb);
    verb.choice<mine::Semantics>(
        "--semantics", options_.semantics,
        "Whether a subgraph may have more edges between its vertices: edge-induced yes, vertex-induced no",
        {{"edge-induced", mine::Semantics::edge_induced}, {"vertex-induced", mine::Semantics::vertex_induced}});
    add_job_options(verb);
    verb.option("--seed", &seed_, "Seed of the random choices of --sample and --estimate",
                {.shown_as = "S", .needs = {"--sample", "--estimate"}});
    add_method_options(verb);
    verb.option("-o,--output", &output_,
                "File for the rows of --list, --sample and --per-vertex: .tsv or .csv, also .gz, .zst, .bz2, .xz",
                {.shown_as = "FILE", .names_file = true, .names_output = true});
    resume_.add_to(verb);
    add_threads_option(verb, options_.threads);
    verb.flag("--json", json_, "Print one JSON object for each pattern instead of the table");
    add_strict_option(verb);
    add_progress_option(verb);
    add_rows_option(verb);
    verb.flag("--quiet", quiet_, "No progress and no report on standard error");
  }

  int run() override;
  Sharded& sharded() override { return *this; }
  void plan_job(JobPlan& plan, const std::string& folder) override;
  void open_job(const Job& job) override;
  void run_shard(Index shard, ShardSink& sink) override;
  int merge_job(const Job& job, const std::vector<ShardRecord>& shards) override;

 private:
  void add_job_options(Arguments& verb);
  void add_method_options(Arguments& verb);
  void check() const;
  int run_estimate(const Graph& graph);
  int run_motifs(const Graph& graph) { return report_motifs(graph, mine::motifs(graph, motifs_, options_)); }
  int report_motifs(const Graph& graph, const mine::Motifs& motifs);
  int report_saved(const Graph& graph) const;
  int run_count(const Graph& graph);
  int report_counts(const Graph& graph, const std::vector<mine::Result>& results);
  int report_matches(const Graph& graph, const mine::Result& result);
  void set_options();
  void set_job_options();
  void load_job_graph();
  int run_matches(const Graph& graph);
  mine::Result write_list(const Graph& graph);
  void write_per_vertex(const Graph& graph, const std::vector<std::uint64_t>& counts) const;
  void print_works(std::span<const mine::Work> works) const;
  void print_table(const std::vector<mine::Result>& results) const;
  void print_json(const Graph& graph, const mine::Result& result) const;
  const char* method_name(mine::Method method) const {
    return method == mine::Method::formulas ? "formulas" : method == mine::Method::cliques ? "cliques" : "search";
  }
  const char* semantics_name(mine::Semantics semantics) const {
    return semantics == mine::Semantics::edge_induced ? "edge-induced" : "vertex-induced";
  }

  std::vector<std::string> inputs_;
  GraphOptions graph_options_;
  mine::Options options_;
  int motifs_ = 0;
  bool list_ = false, per_vertex_ = false, estimate_ = false, json_ = false, quiet_ = false;
  Index limit_ = 0, sample_ = -1, descents_ = 100000, resumed_ = 0;
  std::uint64_t seed_ = 1;
  std::string output_ = "-";
  ResumeOptions resume_;
  std::optional<Ledger> ledger_;
  std::string shard_;
  DeviceOptions device_{"host"};  // devices can only search, and formulas are often faster

  std::string graph_name_;
  std::optional<Graph> graph_;  // of a job
  std::vector<GraphPattern> patterns_;
  Stopwatch stopwatch_;
  double read_seconds_ = 0;
};

void MineVerb::add_job_options(Arguments& verb) {
  verb.option("--motifs", &motifs_, "Count all connected patterns of this number of vertices, edge- and vertex-induced",
              {.shown_as = "3|4|5", .least = 3, .most = 5});
  verb.flag("--list", list_, "Write every subgraph, one row each");
  verb.option("--limit", &limit_, "With --list: end after this many subgraphs, and say whether there are more",
              {.shown_as = "N", .needs = {"--list"}, .least = 1});
  verb.option("--sample", &sample_, "Write this number of subgraphs, chosen at random, all equally likely",
              {.shown_as = "N", .least = 0});
  verb.flag("--per-vertex", per_vertex_, "Write for each vertex the number of subgraphs that contain it");
  verb.flag("--estimate", estimate_, "Estimate the number of subgraphs by random descents, with a 95 % interval");
  verb.option("--descents", &descents_, "Number of random descents of --estimate",
              {.shown_as = "N", .needs = {"--estimate"}, .least = 1, .most = mine::kMaxDescents});
  const std::vector<std::string> jobs = {"--motifs", "--list", "--sample", "--per-vertex", "--estimate"};
  for (auto one = jobs.begin(); one != jobs.end(); ++one)
    for (auto other = jobs.begin(); other != one; ++other) verb.exclude(*one, *other);
}

void MineVerb::add_method_options(Arguments& verb) {
  using namespace mine;
  verb.choice<Method>("--method", options_.method, "How to count",
                      {{"auto", Method::automatic},
                       {"cliques", Method::cliques},
                       {"formulas", Method::formulas},
                       {"search", Method::search}});
  verb.choice<Orientation>("--orientation", options_.orientation, "Order of the vertices: small or large degree first",
                           {{"auto", Orientation::automatic},
                            {"large-first", Orientation::large_first},
                            {"small-first", Orientation::small_first}});
  verb.choice<Intersection>("--intersection", options_.intersection, "How a search intersects two neighbourhoods",
                            {{"auto", Intersection::automatic},
                             {"bitmap", Intersection::bitmap},
                             {"merge", Intersection::merge},
                             {"search", Intersection::search}});
  verb.choice<Split>("--split", options_.split, "Whether a task of a search starts at a vertex or at an edge",
                     {{"auto", Split::automatic}, {"edges", Split::edges}, {"vertices", Split::vertices}});
  verb.option("--bitmap-degree", &options_.bitmap_degree,
              "Smallest neighbourhood for which a search uses a bitmap; 0 is the measured best",
              {.shown_as = "N", .least = 0});
  verb.option("--memory", &options_.memory_bytes,
              "Bytes of memory to use beside the graph; 0 is what the machine has free",
              {.shown_as = "BYTES", .is_size = true});
  device_.add_to(verb);
  verb.option("--shard", &shard_, "Search only the I-th of N shards, which together hold each subgraph once",
              {.shown_as = "I/N"});
}

void MineVerb::check() const {
  const std::size_t graphs = graph_options_.is_generated() ? 0 : 1;
  if (inputs_.size() < graphs) throw InputError("mine needs a GRAPH, or --generate (see quarry mine --help)");
  const std::size_t patterns = inputs_.size() - graphs;
  if (motifs_ > 0 && patterns > 0) throw InputError("--motifs counts all patterns of a size: name none");
  if (motifs_ == 0 && patterns == 0 && !graph_options_.is_saved())
    throw InputError("mine needs a PATTERN, --motifs, or --save (see quarry mine --help)");
  if (motifs_ == 0 && patterns == 0 && !shard_.empty())
    throw InputError("--shard is for the work of a PATTERN: --save writes the whole graph");
  if ((list_ || per_vertex_ || sample_ >= 0 || estimate_) && patterns != 1)
    throw InputError("--list, --sample, --per-vertex and --estimate take one PATTERN");
  if (resume_.given() && !list_) throw InputError("--resume and --restart are for the rows of --list");
  if (list_ || per_vertex_ || sample_ >= 0) {
    table_separator(output_);
  } else if (output_ != "-") {
    throw InputError("-o is for the rows of --list, --sample and --per-vertex");
  }
}

void MineVerb::set_options() {
  options_.device = device_.name();
  options_.device_bytes = device_.bytes();
  if (!shard_.empty()) std::tie(options_.shard, options_.num_shards) = parse_shard(shard_);
  const std::size_t graphs = graph_options_.is_generated() ? 0 : 1;
  patterns_.clear();
  for (std::size_t i = graphs; i < inputs_.size(); ++i) patterns_.push_back(parse_graph_pattern(inputs_[i]));
  graph_name_ = graphs == 0 ? "generated" : inputs_.front();
}

/// Motifs are counted edge-induced in every shard; what is vertex-induced follows from the sums.
void MineVerb::set_job_options() {
  set_options();
  if (motifs_ == 0) return;
  patterns_ = mine::motif_patterns(motifs_);
  options_.semantics = mine::Semantics::edge_induced;
}

int MineVerb::run() {
  check();
  set_options();
  const std::size_t graphs = graph_options_.is_generated() ? 0 : 1;
  ledger_ = resume_.open(output_, 1);
  const Graph graph = graph_options_.load(graphs == 0 ? "" : inputs_.front(), options_.threads, quiet_).graph;
  read_seconds_ = stopwatch_.seconds();
  if (patterns_.empty() && motifs_ == 0) return report_saved(graph);
  ProgressLine progress("mine", quiet_, estimate_ ? "descent" : "entry");
  options_.progress = [&](Index done, Index total) { progress.update(done, done, total); };
  options_.planned = [&](std::span<const mine::Work> works) { print_works(works); };
  if (estimate_) return run_estimate(graph);
  if (motifs_ > 0) return run_motifs(graph);
  return list_ || per_vertex_ || sample_ >= 0 ? run_matches(graph) : run_count(graph);
}

int MineVerb::report_saved(const Graph& graph) const {
  if (json_)
    print(Json({{"graph", graph_name_},
                {"vertices", graph.num_vertices()},
                {"edges", graph.num_edges()},
                {"seconds", {{"read", read_seconds_}, {"total", stopwatch_.seconds()}}}})
              .line());
  return kFound;
}

/// Before a long run: what will be done, and about how long it takes.
void MineVerb::print_works(std::span<const mine::Work> works) const {
  constexpr double kLong = 1, kEntriesPerSecond = 5e8, kSearchedPerSecond = 1e9;  // of one thread: docs/engines/mine.md
  double seconds = 0;
  for (const mine::Work& work : works)
    seconds += work.entries / (work.method == mine::Method::search ? kSearchedPerSecond : kEntriesPerSecond);
  if (quiet_ || seconds < kLong) return;
  for (const mine::Work& work : works) {
    constexpr std::size_t kNamed = 6;
    const std::string names =
        work.patterns.size() > kNamed ? counted(std::ssize(work.patterns), "pattern") : joined(work.patterns, ", ");
    say(fmt::format("{}: by {}, about {:.1e} neighbourhood entries\n", names, method_name(work.method), work.entries));
  }
  say(fmt::format("about {} on {}; this estimate may be off by a factor of five\n",
                  duration_text(seconds / threads_in_use(options_.threads)),
                  counted(threads_in_use(options_.threads), "thread")));
}

int MineVerb::run_count(const Graph& graph) { return report_counts(graph, mine::count(graph, patterns_, options_)); }

int MineVerb::report_counts(const Graph& graph, const std::vector<mine::Result>& results) {
  bool any = false;
  std::vector<std::string> overflowed;
  for (const auto& result : results) {
    any = any || result.subgraphs > 0;
    if (result.embeddings_overflow) overflowed.push_back(fmt::format("'{}'", result.pattern.name));
  }
  if (json_) {
    for (const auto& result : results) print_json(graph, result);
  } else {
    print_table(results);
  }
  if (overflowed.empty()) return any ? kFound : kNothingFound;
  complain(fmt::format("{} overflowed: a count has up to 127 bits, with its embeddings 128{}", joined(overflowed, ", "),
                       overflowed.size() < results.size() ? "; the others were counted" : ""));
  return kError;
}

int MineVerb::report_motifs(const Graph& graph, const mine::Motifs& motifs) {
  bool any = false;
  if (!json_) print("pattern\tedge-induced\tvertex-induced\tautomorphisms\n");
  for (const auto& motif : motifs.counts) {
    any = any || motif.edge_induced > 0;
    if (!json_) {
      print(fmt::format("{}\t{}\t{}\t{}\n", motif.pattern.name, mine::to_text(motif.edge_induced),
                        mine::to_text(motif.vertex_induced), motif.automorphisms));
      continue;
    }
    const mine::Count automorphisms = motif.automorphisms;
    print_json(graph,
               {motif.pattern, mine::Semantics::edge_induced, motif.edge_induced, motif.edge_induced * automorphisms,
                motif.automorphisms, motif.method, motifs.statistics, motifs.cost});
    print_json(graph, {motif.pattern, mine::Semantics::vertex_induced, motif.vertex_induced,
                       motif.vertex_induced * automorphisms, motif.automorphisms, motif.method, motifs.statistics,
                       motifs.cost});
  }
  return any ? kFound : kNothingFound;
}

int MineVerb::run_estimate(const Graph& graph) {
  const mine::Estimate estimate = mine::estimate(graph, patterns_.front(), descents_, seed_, options_);
  if (json_) {
    const Json object = {{"graph", graph_name_},
                         {"vertices", graph.num_vertices()},
                         {"edges", graph.num_edges()},
                         {"pattern", patterns_.front().name},
                         {"semantics", semantics_name(options_.semantics)},
                         {"estimate", estimate.subgraphs},
                         {"low", estimate.low},
                         {"high", estimate.high},
                         {"descents", estimate.descents},
                         {"hits", estimate.hits},
                         {"seconds", estimate.statistics.run_seconds}};
    print(object.line());
  } else {
    print(fmt::format("{}, {}: {}\n", patterns_.front().name, semantics_name(options_.semantics), text_of(estimate)));
  }
  return estimate.hits > 0 ? kFound : kNothingFound;
}

void MineVerb::write_per_vertex(const Graph& graph, const std::vector<std::uint64_t>& counts) const {
  const char separator = table_separator(output_);
  TableOutput output(output_);
  std::string text = fmt::format("vertex{}subgraphs\n", separator);
  for (Index vertex = 0; vertex < graph.num_vertices(); ++vertex) {
    text += fmt::format("{}{}{}\n", vertex_name(graph, vertex, separator), separator, counts[vertex]);
    if (text.size() < (std::size_t{1} << 20)) continue;
    output.write(text);
    text.clear();
  }
  output.write(text);
  output.finish();
}

mine::Result MineVerb::write_list(const Graph& graph) {
  SubgraphTable table(output_, graph, patterns_.front(), ledger_ ? &*ledger_ : nullptr);
  const auto sink = [&](std::span<const std::uint32_t> rows) { table.write(rows); };
  if (!ledger_) {
    const mine::Result result = mine::list(graph, patterns_.front(), options_, sink, limit_);
    table.finish();
    return result;
  }
  resumed_ = table.num_rows();
  // With as many rows as wanted it is still to be seen whether there are more.
  const auto reach = [&](Index entry) {
    if (limit_ == 0 || table.num_rows() < limit_) table.reach(entry);
  };
  const Index more = limit_ > 0 ? limit_ - resumed_ : 0;
  mine::Result result = mine::list(graph, patterns_.front(), options_, sink, more, {table.entry(), reach});
  table.finish(result.truncated);
  result.truncated = table.truncated();
  result.subgraphs = table.num_rows();
  result.embeddings = result.subgraphs * result.automorphisms;
  return result;
}

int MineVerb::run_matches(const Graph& graph) {
  mine::Result result;
  if (list_) {
    result = write_list(graph);
  } else if (per_vertex_) {
    const auto participation = mine::per_vertex(graph, patterns_.front(), options_);
    write_per_vertex(graph, participation.counts);
    result = participation.result;
  } else {
    SubgraphTable table(output_, graph, patterns_.front());
    const auto sink = [&](std::span<const std::uint32_t> rows) { table.write(rows); };
    result = mine::sample(graph, patterns_.front(), sample_, seed_, options_, sink);
    table.finish();
  }
  return report_matches(graph, result);
}

int MineVerb::report_matches(const Graph& graph, const mine::Result& result) {
  begin_report();
  if (!quiet_)
    say(fmt::format("{}, {}: {} {} in {:.3f} s{}\n", result.pattern.name, semantics_name(result.semantics),
                    mine::to_text(result.subgraphs), result.subgraphs == 1 ? "subgraph" : "subgraphs",
                    stopwatch_.seconds(), result.truncated ? "; there are more (--limit)" : ""));
  if (json_) print_json(graph, result);
  accept_outputs();
  resume_.finish(ledger_);
  return result.subgraphs > 0 ? kFound : kNothingFound;
}

void MineVerb::plan_job(JobPlan& plan, const std::string&) {
  check();
  set_job_options();
  if (!shard_.empty()) throw InputError("--shard is for runs by hand, and a job has shards of its own");
  if (resume_.given()) throw InputError("--resume and --restart are not for jobs, whose shards stay done");
  if (estimate_ || sample_ >= 0 || per_vertex_ || limit_ > 0)
    throw InputError("a job counts patterns or lists them: leave --estimate, --sample, --per-vertex and --limit");
  if (patterns_.empty() && motifs_ == 0) throw InputError("a job of mine needs a PATTERN, or --motifs");
  if (plan.num_shards == 0) plan.num_shards = kManyShards;
  if (list_) plan.outputs = {"output" + format_of_output(output_)};
  options_.num_shards = plan.num_shards;
  load_job_graph();
  try {
    note_begins(mine::shard_begins(*graph_, patterns_, options_), plan);
  } catch (const CapacityError&) {
    if (!quiet_)
      say("The search of the whole graph takes more memory than is left: shards are cut by numbers of neighbours.\n");
  }
}

void MineVerb::open_job(const Job& job) {
  set_job_options();
  options_.num_shards = job.plan().num_shards;
  options_.shard_begins = noted_begins(job.plan());
  if (!graph_) load_job_graph();
}

void MineVerb::load_job_graph() {
  graph_.emplace(
      graph_options_.load(graph_options_.is_generated() ? "" : inputs_.front(), options_.threads, true).graph);
}

void MineVerb::run_shard(Index shard, ShardSink& sink) {
  options_.shard = shard;
  std::vector<mine::Result> results;
  if (list_) {
    SubgraphTable table(output_, *graph_, patterns_.front(), sink, shard == 0);
    results.push_back(mine::list(*graph_, patterns_.front(), options_,
                                 [&](std::span<const std::uint32_t> rows) { table.write(rows); }));
  } else {
    results = mine::count(*graph_, patterns_, options_);
  }
  set_counts(results, sink);
}

int MineVerb::merge_job(const Job& job, const std::vector<ShardRecord>& shards) {
  if (list_) write_merged(job, 0, output_);
  const std::vector<mine::Result> results = sums_of_counts(job, shards, patterns_, options_.semantics);
  if (list_) return report_matches(*graph_, results.front());
  if (motifs_ == 0) return report_counts(*graph_, results);
  std::vector<mine::Count> counts;
  for (const mine::Result& result : results) {
    if (result.subgraphs_overflow) throw InputError(fmt::format("'{}' overflowed", result.pattern.name));
    counts.push_back(result.subgraphs);
  }
  return report_motifs(*graph_, mine::motifs_from(motifs_, counts));
}

void MineVerb::print_table(const std::vector<mine::Result>& results) const {
  print("pattern\tsemantics\tsubgraphs\tembeddings\tautomorphisms\n");
  for (const auto& result : results) {
    print(fmt::format("{}\t{}\t{}\t{}\t{}\n", tsv_safe(result.pattern.name), semantics_name(result.semantics),
                      count_text(result.subgraphs, result.subgraphs_overflow),
                      count_text(result.embeddings, result.embeddings_overflow), result.automorphisms));
  }
  if (quiet_) return;
  const mine::Statistics& statistics = results.front().statistics;
  say(fmt::format("read {:.3f} s, prepare {:.3f} s, plan {:.3f} s, run {:.3f} s\n", read_seconds_,
                  statistics.prepare_seconds, statistics.plan_seconds, statistics.run_seconds));
}

void MineVerb::print_json(const Graph& graph, const mine::Result& result) const {
  Json::Members object = {{"graph", graph_name_},
                          {"vertices", graph.num_vertices()},
                          {"edges", graph.num_edges()},
                          {"pattern", result.pattern.name},
                          {"semantics", semantics_name(result.semantics)},
                          {"subgraphs", count_json(result.subgraphs, result.subgraphs_overflow)},
                          {"embeddings", count_json(result.embeddings, result.embeddings_overflow)},
                          {"automorphisms", result.automorphisms},
                          {"method", method_name(result.method)},
                          {"cost", result.cost},
                          {"seconds",
                           {{"read", read_seconds_},
                            {"prepare", result.statistics.prepare_seconds},
                            {"plan", result.statistics.plan_seconds},
                            {"run", result.statistics.run_seconds},
                            {"total", stopwatch_.seconds()}}},
                          {"threads", threads_in_use(options_.threads)},
                          {"device", options_.device}};
  if (limit_ > 0) object.push_back({"truncated", result.truncated});
  if (options_.num_shards > 1) {
    object.push_back({"shard",
                      {{"entries", result.statistics.shard_entries},
                       {"held_entries", result.statistics.held_entries},
                       {"graph_entries", 2 * graph.num_edges()}}});
  }
  if (resume_.given()) object.push_back({"resumed", resumed_});
  print(Json(object).line());
}

}  // namespace

std::unique_ptr<Verb> make_mine(Arguments& verb) { return std::make_unique<MineVerb>(verb); }

}  // namespace quarry::cli
