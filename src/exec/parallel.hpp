/// Host threads, over oneTBB: loops over ranges, an ordered pipeline of batches, and work beside the caller.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "quarry/error.hpp"

namespace quarry {

/// Threads the machine offers this process.
int available_threads();

/// `threads`, but never more than the machine offers, and all of those where it is 0. @throws InputError  negative
int resolve_threads(int threads);

namespace detail {
void parallel_for_range(int threads, Index n, Index grain, const std::function<void(Index, Index)>& body);
void parallel_for_each(int threads, Index n, const std::function<void(Index)>& body);
void run_pipeline(int threads, Index num_slots, const std::function<bool(Index)>& next,
                  const std::function<void(Index)>& work, const std::function<void(Index)>& deliver,
                  const std::function<bool()>& again);
}  // namespace detail

/// `body(begin, end)` over pieces of [0, n) of about `grain`; threads 1 runs on the caller, 0 means all cores.
template <class Body>
void parallel_for_range(int threads, Index n, Index grain, Body&& body) {
  if (threads == 1 || n <= grain) {
    if (n > 0) body(Index{0}, n);
  } else {
    detail::parallel_for_range(threads, n, grain, body);
  }
}

/// `body(i)` for every i in [0, n), each as a task of its own, which a thread without work can take.
template <class Body>
void parallel_for_each(int threads, Index n, Body&& body) {
  if (threads == 1 || n <= 1) {
    for (Index i = 0; i < n; ++i) body(i);
  } else {
    detail::parallel_for_each(threads, n, body);
  }
}

/// Work that flows through a fixed set of slots, so that memory stays flat: `next(slot)` fills one at a time and
/// returns false at the end, `work(slot)` runs on up to `threads` at once, `deliver(slot)` takes them one at a time
/// in the order they were filled. An exception of any stage ends the run and is thrown here.
/// @param again  called at the end, when all slots are delivered; where it returns true, the same threads begin anew
template <class Slot, class Next, class Work, class Deliver>
void run_pipeline(
    int threads, std::vector<Slot>& slots, Next&& next, Work&& work, Deliver&& deliver,
    const std::function<bool()>& again = [] { return false; }) {
  detail::run_pipeline(
      threads, std::ssize(slots), [&](Index i) { return next(slots[i]); }, [&](Index i) { work(slots[i]); },
      [&](Index i) { deliver(slots[i]); }, again);
}

/// Work that goes on while its owner does something else. Its loops have `threads` - 1 threads, and the owner's as well once
/// it waits.
class BackgroundWork {
 public:
  /// @param threads  as for loops; with one, the owner does the work when it waits
  explicit BackgroundWork(int threads);
  /// Waits, but loops of the work begin no further pieces.
  ~BackgroundWork();

  /// To be called when none is begun.
  void begin(std::function<void()> work);
  bool is_begun() const { return is_begun_; }
  /// Waits until the work is done. @throws  what it threw. @throws SystemError  the parent of this process began it
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  bool is_begun_ = false;
};

}  // namespace quarry
