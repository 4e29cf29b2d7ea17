/// A device emulated on the host: memory of its own, and teams of several threads with real barriers.
///
/// It runs what a device would run, scalar kernels in teams of several lanes on copies of the data, where tests and
/// ThreadSanitizer can watch. Fresh memory and scratch hold garbage, as on a device. Compiled in builds with tests.
#pragma once
#include <atomic>
#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <thread>
#include <vector>

#include "exec/buffer.hpp"
#include "exec/device/shared_team.hpp"

namespace quarry {

inline constexpr std::byte kGarbage{0xA5};

/// What the lanes of a team meet at. Lanes that wait for one that has left the kernel would wait for ever: a kernel whose
/// lanes do not all call the same barriers ends the program with a sentence instead.
class LaneGate {
 public:
  explicit LaneGate(int lanes) : barrier_(lanes, Opened{this}) {}
  void wait() {
    ++num_waiting_;
    if (num_left_ > 0) fail();
    barrier_.arrive_and_wait();
  }
  /// Called by each lane when it is done.
  void leave() {
    ++num_left_;
    if (num_waiting_ > 0) fail();
  }

 private:
  /// Called by the last lane that arrives, before any of them goes on.
  struct Opened {
    LaneGate* gate;
    void operator()() const noexcept { gate->num_waiting_ = 0; }
  };
  [[noreturn]] static void fail() {
    std::fputs("a kernel hangs: lanes of a team wait at a barrier that others never reach\n", stderr);
    std::abort();
  }

  std::barrier<Opened> barrier_;
  std::atomic<int> num_waiting_ = 0, num_left_ = 0;
};

struct ThreadBarrier {
  LaneGate* gate;
  void wait() const { gate->wait(); }
};
static_assert(Team<SharedTeam<ThreadBarrier>>);

namespace detail {
/// `body(rank)` for every lane, each on a thread of its own.
template <class Body>
void on_lanes(int lanes, Body&& body) {
  std::vector<std::thread> others;
  for (int rank = 1; rank < lanes; ++rank) others.emplace_back(body, rank);
  body(0);
  for (std::thread& other : others) other.join();
}
inline void fill_with_garbage(View<std::byte> memory) {
  for (std::byte& byte : memory) byte = kGarbage;
}
}  // namespace detail

/// The lanes take turns at the items.
template <class Kernel>
void launch_items(Queue& queue, Index n, const Kernel& kernel) {
  const int lanes = queue.lanes();
  detail::on_lanes(lanes, [&](int rank) {
    for (Index i = rank; i < n; i += lanes) kernel(i);
  });
}

template <class Kernel>
void launch_teams(Queue& queue, Index n, const TeamShape& shape, const Kernel& kernel) {
  Queue host;
  if (shape.threads == 1) {
    const int lanes = queue.lanes();
    detail::on_lanes(lanes, [&](int rank) {
      Queue own;
      Buffer<std::byte> scratch(own, shape.scratch_bytes);
      HostTeam team(scratch.view());
      for (Index i = rank; i < n; i += lanes) {
        detail::fill_with_garbage(scratch.view());
        kernel(team, i);
      }
    });
    return;
  }
  Buffer<std::byte> scratch(host, shape.scratch_bytes);
  std::vector<Index> row(shape.threads);
  LaneGate gate(shape.threads);
  detail::on_lanes(shape.threads, [&](int rank) {
    SharedTeam<ThreadBarrier> team(rank, shape.threads, row.data(), scratch.view(), {&gate});
    for (Index i = 0; i < n; ++i) {
      if (rank == 0) detail::fill_with_garbage(scratch.view());
      team.barrier();
      kernel(team, i);
      team.barrier();
    }
    gate.leave();
  });
}

/// Teams run one after the other; a device that has two at work at once is enough to test with.
template <class Kernel>
Index resident_teams(const Queue&, const TeamShape&) {
  return 2;
}

}  // namespace quarry
