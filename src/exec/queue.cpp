#include "exec/queue.hpp"

#include <algorithm>

namespace quarry {

void Queue::finish() {
  if (on_host()) return;
  for (const LaunchTime& time : stream_->finish()) record(time);
}

void Queue::record(const LaunchTime& time) {
  const auto same = std::ranges::find(launch_times_, time.label, &LaunchTime::label);
  if (same == launch_times_.end()) return launch_times_.push_back(time);
  same->launches += time.launches;
  same->seconds += time.seconds;
}

}  // namespace quarry
