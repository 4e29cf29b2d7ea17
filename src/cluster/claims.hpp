/// Claims: lock files that say which process does a shard, so that others do another one.
///
/// A claim only saves work. Two processes that do the same shard write the same files, so nothing is lost where a claim
/// is taken from a process that lives on. Its age is measured by the clock of whoever waits, from the moment when it
/// was first seen as it is: clocks of several machines, and clocks that jump, do not matter.
#pragma once
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "quarry/job.hpp"

namespace quarry::cluster {

class Claims {
 public:
  /// @param folder  of the claims; made when the first one is written
  explicit Claims(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::optional<ShardClaim> read(Index shard) const;
  /// Whether its process was one of this host, and is no more.
  bool is_abandoned(const ShardClaim& claim) const;
  /// Claims the shard for this process, unless another one has it.
  /// @return  false where that may be alive
  bool take(Index shard, double claim_seconds);
  /// Claims the shard whoever has it.
  void seize(Index shard);
  /// Writes how long this process took.
  void finish(Index shard, double seconds);
  std::filesystem::path path(Index shard) const;

 private:
  using Clock = std::chrono::steady_clock;
  /// A claim of another process: its file as it was first seen, and when.
  struct Sighting {
    std::string state;
    Clock::time_point since;
  };
  void write(Index shard, const ShardClaim& claim) const;
  std::string state(Index shard) const;
  bool may_take(Index shard, double claim_seconds);

  std::filesystem::path folder_;
  std::map<Index, Sighting> seen_;
};

/// While it exists, the claim of a shard shows signs of life.
class Heartbeat {
 public:
  /// @param path  of the claim
  Heartbeat(std::filesystem::path path, double claim_seconds);

 private:
  std::jthread thread_;
};

/// "0000/0000012": where the files of a shard are, so that no folder has too many.
std::string shard_name(Index shard);

}  // namespace quarry::cluster
