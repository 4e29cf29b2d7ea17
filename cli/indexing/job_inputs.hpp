/// The inputs of a job of `index`, dealt out to its shards: whole ones, in order, of about the same number of bytes.
#pragma once
#include <string>
#include <vector>

#include "quarry/job.hpp"

namespace quarry::cli {

class JobInputs {
 public:
  /// Notes the names in the plan, for a pattern or a list may name others later.
  /// @param fetched  they are no files
  /// @param folder   of the job
  /// @throws InputError  a file cannot be read, or only once
  static void prepare(const std::vector<std::string>& names, bool fetched, JobPlan& plan, const std::string& folder);
  /// @throws InputError  the description of the job is damaged
  void open(const Job& job);

  std::vector<std::string> of(Index shard) const;
  /// Of the collection that the shard makes.
  std::string folder(Index shard) const;
  /// Of what that collection holds; empty where it is not there.
  std::string identity(Index shard) const;

 private:
  std::string folder_;
  std::vector<std::vector<std::string>> names_;  ///< [shards]
};

}  // namespace quarry::cli
