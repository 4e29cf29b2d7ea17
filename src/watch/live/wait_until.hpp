/// Waiting that may have no deadline, which std::condition_variable::wait_until cannot express.
#pragma once
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace quarry::watch {

/// @param deadline  the latest time there is: none
/// @return          what `is_ready` says at the end
template <class IsReady>
bool wait_until(std::condition_variable& changed, std::unique_lock<std::mutex>& lock,
                std::chrono::steady_clock::time_point deadline, const IsReady& is_ready) {
  if (deadline != std::chrono::steady_clock::time_point::max()) return changed.wait_until(lock, deadline, is_ready);
  changed.wait(lock, is_ready);
  return true;
}

}  // namespace quarry::watch
