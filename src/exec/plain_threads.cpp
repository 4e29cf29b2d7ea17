#include "exec/plain_threads.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "exec/parallel.hpp"

namespace quarry::plain_threads {
namespace {

/// Runs `work` on `threads` threads at once, one of them the caller. An exception of any calls `stop` and is thrown here.
void run_on_threads(int threads, const std::function<void()>& work, const std::function<void()>& stop) {
  std::exception_ptr first;
  std::mutex mutex;
  const auto guarded = [&] {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!first) first = std::current_exception();
      stop();
    }
  };
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(guarded);
  guarded();
  for (std::thread& other : others) other.join();
  if (first) std::rethrow_exception(first);
}

/// The order of tokens: taken one at a time, at most `num_slots` at once, delivered as they were taken.
class TokenOrder {
 public:
  explicit TokenOrder(Index num_slots) : num_slots_(num_slots) {}

  /// Calls `next(slot)`. @return the token, or -1 at the end
  Index take(const std::function<bool(Index)>& next) {
    const std::lock_guard taking(taking_);
    if (!wait([&] { return taken_ - delivered_ < num_slots_; }) || ended_) return -1;
    ended_ = true;  // and stays so where `next` throws: another thread may be here before `stop`
    ended_ = !next(slot_of(taken_));
    return ended_ ? -1 : taken_++;
  }
  void deliver(Index token, const std::function<void(Index)>& deliver) {
    if (!wait([&] { return delivered_ == token; })) return;
    deliver(slot_of(token));
    {
      const std::lock_guard lock(mutex_);
      ++delivered_;
    }
    changed_.notify_all();
  }
  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_all();
  }
  Index slot_of(Index token) const { return token % num_slots_; }

 private:
  /// @return false where the run was stopped
  template <class Condition>
  bool wait(Condition&& condition) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ || condition(); });
    return !stopped_;
  }

  const Index num_slots_;
  std::mutex taking_;  ///< guards the first two
  Index taken_ = 0;
  bool ended_ = false;
  std::mutex mutex_;  ///< guards the other two, whose changes are signalled
  std::condition_variable changed_;
  Index delivered_ = 0;
  bool stopped_ = false;
};

}  // namespace

void parallel_for_range(int threads, Index n, Index grain, const std::function<void(Index, Index)>& body) {
  std::atomic<Index> next{0};
  const auto work = [&] {
    for (Index begin = next.fetch_add(grain); begin < n; begin = next.fetch_add(grain)) {
      body(begin, std::min(begin + grain, n));
    }
  };
  run_on_threads(resolve_threads(threads), work, [&] { next = n; });
}

void run_pipeline(int threads, Index num_slots, const std::function<bool(Index)>& next,
                  const std::function<void(Index)>& work, const std::function<void(Index)>& deliver,
                  const std::function<bool()>& again) {
  do {
    TokenOrder order(num_slots);
    const auto flow = [&] {
      for (Index token = order.take(next); token >= 0; token = order.take(next)) {
        work(order.slot_of(token));
        order.deliver(token, deliver);
      }
    };
    run_on_threads(resolve_threads(threads), flow, [&] { order.stop(); });
  } while (again());
}

}  // namespace quarry::plain_threads
