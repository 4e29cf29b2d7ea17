/// Kernels that stay on a device while the host feeds them.
///
/// All teams of such a launch are at work at once, and each makes progress whatever the others do, so that they may wait for
/// each other and for the host. CUDA and HIP promise that of a cooperative launch, SYCL promises it of none.
#pragma once
#include <thread>
#include <vector>

#include "exec/queue.hpp"

namespace quarry {

/// A launch that stays (`start_teams` in exec/launch.hpp). Its kernel must be told to end before `wait`.
class Resident {
 public:
  Resident() = default;
  /// @param teams  of an emulated device: a thread each
  explicit Resident(std::vector<std::thread> teams) : teams_(std::move(teams)) {}

  /// Until every team has ended. @throws DeviceError  the launch failed
  void wait(Queue& queue) {
    for (std::thread& team : teams_) team.join();
    teams_.clear();
    queue.finish();
  }

 private:
  std::vector<std::thread> teams_;
};

}  // namespace quarry
