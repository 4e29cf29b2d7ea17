/// The files of one shard: its texts, compressed, and its record, which is written last.
#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "quarry/files/output.hpp"
#include "quarry/job.hpp"

namespace quarry::cluster {

/// Where the files of the shards of a job are.
struct ShardFolder {
  std::filesystem::path folder;
  std::string job;                   ///< checksum of the job's description
  std::vector<std::string> outputs;  ///< as JobPlan::outputs

  std::filesystem::path record_path(Index shard) const;
  std::filesystem::path text_path(Index shard, std::size_t output) const;
  /// @throws InputError  as Job::record
  ShardRecord read(Index shard) const;
};

/// Receives a shard. Without `finish`, leaves nothing behind.
class ShardFiles final : public ShardSink {
 public:
  /// @throws SystemError  the folder cannot be written
  ShardFiles(const ShardFolder& place, Index shard);
  void write(int output, std::string_view text) override;
  void set(const std::string& name, const std::string& number) override { record_.numbers[name] = number; }
  void finish();

 private:
  void write_record();

  const ShardFolder& place_;
  Index shard_;
  std::vector<std::optional<Output>> files_;
  ShardRecord record_;
};

}  // namespace quarry::cluster
