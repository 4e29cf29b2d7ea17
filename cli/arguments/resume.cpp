#include "arguments/resume.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "output/text.hpp"
#include "quarry/library.hpp"
#include "quarry/version.hpp"

namespace quarry::cli {
namespace {

/// They change no byte of an output.
constexpr std::array kNeutral = {"--threads", "--device",  "--device-memory", "--memory",   "--json", "--quiet",
                                 "--resume",  "--restart", "--strict",        "--progress", "--rows"};

/// What stands in the ledger for a word of the command line that may name an input.
std::string identity_of_input(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (path == "-" || std::filesystem::is_fifo(status) || std::filesystem::is_character_file(status))
    throw InputError(fmt::format("--resume needs inputs that can be read again, and '{}' cannot", path));
  if (!std::filesystem::is_regular_file(status)) return fmt::format("'{}'", path);
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

Ledger::Job ResumeOptions::job() const {
  Ledger::Job all = {{"the program", fmt::format("Quarry {}, RDKit {}", kVersion, rdkit_version())}};
  for (const Argument& argument : verb_->all())
    if (std::ranges::count(kNeutral, argument.names.back()) == 0)
      all.emplace_back(argument.names.back(), text_of(argument));
  return all;
}

std::optional<Ledger> ResumeOptions::open(const std::string& output, int num_outputs) const {
  if (!given()) return {};
  if (output.empty() || output == "-" || output.starts_with("/dev/") || output.starts_with("/proc/"))
    throw InputError("--resume needs an output file: name one after -o");
  try {
    return Ledger(output + ".ledger", job(), num_outputs, resume_, restart_);
  } catch (const LedgerMismatch& error) {
    throw InputError(fmt::format("{}; --restart begins again", error.what()));
  }
}

}  // namespace quarry::cli
