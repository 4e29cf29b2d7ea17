/// RDKit's log after fork: the child has no thread that could let go of a lock of its parent's.
#include "chemistry/parser_log.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

namespace quarry {
namespace {

TEST(ParserLog, AChildOfForkCanParseWhileItsParentDoes) {
  std::atomic<bool> holds = false;
  std::thread parser([&] {
    const ParserGuard guard;
    holds = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  });
  while (!holds) std::this_thread::yield();
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);  // ends it where it waits for ever
    (void)parser_complaint([] {});
    ::raise(SIGKILL);  // at an exit ThreadSanitizer would miss the threads of the parent
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  parser.join();
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
}

}  // namespace
}  // namespace quarry
