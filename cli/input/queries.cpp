/// Loading query sets.
#include "input/queries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "output/text.hpp"
#include "output/warnings.hpp"

namespace quarry::cli {
namespace {

/// @param prefix  number the queries without id q1, q2, ..., because a file has numbered its own 1, 2, ...
QuerySet command_line_queries(std::vector<std::string> smarts, bool prefix, QueryHydrogens hydrogens) {
  for (std::size_t i = 0; prefix && i < smarts.size(); ++i)
    if (smarts[i].find_first_of(" \t") == std::string::npos) smarts[i] += fmt::format(" q{}", i + 1);
  return compile_queries(smarts, hydrogens);
}

/// Adds a sentence for each.
void name_refused(const std::string& origin, const std::vector<RejectedRow>& rejected,
                  std::vector<std::string>& sentences) {
  for (const auto& row : rejected) {
    const std::string id = row.id.empty() ? "" : fmt::format(" (id {})", row.id);
    sentences.push_back(fmt::format("query refused: {} {}{}: {}", origin, row.line, id, row.reason));
  }
}

/// Says which queries are refused. @throws InputError  they may not be, or there are no others
void check_refused(const QuerySet& set, const std::vector<std::string>& sentences, bool allow_refused) {
  const std::string refused = counted(std::ssize(set.rejected), "query");
  if (set.accepted.empty() && sentences.size() == 1) throw InputError(sentences.front());
  for (const std::string& sentence : sentences) complain(sentence);
  if (set.accepted.empty()) throw InputError(fmt::format("no query can be used: {} refused", refused));
  if (set.rejected.empty() || allow_refused) return;
  const char* it = set.rejected.size() == 1 ? "it" : "them";
  throw InputError(fmt::format("{} refused, of {}: mend or remove {}, or give --allow-refused to go on without {}",
                               refused, set.rejected.size() + set.accepted.size(), it, it));
}

template <class T>
void append(std::vector<T>& whole, std::vector<T>&& part) {
  whole.insert(whole.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
}

/// Refuses the queries whose stereo marks cannot be honoured.
void require_chirality(QuerySet& queries) {
  for (Query& query : queries.accepted) {
    if (!query.stereo_refusal.empty()) queries.rejected.push_back({query.line, query.id, query.stereo_refusal});
  }
  std::erase_if(queries.accepted, [](const Query& query) { return !query.stereo_refusal.empty(); });
}

/// Queries of one id would give rows that cannot be told apart.
void tell_apart(std::vector<Query>& queries, const std::vector<std::string>& origins) {
  std::map<std::string, std::map<std::string, Index>> uses;  // id, origin -> queries
  for (std::size_t i = 0; i < queries.size(); ++i) ++uses[queries[i].id][origins[i]];
  std::map<std::string, Index> uses_of_name;
  Index num_renamed = 0;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const auto& origins_of_id = uses.at(queries[i].id);
    const bool twice_in_one = origins_of_id.at(origins[i]) > 1;
    if (origins_of_id.size() == 1 && !twice_in_one) continue;
    ++num_renamed;
    queries[i].id = twice_in_one ? fmt::format("{}:{}:{}", origins[i], queries[i].line, queries[i].id)
                                 : fmt::format("{}:{}", origins[i], queries[i].id);
    const Index use = ++uses_of_name[queries[i].id];
    if (use > 1) queries[i].id += fmt::format("#{}", use);  // of a file that was given twice
  }
  if (num_renamed > 0)
    warn(fmt::format("{} share an id with another: rows name them file:id, or file:line:id",
                     counted(num_renamed, "query")));
}

}  // namespace

void QueryOptions::add_to(Arguments& verb) {
  verb.choice<std::optional<QueryHydrogens>>(
      "--query-h", hydrogens,
      "Hydrogens of queries: atoms to find (literal), hydrogen counts of their neighbours (merge), or what the "
      "molecules "
      "have (auto, the default)",
      {{"auto", std::nullopt}, {"literal", QueryHydrogens::literal}, {"merge", QueryHydrogens::merge}});
  verb.flag("--chirality", chirality, "Respect tetrahedral and double-bond marks of the queries");
}

QueryHydrogens QueryOptions::hydrogens_for(const MoleculeSource& molecules) const {
  return hydrogens.value_or(molecules.has_explicit_hydrogens() ? QueryHydrogens::literal : QueryHydrogens::merge);
}

void AlertSetOptions::add_to(Arguments& verb) {
  verb.option("--set", &names,
              "Set of alerts, such as pains or brenk; `quarry sets` lists them; may be given many times",
              {.shown_as = "NAME ..."});
  verb.option("--sets-dir", &folder, kSetsFolderHelp, {.shown_as = "FOLDER", .names_file = true});
}

const char* name_of(QueryHydrogens hydrogens) { return hydrogens == QueryHydrogens::merge ? "merge" : "literal"; }

std::string count_of(const QuerySet& queries) {
  const auto merged = std::ranges::count_if(queries.accepted, &Query::merged);
  const std::string hydrogens = merged > 0 ? fmt::format("hydrogens merged in {}", merged) : "";
  const std::string refused = queries.rejected.empty() ? "" : fmt::format("{} refused", std::ssize(queries.rejected));
  const std::string both = hydrogens + (hydrogens.empty() || refused.empty() ? "" : ", ") + refused;
  return fmt::format("{}{}", queries.accepted.size(), both.empty() ? "" : " (" + both + ")");
}

QuerySet load_queries(const std::vector<std::string>& files, const std::vector<std::string>& smarts,
                      QueryHydrogens hydrogens, bool chirality, bool allow_refused, const AlertSetOptions& sets) {
  if (files.empty() && smarts.empty() && sets.names.empty())
    throw InputError("there is no query: name a file of SMARTS, or give -q SMARTS or --set NAME");
  QuerySet set;
  set.hydrogens = hydrogens;
  std::vector<std::string> origins;  // [accepted]
  std::vector<std::string> refused;  // sentences
  const auto add = [&](QuerySet&& more, const std::string& origin) {
    origins.resize(origins.size() + more.accepted.size(), origin);
    append(set.accepted, std::move(more.accepted));
    append(set.rejected, std::move(more.rejected));
  };
  for (const auto& file : files) {
    QuerySet more = read_queries(file, hydrogens);
    if (chirality) require_chirality(more);
    const std::string name = file == "-" ? "standard input" : file;
    if (more.accepted.empty() && more.rejected.empty()) throw InputError(fmt::format("'{}' holds no query", name));
    name_refused(name + " line", more.rejected, refused);
    name_ignored("'" + name + "'", more.ignored_columns);
    add(std::move(more), file);
  }
  for (auto name = sets.names.begin(); name != sets.names.end(); ++name) {
    const std::string set_name = lower_case(*name);
    if (std::ranges::find(sets.names.begin(), name, set_name, lower_case) != name) continue;  // named twice
    QuerySet more = read_alert_set(set_name, sets.folder, hydrogens);
    if (chirality) require_chirality(more);
    name_refused("set " + set_name + " alert", more.rejected, refused);
    name_ignored("set " + set_name, more.ignored_columns);
    add(std::move(more), set_name);
  }
  if (!smarts.empty()) {
    QuerySet more = command_line_queries(smarts, !set.accepted.empty(), hydrogens);
    if (chirality) require_chirality(more);
    name_refused("SMARTS", more.rejected, refused);
    add(std::move(more), "-q");
  }
  check_refused(set, refused, allow_refused);
  tell_apart(set.accepted, origins);
  return set;
}

}  // namespace quarry::cli
