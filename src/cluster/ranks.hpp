/// The processes of one `mpirun`, which do the units of a job together. In a build without MPI there is one.
#pragma once
#include <functional>
#include <string>

#include "quarry/job.hpp"

namespace quarry::cluster {

class Ranks {
 public:
  /// Starts MPI, where mpirun has started this process.
  Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  ~Ranks();  ///< ends it

  int rank() const { return rank_; }
  int size() const { return size_; }

  /// Calls `work` on all ranks. @throws InputError  on rank 0, with what the first rank says that failed; the others
  /// return false then
  bool together(const std::function<void()>& work) const;
  /// All ranks take units from one counter, and `search` each; rank 0 keeps what they find as shards of its job.
  /// @throws InputError  as `together`
  bool run(Job& job, const std::function<void(Index unit, ShardSink& sink)>& search);

 private:
  int rank_ = 0, size_ = 1;
};

}  // namespace quarry::cluster
