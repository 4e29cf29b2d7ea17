/// What the verbs of jobs share.
#pragma once
#include <memory>
#include <string>

#include "jobs/sharded.hpp"
#include "program.hpp"
#include "quarry/job.hpp"

namespace quarry::cli {

/// A job with the verb that does it.
class JobVerb {
 public:
  /// Opens the job, and enters the folder in which it was planned: names of its command mean what they meant there.
  /// @throws InputError  there is no job, or an input or the version differs
  explicit JobVerb(const std::string& folder);

  Job& job() { return job_; }
  Verbs& verbs() { return *verbs_; }
  Sharded& sharded() { return *sharded_; }

 private:
  Job job_;
  std::unique_ptr<Verbs> verbs_;
  Sharded* sharded_;
};

/// Adds the positional argument FOLDER.
void add_folder(Arguments& verb, std::string& folder);

/// The verb of a command and its work in shards. @throws InputError  it cannot be cut into shards, and why
Sharded& sharded_of(Verbs& verbs, const std::vector<std::string>& command);

}  // namespace quarry::cli
