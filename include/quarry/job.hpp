/// Work cut into shards in a folder: any number of processes on any number of machines that share the folder do the
/// shards, in any order and as often as they like, and one of them merges what they found.
///
/// ```
/// FOLDER/job.json                      what decides the answer; never changes
/// FOLDER/shards/0000012.rows.tsv.zst   a text of shard 12, for each output that is not empty
/// FOLDER/shards/0000012.json           its record, written last: the shard is done when this file is there
/// FOLDER/claims/0000012.claim          the lock of the process that does it, and then its times
/// ```
/// What is under `shards` depends only on the job: not on who did a shard, when, or how often it was interrupted.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quarry/error.hpp"

#pragma GCC visibility push(default)
namespace quarry {

/// Takes what a shard finds.
class ShardSink {
 public:
  virtual ~ShardSink() = default;
  /// Appends to the text of an output, which is that of JobPlan::outputs at this place.
  virtual void write(int output, std::string_view text) = 0;
  /// Sets a number of the shard, or a list of them: decimal digits and blanks, of any length.
  virtual void set(const std::string& name, const std::string& number) = 0;
};

/// A file that decides the answer.
struct JobInput {
  std::string path;  ///< as it was named
  Index bytes = 0;
  Index modified = 0;         ///< nanoseconds since 1970
  std::string checksum = {};  ///< of all bytes
};

/// What decides the answer of a job.
struct JobPlan {
  Index num_shards = 0;              ///< 0: `prepare` of Job::make chooses
  std::string version;               ///< of the program that does it
  std::vector<std::string> command;  ///< verb and arguments
  std::string directory;             ///< in which relative names of the command are meant
  std::vector<JobInput> inputs = {};
  std::vector<std::string> outputs = {};          ///< name and format of each text: "rows.tsv"
  std::map<std::string, std::string> notes = {};  ///< whatever else shards need to know
};

/// What a finished shard says of itself.
struct ShardRecord {
  struct Text {
    Index bytes = 0;       ///< before compression
    std::string checksum;  ///< size and checksum of the file; empty where the text is empty, which has no file
  };
  std::vector<Text> texts;                     ///< [outputs]
  std::map<std::string, std::string> numbers;  ///< decimal digits and blanks
};

/// Who does a shard, or did it, and when.
struct ShardClaim {
  std::string host;
  Index process = 0;
  double began = 0;                ///< seconds since 1970, by the clock of that host
  double seconds = 0;              ///< that it took; 0 while it is being done
  std::string process_space = {};  ///< what the number of the process belongs to: host, its start, container
  Index process_start = 0;         ///< when the process began, since its host started
};

/// How long a claim without a sign of life is respected where the caller says nothing else.
inline constexpr double kClaimSeconds = 60;

/// A folder with a job. Move-only; one thread at a time.
class Job {
 public:
  /// Makes the folder, where it is not there, and writes job.json last. `prepare` may write more files into the folder
  /// and change the plan before.
  /// @throws InputError   the folder holds a job, or no shard is wanted. @throws SystemError
  [[nodiscard]] static Job make(const std::string& folder, JobPlan plan,
                                const std::function<void(JobPlan&)>& prepare = {});
  /// @throws InputError  there is no job, or its description is damaged
  [[nodiscard]] static Job open(const std::string& folder);
  Job(Job&&) noexcept;
  Job& operator=(Job&&) noexcept;
  ~Job();

  const JobPlan& plan() const;
  const std::string& folder() const;  ///< absolute

  /// @throws InputError  an input, or the version of the program, is not that of the plan: names the first
  void check_unchanged(const std::string& version) const;

  bool is_done(Index shard) const;
  std::vector<Index> missing() const;
  /// What an earlier run of `work` has said of a shard; nothing where nobody has begun it.
  std::optional<ShardClaim> claim(Index shard) const;
  /// Whether the claim of a shard is that of a process of this host that is no more.
  bool is_abandoned(const ShardClaim& claim) const;

  /// Does one shard whoever has claimed it, unless it is done: calls `search`, and then writes the shard.
  /// @return  false where it was done already
  bool work(Index shard, const std::function<void(ShardSink&)>& search);
  /// Does what is missing and nobody else does, until every shard is done. Claims of dead processes of this host are
  /// taken over at once, others after `claim_seconds` without a sign of life.
  /// @return  number of shards that were done here
  /// @throws InputError  of some shards, which are named; all others are done
  Index work_all(const std::function<void(Index shard, ShardSink&)>& search, double claim_seconds = kClaimSeconds);

  /// @throws InputError  the shard is missing, damaged, or not of this job
  ShardRecord record(Index shard) const;
  /// The file of that record.
  std::string record_path(Index shard) const;
  /// Checks all shards before anything is merged.
  /// @throws InputError  shards are missing, damaged, or not of this job
  std::vector<ShardRecord> records() const;
  /// The file of one of its texts, compressed; there is none where the text is empty.
  std::string text_path(Index shard, int output) const;
  /// The text of one output, of all shards in order. @throws InputError  as `record`
  void read(int output, const std::function<void(std::string_view)>& sink) const;

 private:
  struct Impl;
  explicit Job(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// "17,203,2290-2295" for ascending numbers, as `sbatch --array` takes it; empty where there is none.
[[nodiscard]] std::string array_text(const std::vector<Index>& numbers);

/// Where shard `shard` of `num_shards` begins among `size` items, and, for `shard == num_shards`, their end.
/// @param cuts  places, ascending, at which a cut costs nothing: one that is near is taken, and no shard becomes empty
[[nodiscard]] Index shard_begin(Index shard, Index num_shards, Index size, const std::vector<Index>& cuts = {});

/// An input as it is now; a folder is all files in it. @throws InputError  it cannot be read
[[nodiscard]] std::vector<JobInput> job_inputs(const std::string& path);

}  // namespace quarry
#pragma GCC visibility pop
