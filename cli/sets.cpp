/// `quarry sets`: the sets of alerts that can be named, the alerts of one, and whether RDKit agrees.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "common.hpp"
#include "input/queries.hpp"
#include "input/source.hpp"
#include "output/text.hpp"
#include "quarry/match.hpp"

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
  }

  int run() override {
    if (!molecules_.empty()) return verify();
    print(names_.empty() ? list() : alerts());
    return kFound;
  }

 private:
  std::string list() const;
  std::string alerts() const;
  int verify();
  std::vector<std::string> sets_to_verify() const;

  std::vector<std::string> names_;
  std::string folder_, molecules_;
  ReadOptions read_options_;
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
      complain(fmt::format("set {}: alert '{}' is no query: {}", name, row.id, row.reason));
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
  match::Options options;
  options.threads = read_options_.threads;
  std::vector<std::string> names = sets_to_verify();
  std::vector<match::AlertCheck> checks;
  for (const std::string& name : names) checks.emplace_back(name, options);
  std::vector<match::AlertAgreement> totals(checks.size());
  read_options_.stereo = false;
  MoleculeSource source(molecules_, read_options_);
  while (const Library* library = source.next())
    for (std::size_t i = 0; i < checks.size(); ++i) totals[i] += checks[i].compare(*library);
  source.require_molecules();

  bool agreed = true;
  std::string text = "set\tmolecules\tflagged by both\tonly by Quarry\tonly by RDKit\talerts that differ\n";
  for (std::size_t i = 0; i < checks.size(); ++i) {
    const auto& total = totals[i];
    text += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n", names[i], total.molecules, total.both, total.ours, total.theirs,
                        total.differing);
    for (const RejectedRow& row : checks[i].refused())
      complain(fmt::format("set {}: alert '{}' is no query: {}", names[i], row.id, row.reason));
    for (const std::string& difference : total.differences) complain(fmt::format("set {}: {}", names[i], difference));
    agreed = agreed && total.differing == 0 && checks[i].refused().empty();
  }
  print(text);
  return agreed ? kFound : kError;
}

}  // namespace

std::unique_ptr<Verb> make_sets(Arguments& verb) { return std::make_unique<SetsVerb>(verb); }

}  // namespace quarry::cli
