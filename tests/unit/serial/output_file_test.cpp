/// Files that are complete or absent.
#include "util/files/output_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "support/temporary_folder.hpp"
#include "util/check.hpp"
#include "util/files/finished_file.hpp"
#include "util/files/line_reader.hpp"

namespace quarry {
namespace {

using test::message_of;
using test::read_whole_file;
using test::TemporaryFolder;

TEST(OutputFile, AppearsOnlyWhenFinished) {
  const TemporaryFolder folder;
  const std::string path = folder.file("out.tsv");
  OutputFile file(path);
  file.write("one\n");
  EXPECT_FALSE(std::filesystem::exists(path));
  file.finish();
  EXPECT_EQ(read_whole_file(path), "one\n");
  EXPECT_EQ(folder.num_files(), 1);
}

TEST(OutputFile, LeavesNothingWithoutFinish) {
  const TemporaryFolder folder;
  {
    OutputFile file(folder.file("out.gz"));
    file.write(std::string(1000000, 'x'));
    EXPECT_LE(folder.num_files(), 1);  // none where the file system has files without a name
  }
  EXPECT_EQ(folder.num_files(), 0);
}

TEST(OutputFile, KeepsTheOldFileUntilFinished) {
  const TemporaryFolder folder;
  const std::string path = folder.write("out.tsv", "old");
  ::chmod(path.c_str(), 0640);
  { OutputFile(path).write("new"); }
  EXPECT_EQ(read_whole_file(path), "old");
  OutputFile file(path);
  file.write("new");
  file.finish();
  EXPECT_EQ(read_whole_file(path), "new");
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST(OutputFile, WritesThroughALinkToItsTarget) {
  const TemporaryFolder folder;
  const std::string target = folder.write("target", "old");
  std::filesystem::create_symlink(target, folder.file("link"));
  OutputFile file(folder.file("link"));
  file.write("new");
  file.finish();
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link")));
  EXPECT_EQ(read_whole_file(target), "new");
}

TEST(OutputFile, CompressesByItsName) {
  const TemporaryFolder folder;
  for (const std::string name : {"out.gz", "out.zst", "out.bz2", "out.xz"}) {
    OutputFile file(folder.file(name));
    const std::string line(100000, 'C');
    for (int i = 0; i < 5; ++i) file.write(line + "\n");
    file.write("");
    file.finish();
    EXPECT_LT(std::filesystem::file_size(folder.file(name)), 10000u) << name;
    LineReader reader(folder.file(name));
    Index lines = 0;
    for (std::string text; reader.next(text); ++lines) EXPECT_EQ(text, line);
    EXPECT_EQ(lines, 5) << name;
  }
}

TEST(OutputFile, ReportsAFullDisk) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  OutputFile small("/dev/full");
  small.write("text");
  EXPECT_NE(message_of<SystemError>([&] { small.finish(); }).find("cannot write /dev/full: No space"),
            std::string::npos);
  EXPECT_THROW(OutputFile("/dev/full").write(std::string(1 << 20, 'x')), SystemError);
}

TEST(OutputFile, WritesDevicesDirectly) {
  OutputFile file("/dev/null");
  file.write("text");
  file.finish();
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(OutputFile, RefusesFoldersThatCannotBeWritten) {
  const TemporaryFolder folder;
  const std::string missing = folder.file("missing/out.tsv");
  EXPECT_NE(message_of<SystemError>([&] { OutputFile file(missing); }).find("cannot write " + missing),
            std::string::npos);
  EXPECT_THROW(OutputFile(folder.path().string()), SystemError);
  if (::geteuid() == 0) return;  // root may write anywhere
  ::chmod(folder.path().c_str(), 0500);
  EXPECT_THROW(OutputFile(folder.file("out.tsv")), SystemError);
  ::chmod(folder.path().c_str(), 0700);
}

/// Exit status of a child process that gets a signal while it writes two files.
int status_of_interrupted_child(const TemporaryFolder& folder, int signal) {
  const pid_t child = ::fork();
  if (child == 0) {
    remove_temporaries_on_signal();
    OutputFile first(folder.file("first.tsv")), second(folder.file("second.gz"));
    first.write(std::string(1000000, 'x'));
    hold_finished();
    OutputFile(folder.file("third.tsv")).finish();
    if (folder.num_files() == 0) ::_exit(1);
    ::raise(signal);
    ::_exit(2);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(OutputFile, IsRemovedWhenTheProcessIsTold) {
  const TemporaryFolder folder;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    EXPECT_EQ(status_of_interrupted_child(folder, signal), 128 + signal);
    EXPECT_EQ(folder.num_files(), 0) << "signal " << signal;
  }
}

TEST(OutputFile, RefusesNamesThatAreNone) {
  EXPECT_EQ(message_of<InputError>([] { OutputFile file(""); }), "the name of an output file is empty");
  EXPECT_THROW(OutputFile(std::string("a\0b", 3)), InputError);
}

TEST(OutputFile, HeldFilesAppearTogether) {
  const TemporaryFolder folder;
  const std::string one = folder.write("one", "old"), two = folder.file("two"), now = folder.file("now");
  const pid_t child = ::fork();
  if (child == 0) {  // what is held is held for the whole process
    hold_finished();
    OutputFile first(one), second(two), third(now);
    for (OutputFile* file : {&first, &second, &third}) file->write("new");
    first.finish();
    second.finish();
    third.finish_at_once();
    const bool held_back = read_whole_file(one) == "old" && !std::filesystem::exists(two);
    const bool at_once = read_whole_file(now) == "new";
    show_held();
    const bool shown = read_whole_file(one) == "new" && read_whole_file(two) == "new";
    ::_exit(held_back && at_once && shown ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(folder.num_files(), 3);
}

TEST(OutputFile, WritesToWhatIsOpenAlready) {
  const TemporaryFolder folder;
  const std::string path = folder.write("log", "old\n");
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND);
  OutputFile file("/dev/fd/" + std::to_string(descriptor));
  file.write("new\n");
  file.finish();
  ::close(descriptor);
  EXPECT_EQ(read_whole_file(path), "old\nnew\n");
}

TEST(TemporaryFile, KnowsItsPosition) {
  const TemporaryFolder folder;
  TemporaryFile file(folder.file("out.qlib"));
  const std::string large(300000, 'a');
  file.write("head", 4);
  file.write(large.data(), large.size());
  EXPECT_EQ(file.position(), 300004);
  file.write("tail", 4);
  file.commit();
  EXPECT_EQ(read_whole_file(file.path()), "head" + large + "tail");
}

TEST(TemporaryFile, ManyMayBeOpenUpToALimit) {
  const TemporaryFolder folder;
  std::vector<std::unique_ptr<TemporaryFile>> files;
  const auto open_one = [&] {
    files.push_back(std::make_unique<TemporaryFile>(folder.file(std::to_string(files.size()))));
  };
  for (int i = 0; i < 64; ++i) open_one();
  EXPECT_THROW(open_one(), CapacityError);
  files.clear();
  EXPECT_EQ(folder.num_files(), 0);
  EXPECT_NO_THROW(open_one());
}

TEST(Check, ThrowsWithFileAndLine) {
  EXPECT_NO_THROW(QUARRY_CHECK(1 < 2, "never"));
  const std::string said = message_of<std::logic_error>([] { QUARRY_CHECK(2 < 1, "two is " + std::to_string(2)); });
  EXPECT_NE(said.find("output_file_test.cpp:"), std::string::npos) << said;
  EXPECT_NE(said.find("two is 2 (check failed: 2 < 1)"), std::string::npos) << said;
}

}  // namespace
}  // namespace quarry
