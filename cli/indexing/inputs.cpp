#include "indexing/inputs.hpp"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <system_error>

namespace quarry::cli {
namespace {

/// The files of a pattern in order of their names; a name that is a file stands for itself.
std::vector<std::string> files_of(const std::string& name) {
  std::error_code error;
  if (name.find_first_of("*?[") == std::string::npos || std::filesystem::exists(name, error)) return {name};
  glob_t found{};
  const int status = ::glob(name.c_str(), 0, nullptr, &found);
  std::vector<std::string> files;
  for (std::size_t i = 0; status == 0 && i < found.gl_pathc; ++i) files.emplace_back(found.gl_pathv[i]);
  ::globfree(&found);
  if (files.empty()) throw InputError(fmt::format("no file fits '{}'", name));
  return files;
}

/// A name a line; empty lines are passed over.
void append_list(std::istream& list, const std::string& path, std::vector<std::string>& names) {
  const std::size_t before = names.size();
  for (std::string line; std::getline(list, line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (!line.empty()) names.push_back(line);
  }
  if (list.bad()) throw InputError(fmt::format("the list '{}' cannot be read", path));
  if (names.size() == before) throw InputError(fmt::format("the list '{}' names no file", path));
}

}  // namespace

void IndexInputs::add_to(Arguments& verb) {
  verb.option("IN", &given_, "Molecules: SMILES, CSV or SDF; several make a collection",
              {.shown_as = "IN ...", .names_file = true});
  verb.option("--files-from", &lists_, "Read also the files that a list names, one a line; - is standard input",
              {.shown_as = "LIST ...", .names_file = true});
  verb.option("--fetch", &fetch_,
              "Run this command for each name of the lists, with the name in place of {}, and read what it prints",
              {.shown_as = "COMMAND"});
}

std::vector<std::string> IndexInputs::names() const {
  std::vector<std::string> names;
  if (fetch_.empty())
    for (const std::string& name : given_)
      for (std::string& file : files_of(name)) names.push_back(std::move(file));
  else if (!given_.empty())
    throw InputError("--fetch reads the names of --files-from, and IN is given too: make it a run of its own");
  for (const std::string& path : lists_) {
    if (path == "-") {
      append_list(std::cin, "-", names);
      continue;
    }
    std::ifstream list(path);
    if (!list) throw InputError(fmt::format("the list '{}' cannot be read", path));
    append_list(list, path, names);
  }
  if (names.empty())
    throw InputError("there are no molecules: name files of molecules, or a list of them after --files-from");
  if (std::ranges::count(lists_, "-") + std::ranges::count(names, "-") > 1)
    throw InputError("a list and molecules cannot both come from standard input, and either only once");
  std::set<std::string> seen;
  for (const std::string& name : names)
    if (!seen.insert(name).second) throw InputError(fmt::format("'{}' is given twice", name));
  return names;
}

std::vector<std::string> IndexInputs::fetch_command() const {
  std::istringstream text(fetch_);
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  const auto has_place = [](const std::string& word) { return word.find("{}") != std::string::npos; };
  if (!fetch_.empty() && (words.size() < 2 || std::none_of(words.begin() + 1, words.end(), has_place)))
    throw InputError(fmt::format("--fetch '{}' has no {{}}, where the name is to stand", fetch_));
  return words;
}

}  // namespace quarry::cli
