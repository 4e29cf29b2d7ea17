/// Work beside the caller: it runs while its owner does something else, and its exceptions come when the owner waits.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <thread>

#include "exec/parallel.hpp"

namespace quarry {
namespace {

constexpr std::array kWorkThreads = {1, 2, 4};
/// On one core the owner does the work when it waits.
const bool has_other_threads = available_threads() > 1;

TEST(BackgroundWork, HasDoneAllPiecesWhenTheOwnerHasWaited) {
  for (const int threads : kWorkThreads) {
    BackgroundWork work(threads);
    for (Index round = 1; round <= 50; ++round) {
      std::atomic<Index> sum = 0;
      work.begin([&] { parallel_for_each(threads, 100, [&](Index i) { sum += i * round; }); });
      EXPECT_TRUE(work.is_begun());
      work.finish();
      EXPECT_FALSE(work.is_begun());
      EXPECT_EQ(sum, 4950 * round);
    }
  }
}

TEST(BackgroundWork, GoesOnWhileItsOwnerDoesNotWait) {
  std::atomic<bool> is_done = false;
  BackgroundWork work(2);
  work.begin([&] { is_done = true; });
  while (has_other_threads && !is_done) std::this_thread::yield();
  EXPECT_EQ(is_done, has_other_threads);
  work.finish();
  EXPECT_TRUE(is_done);
}

TEST(BackgroundWork, ThrowsWhenTheOwnerWaits) {
  for (const int threads : kWorkThreads) {
    BackgroundWork work(threads);
    for (int round = 0; round < 3; ++round) {
      work.begin([&] {
        parallel_for_each(threads, 20, [](Index i) {
          if (i == 7) throw InputError("piece 7");
        });
      });
      EXPECT_THROW(work.finish(), InputError);
      EXPECT_FALSE(work.is_begun());
    }
    bool is_done = false;
    work.begin([&] { is_done = true; });
    work.finish();
    EXPECT_TRUE(is_done) << "after a failure";
  }
}

TEST(BackgroundWork, BeginsNoFurtherPiecesWhenItsOwnerGoes) {
  constexpr Index kPieces = 5000;
  std::atomic<Index> done = 0;
  {
    BackgroundWork work(2);
    work.begin([&] {
      parallel_for_each(2, kPieces, [&](Index) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        ++done;
      });
    });
  }
  const Index when_gone = done;
#ifndef QUARRY_PLAIN_THREADS
  EXPECT_LT(when_gone, kPieces);
#endif
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(done, when_gone) << "nothing goes on";
}

/// What the child did is its exit status.
int status_of_child(const std::function<int()>& in_child) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(in_child());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(BackgroundWork, OnThreadsOfTheParentCannotBeFinishedInAChild) {
  std::atomic<bool> may_end = !has_other_threads;
  auto work = std::make_unique<BackgroundWork>(2);
  work->begin([&] {
    while (!may_end) std::this_thread::yield();
  });
  const int status = status_of_child([&] {
    ::alarm(60);
    try {
      work->finish();
    } catch (const SystemError&) {
      work.reset();  // waits for nothing
      return 7;
    }
    return 1;
  });
  EXPECT_EQ(status, has_other_threads ? 7 : 1);
  may_end = true;
  work->finish();
}

TEST(BackgroundWork, ChildBeginsWorkOfItsOwn) {
  BackgroundWork work(2);
  work.begin([] {});
  work.finish();
  const int status = status_of_child([&] {
    ::alarm(60);
    std::atomic<Index> sum = 0;
    work.begin([&] { parallel_for_each(2, 10, [&](Index i) { sum += i; }); });
    work.finish();
    return static_cast<int>(sum);
  });
  EXPECT_EQ(status, 45);
}

}  // namespace
}  // namespace quarry
