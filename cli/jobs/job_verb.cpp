#include "jobs/job_verb.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

namespace quarry::cli {
namespace {

Job open_unchanged(const std::string& folder) {
  Job job = Job::open(folder);
  std::error_code error;
  std::filesystem::current_path(job.plan().directory, error);
  if (error)
    throw InputError(fmt::format("the folder '{}', in which the job in '{}' was planned, cannot be entered: {}",
                                 job.plan().directory, folder, error.message()));
  job.check_unchanged(version_text());
  return job;
}

}  // namespace

Sharded& sharded_of(Verbs& verbs, const std::vector<std::string>& command) {
  Verb* const verb = verbs.parse(command);
  if (verb == nullptr) throw InputError("after -- stands a verb with its arguments, not a question for help");
  try {
    return verb->sharded();
  } catch (const InputError& error) {
    throw InputError(fmt::format("quarry {}: {}", command.front(), error.what()));
  }
}

JobVerb::JobVerb(const std::string& folder)
    : job_(open_unchanged(folder)),
      verbs_(std::make_unique<Verbs>()),
      sharded_(&sharded_of(*verbs_, job_.plan().command)) {}

void add_folder(Arguments& verb, std::string& folder) {
  verb.option("FOLDER", &folder, "Folder of the job", {.required = true});
}

}  // namespace quarry::cli
