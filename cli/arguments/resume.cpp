#include "arguments/resume.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "arguments/files.hpp"
#include "common.hpp"
#include "output/text.hpp"
#include "quarry/collection.hpp"
#include "quarry/library.hpp"

namespace quarry::cli {
namespace {

/// They change nothing that a ledger holds.
constexpr std::array kNeutral = {"--threads",  "--device", "--device-memory", "--memory", "--json",
                                 "--quiet",    "--resume", "--restart",       "--ledger", "--strict",
                                 "--progress", "--rows",   "--labels",        "--plot",   "--exit-zero"};

/// What stands in the ledger for the name of an input.
std::string identity_of_input(const std::string& path) {
  check_can_be_read_again(path, "a run with a ledger");
  if (is_collection(path))  // the manifest has the checksums of all parts
    return fmt::format("'{}' with the manifest of {}", path, identity_of_file(path + "/" + kManifestName));
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return fmt::format("'{}'", path);
  return fmt::format("'{}' of {}", path, identity_of_file(path));
}

std::string text_of(const Argument& argument) {
  const bool is_input = argument.rules.names_file && !argument.rules.names_output;
  std::vector<std::string> values;
  for (const std::string& word : argument.given)
    values.push_back(is_input ? identity_of_input(word) : fmt::format("'{}'", word));
  return values.empty() ? "not given" : joined(values, ", ");
}

}  // namespace

void ResumeOptions::add_to(Arguments& verb) {
  verb_ = &verb;
  verb.flag(
      "--resume", resume_,
      "Keep what is done in a ledger, OUTPUT.ledger, and go on from there after a stop; the files are those of a run "
      "that was left alone");
  verb.flag("--restart", restart_, "As --resume, but empty the ledger first");
}

void ResumeOptions::add_ledger_to(Arguments& verb) {
  verb.option("--ledger", &ledger_path_,
              "Keep the ledger in this file, and also at the end; one that is there needs --resume or --restart",
              {.names_file = true, .names_output = true});
}

Ledger::Job ResumeOptions::job() const {
  Ledger::Job all = {{"the program", version_text()}};
  for (const Argument& argument : verb_->all())
    if (std::ranges::count(kNeutral, argument.names.back()) == 0)
      all.emplace_back(argument.names.back(), text_of(argument));
  return all;
}

std::optional<Ledger> ResumeOptions::open(const std::string& output, int num_outputs,
                                          const std::vector<std::pair<std::string, std::string>>& more_inputs) const {
  if (!given()) return {};
  const bool is_stream = output.empty() || output == "-" || output.starts_with("/dev/") || output.starts_with("/proc/");
  if (ledger_path_.empty() && is_stream) throw InputError("--resume needs an output file: name one after -o");
  Ledger::Job all = job();
  for (const auto& [name, path] : more_inputs) all.emplace_back(name, identity_of_input(path));
  try {
    return Ledger(ledger_path_.empty() ? output + ".ledger" : ledger_path_, all, num_outputs, resume_, restart_);
  } catch (const LedgerMismatch& error) {
    throw InputError(fmt::format("{}; --restart begins again", error.what()));
  }
}

void ResumeOptions::finish(std::optional<Ledger>& ledger) const {
  if (ledger && ledger_path_.empty()) ledger->remove();
}

}  // namespace quarry::cli
