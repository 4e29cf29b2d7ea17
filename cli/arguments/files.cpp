/// A file that exists is known by device and inode, one that does not yet by its folder's and its name. Devices and pipes
/// may be named many times.
#include "arguments/files.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <tuple>

namespace quarry::cli {
namespace {

/// Device, inode, and the name within that folder where the file does not exist.
using Identity = std::tuple<dev_t, ino_t, std::string>;

std::optional<Identity> of_file(const struct stat& status, bool found) {
  if (!found || !S_ISREG(status.st_mode)) return {};
  return Identity{status.st_dev, status.st_ino, {}};
}

std::optional<Identity> of_standard_output() {
  struct stat status {};
  const bool found = ::fstat(STDOUT_FILENO, &status) == 0;
  return of_file(status, found);
}

std::optional<Identity> of_existing(const std::string& path) {
  struct stat status {};
  const bool found = ::stat(path.c_str(), &status) == 0;
  return of_file(status, found);
}

std::optional<Identity> of_output(const std::string& path) {
  if (path == "-") return of_standard_output();
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return of_file(status, true);
  const std::filesystem::path file(path);
  if (::stat(file.has_parent_path() ? file.parent_path().c_str() : ".", &status) != 0) return {};
  return Identity{status.st_dev, status.st_ino, file.filename()};
}

struct NamedFile {
  std::string option, path;
  std::optional<Identity> identity;
};

std::vector<std::string> paths_of(const Argument& argument) {
  if (const auto* const path = std::get_if<std::string*>(&argument.target)) return {**path};
  if (const auto* const paths = std::get_if<std::vector<std::string>*>(&argument.target)) return **paths;
  return {};
}

bool is_one(const NamedFile& one, const NamedFile& other) {
  return one.identity ? one.identity == other.identity : one.path == "-" && other.path == "-";
}

/// /dev/stdout and the like are written where they stand, and never replaced.
bool is_stream(const std::string& path) {
  return path == "-" || path.starts_with("/dev/") || path.starts_with("/proc/self/fd/");
}

void check_output(const NamedFile& output, const std::vector<NamedFile>& inputs,
                  const std::vector<NamedFile>& outputs) {
  for (const NamedFile& input : inputs)
    if (input.identity && is_one(input, output))
      throw InputError(fmt::format("'{}' of {} is the input '{}' of {} and would be replaced: name another output",
                                   output.path, output.option, input.path, input.option));
  for (const NamedFile& other : outputs)
    if (is_one(other, output))
      throw InputError(fmt::format("two outputs would go to '{}', {} and {}: give each a file of its own", output.path,
                                   other.option, output.option));
  if (!is_stream(output.path) && output.identity && output.identity == of_standard_output())
    throw InputError(fmt::format("'{}' of {} is where standard output goes: name another output, or - for both",
                                 output.path, output.option));
}

}  // namespace

void check_files(const Arguments& verb) {
  std::vector<NamedFile> inputs, outputs;
  for (const Argument& argument : verb.all()) {
    if (!argument.rules.names_file || argument.rules.names_output) continue;
    for (const std::string& path : paths_of(argument))
      inputs.push_back({argument.names.back(), path, of_existing(path)});
  }
  for (const Argument& argument : verb.all()) {
    if (!argument.rules.names_output) continue;
    for (const std::string& path : paths_of(argument)) {
      if (path.empty()) continue;  // not given
      const NamedFile output{argument.names.back(), path, of_output(path)};
      check_output(output, inputs, outputs);
      outputs.push_back(output);
    }
  }
}

}  // namespace quarry::cli
