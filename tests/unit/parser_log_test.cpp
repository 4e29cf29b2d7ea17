/// RDKit's log: how much of it is shown; and after fork, where a child has none of the threads that could let go of a lock.
#include "chemistry/parser_log.hpp"

#include <GraphMol/RWMol.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>
#include <string>
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

TEST(ParserLog, ShowsTheBeginningOfALongText) {
  const std::string smiles = std::string(5000, 'C') + "(";
  const std::string complaint =
      parser_complaint([&] { const std::unique_ptr<RDKit::RWMol> none(RDKit::SmilesToMol(smiles)); });
  EXPECT_TRUE(complaint.starts_with("SMILES Parse Error: ")) << complaint;
  EXPECT_TRUE(complaint.ends_with("CCC...")) << complaint;
  EXPECT_LT(complaint.size(), 400U);
}

}  // namespace
}  // namespace quarry
