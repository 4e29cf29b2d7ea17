/// The execution layer: memory, launches and their times, teams, ranges over threads, and the ordered pipeline.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>

#include "exec/launch.hpp"
#include "support/temporary_folder.hpp"

namespace quarry {
namespace {

constexpr std::array kThreads = {1, 4};

bool is_aligned(const void* data) { return reinterpret_cast<std::uintptr_t>(data) % 64 == 0; }

TEST(View, BorrowsARunAndItsParts) {
  std::vector<int> values = {1, 2, 3, 4, 5};
  const View<int> view = view_of(values);
  view[1] = 20;
  EXPECT_EQ(values[1], 20);
  EXPECT_EQ(view.size(), 5);
  EXPECT_EQ(std::accumulate(view.begin(), view.end(), 0), 33);

  const View<const int> part = view.part(1, 3);
  EXPECT_EQ(part.data(), values.data() + 1);
  EXPECT_EQ(std::vector<int>(part.begin(), part.end()), (std::vector<int>{20, 3, 4}));
  EXPECT_EQ(view.part(5, 0).size(), 0);
}

TEST(View, IsEmptyByDefault) {
  const View<double> view;
  EXPECT_EQ(view.size(), 0);
  EXPECT_EQ(view.begin(), view.end());
  const std::vector<std::uint64_t> nothing;
  EXPECT_EQ(view_of(nothing).size(), 0);
}

TEST(Buffer, StartsOnACacheLineAtEverySize) {
  Queue queue;
  EXPECT_EQ(Buffer<char>().size(), 0);
  for (const Index size : {1, 2, 63, 64, 65, 1000, 4097}) {
    EXPECT_TRUE(is_aligned(Buffer<char>(queue, size).view().data())) << size;
    EXPECT_TRUE(is_aligned(Buffer<std::uint64_t>(queue, size).view().data())) << size;
  }
}

TEST(Buffer, KeepsItsMemoryUntilItMustGrow) {
  Queue queue;
  Buffer<std::uint64_t> buffer(queue, 100);
  const std::uint64_t* memory = buffer.view().data();
  buffer.view()[9] = 42;
  for (const Index size : {10, 0, 100}) {
    buffer.resize(queue, size);
    EXPECT_EQ(buffer.size(), size);
    EXPECT_EQ(buffer.view().size(), size);
    EXPECT_EQ(buffer.view().data(), memory) << size;
  }
  EXPECT_EQ(buffer.view()[9], 42U);

  buffer.resize(queue, 1000);
  EXPECT_EQ(buffer.size(), 1000);
  for (Index i = 0; i < 1000; ++i) buffer.view()[i] = static_cast<std::uint64_t>(i);
  const auto& borrowed = buffer;
  EXPECT_EQ(borrowed.view()[999], 999U);
}

TEST(Buffer, UploadsAndClears) {
  Queue queue;
  Buffer<int> buffer;
  for (const std::vector<int>& values : {std::vector<int>{3, 1, 2}, {}, {7}, {9, 8, 7, 6, 5}}) {
    buffer.upload(queue, values);
    EXPECT_EQ(std::vector<int>(buffer.view().begin(), buffer.view().end()), values);
  }
  buffer.fill_zero(queue);
  EXPECT_EQ(std::vector<int>(buffer.view().begin(), buffer.view().end()), std::vector<int>(5, 0));
  Buffer<int>().fill_zero(queue);
}

TEST(Buffer, NamesTheBytesItCannotHave) {
  Queue queue;
  Buffer<std::uint64_t> buffer(queue, 4);
  const auto message = test::message_of<CapacityError>([&] { buffer.resize(queue, Index{1} << 56); });
  EXPECT_NE(message.find(std::to_string(Index{1} << 59)), std::string::npos) << message;
}

TEST(Queue, AddsTimesOfOneNameInOrderOfFirstUse) {
  Queue queue(3);
  EXPECT_EQ(queue.threads(), 3);
  EXPECT_TRUE(queue.launch_times().empty());
  const auto wait = [] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); };
  queue.timed("slow", wait);
  queue.timed("fast", [] {});
  queue.timed("slow", wait);
  ASSERT_EQ(queue.launch_times().size(), 2U);
  const auto& slow = queue.launch_times()[0];
  const auto& fast = queue.launch_times()[1];
  EXPECT_EQ(slow.label.name, "slow");
  EXPECT_EQ(slow.launches, 2);
  EXPECT_GE(slow.seconds, 0.004);
  EXPECT_EQ(fast.label.name, "fast");
  EXPECT_EQ(fast.launches, 1);
  EXPECT_GE(fast.seconds, 0);
}

TEST(Launch, GivesEveryItemOnce) {
  for (const int threads : kThreads) {
    Queue queue(threads);
    for (const Index n : {0, 1, 255, 256, 257, 5000}) {
      std::vector<std::atomic<int>> visits(n);
      for_each(queue, "visit", n, [&](Index i) { ++visits[i]; });
      EXPECT_TRUE(std::ranges::all_of(visits, [](const auto& count) { return count == 1; })) << threads << ' ' << n;
    }
    ASSERT_EQ(queue.launch_times().size(), 1U);
    EXPECT_EQ(queue.launch_times()[0].label.name, "visit");
    EXPECT_EQ(queue.launch_times()[0].launches, 6);
  }
}

TEST(Launch, GivesEveryTeamScratchOfItsOwn) {
  for (const int threads : kThreads) {
    for (const Index scratch_bytes : {0, 1, 64, 1000}) {
      Queue queue(threads);
      std::vector<std::atomic<int>> visits(1000);
      std::atomic<int> wrong = 0;
      for_each_team(queue, "team", 1000, {1, scratch_bytes}, [&](HostTeam& team, Index i) {
        const View<std::byte> scratch = team.scratch();
        wrong += scratch.size() != scratch_bytes || !is_aligned(scratch.data()) ? 1 : 0;
        const auto mark = static_cast<std::byte>(i % 251);
        for (std::byte& byte : scratch) byte = mark;
        std::this_thread::yield();
        wrong += std::ranges::all_of(scratch, [&](std::byte byte) { return byte == mark; }) ? 0 : 1;
        ++visits[i];
      });
      EXPECT_EQ(wrong, 0) << threads << ' ' << scratch_bytes;
      EXPECT_TRUE(std::ranges::all_of(visits, [](const auto& count) { return count == 1; }));
      EXPECT_EQ(queue.launch_times()[0].label.name, "team");
    }
  }
}

TEST(HostTeam, IsATeamOfOne) {
  HostTeam team;
  team.barrier();
  EXPECT_EQ(team.rank(), 0);
  EXPECT_EQ(team.size(), 1);
  EXPECT_EQ(team.sum(7), 7);
  EXPECT_EQ(team.min(-7), -7);
  EXPECT_EQ(team.scan(7), 0);
  EXPECT_TRUE(team.any(true));
  EXPECT_FALSE(team.any(false));
  EXPECT_EQ(team.ballot(true), 1U);
  EXPECT_EQ(team.ballot(false), 0U);
  EXPECT_EQ(team.scratch().size(), 0);
}

/// One lane of a team whose other lanes are counted by hand.
/// A lane by itself: what it would share with the others stays its own.
struct Lane : HostTeam {
  Lane(int rank, int size) : rank_(rank), size_(size) {}
  int rank() const { return rank_; }
  int size() const { return size_; }

 private:
  int rank_, size_;
};

TEST(TeamLoops, ShareItemsAmongTheLanes) {
  for (const int size : {1, 3, 32}) {
    for (const Index n : {0, 1, 2, 31, 32, 33, 100}) {
      std::vector<int> visits(n, 0);
      Index sum = 0;
      for (int rank = 0; rank < size; ++rank) {
        Lane lane(rank, size);
        team_for(lane, n, [&](Index i) { ++visits[i]; });
        sum += team_sum(lane, n, [](Index i) { return i + 1; });
      }
      EXPECT_EQ(visits, std::vector<int>(n, 1)) << size;
      EXPECT_EQ(sum, n * (n + 1) / 2) << size;
    }
  }
}

TEST(Threads, AreAtMostTheCores) {
  const int cores = available_threads();
  ASSERT_GE(cores, 1);
  EXPECT_EQ(resolve_threads(0), cores);
  EXPECT_EQ(resolve_threads(1), 1);
  EXPECT_EQ(resolve_threads(cores), cores);
  EXPECT_EQ(resolve_threads(cores + 1), cores);
  const auto message = test::message_of<InputError>([] { resolve_threads(-1); });
  EXPECT_NE(message.find("threads"), std::string::npos) << message;
  EXPECT_NE(message.find("-1"), std::string::npos) << message;
}

TEST(ParallelForRange, CoversEveryIndexOnce) {
  for (const int threads : {0, 1, 4}) {
    for (const Index grain : {1, 7, 100}) {
      for (const Index n : {0, 1, 6, 7, 8, 99, 100, 101, 1000}) {
        std::vector<std::atomic<int>> visits(n);
        std::atomic<int> empty = 0;
        parallel_for_range(threads, n, grain, [&](Index begin, Index end) {
          empty += begin >= end ? 1 : 0;
          for (Index i = begin; i < end; ++i) ++visits[i];
        });
        const bool once = std::ranges::all_of(visits, [](const auto& count) { return count == 1; });
        EXPECT_TRUE(once && empty == 0) << threads << ' ' << grain << ' ' << n;
      }
    }
  }
}

TEST(ParallelForRange, StaysOnTheCallerWithOneThread) {
  int calls = 0;
  const auto caller = std::this_thread::get_id();
  parallel_for_range(1, 1000, 10, [&](Index begin, Index end) {
    ++calls;
    EXPECT_EQ(begin, 0);
    EXPECT_EQ(end, 1000);
    EXPECT_EQ(std::this_thread::get_id(), caller);
  });
  EXPECT_EQ(calls, 1);
}

TEST(ParallelForRange, PassesOnAnException) {
  for (const int threads : kThreads) {
    const auto run = [&] {
      parallel_for_range(threads, 1000, 1, [](Index begin, Index end) {
        if (begin <= 500 && 500 < end) throw InputError("item 500");
      });
    };
    EXPECT_EQ(test::message_of<InputError>(run), "item 500") << threads;
  }
}

}  // namespace
}  // namespace quarry
