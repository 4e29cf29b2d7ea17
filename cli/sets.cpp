/// `quarry sets`: the sets of alerts that can be named, the alerts of one, and whether RDKit agrees.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common.hpp"
#include "input/queries.hpp"
#include "input/source.hpp"
#include "output/progress.hpp"
#include "output/text.hpp"
#include "output/warnings.hpp"
#include "quarry/files/output.hpp"
#include "quarry/match.hpp"
#include "stopwatch.hpp"

namespace quarry::cli {
namespace {

Guide sets_guide() {
  return {
      .examples = {"quarry sets", "quarry sets zinc > zinc.smarts", "quarry sets pains --verify drugs.smi"},
      .exit_status = "0 all is well, 2 error, or a difference from RDKit",
      .description =
          "Without a name, lists the sets of alerts that `quarry match --set` knows: those of RDKit's FilterCatalog, "
          "and "
          "the files of --sets-dir. With names, prints the alerts as queries that `quarry match` reads.\n\n"
          "With --verify, the molecules of a file are searched for each set, and every alert of every molecule is "
          "compared with what RDKit's FilterCatalog itself answers.",
  };
}

class SetsVerb : public Verb {
 public:
  explicit SetsVerb(Arguments& verb) {
    verb.guide(sets_guide());
    verb.option("NAME", &names_, "Sets to print, or to compare; none: the list, or all sets of RDKit",
                {.shown_as = "NAME ..."});
    verb.option("--sets-dir", &folder_, kSetsFolderHelp, {.shown_as = "FOLDER", .names_file = true});
    verb.option("--verify", &molecules_, "Compare with RDKit's FilterCatalog on the molecules of this file",
                {.names_file = true});
    add_read_options(verb, read_options_);
    add_rejects_option(verb, rejects_);
    add_strict_option(verb);
    add_progress_option(verb);
    verb.flag("--quiet", quiet_, "No progress, no warning and no closing line");
  }

  int run() override {
    if (!molecules_.empty()) return verify();
    if (!rejects_.empty()) throw InputError("--rejects is for the molecules of --verify");
    const std::string text = names_.empty() ? list() : alerts();
    check_run();
    print(text);
    return kFound;
  }

 private:
  std::string list() const;
  std::string alerts() const;
  int verify();
  std::vector<std::string> sets_to_verify() const;
  void compare(MoleculeSource& source, ProgressLine& progress);
  std::string agreements() const;
  bool complain_of_differences() const;
  void print_closing_line(const MoleculeSource& source) const;

  std::vector<std::string> names_;
  std::string folder_, molecules_, rejects_;
  ReadOptions read_options_;
  bool quiet_ = false;

  // Of --verify, each by set.
  std::vector<std::string> compared_;
  std::vector<match::AlertCheck> checks_;
  std::vector<match::AlertAgreement> totals_;
  Stopwatch stopwatch_;
};

std::string SetsVerb::list() const {
  std::string text = "set\talerts\twith counts\tsource\n";
  for (const AlertSet& set : alert_sets(folder_))
    text += set.unavailable.empty()
                ? fmt::format("{}\t{}\t{}\t{}\n", set.name, set.num_alerts, set.num_counted, tab_safe(set.origin))
                : fmt::format("{}\tunavailable\t\t{}\n", set.name, set.unavailable);
  return text;
}

std::string limits_of(const Query& query) {
  std::string text;
  if (query.least != 1) text += fmt::format(" min={}", query.least);
  if (query.most != Query::kNoMost) text += fmt::format(" max={}", query.most);
  return text;
}

std::string SetsVerb::alerts() const {
  std::string text;
  for (const std::string& name : names_) {
    const QuerySet set = read_alert_set(name, folder_);
    for (const RejectedRow& row : set.rejected)
      warn(fmt::format("set {}: alert '{}' is no query: {}", name, row.id, row.reason), quiet_);
    std::string group;
    for (const Query& query : set.accepted) {
      if (query.group != group) text += fmt::format("# {}: {}\n", query.group, query.comment);
      group = query.group;
      text += fmt::format("{} {}{}\n", query.smarts, query.id, limits_of(query));
    }
  }
  return text;
}

/// Those that are not a part of one before them.
std::vector<std::string> SetsVerb::sets_to_verify() const {
  if (!names_.empty()) return names_;
  std::vector<std::string> names;
  for (const AlertSet& set : alert_sets()) {
    const bool is_part = std::ranges::any_of(names, [&](const auto& name) { return set.name.starts_with(name + "-"); });
    if (set.unavailable.empty() && !is_part) names.push_back(set.name);
  }
  return names;
}

int SetsVerb::verify() {
  read_options_.stereo = false;
  std::optional<ProgressLine> progress(std::in_place, "sets", quiet_);
  MoleculeSource source(molecules_, read_options_);
  compare(source, *progress);
  progress.reset();
  source.say_notes(quiet_);
  begin_report();
  print(agreements());
  const bool differ = complain_of_differences();
  if (!quiet_) print_closing_line(source);
  accept_outputs();
  return differ ? kError : kFound;
}

/// Every set looks at each library before the next one is read.
void SetsVerb::compare(MoleculeSource& source, ProgressLine& progress) {
  compared_ = sets_to_verify();
  const Index num_sets = std::ssize(compared_);
  Index molecules_before = 0, sets_before = 0;
  match::Options options;
  options.threads = read_options_.threads;
  options.progress = [&](Index done, Index total) {
    const Index all = sets_before * total + done, count = molecules_before + all / num_sets;
    if (source.is_library())
      progress.update(count, all, num_sets * total);
    else
      progress.update(count, source.bytes_read(), source.bytes_total());
  };
  for (const std::string& name : compared_) checks_.emplace_back(name, options);
  totals_.resize(checks_.size());
  RejectsFile rejects(rejects_);
  while (const Library* library = source.next()) {
    rejects.add(rejected_rows(*library));
    for (sets_before = 0; sets_before < num_sets; ++sets_before)
      totals_[sets_before] += checks_[sets_before].compare(*library);
    molecules_before += library->num_molecules();
  }
  rejects.finish();
  source.require_rows();
  source.require_molecules();
}

std::string SetsVerb::agreements() const {
  std::string text = "set\tmolecules\tflagged by both\tonly by Quarry\tonly by RDKit\talerts that differ\n";
  for (std::size_t i = 0; i < totals_.size(); ++i) {
    const auto& total = totals_[i];
    text += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n", compared_[i], total.molecules, total.both, total.ours, total.theirs,
                        total.differing);
  }
  return text;
}

bool SetsVerb::complain_of_differences() const {
  bool differ = false;
  for (std::size_t i = 0; i < totals_.size(); ++i) {
    for (const RejectedRow& row : checks_[i].refused())
      complain(fmt::format("set {}: alert '{}' is no query: {}", compared_[i], row.id, row.reason));
    for (const std::string& difference : totals_[i].differences)
      complain(fmt::format("set {}: {}", compared_[i], difference));
    differ = differ || totals_[i].differing > 0 || !checks_[i].refused().empty();
  }
  return differ;
}

void SetsVerb::print_closing_line(const MoleculeSource& source) const {
  const Report rows = source.report();
  const double seconds = stopwatch_.seconds();
  say(fmt::format("rows {} = ok {} + rejected {}; {} compared; read {:.2f} s, compare {:.2f} s\n", rows.rows, rows.ok,
                  rows.rejected, counted(std::ssize(compared_), "set"), source.read_seconds(),
                  seconds - source.read_seconds()));
}

}  // namespace

std::unique_ptr<Verb> make_sets(Arguments& verb) { return std::make_unique<SetsVerb>(verb); }

}  // namespace quarry::cli
