/// `quarry watch`: the matches that each update of a graph creates or destroys.
#include "quarry/watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <numeric>

#include "common.hpp"
#include "input/graph_source.hpp"
#include "input/update_feed.hpp"
#include "input/watch_patterns.hpp"
#include "output/alerts/alert_output.hpp"
#include "output/alerts/initial_alerts.hpp"
#include "output/alerts/net_alerts.hpp"
#include "output/alerts/watch_checkpoint.hpp"
#include "output/json.hpp"
#include "output/progress.hpp"
#include "output/text.hpp"
#include "output/warnings.hpp"
#include "quarry/files/output.hpp"
#include "quarry/mine.hpp"

namespace quarry::cli {
namespace {

/// Times and rates: not so large that a clock cannot count them.
constexpr Index kLongest = 1'000'000'000, kMostBatch = 1'048'576;

/// A graph to begin with that has no vertices yet.
bool holds_nothing(const std::string& path) {
  return path == "/dev/null" || (std::filesystem::is_regular_file(path) && std::filesystem::file_size(path) == 0);
}

Guide watch_guide() {
  return {
      .examples = {"quarry watch graph.txt triangle --updates stream.txt -o alerts.tsv",
                   "quarry watch graph.txt --patterns fraud.graph --updates - --count",
                   "quarry watch graph.txt 'a:1-b:2, b-c:1' --updates day.csv --window 3600 --json"},
      .notes =
          "Updates: `e FROM TO [LABEL]` inserts and `-e FROM TO` deletes an edge, `v ID LABEL` adds and `-v ID` "
          "removes\na vertex; or .csv, .tsv with named columns, or .jsonl. Rows: update (from 0), sign, pattern, "
          "vertices.",
      .exit_status = "0 some match was created or destroyed, 1 none was, 2 error",
      .description =
          "Follows a graph that changes: for each edge that is inserted it reports the matches of the patterns that "
          "come into being, for each edge that is deleted those that cease to be, in the order of the updates. "
          "Patterns are those of quarry-mine(1), or files of labelled graphs.\n\n"
          "An update that cannot be applied, such as a second insertion of an edge, is counted and skipped; it keeps "
          "its position. What is reported depends neither on threads and devices nor on how updates are grouped.",
  };
}

class WatchVerb : public Verb {
 public:
  explicit WatchVerb(Arguments& verb) {
    verb.guide(watch_guide());
    verb.option("INPUT", &inputs_, "GRAPH PATTERN...: a graph file and patterns; with --generate patterns only",
                {.shown_as = "INPUT ...", .names_file = true});
    verb.option("--patterns", &pattern_files_, "File of patterns as labelled graphs; `t # NAME` begins each",
                {.shown_as = "FILE", .names_file = true});
    verb.option("--updates", &updates_, "File of updates; `-` is standard input, each taken as it comes",
                {.shown_as = "FILE", .required = true, .names_file = true});
    verb.option("--updates-format", &read_.format, "Format of the updates; default: by the name of the file",
                {.words = {"updates", "csv", "tsv", "jsonl"}});
    verb.option(
        "--window", &read_.window,
        "Rows are edges with time stamps: delete an edge this long after it was last seen; in the unit of `time`, "
        "which are numbers, or in seconds where they are dates (ISO 8601)",
        {.shown_as = "DURATION", .least = 0});
    graph_options_.add_to(verb);
    add_row_options(verb);
    add_run_options(verb);
  }

  int run() override;

 private:
  void add_row_options(Arguments& verb);
  void add_run_options(Arguments& verb);
  void check() const;
  void load();
  void check_edge_labels(const LoadedGraph& loaded) const;
  std::string job() const;
  std::optional<WatchCheckpoint> checkpoint_to_resume() const;
  void watch();
  /// Takes updates, and checkpoints and audits on the way.
  /// @param until  not negative: the number of updates at which to stop, without a search
  void follow(UpdateFeed& feed, Index until);
  /// To the end; says which lines could not be read, and why.
  void follow_named(UpdateFeed& feed);
  void check_readable() const;
  void save(const UpdateFeed& feed, bool finished);
  void audit();
  std::vector<mine::Count> count_now() const;
  std::vector<watch::PatternTotals> totals() const;
  bool found() const;
  Index num_invalid() const;
  void print_json() const;
  Json run_object(std::uint64_t matches) const;
  void print_report() const;

  std::vector<std::string> inputs_, pattern_files_;
  std::string updates_, output_ = "-", checkpoint_;
  GraphOptions graph_options_;
  UpdateReadOptions read_;
  Arrivals arrivals_;
  watch::Options options_;
  DeviceOptions device_{"host"};  // where batches are small, handing them to a device takes longer than the search
  bool count_ = false, list_ = false, json_ = false, jsonl_ = false, quiet_ = false, initial_ = false, resume_ = false,
       net_ = false;
  double checkpoint_seconds_ = 0.5;
  Index audit_ = 0;

  std::string graph_name_, graph_identity_;
  std::vector<GraphPattern> patterns_;
  std::optional<Graph> graph_;
  std::optional<watch::Watcher> watcher_;
  std::optional<AlertRows> rows_;
  std::optional<AlertOutput> rows_output_;
  WatchCheckpoint resumed_;
  watch::Statistics all_, run_;  ///< of all updates, and of those after the checkpoint
  std::vector<mine::Count> initial_counts_, final_counts_;
  Stopwatch stopwatch_;
  double read_seconds_ = 0, prepare_seconds_ = 0;
};

void WatchVerb::add_row_options(Arguments& verb) {
  verb.option(
      "-o,--output", &output_,
      "File for the rows, as .csv, .jsonl (objects) or by any other name tab-separated; also .gz, .zst, .bz2, .xz",
      {.shown_as = "FILE", .names_file = true, .names_output = true});
  verb.flag("--count", count_, "Rows of numbers: update, sign, pattern, subgraphs, embeddings");
  verb.flag("--list", list_, "Rows of matches: update, sign, pattern, vertices (the default)");
  verb.exclude("--list", "--count");
  verb.flag("--all-embeddings", options_.all_embeddings, "List every embedding, not one for each subgraph");
  verb.option("--max-results", &options_.max_results, "List at most this many matches of one update and pattern",
              {.shown_as = "N", .least = 1});
  verb.flag("--net", net_,
            "Rows of the net result of each --batch: what is created and destroyed in it is left out; with --count, "
            "the difference of the two numbers");
  verb.flag("--initial", initial_, "First the matches of the graph before any update, as update -1");
  verb.flag("--json", json_, "Print an object for each pattern and one for the run on standard output");
  verb.flag("--digest", options_.digest, "With --json: sums of hashes of the embeddings");
  verb.option("--audit", &audit_, "Count everything anew after this many updates and at the end; stop if it differs",
              {.shown_as = "N", .least = 1});
}

void WatchVerb::add_run_options(Arguments& verb) {
  verb.option("--batch", &options_.batch, "Apply up to this many updates together",
              {.shown_as = "N", .least = 1, .most = kMostBatch});
  verb.option("--wait-ms", &options_.wait_ms, "How long an update may wait for others of its batch, in milliseconds",
              {.shown_as = "T", .least = 0, .most = kLongest});
  verb.option("--fixed-batch", &options_.fixed_batch,
              "Wait for this many updates, search, deliver, strictly in turn: to compare with",
              {.shown_as = "N", .least = 1, .most = kMostBatch});
  verb.option("--rate", &arrivals_.rate, "Let this many updates arrive a second",
              {.shown_as = "N", .least = 0, .most = kLongest});
  verb.option("--times", &arrivals_.times, "File of arrival times in seconds, one for each update",
              {.shown_as = "FILE", .names_file = true});
  verb.flag("--cascade", options_.cascade, "A vertex that is removed or relabelled loses its edges first");
  verb.flag("--strict", options_.strict,
            "Stop at an update that cannot be applied, instead of skipping it; rejected rows, ignored columns and "
            "warnings are "
            "errors too, and no file is written");
  verb.option("--checkpoint", &checkpoint_, "Folder that says how far the run is, for --resume",
              {.shown_as = "DIR", .names_file = true});
  verb.option("--checkpoint-every", &checkpoint_seconds_, "Seconds between checkpoints",
              {.shown_as = "SECONDS", .least = 0, .most = kLongest});
  verb.flag("--resume", resume_, "Go on where the checkpoint stands");
  add_threads_option(verb, options_.threads);
  device_.add_to(verb);
  add_progress_option(verb);
  verb.flag("--quiet", quiet_, "No progress and no report on standard error");
}

void WatchVerb::check() const {
  const std::size_t graphs = graph_options_.is_generated() ? 0 : 1;
  if (inputs_.size() < graphs) throw InputError("watch needs a GRAPH, or --generate (see quarry watch --help)");
  if (inputs_.size() == graphs && pattern_files_.empty())
    throw InputError("watch needs a PATTERN, or --patterns (see quarry watch --help)");
  if (count_ && (options_.max_results > 0 || options_.all_embeddings))
    throw InputError("--max-results and --all-embeddings are for lists: leave out --count");
  if (options_.digest && !json_) throw InputError("--digest is printed by --json");
  constexpr double kShortest = 1e-6;
  if (checkpoint_seconds_ < kShortest)
    throw InputError(fmt::format("--checkpoint-every: {} is less than {}", checkpoint_seconds_, kShortest));
  if (net_ && (!checkpoint_.empty() || options_.max_results > 0 || options_.all_embeddings))
    throw InputError("--net goes with neither --checkpoint, --max-results nor --all-embeddings");
  if (resume_ && checkpoint_.empty()) throw InputError("--resume needs --checkpoint DIR");
  if (!checkpoint_.empty() && initial_ && output_ == "-") throw InputError("--initial with --checkpoint needs -o FILE");
  if (updates_ == "-" && graphs > 0 && inputs_.front() == "-")
    throw InputError("the graph and the updates cannot both be standard input");
}

int WatchVerb::run() {
  if (options_.strict) be_strict();
  check();
  load();
  watch();
  check_readable();
  begin_report();
  if (json_) print_json();
  if (!quiet_) print_report();
  return found() ? kFound : kNothingFound;
}

void WatchVerb::load() {
  const std::size_t graphs = graph_options_.is_generated() ? 0 : 1;
  patterns_ = load_patterns({inputs_.begin() + static_cast<Index>(graphs), inputs_.end()}, pattern_files_, quiet_);
  graph_name_ = graphs == 0 ? "generated" : inputs_.front();
  if (graphs > 0 && holds_nothing(graph_name_)) {
    graph_ = Graph::from_edges(0, {});
  } else {
    LoadedGraph loaded = graph_options_.load(graphs == 0 ? "" : graph_name_, options_.threads, quiet_);
    check_edge_labels(loaded);
    graph_ = std::move(loaded.graph);
  }
  if (graphs > 0 && !checkpoint_.empty()) graph_identity_ = graph_options_.identity(graph_name_);
  options_.list = !count_;
  options_.device = device_.name();
  options_.device_bytes = device_.bytes();
  jsonl_ = name_without_compression(output_).ends_with(".jsonl");
  rows_.emplace(AlertFormat{.count = count_,
                            .json = jsonl_,
                            .separator = name_without_compression(output_).ends_with(".csv") ? ',' : '\t',
                            .truncated = options_.max_results > 0});
  for (const GraphPattern& pattern : patterns_) rows_->add_pattern(pattern);
  read_seconds_ = stopwatch_.seconds();
}

/// A third column of a file is left out unless it is asked for; a pattern would then miss edges without a word. The edges of
/// a graph without labels have the label 0, as in updates.
void WatchVerb::check_edge_labels(const LoadedGraph& loaded) const {
  const auto asking = std::ranges::find_if(patterns_, &GraphPattern::has_edge_labels);
  if (asking == patterns_.end() || loaded.report.ignored_columns == 0 || !loaded.graph.edge_labels().empty()) return;
  throw InputError(
      fmt::format("the pattern '{}' asks for edge labels, and those in the third column of '{}' are not read "
                  "(--edge-labels reads them)",
                  asking->name, graph_name_));
}

/// What must be the same for a run to be resumed.
std::string WatchVerb::job() const {
  std::string text = fmt::format("{} {} {} {} {} {} {} {} {} {} {} {}", graph_name_, graph_options_.text(), updates_,
                                 read_.format, output_, read_.window, count_, options_.all_embeddings,
                                 options_.max_results, options_.cascade, initial_, options_.digest);
  for (const GraphPattern& pattern : patterns_) text += fmt::format("; {}: {}", pattern.name, to_text(pattern));
  return text;
}

std::optional<WatchCheckpoint> WatchVerb::checkpoint_to_resume() const {
  if (!resume_) return {};
  auto checkpoint = load_checkpoint(checkpoint_);
  if (checkpoint && checkpoint->job != job())
    throw InputError(fmt::format("the checkpoint in '{}' is of another job: {}", checkpoint_, checkpoint->job));
  if (checkpoint && checkpoint->graph != graph_identity_)
    throw InputError(fmt::format(
        "the graph '{}' has changed since the run that the checkpoint in '{}' is of: begin without --resume",
        graph_name_, checkpoint_));
  return checkpoint;
}

void WatchVerb::watch() {
  ProgressLine progress("watch", quiet_, "update");
  options_.progress = [&](Index done, Index) { progress.update(done, done, 0); };
  resumed_ = checkpoint_to_resume().value_or(WatchCheckpoint{});
  rows_output_.emplace(output_, checkpoint_.empty() ? -1 : resumed_.output_length);
  const Stopwatch preparing;
  watcher_.emplace(*graph_, std::vector<GraphPattern>{}, options_);
  prepare_seconds_ = preparing.seconds();
  if (audit_ > 0) initial_counts_ = count_now();
  UpdateFeed feed(updates_, read_, arrivals_);
  const Stopwatch planning;
  for (const GraphPattern& pattern : patterns_) watcher_->add_pattern(pattern);
  prepare_seconds_ += planning.seconds();
  // The updates before the checkpoint are applied without a search.
  if (!checkpoint_.empty()) feed.hash_updates();
  feed.replay_from(resumed_.position);
  watcher_->set_searching(false);
  if (resumed_.position > 0) follow(feed, resumed_.position);
  watcher_->set_searching(true);
  if (resumed_.output_length == 0) rows_output_->text() += rows_->header();
  if (initial_ && resumed_.position == 0 && resumed_.output_length == 0)
    write_initial(watcher_->graph(), patterns_, options_, *rows_, *rows_output_);
  graph_.reset();
  if (!resumed_.finished)
    follow_named(feed);
  else if (feed.has_more())
    complain(
        fmt::format("the run of the checkpoint in '{}' has ended; what was added to '{}' since then was not looked at",
                    checkpoint_, updates_));
  if (audit_ > 0) audit();
  rows_output_->finish();
  read_seconds_ += feed.read_seconds();
  run_.run_cpu_seconds -= feed.pipe_processor_seconds();
}

void WatchVerb::follow(UpdateFeed& feed, Index until) {
  const bool skips = until >= 0, keeps = !checkpoint_.empty() && !skips;
  const auto append = [&](const watch::Alert& alert, std::string& rows) { rows_->append(alert, rows); };
  const auto take = [&](std::string_view rows) { rows_output_->take(rows, feed.is_live()); };
  const auto write = [&](const watch::Alert& alert) {
    append(alert, rows_output_->text());
    take({});
  };
  NetAlerts net(patterns_, options_.fixed_batch > 0 ? options_.fixed_batch : options_.batch, !count_, write);
  const auto sink = [&](const watch::Alert& alert) {
    if (rows_output_->is_wanted()) net_ ? net.take(alert) : write(alert);
  };
  const bool makes_text = rows_output_->is_wanted() && !net_ && options_.max_results == 0;
  CheckpointPace pace(checkpoint_seconds_, options_.fixed_batch);
  if (keeps) feed.pause_after(checkpoint_seconds_);
  while (feed.taken() != until && feed.load()) {
    const Index begin = feed.taken(), next_audit = audit_ > 0 ? (begin / audit_ + 1) * audit_ : -1;
    feed.stop_after(skips ? until : keeps ? pace.end_of_run(begin, next_audit) : next_audit);
    const watch::Statistics part = makes_text ? watcher_->run(feed, {append, take}) : watcher_->run(feed, sink);
    all_ += part;
    if (!skips) run_ += part;
    if (keeps && pace.is_due(feed.taken() - begin)) {
      save(feed, false);
      feed.pause_after(checkpoint_seconds_);
    }
    if (!skips && feed.taken() == next_audit) audit();
  }
  if (net_ && !skips) net.finish(feed.taken());
  if (skips && feed.taken() < until)
    throw InputError(
        fmt::format("'{}' has {}, the checkpoint stands at {}", updates_, counted(feed.taken(), "update"), until));
  if (skips && feed.hash() != resumed_.updates)
    throw InputError(
        fmt::format("the first {} of '{}' have changed since the run that the checkpoint in '{}' is of: begin "
                    "without --resume",
                    counted(until, "update"), updates_, checkpoint_));
  if (keeps) save(feed, true);
}

void WatchVerb::follow_named(UpdateFeed& feed) {
  try {
    follow(feed, -1);
  } catch (const InputError& error) {
    if (!options_.strict || updates_ == "-") throw;  // a pipe may be read still
    throw InputError(with_reason(error.what(), feed.report(), updates_));
  }
  name_ignored(fmt::format("'{}'", updates_), feed.report().ignored_columns, quiet_);
  if (!quiet_) name_bad_lines(feed.report(), updates_);
}

/// Updates in another format must not look like updates without matches.
void WatchVerb::check_readable() const {
  if (all_.updates == 0 || all_.faults[static_cast<int>(watch::Fault::unreadable)] < all_.updates) return;
  throw InputError(fmt::format(
      "'{}' holds no update that can be read ({}); a line is `e FROM TO [LABEL]`, `-e FROM TO`, `v ID LABEL` "
      "or `-v ID`, or --updates-format names another format",
      updates_, counted(all_.updates, "line")));
}

void WatchVerb::save(const UpdateFeed& feed, bool finished) {
  WatchCheckpoint checkpoint{job(),    graph_identity_, feed.taken(), feed.hash(), rows_output_->sync(),
                             finished, totals()};
  save_checkpoint(checkpoint_, checkpoint);
}

std::vector<mine::Count> WatchVerb::count_now() const {
  mine::Options options;
  options.threads = options_.threads;
  const Graph graph = watcher_->graph();
  if (graph.num_vertices() == 0) return std::vector<mine::Count>(patterns_.size());
  std::vector<mine::Count> counts;
  for (const mine::Result& result : mine::count(graph, patterns_, options)) {
    if (result.embeddings_overflow)
      throw CapacityError(fmt::format("the embeddings of '{}' do not fit 128 bits", result.pattern.name));
    counts.push_back(result.embeddings);
  }
  return counts;
}

void WatchVerb::audit() {
  final_counts_ = count_now();
  const auto sums = totals();
  for (std::size_t i = 0; i < patterns_.size(); ++i) {
    const mine::Count expected = initial_counts_[i] + sums[i].positive - sums[i].negative;
    if (expected == final_counts_[i] || sums[i].truncated > 0) continue;
    throw InputError(fmt::format(
        "the audit after {} failed: '{}' has {} embeddings, and {} were reported; this is an error of Quarry",
        counted(all_.updates, "update"), patterns_[i].name, mine::to_text(final_counts_[i]), mine::to_text(expected)));
  }
}

std::vector<watch::PatternTotals> WatchVerb::totals() const {
  std::vector<watch::PatternTotals> sums = watcher_->totals();
  add_totals(sums, resumed_.totals);
  return sums;
}

bool WatchVerb::found() const {
  return std::ranges::any_of(totals(), [](const watch::PatternTotals& of) { return of.nonzero_updates > 0; });
}

Index WatchVerb::num_invalid() const { return std::accumulate(all_.faults.begin() + 1, all_.faults.end(), Index{0}); }

void WatchVerb::print_json() const {
  const auto sums = totals();
  std::uint64_t matches = 0;  // of this run
  for (const watch::PatternTotals& of : watcher_->totals()) matches += of.positive + of.negative;
  for (std::size_t i = 0; i < patterns_.size(); ++i) {
    const watch::PatternTotals& of = sums[i];
    const auto hex = [](std::uint64_t number) { return fmt::format("{:016x}", number); };
    Json::Members members = {{"graph", graph_name_},
                             {"updates_file", updates_},
                             {"pattern", patterns_[i].name},
                             {"automorphisms", of.automorphisms},
                             {"insertions", all_.insertions},
                             {"deletions", all_.deletions},
                             {"invalid", num_invalid()},
                             {"positive", of.positive},
                             {"negative", of.negative},
                             {"positive_subgraphs", of.positive_subgraphs},
                             {"negative_subgraphs", of.negative_subgraphs},
                             {"nonzero_updates", of.nonzero_updates},
                             {"max_per_update", of.max_per_update},
                             {"truncated", of.truncated > 0 ? Json(of.truncated) : Json(false)}};
    if (options_.digest) {
      members.push_back({"digest", hex(of.digest)});
      members.push_back({"hash_positive", hex(of.hash_positive)});
      members.push_back({"hash_negative", hex(of.hash_negative)});
    }
    if (audit_ > 0) {
      members.push_back({"initial", Json::verbatim(mine::to_text(initial_counts_[i]))});
      members.push_back({"final", Json::verbatim(mine::to_text(final_counts_[i]))});
    }
    print(Json(members).line());
  }
  print(run_object(matches).line());
}

Json WatchVerb::run_object(std::uint64_t matches) const {
  const double seconds = std::max(run_.run_seconds, 1e-9);
  const auto times = [](const watch::ResponseTimes& of) {
    return Json{{"p50", of.p50}, {"p95", of.p95}, {"p99", of.p99}, {"max", of.max}};
  };
  Json::Members faults;
  for (int i = 1; i < watch::kNumFaults; ++i)
    faults.push_back({watch::to_text(static_cast<watch::Fault>(i)), all_.faults[i]});
  return {
      {"run", true},
      {"updates", run_.updates},
      {"updates_per_second", static_cast<double>(run_.updates) / seconds},
      {"matches_per_second", static_cast<double>(matches) / seconds},
      {"seconds",
       {{"read", read_seconds_},
        {"prepare", prepare_seconds_},
        {"run", run_.run_seconds},
        {"total", stopwatch_.seconds()}}},
      {"cpu_seconds", {{"run", run_.run_cpu_seconds}}},
      {"response_us", {{"start", times(run_.start)}, {"done", times(run_.done)}}},
      {"versions", {{"created", run_.versions_created}, {"freed", run_.versions_freed}, {"most", run_.versions_most}}},
      {"peak_bytes", run_.peak_bytes},
      {"invalid", Json(faults)},
      {"threads", threads_in_use(options_.threads)},
      {"batch", options_.fixed_batch > 0 ? options_.fixed_batch : options_.batch},
      {"wait_ms", options_.wait_ms},
      {"device", options_.device},
      {"resumed_at", resumed_.position}};
}

void WatchVerb::print_report() const {
  std::string text =
      fmt::format("{}: {} applied", counted(all_.updates, "update"), grouped(all_.updates - num_invalid()));
  if (num_invalid() > 0) {
    std::vector<std::string> kinds;
    for (int i = 1; i < watch::kNumFaults; ++i)
      if (all_.faults[i] > 0)
        kinds.push_back(fmt::format("{} {}", grouped(all_.faults[i]), watch::to_text(static_cast<watch::Fault>(i))));
    text += fmt::format(", {} skipped ({})", grouped(num_invalid()), joined(kinds, ", "));
  }
  const auto sums = totals();
  std::uint64_t created = 0, destroyed = 0, truncated = 0;
  for (const watch::PatternTotals& of : sums) {
    created += of.positive_subgraphs;
    destroyed += of.negative_subgraphs;
    truncated += of.truncated;
  }
  text +=
      fmt::format("; {} created, {} destroyed", counted(static_cast<Index>(created), "subgraph"), grouped(destroyed));
  if (truncated > 0)
    text += fmt::format("; {} cut at {}", counted(static_cast<Index>(truncated), "list"),
                        counted(options_.max_results, "row"));
  say(fmt::format("{}; read {:.3f} s, prepare {:.3f} s, run {:.3f} s\n", text, read_seconds_, prepare_seconds_,
                  run_.run_seconds));
}

}  // namespace

std::unique_ptr<Verb> make_watch(Arguments& verb) { return std::make_unique<WatchVerb>(verb); }

}  // namespace quarry::cli
