#include "exec/queue.hpp"

#include <algorithm>

namespace quarry {

void Queue::finish() {
  if (on_host()) return;
  for (const Stream::Time& time : stream_->finish()) record(time.launch, time.seconds);
}

void Queue::record(const LaunchLabel& launch, double seconds) {
  const auto same = [&](const LaunchTime& time) { return time.name == launch.name && time.stage == launch.stage; };
  auto entry = std::ranges::find_if(launch_times_, same);
  if (entry == launch_times_.end()) entry = launch_times_.insert(entry, LaunchTime{launch.name, launch.stage, 0, 0});
  ++entry->launches;
  entry->seconds += seconds;
}

}  // namespace quarry
