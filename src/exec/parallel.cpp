/// Host threads: how many, and loops, pipelines and background work over oneTBB.
#include "exec/parallel.hpp"

#include <pthread.h>
#include <tbb/blocked_range.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "exec/plain_threads.hpp"
#include "util/memory/thread_heap.hpp"

namespace quarry {
namespace {

/// Says whether oneTBB can be used here. A child after fork has none of its threads, but the locks that they held.
class TbbUse {
 public:
  TbbUse() {
    pthread_atfork(nullptr, nullptr, [] { is_lost = is_used.load(); });
  }
  /// @return false: the caller must take plain threads
  static bool begin() {
#ifdef QUARRY_PLAIN_THREADS
    // Debian's oneTBB is not instrumented, so every hand-over between threads in it would be reported as a race.
    return false;
#else
    is_used.store(true, std::memory_order_relaxed);
    return !is_lost.load(std::memory_order_relaxed);
#endif
  }

 private:
  static inline std::atomic<bool> is_used = false, is_lost = false;
};
const TbbUse tbb_use;

/// Runs on so many threads: those that the caller works with, if there are as many, which are awake; else on new ones.
template <class Body>
void execute(int threads, const Body& body) {
  const bool is_inside = tbb::this_task_arena::current_thread_index() != tbb::task_arena::not_initialized;
  if (is_inside && tbb::this_task_arena::max_concurrency() == threads)
    tbb::this_task_arena::isolate(body);
  else
    tbb::task_arena(threads).execute(body);
}

}  // namespace

int available_threads() { return tbb::info::default_concurrency(); }

int resolve_threads(int threads) {
  if (threads < 0) throw InputError("threads must be 0 (all cores) or more, not " + std::to_string(threads));
  // More threads than cores only cost memory, and oneTBB would warn of them on standard error.
  return threads == 0 ? available_threads() : std::min(threads, available_threads());
}

namespace detail {

void parallel_for_range(int threads, Index n, Index grain, const std::function<void(Index, Index)>& body) {
  if (!tbb_use.begin()) return plain_threads::parallel_for_range(threads, n, grain, body);
  execute(resolve_threads(threads), [&] {
    tbb::parallel_for(tbb::blocked_range<Index>(0, n, grain), [&](const tbb::blocked_range<Index>& range) {
      prepare_thread_heap();
      body(range.begin(), range.end());
    });
  });
}

void parallel_for_each(int threads, Index n, const std::function<void(Index)>& body) {
  const auto each = [&](Index begin, Index end) {
    prepare_thread_heap();
    for (Index i = begin; i < end; ++i) body(i);
  };
  if (!tbb_use.begin()) return plain_threads::parallel_for_range(threads, n, 1, each);
  execute(resolve_threads(threads), [&] {
    tbb::parallel_for(
        tbb::blocked_range<Index>(0, n),
        [&](const tbb::blocked_range<Index>& range) { each(range.begin(), range.end()); }, tbb::simple_partitioner());
  });
}

void run_pipeline(int threads, Index num_slots, const std::function<bool(Index)>& next,
                  const std::function<void(Index)>& work, const std::function<void(Index)>& deliver,
                  const std::function<bool()>& again) {
  const int concurrency = resolve_threads(threads);
  if (concurrency == 1) {
    do {
      while (next(0)) {
        work(0);
        deliver(0);
      }
    } while (again());
    return;
  }
  if (!tbb_use.begin()) return plain_threads::run_pipeline(threads, num_slots, next, work, deliver, again);
  // Tokens end in order and at most `num_slots` live at once, so token t may use slot t modulo `num_slots`.
  execute(concurrency, [&] {
    using tbb::filter_mode;
    Index token = 0;
    const auto source = tbb::make_filter<void, Index>(filter_mode::serial_in_order, [&](tbb::flow_control& flow) {
      const Index slot = token++ % num_slots;
      if (!next(slot)) flow.stop();
      return slot;
    });
    const auto middle = tbb::make_filter<Index, Index>(filter_mode::parallel, [&](Index slot) {
      prepare_thread_heap();
      work(slot);
      return slot;
    });
    const auto sink = tbb::make_filter<Index, void>(filter_mode::serial_in_order, [&](Index slot) { deliver(slot); });
    do {
      token = 0;
      tbb::parallel_pipeline(num_slots, source & middle & sink);
    } while (again());
  });
}

}  // namespace detail

/// On threads of oneTBB, or on a thread of its own in place of these.
struct BackgroundWork::Impl {
  explicit Impl(int num_threads) : threads(num_threads) {}

  const int threads;
  std::function<void()> work;
  pid_t process = 0;  ///< that began the last work on other threads
  std::optional<tbb::task_arena> arena;
  std::optional<tbb::task_group> group;
  std::thread plain;
  std::exception_ptr failure;  ///< of the plain thread

  /// A child after fork has none of the threads that work, and what it would wait for never comes.
  bool is_of_parent() const { return process != 0 && process != ::getpid(); }
  void begin();
  void finish();
  void stop();
};

void BackgroundWork::Impl::begin() {
  if (threads == 1) return;
  process = ::getpid();
  if (!tbb_use.begin()) {
    plain = std::thread([this] {
      try {
        work();
      } catch (...) {
        failure = std::current_exception();
      }
    });
    return;
  }
  if (!arena) arena.emplace(threads);
  arena->execute([&] {
    if (!group) group.emplace();
    group->run([this] { work(); });
  });
}

void BackgroundWork::Impl::finish() {
  if (threads == 1) {
    work();
  } else if (plain.joinable()) {
    plain.join();
    if (failure) std::rethrow_exception(std::exchange(failure, {}));
  } else {
    arena->execute([&] { group->wait(); });
  }
}

void BackgroundWork::Impl::stop() {
  if (plain.joinable()) return plain.join();
  if (!group) return;
  arena->execute([&] {
    group->cancel();
    group->wait();
  });
}

BackgroundWork::BackgroundWork(int threads) : impl_(std::make_unique<Impl>(resolve_threads(threads))) {}

BackgroundWork::~BackgroundWork() {
  if (impl_->is_of_parent())
    static_cast<void>(impl_.release());
  else if (is_begun_)
    impl_->stop();
}

void BackgroundWork::begin(std::function<void()> work) {
  if (impl_->is_of_parent()) {
    const int threads = impl_.release()->threads;
    impl_ = std::make_unique<Impl>(threads);
  }
  impl_->work = std::move(work);
  impl_->begin();
  is_begun_ = true;
}

void BackgroundWork::finish() {
  if (impl_->is_of_parent()) throw SystemError("what the parent process has begun cannot be finished in a child");
  is_begun_ = false;
  impl_->finish();
}

}  // namespace quarry
