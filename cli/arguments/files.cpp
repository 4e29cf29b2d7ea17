/// A file that exists is known by device and inode, one that does not yet by its folder's and its name. Devices and pipes
/// may be named many times. Standard input and standard output count, whether a word names them or not: where they are
/// files, the shell has opened them for this run.
#include "arguments/files.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <tuple>

#include "output/text.hpp"
#include "quarry/collection.hpp"

namespace quarry::cli {
namespace {

/// Device, inode, and the name within that folder where the file does not exist.
using Identity = std::tuple<dev_t, ino_t, std::string>;

std::optional<Identity> of_file(const struct stat& status, bool found) {
  if (!found || !S_ISREG(status.st_mode)) return {};
  return Identity{status.st_dev, status.st_ino, {}};
}

std::optional<Identity> of_stream(int descriptor) {
  struct stat status {};
  const bool found = ::fstat(descriptor, &status) == 0;
  return of_file(status, found);
}

std::optional<Identity> of_existing(const std::string& path) {
  struct stat status {};
  const bool found = ::stat(path.c_str(), &status) == 0;
  return of_file(status, found);
}

std::optional<Identity> of_output(const std::string& path) {
  if (path == "-") return of_stream(STDOUT_FILENO);
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return of_file(status, true);
  const std::filesystem::path file(path);
  if (::stat(file.has_parent_path() ? file.parent_path().c_str() : ".", &status) != 0) return {};
  return Identity{status.st_dev, status.st_ino, file.filename()};
}

struct NamedFile {
  std::string option, path;
  std::optional<Identity> identity;
  std::optional<Identity> folder = {};  ///< of a collection, or of a folder of sets: all files in it are inputs
};

/// Device and inode of a folder.
std::optional<Identity> of_folder(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.empty() ? "." : path.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) return {};
  return Identity{status.st_dev, status.st_ino, {}};
}

std::vector<std::string> paths_of(const Argument& argument) {
  if (const auto* const path = std::get_if<std::string*>(&argument.target)) return {**path};
  if (const auto* const paths = std::get_if<std::vector<std::string>*>(&argument.target)) return **paths;
  return {};
}

std::string where(const NamedFile& file) {
  return file.option.empty() ? file.path : fmt::format("'{}' of {}", file.path, file.option);
}

/// /dev/stdout and the like are written where they stand, and never replaced.
bool is_stream(const std::string& path) {
  return path == "-" || path.starts_with("/dev/") || path.starts_with("/proc/self/fd/");
}

bool is_one(const NamedFile& one, const NamedFile& other) {
  // Both streams of a process may go to one file, where each is appended.
  constexpr const char* kErrors = "/dev/stderr";
  if (is_stream(one.path) && is_stream(other.path) && (one.path == kErrors) != (other.path == kErrors)) return false;
  return one.identity ? one.identity == other.identity : one.path == "-" && other.path == "-";
}

/// The folder of an output that has something in it already.
std::optional<Identity> folder_of(const NamedFile& output) {
  std::error_code error;
  const bool is_stdout = output.option.empty() || output.path == "-";
  const std::filesystem::path path =
      is_stdout ? std::filesystem::read_symlink("/proc/self/fd/1", error) : std::filesystem::path(output.path);
  // The shell has made the file of standard output, perhaps just now.
  if (error || !of_existing(path) || (is_stdout && std::filesystem::file_size(path, error) == 0)) return {};
  return of_folder(path.parent_path());
}

void check_inputs(const NamedFile& output, const std::vector<NamedFile>& inputs) {
  const auto folder = folder_of(output);
  for (const NamedFile& input : inputs)
    if ((input.identity && is_one(input, output)) || (folder && folder == input.folder))
      throw InputError(fmt::format("{} is the input {} and would be {}: name another output", where(output),
                                   where(input), output.option.empty() ? "changed" : "replaced"));
}

void check_output(const NamedFile& output, const std::vector<NamedFile>& inputs,
                  const std::vector<NamedFile>& outputs) {
  check_inputs(output, inputs);
  for (const NamedFile& other : outputs)
    if (is_one(other, output))
      throw InputError(fmt::format("two outputs would go to '{}', {} and {}: give each a file of its own", output.path,
                                   other.option, output.option));
  if (!is_stream(output.path) && output.identity && output.identity == of_stream(STDOUT_FILENO))
    throw InputError(fmt::format("'{}' of {} is where standard output goes: name another output, or - for both",
                                 output.path, output.option));
}

const Argument* named(const Arguments& verb, const std::string& name) {
  const auto found =
      std::ranges::find(verb.all(), name, [](const Argument& argument) { return argument.names.back(); });
  return found == verb.all().end() ? nullptr : &*found;
}
bool is_given(const Argument* argument) { return argument != nullptr && !argument->given.empty(); }

/// What a run writes beside its outputs to go on later: a checkpoint, or the ledger and what SQLite has beside it.
std::vector<NamedFile> kept_files(const Arguments& verb) {
  const Argument* const named_ledger = named(verb, "--ledger");
  const Argument* const output = named(verb, "--output");
  std::string ledger;
  if (is_given(named_ledger)) {
    ledger = paths_of(*named_ledger).front();
  } else if (output != nullptr && (is_given(named(verb, "--resume")) || is_given(named(verb, "--restart")))) {
    const auto paths = paths_of(*output);
    if (!paths.empty() && !paths.front().empty() && !is_stream(paths.front())) ledger = paths.front() + ".ledger";
  }
  std::vector<NamedFile> files;
  if (const Argument* const checkpoint = named(verb, "--checkpoint"); is_given(checkpoint)) {
    const std::string file = paths_of(*checkpoint).front() + "/checkpoint.json";
    files.push_back({"--checkpoint", file, of_output(file)});
  }
  if (ledger.empty()) return files;
  for (const char* end : {"", "-wal", "-shm"}) {
    if (is_given(named_ledger) && *end == 0) continue;  // it is an output that has been checked
    files.push_back({"the ledger", ledger + end, of_output(ledger + end)});
  }
  return files;
}

/// Totals and rejected rows are tables of text, whatever formats the verb has for its results.
void check_is_table(const NamedFile& output) {
  const std::string extension = extension_of(output.path);
  for (const char* other : {".jsonl", ".npz", ".npy", ".qhits", ".parquet"})
    if (extension == other)
      throw InputError(fmt::format("{} '{}' is written as .tsv or .csv, each also .gz, .zst, .bz2 or .xz, not as {}",
                                   output.option, output.path, other));
}

}  // namespace

bool is_pipe(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  return path == "-" || std::filesystem::is_fifo(status) || std::filesystem::is_character_file(status);
}

void check_can_be_read_again(const std::string& path, const std::string& reader) {
  if (!is_pipe(path)) return;
  throw InputError(fmt::format("{} needs inputs that can be read again, and {} cannot", reader,
                               path == "-" ? "standard input" : "'" + path + "'"));
}

void check_files(const Arguments& verb, const std::vector<std::string>& listed) {
  std::vector<NamedFile> inputs, outputs;
  for (const Argument& argument : verb.all()) {
    if (!argument.rules.names_file || argument.rules.names_output) continue;
    for (const std::string& path : paths_of(argument)) {
      if (path.empty()) continue;  // not given
      inputs.push_back({argument.names.back(), path, of_existing(path),
                        is_collection(path) || argument.names.back() == "--sets-dir" ? of_folder(path) : std::nullopt});
    }
  }
  for (const std::string& path : listed) inputs.push_back({"a list", path, of_existing(path)});
  inputs.push_back({"", "on standard input", of_stream(STDIN_FILENO)});
  check_inputs({"", "standard output", of_stream(STDOUT_FILENO)}, inputs);
  for (const Argument& argument : verb.all()) {
    if (!argument.rules.names_output) continue;
    for (const std::string& path : paths_of(argument)) {
      if (path.empty()) continue;  // not given
      const NamedFile output{argument.names.back(), path, of_output(path)};
      check_output(output, inputs, outputs);
      if (output.option == "--rejects" || output.option == "--summary") check_is_table(output);
      outputs.push_back(output);
    }
  }
  for (const NamedFile& output : kept_files(verb)) {
    check_output(output, inputs, outputs);
    outputs.push_back(output);
  }
}

}  // namespace quarry::cli
