#include "watch/arrivals.hpp"

#include <algorithm>
#include <utility>

namespace quarry::watch {
namespace {

constexpr Clock::time_point kForever = Clock::time_point::max();
/// So long nobody hears that a run is broken off, where no update comes.
constexpr auto kLook = std::chrono::milliseconds(50);

Clock::duration milliseconds(double number) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double, std::milli>(number));
}

}  // namespace

Arrivals::Arrivals(const Options& options)
    : batch_size_(std::max<Index>(1, options.fixed_batch > 0 ? options.fixed_batch : options.batch)),
      wait_(options.fixed_batch > 0 ? Clock::duration::max() : milliseconds(options.wait_ms)) {}

bool Arrivals::receive(UpdateSource& source, const std::atomic<bool>& broken) {
  Batch batch = std::move(spare_);
  batch.begin = end_;
  batch.updates.clear();
  GraphUpdate update;
  Clock::time_point deadline = kForever, first = {};
  while (std::ssize(batch.updates) < batch_size_) {
    const auto next = source.next(update, batch.updates.empty() ? Clock::now() + kLook : deadline);
    if (next == UpdateSource::Next::nothing_yet && batch.updates.empty() && !broken) continue;
    if (next != UpdateSource::Next::update) break;
    if (batch.updates.empty()) {
      first = Clock::now();
      if (wait_ != Clock::duration::max()) deadline = first + wait_;
    }
    if (update.arrival == Clock::time_point{}) update.arrival = first;
    batch.updates.push_back(update);
  }
  if (batch.updates.empty()) return false;
  end_ = batch.end();
  const std::lock_guard lock(mutex_);
  batches_.push_back(std::move(batch));
  return true;
}

std::span<const GraphUpdate> Arrivals::take(Index most) {
  const auto updates = some_from(taken_, taken_ + most);
  taken_ += std::ssize(updates);
  return updates;
}

std::span<const GraphUpdate> Arrivals::some_from(Index begin, Index end) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::upper_bound(batches_, begin, {}, &Batch::end);
  if (found == batches_.end()) return {};
  const Index first = begin - found->begin;
  return std::span(found->updates).subspan(first, std::min(end, found->end()) - begin);
}

void Arrivals::forget(Index position) {
  const std::lock_guard lock(mutex_);
  while (!batches_.empty() && batches_.front().end() <= position) {
    spare_ = std::move(batches_.front());
    batches_.pop_front();
  }
}

}  // namespace quarry::watch
