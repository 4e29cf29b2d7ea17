/// Output files where the file system knows no files without a name: each is under a hidden name until it is complete.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "support/changed.hpp"
#include "support/temporary_folder.hpp"
#include "util/files/output_file.hpp"
#include "util/files/temporary/temporary_file.hpp"

namespace quarry {
namespace {

using test::Changed;
using test::read_whole_file;
using test::TemporaryFolder;

/// Files with the hidden name of an unfinished one.
int num_hidden(const TemporaryFolder& folder) {
  int found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    const std::string name = entry.path().filename();
    found += name.starts_with(".quarry-") && name.ends_with(".part");
  }
  return found;
}

TEST(HiddenName, IsTakenAndGivenBack) {
  const Changed changed(use_unnamed_files, false);
  const TemporaryFolder folder;
  const std::string path = folder.write("out.tsv", "old");
  {
    TemporaryFile file(path);
    file.write("new", 3);
    EXPECT_EQ(num_hidden(folder), 1);
    EXPECT_EQ(read_whole_file(path), "old");
    file.commit();
  }
  EXPECT_EQ(num_hidden(folder), 0);
  EXPECT_EQ(read_whole_file(path), "new");
  {
    TemporaryFile file(path);
    file.write("lost", 4);
    EXPECT_EQ(num_hidden(folder), 1);
  }
  EXPECT_EQ(num_hidden(folder), 0);
  EXPECT_EQ(read_whole_file(path), "new");
}

/// A file without a name has none of the kind, or the tests above would say nothing.
TEST(HiddenName, IsNotTakenWhereFilesNeedNone) {
  const TemporaryFolder folder;
  const int unnamed = ::open(folder.path().c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (unnamed < 0) GTEST_SKIP() << "the file system knows no files without a name";
  ::close(unnamed);
  TemporaryFile file(folder.file("out.tsv"));
  EXPECT_EQ(num_hidden(folder), 0);
}

/// A child that writes a file and ends without a word, or by a signal. The files are its own.
void run_child(const TemporaryFolder& folder, int signal) {
  const int before = num_hidden(folder);
  const pid_t child = ::fork();
  if (child == 0) {
    if (signal != SIGKILL) remove_temporaries_on_signal();
    TemporaryFile file(folder.file("out.tsv"));
    file.write("cut", 3);
    ::raise(num_hidden(folder) == before + 1 ? signal : SIGABRT);
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  if (signal == SIGKILL) {
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  } else {
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 128 + signal);
  }
}

TEST(HiddenName, IsRemovedWhenTheProcessIsTold) {
  const Changed changed(use_unnamed_files, false);
  const TemporaryFolder folder;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    run_child(folder, signal);
    EXPECT_EQ(folder.num_files(), 0) << "signal " << signal;
  }
}

/// A killed process leaves its file; the next run removes it, but not that of a process that lives.
TEST(HiddenName, OfADeadProcessIsRemovedByTheNextRun) {
  const Changed changed(use_unnamed_files, false);
  const TemporaryFolder folder;
  TemporaryFile living(folder.file("living.tsv"));
  run_child(folder, SIGKILL);
  ASSERT_EQ(num_hidden(folder), 2);
  TemporaryFile next(folder.file("next.tsv"));
  EXPECT_EQ(num_hidden(folder), 2) << "of the living one and of this one";
  living.write("whole", 5);
  living.commit();
  EXPECT_EQ(read_whole_file(folder.file("living.tsv")), "whole");
}

}  // namespace
}  // namespace quarry
