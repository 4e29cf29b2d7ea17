/// What a verb does for `plan`, `work` and `merge`.
#pragma once
#include <string>
#include <vector>

#include "quarry/job.hpp"

namespace quarry::cli {

/// The work of a verb whose command line was parsed, cut into shards. Texts of shards are the bytes of its outputs: those
/// of the first shard begin with the header.
class Sharded {
 public:
  virtual ~Sharded() = default;
  /// Completes the plan: the outputs, "NAME.FORMAT" with the name of the option that names the file, and notes. May
  /// write files into the folder. Chooses the number of shards where the plan says 0. @throws InputError  the inputs
  /// cannot be used, or some option does not go with shards
  virtual void plan_job(JobPlan& plan, const std::string& folder) = 0;
  /// Opens the inputs. To be called before all that follows.
  virtual void open_job(const Job& job) = 0;
  virtual void run_shard(Index shard, ShardSink& sink) = 0;
  /// Writes the outputs. @return  exit status
  virtual int merge_job(const Job& job, const std::vector<ShardRecord>& shards) = 0;
  /// Options that name an output which `merge` can write though the plan did not ask for it.
  virtual std::vector<std::string> late_outputs() const { return {}; }
};

/// Shards of work whose pieces have no natural size, where nobody says how many.
inline constexpr Index kManyShards = 256;

/// ".tsv" where the path names no format.
std::string format_of_output(const std::string& path);

/// The sum of a number of all shards.
Index sum_of(const std::vector<ShardRecord>& shards, const std::string& name);

/// "0,17,34" for a note of a plan, and back. @return  of other text those numbers before what is no number
std::string text_of(const std::vector<Index>& numbers);
std::vector<Index> numbers_of(const std::string& text);

/// Writes the text of an output, of all shards, to a file.
void write_merged(const Job& job, int output, const std::string& path);

}  // namespace quarry::cli
