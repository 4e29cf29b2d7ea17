#include "exec/queue.hpp"

#include <algorithm>

namespace quarry {

void Queue::finish() {
  if (on_host()) return;
  for (const Stream::Time& time : stream_->finish()) record(time.name, time.seconds);
}

void Queue::record(std::string_view name, double seconds) {
  auto entry = std::ranges::find(launch_times_, name, &LaunchTime::name);
  if (entry == launch_times_.end()) entry = launch_times_.insert(launch_times_.end(), LaunchTime{name, 0, 0});
  ++entry->launches;
  entry->seconds += seconds;
}

}  // namespace quarry
