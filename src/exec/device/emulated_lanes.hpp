/// The lanes of a team of the emulated device, and the barrier at which they meet.
///
/// They take turns on one thread: each runs until it waits or is done. So a barrier costs no sleep, and a test does the same
/// each time. Builds for ThreadSanitizer give each lane a thread, and so it sees what they do to each other.
#pragma once
#ifdef QUARRY_LANE_THREADS
#include <pthread.h>

#include <atomic>
#include <thread>
#include <vector>
#else
#include <ucontext.h>

#include <functional>
#include <memory>
#include <vector>
#endif
#ifdef QUARRY_ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace quarry {

/// Lanes that wait for one that has left the kernel would wait for ever: the program ends with a sentence instead.
[[noreturn]] inline void fail_for_skipped_barrier() {
  std::fputs("a kernel hangs: lanes of a team wait at a barrier that others never reach\n", stderr);
  std::abort();
}

#ifdef QUARRY_LANE_THREADS

class Lanes {
 public:
  explicit Lanes(int count) : count_(count) { pthread_barrier_init(&barrier_, nullptr, count); }
  ~Lanes() { pthread_barrier_destroy(&barrier_); }
  Lanes(const Lanes&) = delete;
  Lanes& operator=(const Lanes&) = delete;

  /// `body(rank)` for every lane; returns when all have.
  template <class Body>
  void run(Body&& body) {
    const auto lane = [&](int rank) {
      body(rank);
      ++num_left_;
      if (num_arrived_ % count_ != 0) fail_for_skipped_barrier();
    };
    std::vector<std::thread> others;
    for (int rank = 1; rank < count_; ++rank) others.emplace_back(lane, rank);
    lane(0);
    for (std::thread& other : others) other.join();
  }

  /// Called by a lane: returns when every lane has called it.
  void wait() {
    ++num_arrived_;
    if (num_left_ > 0) fail_for_skipped_barrier();
    pthread_barrier_wait(&barrier_);
  }

 private:
  int count_;
  // PERF: std::barrier spins before it sleeps, and 64 lanes on two cores spin most of the time.
  pthread_barrier_t barrier_;
  std::atomic<std::int64_t> num_arrived_ = 0;  ///< at all barriers so far
  std::atomic<int> num_left_ = 0;
};

#else

class Lanes {
 public:
  explicit Lanes(int count) : count_(count), lanes_(count) {}

  /// `body(rank)` for every lane; returns when all have.
  template <class Body>
  void run(Body&& body) {
    body_ = std::ref(body);
    for (int rank = 0; rank < count_; ++rank) prepare(rank);
    for (int num_done = 0; num_done < count_;) {
      num_done = 0;
      for (running_ = 0; running_ < count_; ++running_) {
        active_ = this;
        run_on(home_, lanes_[running_]);
        num_done += lanes_[running_].is_done ? 1 : 0;
      }
      if (num_done > 0 && num_done < count_) fail_for_skipped_barrier();
    }
  }

  /// Called by a lane: returns when every lane has called it.
  void wait() { run_on(lanes_[running_], home_); }

 private:
  struct Lane {
    ucontext_t context;
    const void* stack = nullptr;
    std::size_t stack_bytes = 0;
    bool is_done = false;
  };
  static constexpr std::size_t kStackBytes = std::size_t{1} << 18;

  void prepare(int rank) {
    static thread_local std::vector<std::unique_ptr<std::byte[]> > stacks;
    while (std::ssize(stacks) <= rank) stacks.push_back(std::make_unique_for_overwrite<std::byte[]>(kStackBytes));
    lanes_[rank].is_done = false;
    lanes_[rank].stack = stacks[rank].get();
    lanes_[rank].stack_bytes = kStackBytes;
    ucontext_t& context = lanes_[rank].context;
    getcontext(&context);
    context.uc_stack.ss_sp = stacks[rank].get();
    context.uc_stack.ss_size = kStackBytes;
    context.uc_link = &home_.context;
    makecontext(&context, enter, 0);
  }
  /// Stops `here` and goes on with `there`, until another does the same the other way.
  static void run_on(Lane& here, Lane& there) {
#ifdef QUARRY_ADDRESS_SANITIZER  // which wants to know whose stack it looks at
    void* frames = nullptr;
    __sanitizer_start_switch_fiber(&frames, there.stack, there.stack_bytes);
    swapcontext(&here.context, &there.context);
    __sanitizer_finish_switch_fiber(frames, &there.stack, &there.stack_bytes);
#else
    swapcontext(&here.context, &there.context);
#endif
  }
  /// Where a lane begins.
  static void enter() noexcept {
    Lanes& lanes = *active_;
    Lane& lane = lanes.lanes_[lanes.running_];
#ifdef QUARRY_ADDRESS_SANITIZER
    __sanitizer_finish_switch_fiber(nullptr, &lanes.home_.stack, &lanes.home_.stack_bytes);
#endif
    lanes.body_(lanes.running_);
    lane.is_done = true;
#ifdef QUARRY_ADDRESS_SANITIZER
    __sanitizer_start_switch_fiber(nullptr, lanes.home_.stack, lanes.home_.stack_bytes);
#endif
  }

  inline static thread_local Lanes* active_ = nullptr;  ///< whose lane runs

  int count_, running_ = 0;
  std::vector<Lane> lanes_;
  std::function<void(int)> body_;
  Lane home_;  ///< `run` itself
};

#endif

}  // namespace quarry
