/// Sets of alerts by name: files of a folder, and the sets of RDKit's FilterCatalog.
#include <algorithm>
#include <bit>
#include <filesystem>
#include <iterator>
#include <map>
#include <system_error>
#include <utility>

#include "chemistry/alerts/catalog.hpp"
#include "quarry/error.hpp"
#include "quarry/query.hpp"
#include "quarry/suggestion.hpp"
#include "quarry/version.hpp"
#include "util/ascii.hpp"
#include "util/files/file_name.hpp"

namespace quarry {
namespace {

std::string rdkit_name() { return "RDKit " + rdkit_version(); }

/// The name of the set in a file of queries, or nothing where the file is none.
std::string set_name_of(const std::filesystem::path& file) {
  const std::filesystem::path name(without_compression(file.filename().string()));
  for (const char* const extension : {".smarts", ".txt", ".csv", ".tsv"})
    if (name.extension() == extension) return lower_case(name.stem().string());
  return {};
}

/// The files of a folder by the names of their sets; none where `folder` is empty.
std::map<std::string, std::string> files_of(const std::string& folder) {
  std::map<std::string, std::string> files;
  if (folder.empty()) return files;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = set_name_of(entry->path()), path = entry->path().string();
    if (name.empty() || !entry->is_regular_file(error)) continue;
    const auto [place, is_new] = files.emplace(name, path);
    if (!is_new) {
      const auto [one, other] = std::minmax(place->second, path);
      throw InputError("'" + one + "' and '" + other + "' would both be the set " + name + ": rename one of them");
    }
  }
  if (error) throw InputError("the folder '" + folder + "' of sets cannot be read: " + error.message());
  return files;
}

Index num_counted(const QuerySet& set) { return std::ranges::count_if(set.accepted, &Query::is_counted); }

AlertSet describe(const std::string& name, const std::string& origin, const QuerySet& set) {
  return {name, origin, std::ssize(set.accepted) + std::ssize(set.rejected), num_counted(set), {}};
}

QuerySet read_file_set(const std::string& name, const std::string& path, QueryHydrogens hydrogens) {
  QuerySet set = read_queries(path, hydrogens);
  if (set.accepted.empty() && set.rejected.empty()) throw InputError("'" + path + "' holds no query");
  for (Query& query : set.accepted)
    if (query.group.empty()) query.group = name;
  return set;
}

std::string missing_sentence(const CatalogSet& set) {
  return rdkit_name() + " does not have it; name a folder with a file " + std::string(set.name) + ".smarts";
}

AlertSet describe_catalog_set(const CatalogSet& set) {
  const Catalog catalog(set);
  const std::string name(set.name);
  if (catalog.num_alerts() == 0) return {name, rdkit_name(), 0, 0, missing_sentence(set)};
  return describe(name, rdkit_name(), catalog.queries());
}

/// @param files  sets of a folder, by name
[[noreturn]] void refuse_unknown(const std::string& name, const std::map<std::string, std::string>& files) {
  std::string names;
  std::vector<std::string> all;
  for (const CatalogSet& known : catalog_sets()) {
    names.append(names.empty() ? "" : ", ").append(known.name);
    all.emplace_back(known.name);
  }
  for (const auto& [file, path] : files) all.push_back(file);
  throw InputError("there is no set of alerts named '" + shown(name, 40) + "': RDKit's are " + names +
                   suggestion(lower_case(name), all));
}

QuerySet read_catalog_set(const CatalogSet& set, const std::string& name, QueryHydrogens hydrogens) {
  const Catalog catalog(set);
  if (catalog.num_alerts() == 0) throw InputError("the set " + name + " is not available: " + missing_sentence(set));
  QuerySet queries = catalog.queries();
  queries.hydrogens = hydrogens;
  return queries;
}

}  // namespace

std::vector<AlertSet> alert_sets(const std::string& folder) {
  std::map<std::string, std::string> files = files_of(folder);
  std::vector<AlertSet> sets;
  const auto add_file = [&](const std::string& name, const std::string& path) {
    sets.push_back(describe(name, path, read_file_set(name, path, QueryHydrogens::merge)));
  };
  for (const CatalogSet& set : catalog_sets()) {
    const auto file = files.extract(std::string(set.name));
    if (file) {
      add_file(file.key(), file.mapped());
    } else {
      sets.push_back(describe_catalog_set(set));
    }
  }
  for (const auto& [name, path] : files) add_file(name, path);
  return sets;
}

QuerySet read_alert_set(const std::string& name, const std::string& folder, QueryHydrogens hydrogens) {
  const auto files = files_of(folder);
  const auto file = files.find(lower_case(name));
  if (file != files.end()) return read_file_set(file->first, file->second, hydrogens);
  const CatalogSet* const set = find_catalog_set(name);
  if (set == nullptr) refuse_unknown(name, files);
  return read_catalog_set(*set, name, hydrogens);
}

}  // namespace quarry
