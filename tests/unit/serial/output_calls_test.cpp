/// What a finished output asks of the system, and what becomes of it where the system refuses. The definitions of fsync
/// and rename stand before those of the C library, and record what is called.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "quarry/library.hpp"
#include "support/temporary_folder.hpp"
#include "util/files/output_file.hpp"

namespace {

/// In order; not kept unless a test asks.
bool recording = false;
std::vector<std::string> calls;

}  // namespace

extern "C" __attribute__((visibility("default"))) int fsync(int descriptor) {
  struct stat status {};
  if (recording && ::fstat(descriptor, &status) == 0) {
    calls.push_back(S_ISDIR(status.st_mode) ? "fsync folder" : "fsync file");
  }
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

extern "C" __attribute__((visibility("default"))) int rename(const char* from, const char* to) noexcept {
  if (recording) calls.emplace_back("rename");
  return static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

namespace quarry {
namespace {

using test::message_of;
using test::read_whole_file;
using test::TemporaryFolder;
using Calls = std::vector<std::string>;

template <class Action>
Calls calls_of(Action&& action) {
  calls.clear();
  recording = true;
  action();
  recording = false;
  return calls;
}

const Calls kInOrder = {"fsync file", "rename", "fsync folder"};

TEST(OutputCalls, AreInTheOrderThatAPowerCutCannotHarm) {
  const TemporaryFolder folder;
  for (const std::string name : {"out.tsv", "out.tsv.gz", "out.tsv.zst"}) {
    EXPECT_EQ(calls_of([&] {
                OutputFile file(folder.file(name));
                file.write("text\n");
                file.finish();
              }),
              kInOrder)
        << name;
  }
  EXPECT_EQ(calls_of([&] { LibraryWriter(folder.file("a.qlib"), {}).finish(); }), kInOrder);
}

/// Runs in a process of its own. @return  what it says, empty where it says nothing
template <class Action>
std::string in_child(Action&& action) {
  int ends[2];
  if (::pipe(ends) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string said = action();
    const ssize_t written = ::write(ends[1], said.data(), said.size());
    ::_exit(written == static_cast<ssize_t>(said.size()) ? 0 : 1);
  }
  ::close(ends[1]);
  std::string said;
  char byte = 0;
  while (::read(ends[0], &byte, 1) == 1) said += byte;
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return said;
}

/// The system takes the first 100,000 bytes of a write and refuses the rest.
TEST(OutputCalls, AShortWriteIsNoSuccess) {
  const TemporaryFolder folder;
  const std::string path = folder.write("out.tsv", "old");
  const std::string said = in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100'000, 100'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    return message_of<SystemError>([&] {
      OutputFile file(path);
      file.write(std::string(300'000, 'x'));
      file.finish();
    });
  });
  EXPECT_NE(said.find("cannot write " + path), std::string::npos) << said;
  EXPECT_EQ(read_whole_file(path), "old");
}

/// A rename needs only the folder, so the file itself must be asked.
TEST(OutputCalls, AWriteProtectedFileIsNotReplaced) {
  const TemporaryFolder folder;
  const std::string path = folder.write("out.tsv", "old");
  ::chmod(path.c_str(), 0444);
  ::chmod(folder.path().c_str(), 0777);
  const std::string said = in_child([&] {
    constexpr uid_t kNobody = 65534;
    if (::geteuid() == 0 && ::setuid(kNobody) != 0) return std::string("no other user");
    return message_of<SystemError>([&] {
      OutputFile file(path);
      file.write("new");
      file.finish();
    });
  });
  if (said == "no other user") GTEST_SKIP() << said;
  EXPECT_NE(said.find("cannot write " + path), std::string::npos) << said;
  EXPECT_EQ(read_whole_file(path), "old");
}

/// As many may be open at once as there are slots, but any number one after the other.
TEST(OutputCalls, AnyNumberOfFilesOneAfterTheOther) {
  const TemporaryFolder folder;
  for (int i = 0; i < 100; ++i) {
    OutputFile file(folder.file(std::to_string(i)));
    file.write("text");
    file.finish();
  }
  EXPECT_EQ(folder.num_files(), 100);
}

/// Byte 4 of a zstd frame describes it; its bit 2 says that a checksum follows (RFC 8878, 3.1.1.1.1).
TEST(OutputCalls, CompressedFilesHaveChecksums) {
  const TemporaryFolder folder;
  OutputFile file(folder.file("out.zst"));
  file.write("text");
  file.finish();
  const std::string frame = read_whole_file(folder.file("out.zst"));
  ASSERT_GT(frame.size(), 5u);
  EXPECT_NE(frame[4] & 4, 0);
}

}  // namespace
}  // namespace quarry
